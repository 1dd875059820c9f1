//! Walking through index spaces.

use stablehlo::element::ElementType;

use crate::error::Result;
use crate::eval::Cx;
use crate::tensor::{Dims, count};

/// Row-major strides, in elements.
pub fn strides_of(shape: &[usize]) -> Dims {
    let mut strides: Dims = smallvec::smallvec![1; shape.len()];
    for dim in (1..shape.len()).rev() {
        // Dimensions picked out of a shape may overflow where one that was left out is 0; their strides are never used.
        strides[dim - 1] = strides[dim].saturating_mul(shape[dim]);
    }
    strides
}

/// `sum(index * strides)` for every index of `shape` in row-major order.
///
/// # Errors
/// `exec/memory-limit`.
pub fn offsets(cx: &Cx<'_>, shape: &[usize], strides: &[usize]) -> Result<Vec<usize>> {
    let count = cx.memory().check(ElementType::I64, shape)?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut offsets = Vec::with_capacity(count);
    offsets.push(0);
    for (size, stride) in shape.iter().zip(strides) {
        let outer = std::mem::replace(&mut offsets, Vec::with_capacity(count));
        offsets.extend(outer.iter().flat_map(|offset| (0..*size).map(move |index| offset + index * stride)));
    }
    Ok(offsets)
}

/// Where the lines along `dim` begin, in row-major order, and the distance of neighbours in them.
///
/// # Errors
/// `exec/memory-limit`.
pub fn lines(cx: &Cx<'_>, shape: &[usize], dim: usize) -> Result<(Vec<usize>, usize)> {
    let (mut outer, mut strides) = (Dims::from(shape), strides_of(shape));
    outer.remove(dim);
    let stride = strides.remove(dim);
    Ok((offsets(cx, &outer, &strides)?, stride))
}

/// `sum(index * strides)` for each index of a shape in row-major order, without a list of them.
pub struct Positions {
    shape: Dims,
    strides: Dims,
    index: Dims,
    position: usize,
    left: usize,
}

impl Positions {
    /// Walks through `shape`.
    pub fn new(shape: &[usize], strides: &[usize]) -> Self {
        debug_assert_eq!(shape.len(), strides.len());
        let left = count(shape).unwrap_or(0);
        Self {
            shape: shape.into(),
            strides: strides.into(),
            index: smallvec::smallvec![0; shape.len()],
            position: 0,
            left,
        }
    }
}

impl Iterator for Positions {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let position = self.position;
        for dim in (0..self.shape.len()).rev() {
            self.index[dim] += 1;
            self.position = self.position.wrapping_add(self.strides[dim]);
            if self.index[dim] < self.shape[dim] {
                break;
            }
            self.position = self.position.wrapping_sub(self.strides[dim].wrapping_mul(self.shape[dim]));
            self.index[dim] = 0;
        }
        Some(position)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Positions {}

/// Each index of a shape in row-major order, lent one after the other.
pub struct Indices {
    shape: Dims,
    index: Dims,
    left: usize,
    started: bool,
}

impl Indices {
    /// Walks through `shape`.
    pub fn new(shape: &[usize]) -> Self {
        let left = count(shape).unwrap_or(0);
        Self { shape: shape.into(), index: smallvec::smallvec![0; shape.len()], left, started: false }
    }

    /// The next index.
    pub fn advance(&mut self) -> Option<&[usize]> {
        self.left = self.left.checked_sub(1)?;
        if std::mem::replace(&mut self.started, true) {
            for dim in (0..self.shape.len()).rev() {
                self.index[dim] += 1;
                if self.index[dim] < self.shape[dim] {
                    break;
                }
                self.index[dim] = 0;
            }
        }
        Some(&self.index)
    }
}

/// Counts work for the limits of a run, many small pieces at a time.
pub struct Ticks<'c, 'r> {
    cx: &'c Cx<'r>,
    pending: usize,
}

impl<'c, 'r> Ticks<'c, 'r> {
    /// Nothing was counted yet.
    pub fn new(cx: &'c Cx<'r>) -> Self {
        Self { cx, pending: 0 }
    }

    /// Counts `n` elements.
    ///
    /// # Errors
    /// As [`Cx::tick`].
    #[inline]
    pub fn add(&mut self, n: usize) -> Result<()> {
        self.pending = self.pending.saturating_add(n);
        if self.pending < 4096 {
            return Ok(());
        }
        self.cx.tick(std::mem::take(&mut self.pending))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_in_row_major_order() {
        assert_eq!(Positions::new(&[2, 3], &[1, 10]).collect::<Vec<_>>(), [0, 10, 20, 1, 11, 21]);
        assert_eq!(Positions::new(&[], &[]).collect::<Vec<_>>(), [0]);
        assert_eq!(Positions::new(&[2, 0], &[1, 1]).count(), 0);
    }

    #[test]
    fn indices_are_in_row_major_order() {
        let mut indices = Indices::new(&[2, 2]);
        let mut seen = Vec::new();
        while let Some(index) = indices.advance() {
            seen.push(index.to_vec());
        }
        assert_eq!(seen, [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert!(Indices::new(&[0]).advance().is_none());
        assert_eq!(Indices::new(&[]).advance(), Some(&[][..]));
    }
}
