//! `scatter`: updates of slices at computed places.

use stablehlo::ir::ScatterDimensionNumbers;
use stablehlo::ops::attr_classes::{Bool, ScatterDims};

use super::computation::{Computation, Single};
use super::elementwise::same_shape;
use super::fold::{Fold, Run, Start};
use super::gather::IndexVectors;
use super::positions::{Indices, strides_of};
use super::shapes::unsigned;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, count, show};
use crate::value::Values;

/// Reads the op and applies [`scatter`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let tensors = cx.tensors_from(0)?;
    let n = cx.n_operands() / 2;
    let (inputs, rest) = tensors.split_at(n);
    let (scatter_indices, updates) = rest.split_first().ok_or_else(|| EvalError::bug("scatter has indices"))?;
    let dimension_numbers = cx.required::<ScatterDims>("scatter_dimension_numbers")?;
    let update_computation = Computation::new(cx, cx.region(0)?)?;
    scatter(cx, inputs, scatter_indices, updates, dimension_numbers, update_computation)
}

/// `results[result_index] = update_computation(results[result_index], updates[update_index])` for each `update_index` in
/// row-major order, where `result_index = full_start_index + full_batching_index + full_window_index`. Elements whose
/// `result_index` is out of bounds are left out, each on its own.
///
/// # Errors
/// `exec/shape-mismatch` for inputs or updates of different shapes, `exec/memory-limit`, those of the region.
pub fn scatter(
    cx: &Cx<'_>,
    inputs: &[Tensor],
    scatter_indices: &Tensor,
    updates: &[Tensor],
    dimension_numbers: &ScatterDimensionNumbers,
    update_computation: Computation<'_, '_>,
) -> Result<Values> {
    for tensors in [inputs, updates] {
        tensors.windows(2).try_for_each(|pair| same_shape(&pair[0], &pair[1]))?;
    }
    let ([input, ..], [update, ..]) = (inputs, updates) else {
        return Err(EvalError::bug("scatter has inputs and updates"));
    };
    for element in &update_computation.results {
        cx.memory().check(*element, input.shape())?;
    }
    let windows = Windows::new(cx, input.shape(), scatter_indices, update.shape(), dimension_numbers)?;
    if cx.is_strict() {
        notice(cx, &windows, &update_computation, input.len());
    }
    let mut fold = Fold::new(cx, update_computation, updates, &Start::Elements(inputs))?;
    if windows.come_one_by_one() {
        windows.fold_windows(&mut fold)?;
    } else {
        windows.each(|position, from| match position {
            Some(to) => fold.fold(Run::at(to), Run::at(from), 1),
            None => fold.skip(1),
        })?;
    }
    fold.finish(input.shape())
}

/// Where the windows of updates lie in the inputs.
struct Windows {
    shape: Dims,
    strides: Dims,
    update_shape: Dims,
    /// Dimensions of updates that say which window, and those inside a window.
    scatter_dims: Dims,
    window_dims: Dims,
    /// The inputs' dimensions that a window has.
    operand_dims: Dims,
    n_windows: usize,
    /// Begin of each window, `rank` numbers each; beyond what an input can have when out of range.
    starts: Vec<i64>,
}

/// Beyond any size, and far from overflow.
const FAR: i128 = 1 << 62;

impl Windows {
    fn new(
        cx: &Cx<'_>,
        shape: &[usize],
        scatter_indices: &Tensor,
        update_shape: &[usize],
        dimension_numbers: &ScatterDimensionNumbers,
    ) -> Result<Self> {
        let window_dims = unsigned(&dimension_numbers.update_window_dims);
        let scatter_dims: Dims = (0..update_shape.len()).filter(|dim| !window_dims.contains(dim)).collect();
        let absent = |dim: &usize| {
            let dim = *dim as i64;
            dimension_numbers.inserted_window_dims.contains(&dim)
                || dimension_numbers.input_batching_dims.contains(&dim)
        };
        let operand_dims: Dims = (0..shape.len()).filter(|dim| !absent(dim)).collect();
        let n_windows: Dims = scatter_dims.iter().map(|dim| update_shape[*dim]).collect();
        let starts = starts(cx, shape, scatter_indices, &n_windows, dimension_numbers)?;
        Ok(Self {
            shape: shape.into(),
            strides: strides_of(shape),
            update_shape: update_shape.into(),
            scatter_dims,
            window_dims,
            operand_dims,
            n_windows: count(&n_windows).unwrap_or(0),
            starts,
        })
    }

