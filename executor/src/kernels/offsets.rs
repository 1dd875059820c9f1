//! Where slices begin: index vectors as distances in bytes, many at a time.

use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::element::ElementType;

use super::gather::{BatchDim, Batches, Coordinate, Place};
use super::indices::{ReadIndex, reader};
use super::isa::Isa;

/// Index vectors that are turned into offsets together.
pub const CHUNK: usize = 256;
/// The offset of a slice that does not lie inside.
pub const OUTSIDE: isize = isize::MIN;

/// The index vectors of a `gather` or a `scatter`.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// All of them.
    pub batches: Batches,
    /// What their numbers mean.
    pub coordinates: SmallVec<[Coordinate; 3]>,
    /// Reads a number.
    pub read: ReadIndex,
    /// The loop for numbers of this type, if it has one.
    add: Option<AddFn>,
    is_clamped: bool,
    /// Bytes of an element of the operand.
    width: isize,
}

/// Offsets of a chunk.
pub type Offsets = [isize; CHUNK];

/// One coordinate of `n` vectors: its numbers are `step` apart from number `first` on.
#[derive(Copy, Clone)]
struct Numbers {
    indices: *const u8,
    first: usize,
    step: usize,
    n: usize,
    /// The largest.
    limit: i64,
    /// Bytes per step.
    stride: isize,
    /// What the first coordinate is added to: the offset of the first vector, and the distance of the others. (Otherwise
    /// what is there.)
    start: Option<(isize, isize)>,
}

/// Adds a coordinate to the offsets.
type AddFn = unsafe fn(out: &mut Offsets, numbers: Numbers);

/// Index vectors that follow each other: the places of the first, the distances of the others, and how many there are.
#[derive(Copy, Clone, Debug)]
pub struct Chunk {
    /// The places of the first.
    pub place: Place,
    /// Distances of the others.
    pub step: BatchDim,
    /// How many.
    pub n: usize,
}

impl Vectors {
    /// Vectors of numbers of type `element` for an operand whose elements have `width` bytes. Numbers outside of their
    /// limits become the limit when they are to be clamped; otherwise the slice is [`OUTSIDE`]. None when the numbers are not
    /// integers.
    pub fn new(
        batches: Batches,
        coordinates: SmallVec<[Coordinate; 3]>,
        element: ElementType,
        width: usize,
        is_clamped: bool,
        isa: Isa,
    ) -> Option<Self> {
        let add = if is_clamped { add_of::<true>(element, isa) } else { add_of::<false>(element, isa) };
        Some(Self { batches, coordinates, read: reader(element)?, add, is_clamped, width: width as isize })
    }

    /// How many vectors there are.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.batches.len()
    }

    /// The vectors `range` in chunks along the fastest dimension, with the slices' offsets in bytes.
    ///
    /// # Safety
    /// `indices` holds all vectors.
    #[inline(always)]
    pub unsafe fn chunks(&self, indices: *const u8, range: Range<usize>, mut f: impl FnMut(&Chunk, &Offsets)) {
        let mut offsets = [0; CHUNK];
        let mut at = range.start;
        while at < range.end {
            let chunk = self.chunk(at, range.end, CHUNK);
            // SAFETY: the caller's promise.
            unsafe { self.offsets(indices, &chunk, &mut offsets) };
            f(&chunk, &offsets);
            at += chunk.n;
        }
    }

    /// The same in chunks of half the size, each with the offsets of the next.
    ///
    /// # Safety
    /// As for [`Vectors::chunks`].
    #[inline(always)]
    pub unsafe fn chunks_ahead(
        &self,
        indices: *const u8,
        range: Range<usize>,
        mut f: impl FnMut(&Chunk, &[isize], &[isize]),
    ) {
        let (mut offsets, mut now) = ([[0; CHUNK]; 2], 0);
        let mut chunk = self.chunk(range.start, range.end, CHUNK / 2);
        // SAFETY: the caller's promise.
        unsafe { self.offsets(indices, &chunk, &mut offsets[0]) };
        let mut at = range.start + chunk.n;
        loop {
            let then = self.chunk(at, range.end, CHUNK / 2);
            // SAFETY: as above.
            unsafe { self.offsets(indices, &then, &mut offsets[1 - now]) };
            f(&chunk, &offsets[now][..chunk.n], &offsets[1 - now][..then.n]);
            if then.n == 0 {
                return;
            }
            (at, chunk, now) = (at + then.n, then, 1 - now);
        }
    }

    /// The vectors from `at` on, to `end` at most and `most` of them.
    #[inline(always)]
    fn chunk(&self, at: usize, end: usize, most: usize) -> Chunk {
        let one = BatchDim { size: 1, indices: 0, windows: 0, operand: 0 };
        let step = self.batches.dims.last().copied().unwrap_or(one);
        let n = most.min(end - at).min(step.size - at % step.size);
        Chunk { place: self.batches.place(at), step, n }
    }

    /// # Safety
    /// `indices` holds all vectors.
    unsafe fn offsets(&self, indices: *const u8, chunk: &Chunk, out: &mut Offsets) {
        let (first, step) = (chunk.place.operand * self.width, chunk.step.operand * self.width);
        if self.coordinates.is_empty() || self.add.is_none() {
            for (index, out) in out[..chunk.n].iter_mut().enumerate() {
                *out = first + index as isize * step;
            }
        }
        for (number, coordinate) in self.coordinates.iter().enumerate() {
            let numbers = Numbers {
                indices,
                first: chunk.place.indices + coordinate.at,
                step: chunk.step.indices,
                n: chunk.n,
                limit: coordinate.limit,
                stride: coordinate.stride * self.width,
                start: (number == 0).then_some((first, step)),
            };
            // SAFETY: the chunk's vectors are among all of them.
            unsafe {
                match self.add {
                    Some(add) => add(out, numbers),
                    None => {
                        for (index, out) in out[..numbers.n].iter_mut().enumerate() {
                            let number = (self.read)(indices, numbers.first + index * numbers.step);
                            *out = if self.is_clamped {
                                added::<true>(*out, number, &numbers)
                            } else {
                                added::<false>(*out, number, &numbers)
                            };
                        }
                    }
                }
            }
        }
    }
}

