//! `concatenate`: tensors one after another along a dimension.

use ndarray::{Axis, Slice};
use stablehlo::ops::attr_classes::I64;

use super::shapes::{filled, one};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width, show};
use crate::value::Values;

/// Reads the op and applies [`concatenate`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let dimension = usize::try_from(cx.required::<I64>("dimension")?).unwrap_or(usize::MAX);
    Ok(one(concatenate(cx, &cx.tensors_from(0)?, dimension)?))
}

/// `inputs` along `dimension`.
///
/// # Errors
/// `exec/shape-mismatch` when inputs of unknown size turn out to differ in another dimension.
pub fn concatenate(cx: &Cx<'_>, inputs: &[Tensor], dimension: usize) -> Result<Tensor> {
    let Some(first) = inputs.first().filter(|first| dimension < first.rank()) else {
        return Err(EvalError::bug("concatenate has inputs and its dimension is one of theirs"));
    };
    let mut shape = Dims::from(first.shape());
    shape[dimension] = 0;
    for input in inputs {
        let mut expected = shape.clone();
        expected[dimension] = input.shape()[dimension];
        if input.shape() != &expected[..] {
            let message = format!("cannot concatenate {} and {}", show(first.shape()), show(input.shape()));
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        }
        shape[dimension] = shape[dimension].saturating_add(input.shape()[dimension]);
    }
    by_width!(first.element(), W => {
        let mut result = filled(cx, first.element(), &shape, [0; W])?;
        let mut start = 0;
        for input in inputs {
            let end = start + input.shape()[dimension];
            result.slice_axis_mut(Axis(dimension), Slice::from(start..end)).assign(&input.words::<W>());
            start = end;
        }
        Ok(Tensor::from_words(first.element(), result))
    })
}
