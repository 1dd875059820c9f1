//! Where the windows of a scatter lie.

use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::ir::ScatterDimensionNumbers;

use super::gather::{Batches, Coordinate};
use super::isa::Isa;
use super::offsets::{OUTSIDE, Vectors};
use crate::graph::{Dims, Ty};
use crate::plan::{Strides, row_major};

/// The windows; all distances are in elements.
#[derive(Debug)]
pub struct Windows {
    /// Where each begins.
    pub vectors: Vectors,
    /// Sizes of the dimensions that the coordinates are about.
    sizes: SmallVec<[i64; 4]>,
    /// Shape of a window, and distances of its elements in the result and among the updates.
    pub shape: Dims,
    to_strides: Strides,
    from_strides: Strides,
    /// For each dimension of a window that of the operand.
    dims: Dims,
    /// Whether windows do not move along their own dimensions.
    is_fixed: bool,
}

impl Windows {
    /// None where windows are not one after the other in the order of the updates.
    pub fn new(
        numbers: &ScatterDimensionNumbers,
        [ty, indices, updates]: [&Ty; 3],
        update_strides: &[isize],
        isa: Isa,
    ) -> Option<Self> {
        let strides = row_major(&ty.shape);
        let is_window = |dim: &usize| numbers.update_window_dims.contains(&(*dim as i64));
        let (window, batch): (Vec<usize>, Vec<usize>) = (0..updates.shape.len()).partition(is_window);
        let dropped = |dim: &usize| {
            let dim = *dim as i64;
            numbers.inserted_window_dims.contains(&dim) || numbers.input_batching_dims.contains(&dim)
        };
        let dims: Dims = (0..ty.shape.len()).filter(|dim| !dropped(dim)).collect();
        let shape: Dims = window.iter().map(|dim| updates.shape[*dim]).collect();
        let batching = numbers.input_batching_dims.iter().zip(&numbers.scatter_indices_batching_dims);
        let batching: Vec<(usize, isize)> =
            batching.map(|(dim, indices_dim)| (*indices_dim as usize, strides[*dim as usize])).collect();
        let vector_dim = usize::try_from(numbers.index_vector_dim).ok()?;
        let along: Strides = batch.iter().map(|dim| update_strides[*dim]).collect();
        let batches = Batches::new(&indices.shape, vector_dim, &along, &batching)?;
        let along_vector = row_major(&indices.shape).get(vector_dim).copied().unwrap_or(1) as usize;
        let size_along = |dim: usize| dims.iter().position(|window_dim| *window_dim == dim).map_or(1, |at| shape[at]);
        let coordinates = numbers.scatter_dims_to_operand_dims.iter().enumerate().map(|(position, dim)| {
            let dim = *dim as usize;
            let limit = ty.shape[dim] as i64 - size_along(dim) as i64;
            Coordinate { at: position * along_vector, dim, limit, stride: strides[dim] }
        });
        let coordinates: SmallVec<[Coordinate; 3]> = coordinates.collect();
        // Where windows meet they meet element by element, unless they can be moved along their own dimensions.
        let is_fixed = coordinates.iter().all(|coordinate| size_along(coordinate.dim) == 1);
        let come_last = batch.last().zip(window.first()).is_none_or(|(batch, window)| batch < window);
        if !come_last && !is_fixed {
            return None;
        }
        let sizes = coordinates.iter().map(|coordinate| ty.shape[coordinate.dim] as i64).collect();
        let to_strides = dims.iter().map(|dim| strides[*dim]).collect();
        let from_strides = window.iter().map(|dim| update_strides[*dim]).collect();
        let vectors = Vectors::new(batches, coordinates, indices.element?, 1, false, isa)?;
        Some(Self { vectors, sizes, shape, to_strides, from_strides, dims, is_fixed })
    }

    /// Whether the elements of every window are adjacent on both sides.
    pub fn are_rows(&self) -> bool {
        self.is_fixed && self.to_strides == row_major(&self.shape) && self.from_strides == self.to_strides
    }