/// An offset with one more coordinate.
#[inline(always)]
fn added<const CLAMP: bool>(offset: isize, number: i64, numbers: &Numbers) -> isize {
    if CLAMP {
        return offset + number.clamp(0, numbers.limit) as isize * numbers.stride;
    }
    let is_inside = number >= 0 && number <= numbers.limit && offset != OUTSIDE;
    if is_inside { offset.wrapping_add((number as isize).wrapping_mul(numbers.stride)) } else { OUTSIDE }
}

#[inline(always)]
unsafe fn add<I: Copy + Into<i64>, const CLAMP: bool>(out: &mut Offsets, numbers: Numbers) {
    // SAFETY: the numbers are among the indices.
    unsafe {
        let from = numbers.indices.cast::<I>().add(numbers.first);
        let out = &mut out[..numbers.n];
        match (numbers.start, numbers.step) {
            (Some((first, 0)), 1) => {
                for (index, out) in out.iter_mut().enumerate() {
                    *out = added::<CLAMP>(first, from.add(index).read_unaligned().into(), &numbers);
                }
            }
            (start, step) => {
                for (index, out) in out.iter_mut().enumerate() {
                    let before = start.map_or(*out, |(first, step)| first + index as isize * step);
                    *out = added::<CLAMP>(before, from.add(index * step).read_unaligned().into(), &numbers);
                }
            }
        }
    }
}

unsafe fn add_baseline<I: Copy + Into<i64>, const CLAMP: bool>(out: &mut Offsets, numbers: Numbers) {
    // SAFETY: the caller's promise.
    unsafe { add::<I, CLAMP>(out, numbers) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn add_avx512<I: Copy + Into<i64>, const CLAMP: bool>(out: &mut Offsets, numbers: Numbers) {
    // SAFETY: the caller's promise.
    unsafe { add::<I, CLAMP>(out, numbers) }
}

/// The loop for numbers of a type that programs are full of.
fn add_of<const CLAMP: bool>(element: ElementType, isa: Isa) -> Option<AddFn> {
    Some(match (element, isa) {
        #[cfg(target_arch = "x86_64")]
        (ElementType::I32, Isa::Avx512) => add_avx512::<i32, CLAMP>,
        #[cfg(target_arch = "x86_64")]
        (ElementType::I64, Isa::Avx512) => add_avx512::<i64, CLAMP>,
        #[cfg(target_arch = "x86_64")]
        (ElementType::UI32, Isa::Avx512) => add_avx512::<u32, CLAMP>,
        (ElementType::I32, _) => add_baseline::<i32, CLAMP>,
        (ElementType::I64, _) => add_baseline::<i64, CLAMP>,
        (ElementType::UI32, _) => add_baseline::<u32, CLAMP>,
        _ => return None,
    })
}

/// Asks for a cache line that will be read soon.
#[inline(always)]
pub fn prefetch(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, for which any address will do.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
