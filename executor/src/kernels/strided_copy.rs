//! Copies between two arrangements of one shape by strides: transposes, windows, broadcasts, whatever strides can say.
//!
//! The plan brings the dimensions into the order of the destination and joins those that are one run on both sides. What
//! is left is a copy of rows, or, when the sides have different fastest dimensions, a transpose tile by tile.

use std::mem::MaybeUninit;
use std::ops::Range;

use smallvec::SmallVec;

use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::tiles::{self, Tile};
use super::{Kernel, lines, strided::copy_run};

/// Bytes below which a copy is not worth splitting over threads.
const GRAIN: usize = 1 << 17;
/// Bytes of a cache line.
pub const LINE: usize = 64;
/// Bytes of a row of the source that are turned before the next row.
const STRIP: usize = 4096;

/// A dimension: its size, and the distances of its elements in bytes.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Dim {
    size: usize,
    from: isize,
    to: isize,
}

/// How elements of one array become elements of another. Distances on the side that is written are positive, and no two
/// indices mean the same place there.
#[derive(Clone, PartialEq, Debug)]
pub struct StridedCopy {
    /// Without dimensions of size 1, the slowest of the destination first.
    dims: SmallVec<[Dim; 5]>,
    /// Bytes of an element; possibly several of the array's elements that stay together.
    width: usize,
    /// Number of elements of this width.
    n: usize,
    /// How tiles are turned, when the sides have different fastest dimensions.
    turn: Option<Box<Turn>>,
    /// Bytes of the result that this is a part of.
    whole: usize,
    isa: Isa,
}

/// A copy that turns tiles: the fastest dimension of the source becomes one across that of the destination.
#[derive(Clone, PartialEq, Debug)]
struct Turn {
    /// The fastest dimension of the destination.
    inner: Dim,
    /// The fastest dimension of the source.
    across: Dim,
    /// Elements of `inner` and of `across` that are one piece of work.
    group: usize,
    strip: usize,
    /// The pieces in the order of the work: the dimensions besides the two, and these in pieces.
    pieces: SmallVec<[Dim; 5]>,
    /// Which of them are those of `inner` and of `across`.
    group_at: usize,
    strip_at: usize,
}

impl Turn {
    fn new(dims: &[Dim], across: usize, width: usize) -> Option<Self> {
        let (inner, rest) = dims.split_last()?;
        let across_dim = *rest.get(across)?;
        let (group, strip) = (LINE / width, STRIP / width);
        let grouped =
            Dim { size: inner.size.div_ceil(group), from: inner.from * group as isize, to: inner.to * group as isize };
        let stripped = Dim {
            size: across_dim.size.div_ceil(strip),
            from: across_dim.from * strip as isize,
            to: across_dim.to * strip as isize,
        };
        let outer = rest.iter().enumerate().filter(|(dim, _)| *dim != across).map(|(_, dim)| *dim);
        let mut pieces: Vec<(u8, Dim)> = outer.map(|dim| (0, dim)).chain([(1, grouped), (2, stripped)]).collect();
        if inner.size * width >= LINE {
            // Whole lines are written, in whatever order; so the source may be read in its own.
            pieces.sort_by_key(|(_, dim)| std::cmp::Reverse(dim.from.unsigned_abs()));
        }
        let place = |which: u8| pieces.iter().position(|(kind, _)| *kind == which);
        let (group_at, strip_at) = (place(1)?, place(2)?);
        let pieces = pieces.iter().map(|(_, dim)| *dim).collect();
        Some(Self { inner: *inner, across: across_dim, group, strip, pieces, group_at, strip_at })
    }

    /// How many pieces of work there are.
    fn len(&self) -> usize {
        self.pieces.iter().map(|dim| dim.size).product()
    }
}

/// An address that threads share.
#[derive(Copy, Clone)]
pub struct Address(pub *mut u8);

// SAFETY: who makes one sees to it that threads write disjoint places.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    /// The place `bytes` further on.
    ///
    /// # Safety
    /// It lies in the same array.
    #[inline(always)]
    pub unsafe fn at(self, bytes: isize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.offset(bytes) }
    }
}