    /// Whether there is nothing to combine.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0) || self.vectors.len() == 0
    }

    /// Elements along the fastest dimension of a window.
    pub fn n_columns(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    /// Calls `f` for the elements in the columns `columns` of the rows of every window, in order: the first element of the
    /// result, the first among the updates, and how many adjacent ones there are.
    ///
    /// # Safety
    /// `indices` holds all vectors.
    #[inline(always)]
    pub unsafe fn each(&self, indices: *const u8, columns: Range<usize>, mut f: impl FnMut(isize, isize, usize)) {
        // SAFETY: the caller's promise.
        unsafe {
            self.vectors.chunks(indices, 0..self.vectors.len(), |chunk, offsets| {
                for (number, offset) in offsets[..chunk.n].iter().enumerate() {
                    let from = chunk.place.windows + number as isize * chunk.step.windows;
                    if *offset != OUTSIDE {
                        self.inside(*offset, from, &columns, &mut f);
                        continue;
                    }
                    let vector = chunk.place.indices + number * chunk.step.indices;
                    let begin = self.vectors.coordinates.iter();
                    let begin: SmallVec<[i64; 4]> =
                        begin.map(|coordinate| (self.vectors.read)(indices, vector + coordinate.at)).collect();
                    let operand = chunk.place.operand + number as isize * chunk.step.operand;
                    self.crossing([operand, from], &begin, &columns, &mut f);
                }
            });
        }
    }

    /// A window that lies inside and begins at `to` and `from`.
    #[inline(always)]
    fn inside(&self, to: isize, from: isize, columns: &Range<usize>, f: &mut impl FnMut(isize, isize, usize)) {
        let Some((_, outer)) = self.shape.split_last() else { return f(to, from, 1) };
        let (to_stride, from_stride) = (self.to_strides[outer.len()], self.from_strides[outer.len()]);
        let n_rows: usize = outer.iter().product();
        for row in 0..n_rows {
            let (mut left, mut to, mut from) = (row, to, from);
            for (dim, size) in outer.iter().enumerate().rev() {
                let index = (left % size) as isize;
                left /= size;
                to += index * self.to_strides[dim];
                from += index * self.from_strides[dim];
            }
            if to_stride == 1 && from_stride == 1 {
                f(to + columns.start as isize, from + columns.start as isize, columns.len());
            } else {
                for column in columns.start as isize..columns.end as isize {
                    f(to + column * to_stride, from + column * from_stride, 1);
                }
            }
        }
    }

    /// Those elements of a window that lie inside; `to` without the coordinates, which begin at `begin`.
    fn crossing(
        &self,
        [to, from]: [isize; 2],
        begin: &[i64],
        columns: &Range<usize>,
        f: &mut impl FnMut(isize, isize, usize),
    ) {
        let n: usize = self.shape.iter().product();
        let mut index: Dims = self.shape.clone();
        for element in 0..n {
            let mut left = element;
            for (dim, size) in self.shape.iter().enumerate().rev() {
                index[dim] = left % size;
                left /= size;
            }
            if !columns.contains(&index.last().copied().unwrap_or(0)) {
                continue;
            }
            let (mut to, mut from, mut is_inside) = (to, from, true);
            for ((coordinate, begin), size) in self.vectors.coordinates.iter().zip(begin).zip(&self.sizes) {
                let along = self.dims.iter().position(|dim| *dim == coordinate.dim).map_or(0, |at| index[at]);
                let at = begin.saturating_add(along as i64);
                is_inside &= at >= 0 && at < *size;
                to = to.wrapping_add((*begin as isize).wrapping_mul(coordinate.stride));
            }
            for (dim, index) in index.iter().enumerate() {
                to = to.wrapping_add(*index as isize * self.to_strides[dim]);
                from += *index as isize * self.from_strides[dim];
            }
            // Every coordinate is inside; the other dimensions' windows begin at zero and fit.
            if is_inside {
                f(to, from, 1);
            }
        }
    }
}
