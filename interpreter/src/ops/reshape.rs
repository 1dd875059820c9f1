//! `reshape`, `dynamic_reshape`: the same elements in another shape.

use super::shapes::{one, sizes};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::value::Values;

/// The operand's elements, in row-major order, in the result's shape.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let Some(shape) = cx.static_result_shape(0)? else {
        return Err(EvalError::bug("reshape has a static result"));
    };
    Ok(one(cx.tensor(0)?.reshaped(&shape)?))
}

/// The same in the shape that `output_shape` holds.
pub fn dynamic_reshape(cx: &Cx<'_>) -> Result<Values> {
    let shape = sizes(&cx.tensor(1)?)?;
    Ok(one(cx.tensor(0)?.reshaped(&shape)?))
}
