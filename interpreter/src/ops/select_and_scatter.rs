//! `select_and_scatter`: values combined at the places that windows select.

use smallvec::SmallVec;

use super::computation::Computation;
use super::fold::{Fold, Run, Start};
use super::positions::{Indices, Ticks, strides_of};
use super::window::{WindowDimension, counts, windows};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Tensor, show};
use crate::value::Values;

/// Reads the op and applies [`select_and_scatter`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let (operand, source, init_value) = (cx.tensor(0)?, cx.tensor(1)?, cx.tensor(2)?);
    let windows = windows(cx, operand.shape())?;
    let (select, scatter) = (Computation::new(cx, cx.region(0)?)?, Computation::new(cx, cx.region(1)?)?);
    select_and_scatter(cx, &operand, &source, &init_value, &windows, select, scatter)
}

/// For each element of `source` in row-major order: the window of `operand` at its index selects a place, and there
/// `result = scatter(result, source)`, which begins with `init_value`.
///
/// A window keeps its first element until `select(kept, element)` is false. Padding is never selected.
///
/// # Errors
/// `exec/shape-mismatch` when `source` has another shape than the windows, `exec/memory-limit`, those of the regions.
pub fn select_and_scatter(
    cx: &Cx<'_>,
    operand: &Tensor,
    source: &Tensor,
    init_value: &Tensor,
    windows: &[WindowDimension],
    mut select: Computation<'_, '_>,
    scatter: Computation<'_, '_>,
) -> Result<Values> {
    let shape = counts(windows)?;
    if *shape != *source.shape() {
        let message = format!("source must have shape {}, got {}", show(&shape), show(source.shape()));
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    let mut n_results = 0;
    for element in &scatter.results {
        n_results = cx.memory().check(*element, operand.shape())?;
    }
    let inits = [init_value.clone()];
    let mut fold = Fold::new(cx, scatter, std::slice::from_ref(source), &Start::Init(n_results, &inits))?;
    let mut ticks = Ticks::new(cx);
    let mut indices = Indices::new(&shape);
    let mut from = 0;
    while let Some(index) = indices.advance() {
        match selected(operand, windows, index, &mut select, &mut ticks)? {
            Some(to) => fold.fold(Run::at(to), Run::at(from), 1)?,
            None => cx.touch("select-and-scatter-empty-window"),
        }
        from += 1;
    }
    fold.finish(operand.shape())
}

/// The place in `operand` that the window at `index` selects; none when it is all padding.
fn selected(
    operand: &Tensor,
    windows: &[WindowDimension],
    index: &[usize],
    select: &mut Computation<'_, '_>,
    ticks: &mut Ticks<'_, '_>,
) -> Result<Option<usize>> {
    let strides = strides_of(operand.shape());
    let sizes: SmallVec<[usize; 4]> = windows.iter().map(|window| window.size).collect();
    let mut places = Indices::new(&sizes);
    let mut kept = None;
    let mut result = SmallVec::new();
    while let Some(place) = places.advance() {
        ticks.add(1)?;
        let elements =
            windows.iter().zip(index).zip(place).map(|((window, index), place)| window.element(*index, *place));
        let position = elements.zip(&strides).try_fold(0, |sum, (element, stride)| Some(sum + element? * stride));
        let Some(position) = position else {
            continue;
        };
        let Some(before) = kept else {
            kept = Some(position);
            continue;
        };
        let pair = [operand.element_bytes(before), operand.element_bytes(position)];
        select.apply(pair.into_iter(), &mut result)?;
        if result.first().is_none_or(|keeps| keeps[0] == 0) {
            kept = Some(position);
        }
    }
    Ok(kept)
}
