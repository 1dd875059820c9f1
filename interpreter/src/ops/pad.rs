//! `pad`, `dynamic_pad`: room around a tensor and between its elements; negative padding crops.

use ndarray::Slice;
use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{filled, one, one_per_dimension};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width};
use crate::value::Values;

/// Reads the op and applies [`pad`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let edge_padding_low = cx.required::<I64Array>("edge_padding_low")?;
    let edge_padding_high = cx.required::<I64Array>("edge_padding_high")?;
    let interior_padding = cx.required::<I64Array>("interior_padding")?;
    let (operand, padding_value) = (cx.tensor(0)?, cx.tensor(1)?);
    Ok(one(pad(cx, &operand, &padding_value, edge_padding_low, edge_padding_high, interior_padding)?))
}

/// `pad` with paddings that are computed.
pub fn dynamic_pad(cx: &Cx<'_>) -> Result<Values> {
    let [low, high, interior] =
        [cx.tensor(2)?, cx.tensor(3)?, cx.tensor(4)?].map(|padding| padding.saturated_integers());
    Ok(one(pad(cx, &cx.tensor(0)?, &cx.tensor(1)?, &low, &high, &interior)?))
}

/// `result_index = edge_padding_low + operand_index * (interior_padding + 1)`; everything else is `padding_value`.
///
/// # Errors
/// `exec/negative-size` when a dimension would be smaller than nothing.
pub fn pad(
    cx: &Cx<'_>,
    operand: &Tensor,
    padding_value: &Tensor,
    edge_padding_low: &[i64],
    edge_padding_high: &[i64],
    interior_padding: &[i64],
) -> Result<Tensor> {
    one_per_dimension(operand, &[edge_padding_low, edge_padding_high, interior_padding])?;
    let dims = (0..operand.rank()).map(|dim| {
        Line::new(dim, operand.shape()[dim], edge_padding_low[dim], edge_padding_high[dim], interior_padding[dim])
    });
    let lines = dims.collect::<Result<Vec<Line>>>()?;
    let shape: Dims = lines.iter().map(|line| line.size).collect();
    by_width!(operand.element(), W => {
        let mut result = filled::<W>(cx, operand.element(), &shape, padding_value.word())?;
        let operand_words = operand.words::<W>();
        let source = operand_words.slice_each_axis(|axis| lines[axis.axis.index()].source);
        result.slice_each_axis_mut(|axis| lines[axis.axis.index()].target).assign(&source);
        Ok(Tensor::from_words(operand.element(), result))
    })
}

/// One dimension: which elements of the operand stay, and where they go.
struct Line {
    size: usize,
    source: Slice,
    target: Slice,
}

impl Line {
    fn new(dim: usize, size: usize, low: i64, high: i64, interior: i64) -> Result<Self> {
        let step = i128::from(interior) + 1;
        let n = size as i128;
        let padded = i128::from(low) + i128::from(high) + if n == 0 { 0 } else { (n - 1) * step + 1 };
        if padded < 0 || step < 1 {
            let message =
                format!("dimension {dim} of size {size} padded by {low}, {high} and {interior} has size {padded}");
            return Err(EvalError::invalid("exec/negative-size", message));
        }
        let too_large = || EvalError::resource("exec/memory-limit", format!("size {padded} is too large"));
        // Element i lands at low + i * step; those from `first` to before `end` land inside.
        let low = i128::from(low);
        let first = if low < 0 { (-low + step - 1) / step } else { 0 }.min(n);
        let end = if padded > low { (padded - low - 1) / step + 1 } else { 0 }.clamp(first, n);
        let start = (low + first * step).max(0);
        // One past the last element's place, so that the number of elements is right whatever the step.
        let stop = if end > first { start + (end - first - 1) * step + 1 } else { start.min(padded) };
        let narrow = |value: i128| isize::try_from(value).map_err(|_| too_large());
        let step = if end - first > 1 { narrow(step)? } else { 1 };
        Ok(Self {
            size: usize::try_from(padded).map_err(|_| too_large())?,
            source: Slice::new(first as isize, Some(end as isize), 1),
            target: Slice::new(narrow(start.min(padded))?, Some(narrow(stop)?), step),
        })
    }
}
