//! `reshape`, `dynamic_reshape`: the same elements in another shape.

use super::shapes::{one, sizes, unknown_shape};
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::Dims;
use crate::value::Values;

/// The operand's elements, in row-major order, in the result's shape.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let shape = match cx.static_result_shape(0)? {
        Some(shape) => shape,
        None => with_unknown_size(&cx.result_sizes(0)?, operand.len())?,
    };
    Ok(one(operand.reshaped(&shape)?))
}

/// The shape with the one size that is not known, from the number of elements.
fn with_unknown_size(sizes: &[Option<usize>], n_elements: usize) -> Result<Dims> {
    let known = sizes.iter().flatten().try_fold(1usize, |product, size| product.checked_mul(*size)).unwrap_or(0);
    let n_unknown = sizes.iter().filter(|size| size.is_none()).count();
    match n_elements.checked_div(known) {
        Some(size) if n_unknown == 1 => Ok(sizes.iter().map(|known| known.unwrap_or(size)).collect()),
        _ => Err(unknown_shape()),
    }
}

/// The same in the shape that `output_shape` holds.
pub fn dynamic_reshape(cx: &Cx<'_>) -> Result<Values> {
    let shape = sizes(&cx.tensor(1)?)?;
    Ok(one(cx.tensor(0)?.reshaped(&shape)?))
}
