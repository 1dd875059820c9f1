//! `reduce_window`: windows folded with a function.

use stablehlo::ir::RegionId;

use super::computation::Computation;
use super::elementwise::same_shape;
use super::fold::{Fold, Run, Start};
use super::positions::{Indices, strides_of};
use super::window::{Hits, WindowDimension, counts, reads_padding, windows};
use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// Reads the op and applies [`reduce_window`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let inputs = cx.tensors_from(0)?;
    let (inputs, init_values) = inputs.split_at(cx.n_operands() / 2);
    let windows = windows(cx, inputs.first().map_or(&[][..], Tensor::shape))?;
    reduce_window(cx, inputs, init_values, &windows, cx.region(0)?)
}

/// Each result is the fold of `init_values` and the elements of a window in row-major order. Padding and the room between
/// dilated elements hold the initial values, and take part.
///
/// # Errors
/// `exec/shape-mismatch` for inputs of different shapes, `exec/memory-limit`, and those of `body`.
pub fn reduce_window(
    cx: &Cx<'_>,
    inputs: &[Tensor],
    init_values: &[Tensor],
    windows: &[WindowDimension],
    body: RegionId,
) -> Result<Values> {
    inputs.windows(2).try_for_each(|pair| same_shape(&pair[0], &pair[1]))?;
    let shape = counts(windows)?;
    let mut body = Computation::new(cx, body)?;
    let mut n_results = 0;
    for element in &body.results {
        n_results = cx.memory().check(*element, &shape)?;
    }
    if cx.is_strict() && n_results > 0 && reads_padding(windows, &shape) && !is_neutral(cx, &mut body, init_values)? {
        cx.touch("reduce-window-padding");
    }
    let mut fold = Fold::new(cx, body, inputs, &Start::Init(n_results, init_values))?;
    if n_results > 0 {
        fold_windows(&mut fold, windows, &shape, &strides_of(inputs.first().map_or(&[][..], Tensor::shape)))?;
    }
    fold.finish(&shape)
}

/// Place by place: the same place of all windows is folded before the next one, row after row of windows.
fn fold_windows(
    fold: &mut Fold<'_, '_>,
    windows: &[WindowDimension],
    shape: &[usize],
    strides: &[usize],
) -> Result<()> {
    let result_strides = strides_of(shape);
    // Rows go along the dimension with the most windows.
    let along = (0..shape.len()).max_by_key(|dim| shape[*dim]);
    let outer: Dims = (0..shape.len()).filter(|dim| Some(*dim) != along).collect();
    let outer_shape: Dims = outer.iter().map(|dim| shape[*dim]).collect();
    let sizes: Dims = windows.iter().map(|window| window.size).collect();
    let mut places = Indices::new(&sizes);
    while let Some(place) = places.advance() {
        let row =
            along.map(|dim| (shape[dim], result_strides[dim], strides[dim], windows[dim].hits(shape[dim], place[dim])));
        let mut rows = Indices::new(&outer_shape);
        while let Some(index) = rows.advance() {
            let mut to = 0;
            let mut from = Some(0);
            for (dim, window) in outer.iter().zip(index) {
                to += window * result_strides[*dim];
                let element = windows[*dim].element(*window, place[*dim]);
                from = from.zip(element).map(|(from, element)| from + element * strides[*dim]);
            }
            fold_row(fold, to, from, row)?;
        }
    }
    Ok(())
}

/// Folds one place of a row of windows: elements where `hits` says so, the initial value elsewhere.
fn fold_row(
    fold: &mut Fold<'_, '_>,
    to: usize,
    from: Option<usize>,
    row: Option<(usize, usize, usize, Hits)>,
) -> Result<()> {
    let Some((n, to_stride, from_stride, hits)) = row else {
        return match from {
            Some(from) => fold.fold(Run::at(to), Run::at(from), 1),
            None => fold.fold_init(Run::at(to), 1),
        };
    };
    let Some(from) = from.filter(|_| hits.n > 0) else {
        return fold.fold_init(Run::new(to, to_stride), n);
    };
    let windows = |first: usize| Run::new(to + first * to_stride, to_stride);
    let Run { start, step } = hits.windows;
    let last = start + (hits.n - 1) * step;
    if start > 0 {
        fold.fold_init(windows(0), start)?;
    }
    fold.fold(
        Run::new(to + start * to_stride, step * to_stride),
        Run::new(from + hits.elements.start * from_stride, hits.elements.step * from_stride),
        hits.n,
    )?;
    if step > 1 {
        (0..hits.n - 1).try_for_each(|hit| fold.fold_init(windows(start + hit * step + 1), step - 1))?;
    }
    if last + 1 < n {
        fold.fold_init(windows(last + 1), n - 1 - last)?;
    }
    Ok(())
}

/// Whether folding initial values into themselves changes nothing.
fn is_neutral(cx: &Cx<'_>, body: &mut Computation<'_, '_>, init_values: &[Tensor]) -> Result<bool> {
    let elements = body.arguments.clone();
    let inits =
        init_values.iter().zip(&elements).map(|(init, element)| super::elementwise::convert(cx, init, *element));
    let inits = inits.collect::<Result<Vec<Tensor>>>()?;
    let mut results = smallvec::SmallVec::new();
    let arguments: Vec<&[u8]> = inits.iter().chain(&inits).map(|init| init.element_bytes(0)).collect();
    body.apply(arguments.into_iter(), &mut results)?;
    Ok(inits.iter().zip(&results).all(|(init, result)| result.starts_with(init.element_bytes(0))))
}