impl StridedCopy {
    /// A copy of an array of `shape`; distances in elements of `width` bytes.
    pub fn new(shape: &[usize], from: &[isize], to: &[isize], width: usize, isa: Isa) -> Self {
        let mut n: usize = shape.iter().product();
        let bytes = |distance: isize| distance * width as isize;
        let dims = shape.iter().zip(from).zip(to).map(|((size, from), to)| (*size, bytes(*from), bytes(*to)));
        let mut dims: Vec<Dim> =
            dims.map(|(size, from, to)| Dim { size, from, to }).filter(|dim| dim.size != 1).collect();
        dims.sort_by_key(|dim| std::cmp::Reverse(dim.to));
        let mut joined: SmallVec<[Dim; 5]> = SmallVec::new();
        for dim in dims {
            let run = dim.size as isize;
            match joined.last_mut() {
                Some(outer) if outer.to == dim.to * run && outer.from == dim.from * run => {
                    *outer = Dim { size: outer.size * dim.size, ..dim };
                }
                _ => joined.push(dim),
            }
        }
        // Neighbours that stay together are one wider element.
        let mut width = width;
        if let Some(last) = joined.last().copied()
            && joined.len() > 1
            && last.to == width as isize
            && last.from == last.to
            && matches!(last.size * width, 2 | 4 | 8 | 16)
        {
            joined.pop();
            width *= last.size;
            n /= last.size.max(1);
        }
        let across = joined.split_last().and_then(|(last, outer)| {
            let fits = |dim: &Dim| dim.from == width as isize && dim.size >= 4;
            (last.to == width as isize
                && last.size >= 4
                && !matches!(last.from.unsigned_abs(), 0)
                && last.from != last.to)
                .then(|| outer.iter().rposition(fits))?
        });
        let turn = across.and_then(|across| Turn::new(&joined, across, width)).map(Box::new);
        Self { dims: joined, width, n, turn, whole: n * width, isa }
    }

    /// The same as a part of a result of `bytes`.
    pub fn part_of(self, bytes: usize) -> Self {
        Self { whole: bytes, ..self }
    }

    /// Whether all of the result goes past the caches.
    fn is_streamed(&self) -> bool {
        let each = self.dims.last().map_or(self.width, |row| row.from.unsigned_abs().clamp(self.width, LINE));
        tiles::is_streamed(self.whole / self.width * each, self.whole)
    }

    /// Bytes that are copied.
    pub fn bytes(&self) -> usize {
        self.n * self.width
    }

    /// Whether it is one run of bytes.
    pub fn is_run(&self) -> bool {
        match self.dims[..] {
            [] => true,
            [dim] => dim.to == self.width as isize && dim.from == dim.to,
            _ => false,
        }
    }

    /// Copies on this thread.
    ///
    /// # Safety
    /// As for [`StridedCopy::run`].
    pub unsafe fn run_here(&self, from: *const u8, to: *mut u8) {
        if self.n == 0 {
            return;
        }
        let (from, to) = (Address(from.cast_mut()), Address(to));
        // SAFETY: the caller's promise.
        unsafe {
            match &self.turn {
                _ if self.dims.is_empty() => std::ptr::copy_nonoverlapping(from.0, to.0, self.width),
                None => self.rows(from, to, 0, self.n),
                Some(turn) => self.pieces(turn, from, to, 0..turn.len()),
            }
        }
    }

    /// Copies on all threads.
    ///
    /// # Safety
    /// The elements that the strides reach from `from` are readable, those from `to` writable, and they do not overlap.
    pub unsafe fn run(&self, from: *const u8, to: *mut u8, pool: &Pool) {
        let (from, to) = (Address(from.cast_mut()), Address(to));
        if let ([], 1) = (&self.dims[..], self.n) {
            // SAFETY: one element on both sides.
            unsafe { std::ptr::copy_nonoverlapping(from.0, to.0, self.width) };
            return;
        }
        if self.n == 0 {
            return;
        }
        match &self.turn {
            None if self.bytes() < GRAIN => {
                // SAFETY: the caller's promise.
                unsafe { self.rows(from, to, 0, self.n) }
            }
            None => pool.split(self.n, (GRAIN / self.width).max(1), &|range| {
                // SAFETY: as above; ranges are disjoint.
                unsafe { self.rows(from, to, range.start, range.end) };
            }),
            Some(turn) => {
                let n = turn.len();
                let grain = (GRAIN / (self.bytes() / n).max(1)).max(1);
                pool.split(n, grain, &|range| {
                    // SAFETY: as above.
                    unsafe { self.pieces(turn, from, to, range) };
                });
            }
        }
    }

