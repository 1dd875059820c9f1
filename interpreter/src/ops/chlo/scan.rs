//! `chlo.scan`: a loop along a dimension that carries values.

use ndarray::Axis;
use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::{Bool, I32Array, I64};

use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::ops::shapes::owned;
use crate::tensor::{Dims, Tensor, by_width};
use crate::value::Values;

/// Runs `body(input slices…, carries…)`, which gives slices of the outputs and the next carries, for each index of
/// `dimension`, from the last one when `is_reverse`.
///
/// # Errors
/// `exec/shape-mismatch` when inputs differ in the size of the dimension, `exec/memory-limit`, those of `body`.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let operands = cx.tensors_from(0)?;
    let n_inputs = cx.required::<I32Array>("operandSegmentSizes")?.first().copied().unwrap_or(0);
    let n_inputs = usize::try_from(n_inputs).ok().filter(|n| *n <= operands.len());
    let (inputs, inits) = operands.split_at(n_inputs.ok_or_else(|| EvalError::bug("more inputs than operands"))?);
    let n_outputs = cx.n_results().checked_sub(inits.len()).ok_or_else(|| EvalError::bug("each init has a result"))?;
    let dimension = usize::try_from(cx.required::<I64>("dimension")?).unwrap_or(usize::MAX);
    if inputs.iter().any(|input| dimension >= input.rank()) {
        return Err(EvalError::bug("dimension is out of range"));
    }
    let n = size(cx, inputs, dimension)?;
    let body = cx.region(0)?;
    let mut carries: Values = inits.iter().cloned().map(Into::into).collect();
    let mut outputs: Vec<Option<Output>> = (0..n_outputs).map(|_| None).collect();
    for step in 0..n {
        cx.tick(1)?;
        let index = if cx.attr::<Bool>("is_reverse").unwrap_or(false) { n - 1 - step } else { step };
        let mut arguments: Values =
            inputs.iter().map(|input| slice(cx, input, dimension, index).map(Into::into)).collect::<Result<_>>()?;
        arguments.extend(carries);
        let mut results = cx.run_region(body, arguments)?;
        if results.len() != n_outputs + inits.len() {
            return Err(EvalError::bug("body gives outputs and carries"));
        }
        carries = results.drain(n_outputs..).collect();
        for (output, slice) in outputs.iter_mut().zip(&results) {
            let slice = slice.tensor()?;
            if output.is_none() {
                *output = Some(Output::new(cx, slice, dimension, n)?);
            }
            if let Some(output) = output {
                output.put(slice, dimension, index)?;
            }
        }
    }
    let mut results = Values::new();
    for (index, output) in outputs.into_iter().enumerate() {
        results.push(
            match output {
                Some(output) => Tensor::new(output.element, &output.shape, output.data),
                // No step, no elements.
                None => cx.static_result_shape(index)?.and_then(|shape| empty(cx.result_element(index).ok()?, &shape)),
            }
            .ok_or_else(|| {
                EvalError::invalid("exec/shape-mismatch", "the shape of an output is not known without a step")
            })?
            .into(),
        );
    }
    results.extend(carries);
    Ok(results)
}

fn empty(element: ElementType, shape: &[usize]) -> Option<Tensor> {
    Tensor::new(element, shape, Vec::new())
}

/// The number of steps.
fn size(cx: &Cx<'_>, inputs: &[Tensor], dimension: usize) -> Result<usize> {
    let stated = cx.attr::<I64>("scan_dim_size").and_then(|size| usize::try_from(size).ok());
    let sizes: Vec<usize> = inputs.iter().map(|input| input.shape()[dimension]).chain(stated).collect();
    match sizes.first() {
        Some(first) if sizes.iter().all(|size| size == first) => Ok(*first),
        _ => {
            Err(EvalError::invalid("exec/shape-mismatch", format!("the sizes of the scanned dimension are {sizes:?}")))
        }
    }
}

/// The operand at one index of a dimension, without it.
fn slice(cx: &Cx<'_>, operand: &Tensor, dimension: usize, index: usize) -> Result<Tensor> {
    by_width!(operand.element(), W => {
        let words = operand.words::<W>();
        owned(cx, operand.element(), &words.index_axis(Axis(dimension), index))
    })
}

/// Slices put together.
struct Output {
    element: ElementType,
    shape: Dims,
    data: Vec<u8>,
}

impl Output {
    fn new(cx: &Cx<'_>, slice: &Tensor, dimension: usize, n: usize) -> Result<Self> {
        let mut shape: Dims = slice.shape().into();
        if dimension > shape.len() {
            return Err(EvalError::bug("dimension is out of range"));
        }
        shape.insert(dimension, n);
        let count = cx.memory().check(slice.element(), &shape)?;
        Ok(Self { element: slice.element(), data: vec![0; count * slice.element().byte_width()], shape })
    }

    fn put(&mut self, slice: &Tensor, dimension: usize, index: usize) -> Result<()> {
        let mut rest = self.shape.clone();
        rest.remove(dimension);
        if *slice.shape() != *rest {
            return Err(EvalError::invalid("exec/shape-mismatch", "slices of an output have different shapes"));
        }
        // Dimensions before, along and after the scanned one.
        let width = self.element.byte_width();
        let inner = self.shape[dimension + 1..].iter().product::<usize>() * width;
        let n = self.shape[dimension];
        if inner == 0 {
            return Ok(());
        }
        let (outer, splat) = (self.data.len() / (n * inner).max(1), slice.splat_bytes());
        for run in 0..outer {
            let to = &mut self.data[(run * n + index) * inner..][..inner];
            match splat {
                Some(value) => to.chunks_exact_mut(width).for_each(|to| to.copy_from_slice(value)),
                None => to.copy_from_slice(&slice.data()[run * inner..][..inner]),
            }
        }
        Ok(())
    }
}