    fn rank(&self) -> usize {
        self.shape.len()
    }

    fn start(&self, window: usize) -> &[i64] {
        &self.starts[window * self.rank()..][..self.rank()]
    }

    /// The place of an element of a window; none when it is out of bounds.
    fn position(&self, window: usize, window_index: impl Iterator<Item = usize>) -> Option<usize> {
        let mut index: Dims = smallvec::smallvec![0; self.rank()];
        for (dim, window_index) in self.operand_dims.iter().zip(window_index) {
            index[*dim] = window_index;
        }
        let mut position = 0;
        for (((start, index), size), stride) in
            self.start(window).iter().zip(&index).zip(&self.shape).zip(&self.strides)
        {
            let index = usize::try_from(start + *index as i64).ok().filter(|index| index < size)?;
            position += index * stride;
        }
        Some(position)
    }

    /// Whether the windows' dimensions come last in updates, so that row-major order is window after window.
    fn come_one_by_one(&self) -> bool {
        self.scatter_dims.last().zip(self.window_dims.first()).is_none_or(|(scatter, window)| scatter < window)
    }

    /// Calls `act` with the place of each element of updates, in row-major order, and its number.
    fn each(&self, mut act: impl FnMut(Option<usize>, usize) -> Result<()>) -> Result<()> {
        let n_windows: Dims = self.scatter_dims.iter().map(|dim| self.update_shape[*dim]).collect();
        let strides = strides_of(&n_windows);
        let mut indices = Indices::new(&self.update_shape);
        let mut from = 0;
        while let Some(index) = indices.advance() {
            let window = self.scatter_dims.iter().zip(&strides).map(|(dim, stride)| index[*dim] * stride).sum();
            act(self.position(window, self.window_dims.iter().map(|dim| index[*dim])), from)?;
            from += 1;
        }
        Ok(())
    }

    /// Whether a window lies inside as a whole.
    fn is_inside(&self, window: usize, sizes: &[usize]) -> bool {
        self.start(window).iter().zip(sizes).zip(&self.shape).all(|((start, size), bound)| {
            *start >= 0 && (*start as usize).checked_add(*size).is_some_and(|end| end <= *bound)
        })
    }

    /// A window's size in each dimension of the inputs.
    fn sizes(&self) -> Dims {
        let mut sizes: Dims = smallvec::smallvec![1; self.rank()];
        for (dim, window_dim) in self.operand_dims.iter().zip(&self.window_dims) {
            sizes[*dim] = self.update_shape[*window_dim];
        }
        sizes
    }

    /// Folds window after window, row after row.
    fn fold_windows(&self, fold: &mut Fold<'_, '_>) -> Result<()> {
        let sizes = self.sizes();
        let window_shape: Dims = self.window_dims.iter().map(|dim| self.update_shape[*dim]).collect();
        let window_strides: Dims = self.operand_dims.iter().map(|dim| self.strides[*dim]).collect();
        let (row, row_shape) = window_shape.split_last().map_or((1, &[][..]), |(row, outer)| (*row, outer));
        let (row_stride, outer_strides) =
            window_strides.split_last().map_or((0, &[][..]), |(row, outer)| (*row, outer));
        let rows: Vec<usize> = super::positions::Positions::new(row_shape, outer_strides).collect();
        let n_in_window = count(&window_shape).unwrap_or(0);
        let n_windows = if n_in_window == 0 { 0 } else { self.n_windows };
        for window in 0..n_windows {
            let from = window * n_in_window;
            if self.is_inside(window, &sizes) {
                let start =
                    self.start(window).iter().zip(&self.strides).map(|(start, stride)| *start as usize * stride);
                let start: usize = start.sum();
                for (index, to) in rows.iter().enumerate() {
                    fold.fold(Run::new(start + to, row_stride), Run::new(from + index * row, 1), row)?;
                }
                continue;
            }
            let mut indices = Indices::new(&window_shape);
            let mut from = from;
            while let Some(index) = indices.advance() {
                match self.position(window, index.iter().copied()) {
                    Some(to) => fold.fold(Run::at(to), Run::at(from), 1)?,
                    None => fold.skip(1)?,
                }
                from += 1;
            }
        }
        Ok(())
    }
}