    /// Copies the elements number `at..end` of the destination's order, row by row.
    ///
    /// # Safety
    /// As for [`StridedCopy::run`].
    unsafe fn rows(&self, from: Address, to: Address, at: usize, end: usize) {
        let Some((row, outer)) = self.dims.split_last() else { return };
        let mut odometer = Odometer::new(outer.iter(), at / row.size);
        let (mut first, mut left) = (at % row.size, end - at);
        // A small source stays in the cache, and so may then the result.
        let is_repeated = self.dims.iter().any(|dim| dim.from == 0);
        let is_line = row.to == self.width as isize && row.size * self.width >= 4 * LINE;
        let stream = self.is_streamed() && is_line && !is_repeated;
        if stream
            && lines::is_possible(self.isa, self.width, to.0)
            && lines::Source::apart(from.0, row.from, self.width).is_some()
            && self.dims.iter().all(|dim| dim.to % self.width as isize == 0)
        {
            // SAFETY: the caller's promise.
            return unsafe { self.lines(from, to, at, end) };
        }
        loop {
            let n = left.min(row.size - first);
            // SAFETY: indices below the sizes.
            unsafe {
                let from = from.at(odometer.from + first as isize * row.from);
                let to = to.at(odometer.to + first as isize * row.to);
                match stream {
                    true if row.from == row.to => tiles::stream(to, from, n * self.width, self.isa),
                    true => self.stream_row(to, from, row.from, n),
                    false => copy_row(to, row.to, from, row.from, n, self.width),
                }
            }
            left -= n;
            if left == 0 {
                break;
            }
            first = 0;
            odometer.advance(outer.iter());
        }
        if stream {
            tiles::fence();
        }
    }

    /// Copies elements as [`StridedCopy::rows`] does, past the caches.
    ///
    /// # Safety
    /// As for [`StridedCopy::run`]; [`lines`] has a way for the rows.
    unsafe fn lines(&self, from: Address, to: Address, at: usize, end: usize) {
        let Some((row, outer)) = self.dims.split_last() else { return };
        let mut odometer = Odometer::new(outer.iter(), at / row.size);
        let (mut first, mut left) = (at % row.size, end - at);
        let mut lines = lines::Lines::new(self.width);
        while left > 0 {
            let n = left.min(row.size - first);
            // SAFETY: indices below the sizes.
            unsafe {
                let from_row = from.at(odometer.from + first as isize * row.from);
                let to_row = to.at(odometer.to + first as isize * row.to);
                odometer.advance(outer.iter());
                let then = from.0.wrapping_offset(odometer.from);
                if let Some(source) = lines::Source::apart(from_row, row.from, self.width) {
                    lines.put(to_row, source, n, then);
                }
            }
            left -= n;
            first = 0;
        }
        // SAFETY: as above.
        unsafe { lines.finish() };
    }

    /// Writes `n` elements that stand apart past the caches.
    ///
    /// # Safety
    /// They are readable and writable.
    unsafe fn stream_row(&self, to: *mut u8, from: *const u8, stride: isize, n: usize) {
        #[repr(align(64))]
        struct Buffer(MaybeUninit<[u8; STRIP]>);
        let mut buffer = Buffer(MaybeUninit::uninit());
        let at = buffer.0.as_mut_ptr().cast::<u8>();
        // All parts but the first begin at a line.
        let mut part = to.align_offset(LINE).min(LINE) / self.width + (STRIP - LINE) / self.width;
        let mut done = 0;
        while done < n {
            let len = part.min(n - done);
            // SAFETY: the caller's promise, and a part fits into the buffer.
            unsafe {
                copy_row(at, self.width as isize, from.offset(done as isize * stride), stride, len, self.width);
                tiles::stream(to.add(done * self.width), at, len * self.width, self.isa);
            }
            done += len;
            part = (STRIP - LINE) / self.width;
        }
    }

