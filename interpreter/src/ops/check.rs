//! The `check` dialect, with which tests are written. A failed check ends the run.
//!
//! | check | integers, booleans | floats and parts of complex numbers |
//! |---|---|---|
//! | equal | equal | `==`: NaN is never equal, −0 equals +0 |
//! | almost equal | not allowed | NaN is like NaN, infinities are equal to themselves, else the difference is within the tolerance |
//! | close | not allowed | the number of representable values between them is within the limits |

use smallvec::SmallVec;
use stablehlo::ops::attr_classes::{Elements, F64, Str, UI32, UI64};

use super::constant::from_attr;
use crate::compare::{indices, ulp_distance};
use crate::element::{CompareType, Direction, Element, Float};
use crate::error::{ErrorKind, EvalError, Result};
use crate::eval::Cx;
use crate::io::mlir::print_element;
use crate::tensor::{Tensor, show};
use crate::value::Values;
use crate::{dispatch_element, dispatch_float};

const DEFAULT_TOLERANCE: f64 = 1e-4;

/// `check.expect_eq`
pub fn expect_eq(cx: &Cx<'_>) -> Result<Values> {
    equal(&cx.tensor(0)?, &cx.tensor(1)?)?;
    Ok(Values::new())
}

/// `check.expect_eq_const`
pub fn expect_eq_const(cx: &Cx<'_>) -> Result<Values> {
    equal(&cx.tensor(0)?, &from_attr(cx, cx.required::<Elements>("value")?)?)?;
    Ok(Values::new())
}

/// `check.expect_almost_eq`
pub fn expect_almost_eq(cx: &Cx<'_>) -> Result<Values> {
    let tolerance = cx.attr::<F64>("tolerance").unwrap_or(DEFAULT_TOLERANCE);
    almost_equal(&cx.tensor(0)?, &cx.tensor(1)?, tolerance)?;
    Ok(Values::new())
}

/// `check.expect_almost_eq_const`
pub fn expect_almost_eq_const(cx: &Cx<'_>) -> Result<Values> {
    let tolerance = cx.attr::<F64>("tolerance").unwrap_or(DEFAULT_TOLERANCE);
    almost_equal(&cx.tensor(0)?, &from_attr(cx, cx.required::<Elements>("value")?)?, tolerance)?;
    Ok(Values::new())
}

/// `check.expect_close`
pub fn expect_close(cx: &Cx<'_>) -> Result<Values> {
    let max = cx.required::<UI64>("max_ulp_difference")?;
    let min = cx.attr::<UI64>("min_ulp_difference").unwrap_or(0);
    close(&cx.tensor(0)?, &cx.tensor(1)?, min, max)?;
    Ok(Values::new())
}

/// `check.expect_serialized_eq`: equality with what a probe of this run recorded.
pub fn expect_serialized_eq(cx: &Cx<'_>) -> Result<Values> {
    let expected = cx.tensor(0)?;
    let id = String::from_utf8_lossy(cx.required::<Str>("probe_id")?);
    let iteration = cx.attr::<UI32>("iteration").unwrap_or(0) as usize;
    let recorded = cx.with_host(|host| {
        host.probes.iter().filter(|probe| probe.id == id).nth(iteration).map(|probe| probe.value.clone())
    });
    let Some(recorded) = recorded else {
        return Err(failed(format!("probe {id} has no value number {iteration}")));
    };
    equal(&expected, &recorded)?;
    Ok(Values::new())
}

/// Equal elements.
///
/// # Errors
/// `exec/check-failed` at the first difference.
pub fn equal(actual: &Tensor, expected: &Tensor) -> Result<()> {
    if actual.element() != expected.element() {
        return first_difference(actual, expected, |_| false, "");
    }
    dispatch_element!(actual.element(), T => {
        let is_equal = |index: usize| {
            let (actual, expected) = (actual.get::<T>(index), expected.get::<T>(index));
            Element::compare(actual, expected, Direction::Eq, CompareType::Float)
        };
        first_difference(actual, expected, is_equal, "")
    })
}

/// Elements that differ by `tolerance` at most.
///
/// # Errors
/// `exec/check-failed` at the first other pair.
pub fn almost_equal(actual: &Tensor, expected: &Tensor, tolerance: f64) -> Result<()> {
    let near = |a: f64, b: f64| {
        (a.is_nan() && b.is_nan()) || a == b || (a.is_finite() && b.is_finite() && (a - b).abs() <= tolerance)
    };
    let limit = format!(" (tolerance {tolerance})");
    let parts = parts_of(actual, expected)?;
    first_difference(actual, expected, |index| parts(index).iter().all(|part| near(part.actual, part.expected)), &limit)
}

/// Elements between which there are at least `min` and at most `max` steps of one unit in the last place; of a
/// complex number the part that is further away counts.
///
/// # Errors
/// `exec/check-failed` at the first other pair.
pub fn close(actual: &Tensor, expected: &Tensor, min: u64, max: u64) -> Result<()> {
    let limit = format!(" (ULP difference from {min} to {max})");
    let parts = parts_of(actual, expected)?;
    let is_close = |index| {
        let distance = parts(index).iter().map(|part| part.ulps).max().unwrap_or(0);
        (min..=max).contains(&distance)
    };
    first_difference(actual, expected, is_close, &limit)
}

/// A pair of floats.
#[derive(Copy, Clone, Default)]
struct Part {
    actual: f64,
    expected: f64,
    ulps: u64,
}

/// The floats in the pair of elements at an index.
type Parts<'a> = Box<dyn Fn(usize) -> SmallVec<[Part; 2]> + 'a>;

/// The floats in a pair of elements: one, or two for complex numbers.
fn parts_of<'a>(actual: &'a Tensor, expected: &'a Tensor) -> Result<Parts<'a>> {
    let element = actual.element();
    let part = element.complex_part().unwrap_or(element);
    let parts: Option<Parts<'a>> = dispatch_float!(part, T => {
        let floats = |tensor: &'a Tensor, index: usize| tensor.element_bytes(index).chunks_exact(T::WIDTH).map(T::read_le);
        Box::new(move |index: usize| {
            let pairs = floats(actual, index).zip(floats(expected, index));
            pairs
                .map(|(actual, expected): (T, T)| Part {
                    actual: Float::to_f64(actual),
                    expected: Float::to_f64(expected),
                    ulps: ulp_distance(actual, expected),
                })
                .collect()
        })
    });
    parts.ok_or_else(|| EvalError::unsupported(format!("the check is not defined on {element}")))
}

fn first_difference(actual: &Tensor, expected: &Tensor, is_right: impl Fn(usize) -> bool, limit: &str) -> Result<()> {
    if actual.shape() != expected.shape() || actual.element() != expected.element() {
        return Err(failed(format!(
            "shapes differ: {} (actual), {} (expected)",
            show(actual.shape()),
            show(expected.shape())
        )));
    }
    // Where every pair is the same, one is enough.
    let same = actual.splat_bytes().is_some() && expected.splat_bytes().is_some();
    let n_pairs = if same { actual.len().min(1) } else { actual.len() };
    let Some(index) = (0..n_pairs).find(|index| !is_right(*index)) else {
        return Ok(());
    };
    let place = indices(actual.shape(), index);
    Err(failed(format!(
        "{} (actual) is not {} (expected) at index {place:?}{limit}",
        print_element(actual, index),
        print_element(expected, index)
    )))
}

fn failed(message: String) -> EvalError {
    EvalError::new(ErrorKind::Check, "exec/check-failed", message)
}
