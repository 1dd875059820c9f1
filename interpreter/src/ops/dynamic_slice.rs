//! `dynamic_slice`, `dynamic_update_slice`: a window at a computed place.

use bytes::BytesMut;
use ndarray::{ArrayViewMutD, AxisDescription, IxDyn, Slice};
use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{one, owned, splat, unsigned};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width, show};
use crate::value::Values;

/// Reads the op: `operand`, then one scalar per dimension.
pub fn dynamic_slice(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let slice_sizes = unsigned(cx.required::<I64Array>("slice_sizes")?);
    let start_indices = adjusted_start_indices(operand.shape(), &cx.tensors_from(1)?, &slice_sizes)?;
    if let Some(value) = operand.splat_bytes() {
        return Ok(one(splat(operand.element(), &slice_sizes, value)?));
    }
    by_width!(operand.element(), W => {
        let view = operand.words::<W>();
        let result = view.slice_each_axis(window(&start_indices, &slice_sizes));
        Ok(one(owned(cx, operand.element(), &result)?))
    })
}

/// Reads the op: `operand`, `update`, then one scalar per dimension. Changes the operand in place when it dies here.
pub fn dynamic_update_slice(cx: &Cx<'_>) -> Result<Values> {
    let (operand, update) = (cx.take(0)?, cx.tensor(1)?);
    let (element, shape) = (operand.element(), Dims::from(operand.shape()));
    let start_indices = adjusted_start_indices(&shape, &cx.tensors_from(2)?, update.shape())?;
    cx.memory().check(element, &shape)?;
    let mut result: BytesMut = operand.into_bytes_mut();
    by_width!(element, W => {
        let words = result.as_chunks_mut::<W>().0;
        let mut words = ArrayViewMutD::from_shape(IxDyn(&shape), words).map_err(|_| EvalError::bug("storage does not fit"))?;
        words.slice_each_axis_mut(window(&start_indices, update.shape())).assign(&update.words::<W>());
    });
    let result = Tensor::new(element, &shape, result.freeze());
    Ok(one(result.ok_or_else(|| EvalError::bug("storage does not fit"))?))
}

/// `clamp(0, start_indices, shape(operand) - size)`, computed without overflow whatever the index type.
fn adjusted_start_indices(shape: &[usize], start_indices: &[Tensor], size: &[usize]) -> Result<Dims> {
    let mut adjusted = Dims::new();
    for (dim, index) in start_indices.iter().enumerate() {
        let Some(last) = shape[dim].checked_sub(size[dim]) else {
            let message = format!("a window of shape {} does not fit {}", show(size), show(shape));
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        };
        adjusted.push(index.integer(0).unwrap_or(0).clamp(0, last as i128) as usize);
    }
    Ok(adjusted)
}

fn window(start: &[usize], size: &[usize]) -> impl FnMut(AxisDescription) -> Slice {
    move |axis| {
        let dim = axis.axis.index();
        Slice::from(start[dim]..start[dim] + size[dim])
    }
}
