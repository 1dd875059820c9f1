//! `reduce`: dimensions folded with a function.

use stablehlo::ir::RegionId;
use stablehlo::ops::attr_classes::I64Array;

use super::computation::Computation;
use super::elementwise::same_shape;
use super::fold::{Fold, Run, Start};
use super::positions::Positions;
use super::shapes::unsigned;
use super::transpose::transpose;
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, count};
use crate::value::Values;

/// Reads the op and applies [`reduce`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let inputs = cx.tensors_from(0)?;
    let (inputs, init_values) = inputs.split_at(cx.n_operands() / 2);
    reduce(cx, inputs, init_values, &unsigned(cx.required::<I64Array>("dimensions")?), cx.region(0)?)
}

/// Each result is `body(… body(body(init_values, input_slices[0]), input_slices[1]) …)`, over the elements of a slice in
/// row-major order.
///
/// # Errors
/// `exec/shape-mismatch` for inputs of different shapes, `exec/memory-limit`, and those of `body`.
pub fn reduce(
    cx: &Cx<'_>,
    inputs: &[Tensor],
    init_values: &[Tensor],
    dimensions: &[usize],
    body: RegionId,
) -> Result<Values> {
    inputs.windows(2).try_for_each(|pair| same_shape(&pair[0], &pair[1]))?;
    let body = Computation::new(cx, body)?;
    let input_shape = inputs.first().map_or(&[][..], Tensor::shape);
    let kept: Dims = (0..input_shape.len()).filter(|dim| !dimensions.contains(dim)).collect();
    let shape: Dims = kept.iter().map(|dim| input_shape[*dim]).collect();
    for element in &body.results {
        cx.memory().check(*element, &shape)?;
    }
    let n_results = count(&shape).unwrap_or(0);
    // A general body is best run for many results at once, which need to be neighbours for that.
    let reduced: Dims = (0..input_shape.len()).filter(|dim| dimensions.contains(dim)).collect();
    let ends_reduced = reduced.last().is_some_and(|dim| dim + 1 == input_shape.len());
    let (inputs, is_kept) = if ends_reduced && n_results >= 256 && body.lifts() && body.single().is_none() {
        let permutation: Dims = reduced.iter().chain(&kept).copied().collect();
        let inputs = inputs.iter().map(|input| transpose(cx, input, &permutation)).collect::<Result<Vec<_>>>()?;
        (inputs, permutation.iter().map(|dim| kept.contains(dim)).collect::<Vec<bool>>())
    } else {
        (inputs.to_vec(), (0..input_shape.len()).map(|dim| kept.contains(&dim)).collect())
    };
    let input_shape = inputs.first().map_or(&[][..], Tensor::shape);
    let mut fold = Fold::new(cx, body, &inputs, &Start::Init(n_results, init_values))?;
    fold_in_order(&mut fold, input_shape, &is_kept)?;
    fold.finish(&shape)
}

/// Visits the inputs from the first element to the last. Elements of one slice come in row-major order that way.
fn fold_in_order(fold: &mut Fold<'_, '_>, shape: &[usize], is_kept: &[bool]) -> Result<()> {
    // Strides in the result, 0 along what is folded.
    let mut strides: Dims = smallvec::smallvec![0; shape.len()];
    let mut stride = 1usize;
    for dim in (0..shape.len()).rev().filter(|dim| is_kept[*dim]) {
        strides[dim] = stride;
        stride = stride.saturating_mul(shape[dim]);
    }
    // The last dimensions of one kind are one run.
    let last_kept = (0..shape.len()).rev().find(|dim| shape[*dim] != 1).is_some_and(|dim| is_kept[dim]);
    let outer =
        (0..shape.len()).rev().find(|dim| shape[*dim] != 1 && is_kept[*dim] != last_kept).map_or(0, |dim| dim + 1);
    let n: usize = count(&shape[outer..]).unwrap_or(0);
    let step = usize::from(last_kept);
    for (run, start) in Positions::new(&shape[..outer], &strides[..outer]).enumerate() {
        fold.fold(Run::new(start, step), Run::new(run * n, 1), n)?;
    }
    Ok(())
}