    /// Turns pieces `range`.
    ///
    /// # Safety
    /// As for [`StridedCopy::run`].
    unsafe fn pieces(&self, turn: &Turn, from: Address, to: Address, range: Range<usize>) {
        let mut odometer = Odometer::new(turn.pieces.iter(), range.start);
        let last = turn.pieces.len() - 1;
        let lines = self.dims.iter().all(|dim| dim.to == self.width as isize || dim.to % LINE as isize == 0);
        let tile = Tile {
            width: self.width,
            from: turn.inner.from,
            to: turn.across.to,
            stream: tiles::is_streamed(self.whole, self.whole) && lines && to.0.addr().is_multiple_of(LINE),
            isa: self.isa,
        };
        for _ in range {
            let left = |dim: Dim, size: usize, at: usize| size.min(dim.size - odometer.index[last - at] * size);
            let rows = left(turn.across, turn.strip, turn.strip_at);
            let columns = left(turn.inner, turn.group, turn.group_at);
            // SAFETY: indices below the sizes.
            unsafe { tile.transpose(to.at(odometer.to), from.at(odometer.from), rows, columns) };
            odometer.advance(turn.pieces.iter());
        }
        if tile.stream {
            tiles::fence();
        }
    }
}

/// An index of several dimensions with the places that it means.
struct Odometer {
    index: SmallVec<[usize; 6]>,
    from: isize,
    to: isize,
}

impl Odometer {
    fn new<'d>(dims: impl DoubleEndedIterator<Item = &'d Dim>, mut at: usize) -> Self {
        let mut this = Self { index: SmallVec::new(), from: 0, to: 0 };
        for dim in dims.rev() {
            let index = at % dim.size;
            at /= dim.size;
            this.index.push(index);
            this.from += index as isize * dim.from;
            this.to += index as isize * dim.to;
        }
        this
    }

    fn advance<'d>(&mut self, dims: impl DoubleEndedIterator<Item = &'d Dim>) {
        for (index, dim) in self.index.iter_mut().zip(dims.rev()) {
            *index += 1;
            self.from += dim.from;
            self.to += dim.to;
            if *index < dim.size {
                return;
            }
            self.from -= dim.size as isize * dim.from;
            self.to -= dim.size as isize * dim.to;
            *index = 0;
        }
    }
}

/// Copies `n` elements that stand apart on both sides.
///
/// # Safety
/// They are readable and writable.
#[inline]
unsafe fn copy_row(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize, n: usize, width: usize) {
    macro_rules! copy_as {
        ($T:ty) => {
            // SAFETY: the caller's promise; reads and writes are unaligned.
            unsafe {
                if to_stride == size_of::<$T>() as isize {
                    copy_run::<$T>(to.cast(), from, from_stride, n);
                } else {
                    for index in 0..n as isize {
                        let value = from.offset(index * from_stride).cast::<$T>().read_unaligned();
                        to.offset(index * to_stride).cast::<$T>().write_unaligned(value);
                    }
                }
            }
        };
    }
    match width {
        1 => copy_as!(u8),
        2 => copy_as!(u16),
        4 => copy_as!(u32),
        8 => copy_as!(u64),
        _ => copy_as!(u128),
    }
}

/// A step that writes out a view.
#[derive(Debug)]
pub struct Materialize {
    /// How.
    pub copy: StridedCopy,
    /// What is read.
    pub from: SlotId,
    /// The byte of its first element.
    pub offset: isize,
    /// What is written.
    pub to: SlotId,
}