/// `full_start_index + full_batching_index` of each window.
fn starts(
    cx: &Cx<'_>,
    shape: &[usize],
    scatter_indices: &Tensor,
    n_windows: &[usize],
    dimension_numbers: &ScatterDimensionNumbers,
) -> Result<Vec<i64>> {
    let index_vectors = IndexVectors {
        indices: scatter_indices,
        index_vector_dim: dimension_numbers.index_vector_dim as usize,
        index_map: &dimension_numbers.scatter_dims_to_operand_dims,
        operand_batching_dims: &dimension_numbers.input_batching_dims,
        indices_batching_dims: &dimension_numbers.scatter_indices_batching_dims,
    };
    let wanted = index_vectors.batch_shape();
    if *wanted != *n_windows {
        let message = format!("scatter_indices are for {} windows, updates has {}", show(&wanted), show(n_windows));
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    index_vectors.check("scatter_indices", shape)?;
    let rank = shape.len();
    let (index_at, along_vector) = index_vectors.places(cx)?;
    cx.memory().check_bytes(index_at.len().saturating_mul(8 * rank))?;
    let mut starts = vec![0; index_at.len() * rank];
    for (position, dim) in dimension_numbers.scatter_dims_to_operand_dims.iter().enumerate() {
        for (start, at) in starts.chunks_exact_mut(rank.max(1)).zip(&index_at) {
            let index = scatter_indices.integer(at + position * along_vector).unwrap_or(0);
            start[*dim as usize] = index.clamp(-FAR, FAR) as i64;
        }
    }
    for (input_dim, dim) in index_vectors.batching() {
        let mut windows = Indices::new(n_windows);
        for start in starts.chunks_exact_mut(rank.max(1)) {
            if let Some(window) = windows.advance() {
                start[input_dim] += window[dim] as i64;
            }
        }
    }
    Ok(starts)
}

/// Looks for what implementations do differently.
fn notice(cx: &Cx<'_>, windows: &Windows, update_computation: &Computation<'_, '_>, n_elements: usize) {
    let mut seen = vec![false; n_elements];
    let (mut any_out, mut any_twice) = (false, false);
    let looked = windows.each(|position, _| {
        match position {
            Some(position) => any_twice |= std::mem::replace(&mut seen[position], true),
            None => any_out = true,
        }
        Ok(())
    });
    debug_assert!(looked.is_ok());
    let whole = windows.sizes().iter().all(|size| *size == 1);
    if any_out && !whole {
        cx.touch("scatter-out-of-bounds");
    }
    let element = update_computation.results.first().copied();
    let order_is_free = match update_computation.single() {
        Some(Single::Maximum | Single::Minimum) => true,
        Some(Single::Add | Single::Multiply) => {
            element.is_some_and(|element| element.is_integer() || element.is_boolean())
        }
        Some(Single::Second) | None => false,
    };
    if any_twice && !order_is_free {
        cx.touch("scatter-duplicates");
    }
    let promised = |name: &str| cx.attr::<Bool>(name).unwrap_or(false);
    let mut starts = windows.starts.chunks_exact(windows.rank().max(1));
    if (promised("unique_indices") && any_twice) || (promised("indices_are_sorted") && !starts.by_ref().is_sorted()) {
        cx.touch("scatter-promises");
    }
}
