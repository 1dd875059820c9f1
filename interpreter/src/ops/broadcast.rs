//! `broadcast_in_dim` and its kin: elements repeated along dimensions.

use ndarray::{ArrayViewD, Axis, IxDyn};
use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{one, owned, sizes, splat, unknown_shape, unsigned};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width, show};
use crate::value::Values;

/// `broadcast_in_dim`: the result type says the shape.
pub fn broadcast_in_dim(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let broadcast_dimensions = unsigned(cx.required::<I64Array>("broadcast_dimensions")?);
    let shape = match cx.static_result_shape(0)? {
        Some(shape) => shape,
        // A size that the program leaves open is that of the operand's dimension there.
        None => {
            let sizes = cx.result_sizes(0)?;
            let of_operand = |dim: usize| broadcast_dimensions.iter().position(|other| *other == dim);
            let size = |dim: usize| sizes[dim].or_else(|| of_operand(dim).map(|dim| operand.shape()[dim]));
            (0..sizes.len()).map(size).collect::<Option<Dims>>().ok_or_else(unknown_shape)?
        }
    };
    Ok(one(in_dim(cx, &operand, &shape, &broadcast_dimensions)?))
}

/// `dynamic_broadcast_in_dim`: `output_dimensions` says the shape.
pub fn dynamic_broadcast_in_dim(cx: &Cx<'_>) -> Result<Values> {
    let shape = sizes(&cx.tensor(1)?)?;
    let broadcast_dimensions = unsigned(cx.required::<I64Array>("broadcast_dimensions")?);
    Ok(one(in_dim(cx, &cx.tensor(0)?, &shape, &broadcast_dimensions)?))
}

/// `broadcast`: `broadcast_sizes` are dimensions in front of the operand's.
pub fn broadcast(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let mut shape = unsigned(cx.required::<I64Array>("broadcast_sizes")?);
    let broadcast_dimensions: Dims = (shape.len()..shape.len() + operand.rank()).collect();
    shape.extend_from_slice(operand.shape());
    Ok(one(in_dim(cx, &operand, &shape, &broadcast_dimensions)?))
}

/// `operand_index[d] = 0` where `dim(operand, d) = 1`, else `result_index[broadcast_dimensions[d]]`.
///
/// # Errors
/// `exec/shape-mismatch` when a dimension of the operand is neither 1 nor that of the result.
pub fn in_dim(cx: &Cx<'_>, operand: &Tensor, shape: &[usize], broadcast_dimensions: &[usize]) -> Result<Tensor> {
    let fits = |(size, dim): (&usize, &usize)| shape.get(*dim).is_some_and(|wanted| *size == 1 || size == wanted);
    if !operand.shape().iter().zip(broadcast_dimensions).all(fits) {
        let message = format!(
            "shape {} does not broadcast to {} along dimensions {}",
            show(operand.shape()),
            show(shape),
            show(broadcast_dimensions)
        );
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    if let Some(value) = operand.splat_bytes() {
        return splat(operand.element(), shape, value);
    }
    cx.memory().check(operand.element(), shape)?;
    by_width!(operand.element(), W => {
        let view = stretched(operand.words::<W>(), shape.len(), broadcast_dimensions);
        match view.broadcast(IxDyn(shape)) {
            Some(result) => owned(cx, operand.element(), &result),
            None => Err(EvalError::bug("an operand that fits its dimensions broadcasts")),
        }
    })
}

/// The operand with its dimensions in the result's order and dimensions of size 1 where the result has others.
fn stretched<'a, const W: usize>(
    operand: ArrayViewD<'a, [u8; W]>,
    rank: usize,
    broadcast_dimensions: &[usize],
) -> ArrayViewD<'a, [u8; W]> {
    let mut order: Dims = (0..broadcast_dimensions.len()).collect();
    order.sort_by_key(|dim| broadcast_dimensions[*dim]);
    let mut view = operand.permuted_axes(&order[..]);
    for dim in (0..rank).filter(|dim| !broadcast_dimensions.contains(dim)) {
        view = view.insert_axis(Axis(dim));
    }
    view
}
