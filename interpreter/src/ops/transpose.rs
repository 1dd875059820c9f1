//! `transpose`: dimensions in another order.

use stablehlo::ops::attr_classes::I64Array;

use super::shapes::{one, owned, splat, unsigned};
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width};
use crate::value::Values;

/// Reads the op and applies [`transpose`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let permutation = unsigned(cx.required::<I64Array>("permutation")?);
    Ok(one(transpose(cx, &cx.tensor(0)?, &permutation)?))
}

/// `result[result_index] = operand[operand_index]` where `result_index[d] = operand_index[permutation[d]]`.
pub fn transpose(cx: &Cx<'_>, operand: &Tensor, permutation: &[usize]) -> Result<Tensor> {
    let shape: Dims = permutation.iter().map(|dim| operand.shape()[*dim]).collect();
    if let Some(value) = operand.splat_bytes() {
        return splat(operand.element(), &shape, value);
    }
    by_width!(operand.element(), W => {
        let result = operand.words::<W>().permuted_axes(permutation);
        owned(cx, operand.element(), &result)
    })
}
