//! `map`: a region on scalars applied to each element.

use smallvec::SmallVec;

use super::computation::Computation;
use super::elementwise::same_shape;
use super::positions::Ticks;
use super::shapes::one;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;
use crate::value::Values;

/// Reads the op and applies [`map`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    Ok(one(map(cx, &cx.tensors_from(0)?, Computation::new(cx, cx.region(0)?)?)?))
}

/// `result[i] = computation(inputs[0][i], …, inputs[N - 1][i])`.
///
/// # Errors
/// `exec/shape-mismatch` for inputs of different shapes, `exec/memory-limit`, those of the region.
pub fn map(cx: &Cx<'_>, inputs: &[Tensor], mut computation: Computation<'_, '_>) -> Result<Tensor> {
    inputs.windows(2).try_for_each(|pair| same_shape(&pair[0], &pair[1]))?;
    let ([first, ..], [element]) = (inputs, &computation.results[..]) else {
        return Err(EvalError::bug("map has inputs, and its computation a result"));
    };
    let (element, shape) = (*element, first.shape());
    if computation.lifts() {
        let arguments = inputs.iter().cloned().map(Into::into).collect();
        let result = computation.apply_lifted(arguments, shape)?.into_iter().next();
        return result.ok_or_else(|| EvalError::bug("computation has a result"));
    }
    let count = cx.memory().check(element, shape)?;
    let mut ticks = Ticks::new(cx);
    let mut data = Vec::with_capacity(count * element.byte_width());
    let mut result = SmallVec::new();
    for index in 0..count {
        ticks.add(1)?;
        computation.apply(inputs.iter().map(|input| input.element_bytes(index)), &mut result)?;
        let word = result.first().ok_or_else(|| EvalError::bug("computation has a result"))?;
        data.extend_from_slice(&word[..element.byte_width()]);
    }
    Tensor::new(element, shape, data).ok_or_else(|| EvalError::bug("as many elements as counted"))
}
