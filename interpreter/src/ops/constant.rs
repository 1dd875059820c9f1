//! `constant`: the value of an attribute.

use stablehlo::ir::{Attribute, Literal};
use stablehlo::ops::attr_classes::Elements;

use super::shapes::one;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Tensor, count, show};
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

/// The 0-dimensional tensor that an integer, float or elements attribute holds.
///
/// # Errors
/// Attributes of other kinds are not executed.
pub fn from_scalar_attr(cx: &Cx<'_>, value: stablehlo::ir::AttrId) -> Result<Tensor> {
    let (ty, bits) = match cx.module().attr(value) {
        Attribute::Integer { ty, value } => (*ty, value.cast_unsigned()),
        Attribute::Float { ty, bits } => (*ty, *bits),
        _ => return from_attr(cx, value),
    };
    let element = cx.module().scalar_element(ty);
    let scalar = element.and_then(|element| {
        let masked = bits & (u128::MAX >> (128 - element.bits().clamp(1, 128)));
        Tensor::splat(element, &[], masked.to_le_bytes()[..element.byte_width()].to_vec())
    });
    scalar.ok_or_else(|| EvalError::unsupported("constants of this type are not executed"))
}

/// The tensor that an elements attribute holds.
///
/// # Errors
/// `exec/memory-limit` for a shape that cannot be addressed, `exec/missing-resource` when a `dense_resource` has no data; strings and sparse elements are not executed.
pub fn from_attr(cx: &Cx<'_>, value: stablehlo::ir::AttrId) -> Result<Tensor> {
    let module = cx.module();
    if let Some(literal) = Literal::from_attr(module, value) {
        if count(literal.shape()).is_none() {
            let message = format!("a tensor of shape {} is too large to address", show(literal.shape()));
            return Err(EvalError::resource("exec/memory-limit", message));
        }
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
