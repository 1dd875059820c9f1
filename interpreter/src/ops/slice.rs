//! `slice`, `real_dynamic_slice`: every so many elements between two bounds.

use ndarray::Slice;
use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{one, one_per_dimension, owned, splat};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width};
use crate::value::Values;

/// Reads the op and applies [`slice`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let start_indices = cx.required::<I64Array>("start_indices")?;
    let limit_indices = cx.required::<I64Array>("limit_indices")?;
    let strides = cx.required::<I64Array>("strides")?;
    Ok(one(slice(cx, &cx.tensor(0)?, start_indices, limit_indices, strides)?))
}

/// `slice` with bounds that are computed.
pub fn real_dynamic_slice(cx: &Cx<'_>) -> Result<Values> {
    let [start_indices, limit_indices, strides] =
        [cx.tensor(1)?, cx.tensor(2)?, cx.tensor(3)?].map(|bounds| bounds.saturated_integers());
    Ok(one(slice(cx, &cx.tensor(0)?, &start_indices, &limit_indices, &strides)?))
}

/// `operand_index = start_indices + result_index * strides`.
///
/// # Errors
/// `exec/out-of-bounds` unless `0 <= start_indices <= limit_indices <= shape(operand)` and `0 < strides`.
pub fn slice(
    cx: &Cx<'_>,
    operand: &Tensor,
    start_indices: &[i64],
    limit_indices: &[i64],
    strides: &[i64],
) -> Result<Tensor> {
    one_per_dimension(operand, &[start_indices, limit_indices, strides])?;
    let mut shape = Dims::new();
    for (dim, size) in operand.shape().iter().enumerate() {
        let (start, limit, stride) = (start_indices[dim], limit_indices[dim], strides[dim]);
        if !(0 <= start && start <= limit && limit as u64 <= *size as u64 && 0 < stride) {
            let message =
                format!("slice {start}:{limit}:{stride} does not fit dimension {dim}, which has {size} elements");
            return Err(EvalError::invalid("exec/out-of-bounds", message));
        }
        shape.push((limit - start).unsigned_abs().div_ceil(stride.unsigned_abs()) as usize);
    }
    if let Some(value) = operand.splat_bytes() {
        return splat(operand.element(), &shape, value);
    }
    by_width!(operand.element(), W => {
        let view = operand.words::<W>();
        let result = view.slice_each_axis(|axis| {
            let dim = axis.axis.index();
            Slice::new(start_indices[dim] as isize, Some(limit_indices[dim] as isize), strides[dim] as isize)
        });
        owned(cx, operand.element(), &result)
    })
}
