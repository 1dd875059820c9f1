//! Ops of other dialects, and `custom_call`: the checks that upstream's tests are written with, and the targets of [`custom_calls`].

use stablehlo::ops::attr_classes::Str;

use super::check::{almost_equal, close, equal};
use super::custom_calls;
use super::shapes::one;
use crate::error::{ErrorKind, EvalError, Result};
use crate::eval::{Cx, OpFn};
use crate::tensor::Tensor;
use crate::value::Values;

/// The meaning of an op of another dialect: those of Shardy that only say where a tensor shall live give it as it is.
pub fn meaning(name: &str) -> Option<OpFn> {
    match name {
        "sdy.sharding_constraint" | "sdy.reshard" | "sdy.propagation_barrier" => Some(custom_calls::unchanged),
        _ => None,
    }
}

/// Calls `call_target_name`.
///
/// # Errors
/// `exec/unknown-custom-call` for a target that is not known.
pub fn custom_call(cx: &Cx<'_>) -> Result<Values> {
    let target = String::from_utf8_lossy(cx.required::<Str>("call_target_name")?);
    if let Some(known) = custom_calls::meaning(&target) {
        return custom_calls::call(cx, known);
    }
    let unknown = || {
        let message = format!("there is no implementation of custom call target @{target}");
        EvalError::new(ErrorKind::Unsupported, "exec/unknown-custom-call", message)
    };
    if !(target.starts_with("check.") && cx.n_operands() == 2) {
        return Err(unknown());
    }
    let (actual, expected) = (cx.tensor(0)?, cx.tensor(1)?);
    match &*target {
        "check.expect_eq" => equal(&actual, &expected)?,
        "check.expect_almost_eq" => almost_equal(&actual, &expected, 1e-3)?,
        "check.expect_close" => close(&actual, &expected, 0, 3)?,
        "check.eq" => {
            let element = expected.element();
            if element.is_integer() || element.is_boolean() {
                equal(&actual, &expected)?;
            } else {
                almost_equal(&actual, &expected, 1e-4)?;
            }
            return Ok(one(Tensor::scalar(true)));
        }
        _ => return Err(unknown()),
    }
    Ok(Values::new())
}
