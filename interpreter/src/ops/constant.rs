//! `constant`: the value of an attribute.

use stablehlo::ir::{Attribute, Literal};
use stablehlo::ops::attr_classes::Elements;

use super::shapes::one;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;
use crate::value::Values;

/// `value`, without copying its bytes.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let value = cx.required::<Elements>("value")?;
    let tensor = from_attr(cx, value)?;
    match cx.lift(tensor.into()) {
        crate::value::Value::Tensor(tensor) => Ok(one(tensor)),
        other => Ok(smallvec::smallvec![other]),
    }
}

/// The tensor that an elements attribute holds.
///
/// # Errors
/// `exec/missing-resource` when a `dense_resource` has no data; strings and sparse elements are not executed.
pub fn from_attr(cx: &Cx<'_>, value: stablehlo::ir::AttrId) -> Result<Tensor> {
    let module = cx.module();
    if let Some(literal) = Literal::from_attr(module, value) {
        return Ok(Tensor::from(&literal));
    }
    Err(match module.attr(value) {
        Attribute::DenseResource { key, .. } => {
            let message = format!("resource {} is missing or has the wrong size", module.str(*key));
            EvalError::invalid("exec/missing-resource", message)
        }
        _ => EvalError::unsupported("constants of this kind are not executed"),
    })
}
