//! `reverse`: dimensions from back to front.

use ndarray::Axis;
use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{one, owned, unsigned};
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::{Tensor, by_width};
use crate::value::Values;

/// Reads the op and applies [`reverse`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let dimensions = unsigned(cx.required::<I64Array>("dimensions")?);
    Ok(one(reverse(cx, &cx.tensor(0)?, &dimensions)?))
}

/// `operand_index[d] = dim(result, d) - result_index[d] - 1` for `d` in `dimensions`.
pub fn reverse(cx: &Cx<'_>, operand: &Tensor, dimensions: &[usize]) -> Result<Tensor> {
    if operand.splat_bytes().is_some() {
        return Ok(operand.clone());
    }
    by_width!(operand.element(), W => {
        let mut result = operand.words::<W>();
        for dim in dimensions {
            result.invert_axis(Axis(*dim));
        }
        owned(cx, operand.element(), &result)
    })
}
