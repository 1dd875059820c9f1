//! Noticing, in a strict run, that an elementwise op leaves the ground on which implementations agree.
//!
//! Looks at the operands before the op is executed, one element at a time in wide arithmetic; ops of other kinds
//! call [`Cx::touch`] themselves.

use stablehlo::element::ElementType;
use stablehlo::ir::ComparisonDirection::{Eq, Ne};
use stablehlo::ops::OpKind::{self, *};
use stablehlo::ops::attr_classes::{ComparisonDirectionAttr, I64};

use crate::dispatch_element;
use crate::element::{Element, Exact};
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::Tensor;

/// Touches the points that the op at hand reaches.
pub(crate) fn notice(cx: &Cx<'_>) -> Result<()> {
    let Some(kind) = cx.module().kind(cx.op()) else {
        return Ok(());
    };
    match kind {
        Add | Subtract | Multiply | Divide | Remainder | Power | ShiftLeft | ShiftRightArithmetic
        | ShiftRightLogical => binary(cx, kind),
        Negate | Abs => unary(cx, kind),
        Convert => convert(cx),
        Iota | DynamicIota => iota(cx),
        Maximum | Minimum | Clamp => {
            if cx.tensor(0)?.element().is_complex() {
                cx.touch("maximum-complex");
            }
            Ok(())
        }
        Compare => {
            let direction = cx.attr::<ComparisonDirectionAttr>("comparison_direction");
            if cx.tensor(0)?.element().is_complex() && !matches!(direction, Some(Eq | Ne)) {
                cx.touch("compare-complex-order");
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Indices at which to look: one is enough where all elements are the same.
fn indices(operands: &[&Tensor]) -> std::ops::Range<usize> {
    let all_splat = operands.iter().all(|operand| operand.splat_bytes().is_some());
    let len = operands.iter().map(|operand| operand.len()).min().unwrap_or(0);
    0..if all_splat { len.min(1) } else { len }
}

fn binary(cx: &Cx<'_>, kind: OpKind) -> Result<()> {
    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
    let element = lhs.element();
    if element == ElementType::F8E8M0FNU && kind == Subtract {
        let value = |tensor: &Tensor, index| exact(tensor, index).0;
        if indices(&[&lhs, &rhs]).any(|index| value(&lhs, index) <= value(&rhs, index)) {
            cx.touch("f8E8M0FNU-arithmetic");
        }
    }
    let Some((min, max)) = element.integer_range().filter(|_| element.is_integer()) else {
        return Ok(());
    };
    let fits = |value: Option<i128>| value.is_some_and(|value| (min..=max).contains(&value));
    for index in indices(&[&lhs, &rhs]) {
        let (Some(lhs), Some(rhs)) = (lhs.integer(index), rhs.integer(index)) else {
            return Ok(());
        };
        let point = match kind {
            Add if !fits(lhs.checked_add(rhs)) => "integer-overflow",
            Subtract if !fits(lhs.checked_sub(rhs)) => "integer-overflow",
            Multiply if !fits(lhs.checked_mul(rhs)) => "integer-overflow",
            Divide if rhs == 0 => "divide-by-zero",
            Remainder if rhs == 0 => "remainder-by-zero",
            Divide | Remainder if !fits(lhs.checked_div(rhs)) => "divide-overflow",
            Power if rhs < 0 => "power-negative-exponent",
            ShiftLeft | ShiftRightArithmetic | ShiftRightLogical if !(0..i128::from(element.bits())).contains(&rhs) => {
                "shift-amount"
            }
            _ => continue,
        };
        cx.touch(point);
    }
    Ok(())
}

fn unary(cx: &Cx<'_>, kind: OpKind) -> Result<()> {
    let operand = cx.tensor(0)?;
    let element = operand.element();
    if element == ElementType::F8E8M0FNU && kind == Negate {
        cx.touch("f8E8M0FNU-arithmetic");
    }
    let Some((min, _)) = element.integer_range().filter(|_| element.is_integer()) else {
        return Ok(());
    };
    let overflows = |value: i128| match element.is_signed() {
        true => value == min,
        false => kind == Negate && value != 0,
    };
    if indices(&[&operand]).any(|index| operand.integer(index).is_some_and(overflows)) {
        cx.touch("negate-overflow");
    }
    Ok(())
}

/// The element as a float (for a complex number its real part) and as an integer if it is one.
fn exact(tensor: &Tensor, index: usize) -> (f64, Option<i128>) {
    let value = dispatch_element!(tensor.element(), T => tensor.get::<T>(index).to_exact());
    match value {
        Exact::Integer(value) => (value as f64, Some(value)),
        Exact::Float(value) | Exact::Complex(value, _) => (value, None),
    }
}

fn convert(cx: &Cx<'_>) -> Result<()> {
    let (operand, element) = (cx.tensor(0)?, cx.result_element(0)?);
    for index in indices(&[&operand]) {
        let (value, integer) = exact(&operand, index);
        if let Some(point) = conversion_point(value, integer, element) {
            cx.touch(point);
        }
    }
    Ok(())
}

fn conversion_point(value: f64, integer: Option<i128>, element: ElementType) -> Option<&'static str> {
    if let Some((min, max)) = element.integer_range().filter(|_| element.is_integer()) {
        return match integer {
            Some(integer) => (!(min..=max).contains(&integer)).then_some("integer-narrowing"),
            None if value.is_nan() => Some("nan-to-integer"),
            None if element.is_unsigned() && value <= -1.0 => Some("negative-float-to-unsigned"),
            None => {
                let whole = value.trunc();
                // 2^N and −2^N are exact in f64.
                let inside = min as f64 <= whole && whole < (max + 1) as f64;
                (!inside).then_some("float-to-integer-range")
            }
        };
    }
    let format = element.float_format()?;
    let largest = format.to_f64(format.max_finite(false));
    let leaves = value.is_nan() || value.abs() > largest;
    match element {
        ElementType::F8E4M3FN => (leaves && !value.is_nan()).then_some("convert-to-f8E4M3FN"),
        ElementType::F8E4M3FNUZ | ElementType::F8E5M2FNUZ | ElementType::F8E4M3B11FNUZ => {
            let lost_zero = value == 0.0 && value.is_sign_negative();
            (leaves || lost_zero).then_some("convert-to-fnuz")
        }
        ElementType::F4E2M1FN | ElementType::F6E2M3FN | ElementType::F6E3M2FN => {
            leaves.then_some("convert-to-mx-float")
        }
        ElementType::F8E8M0FNU => (leaves || value <= 0.0).then_some("convert-to-f8E8M0FNU"),
        _ => None,
    }
}

fn iota(cx: &Cx<'_>) -> Result<()> {
    let dimension = usize::try_from(cx.required::<I64>("iota_dimension")?).unwrap_or(usize::MAX);
    let shape = match cx.static_result_shape(0)? {
        Some(shape) => shape,
        None => super::shapes::sizes(&cx.tensor(0)?)?,
    };
    let size = shape.get(dimension).copied().unwrap_or(0);
    let is_held = |index: usize| {
        let index = index as i128;
        dispatch_element!(cx.result_element(0)?, T => Ok(match T::from_exact(Exact::Integer(index)).to_exact() {
            Exact::Integer(held) => held == index,
            Exact::Float(held) | Exact::Complex(held, _) => held == index as f64,
        }))
    };
    // The largest index fails first, but for f8E8M0FNU, which has no zero.
    for index in [0, size.saturating_sub(1)] {
        if size > 0 && !is_held(index)? {
            cx.touch("iota-range");
        }
    }
    Ok(())
}