impl Kernel for Materialize {
    fn run(&self, memory: &Memory, pool: &Pool) {
        // SAFETY: the plan's views lie inside their slots, and `to` is a slot of its own.
        unsafe { self.copy.run(memory.address(self.from).offset(self.offset), memory.address(self.to), pool) }
    }

    fn describe(&self) -> String {
        let how = if self.copy.turn.is_some() { "transpose" } else { "copy" };
        format!("strided {how} of {} bytes", self.copy.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::row_major;

    /// The copy by its definition.
    fn expected(shape: &[usize], from: &[isize], data: &[u8], offset: isize, width: usize) -> Vec<u8> {
        let strides = row_major(shape);
        let n: usize = shape.iter().product();
        let mut out = vec![0; n * width];
        for index in 0..n {
            let place = (0..shape.len())
                .map(|dim| (index / strides[dim] as usize % shape[dim]) as isize * from[dim])
                .sum::<isize>();
            let place = (offset + place) as usize * width;
            out[index * width..][..width].copy_from_slice(&data[place..][..width]);
        }
        out
    }

    #[test]
    fn every_permutation_of_every_width_is_copied() {
        let sizes = [[1, 37, 67], [5, 16, 33], [3, 64, 2], [7, 4, 130], [64, 1, 64]];
        let permutations = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let pool = Pool::new(2);
        for width in [1usize, 2, 4, 8, 16] {
            for sizes in sizes {
                let n: usize = sizes.iter().product();
                let data: Vec<u8> = (0..n * width).map(|index| (index * 31 + index / 251) as u8).collect();
                for permutation in permutations {
                    let strides = row_major(&sizes);
                    let shape = permutation.map(|dim| sizes[dim]);
                    let from = permutation.map(|dim| strides[dim]);
                    for isa in Isa::ALL.iter().filter(|isa| isa.is_available()) {
                        let copy = StridedCopy::new(&shape, &from, &row_major(&shape), width, *isa);
                        let mut out = vec![0u8; n * width];
                        // SAFETY: a permutation of all elements.
                        unsafe { copy.run(data.as_ptr(), out.as_mut_ptr(), &pool) };
                        assert_eq!(out, expected(&shape, &from, &data, 0, width), "{sizes:?} {permutation:?} {width}");
                    }
                }
            }
        }
    }

    #[test]
    fn reversed_and_repeated_elements_are_copied() {
        let data: Vec<u8> = (0..4 * 600).map(|index| (index * 7 / 3) as u8).collect();
        let pool = Pool::new(1);
        for (shape, from, offset) in [
            ([20, 30], [30, -1], 29),
            ([20, 30], [-30, -1], 599),
            ([30, 20], [-1, 30], 29),
            ([20, 30], [0, 1], 5),
            ([20, 30], [1, 0], 5),
            ([10, 10], [60, 3], 1),
            ([30, 20], [0, 0], 77),
        ] {
            let copy = StridedCopy::new(&shape, &from, &row_major(&shape), 4, Isa::best());
            let mut out = vec![0u8; shape[0] * shape[1] * 4];
            // SAFETY: all places lie inside the 600 elements.
            unsafe { copy.run(data.as_ptr().offset(offset * 4), out.as_mut_ptr(), &pool) };
            assert_eq!(out, expected(&shape, &from, &data, offset, 4), "{shape:?} {from:?}");
        }
    }

    #[test]
    fn large_results_are_streamed_and_right() {
        let pool = Pool::new(2);
        for width in [2usize, 4, 8] {
            let (rows, columns) = (1 << 10, (8 << 10) / width + 64 / width);
            let n = rows * columns;
            let data: Vec<u8> = (0..n * width).map(|index| (index * 13 + index / 1000) as u8).collect();
            let from = [1, columns as isize];
            let shape = [columns, rows];
            let copy = StridedCopy::new(&shape, &from, &row_major(&shape), width, Isa::best());
            let out = super::super::memory::Buffer::new(n * width);
            // SAFETY: a permutation of all elements.
            unsafe { copy.run(data.as_ptr(), out.as_ptr(), &pool) };
            assert!(out.bytes() == expected(&shape, &from, &data, 0, width), "{width}");
        }
    }
}
