//! `pad`: the elements that stay are copied to their places, the room around them is filled.
//!
//! Where rows are long enough the result is written row by row, once, from its beginning to its end. Otherwise boxes of
//! padding and then the operand are written.

use std::cell::RefCell;
use std::ops::Range;

use stablehlo::ops::stablehlo::pad::Pad as Op;

use super::concatenate::Part;
use super::fused::fill;
use super::isa::Isa;
use super::lines::{self, Lines, Source};
use super::memory::{Buffer, Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::{Address, LINE, StridedCopy};
use super::{Kernel, Planned, tiles};
use crate::graph::{Dims, Node, Val};
use crate::plan::{BodyLowering, Strides, View, row_major};

/// Bytes below which a result is not worth splitting over threads.
const GRAIN: usize = 1 << 17;

thread_local! {
    /// Rows in the making, kept between runs.
    static ROWS: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

#[derive(Debug)]
struct Pad {
    /// Boxes of padding, then the operand.
    parts: Vec<Part>,
    to: SlotId,
}

/// What of a dimension stays: the first element of the operand, how many, the place of the first and the distance.
#[derive(Copy, Clone, Debug)]
struct Line {
    first: usize,
    n: usize,
    at: usize,
    step: usize,
}

impl Line {
    fn new(size: usize, padded: usize, low: i64, interior: i64) -> Option<Self> {
        let (low, step) = (i128::from(low), i128::from(interior) + 1);
        // Element i lands at low + i * step; those from `first` to before `end` land inside.
        let first = if low < 0 { (-low + step - 1) / step } else { 0 }.min(size as i128);
        let end = if padded as i128 > low { (padded as i128 - low - 1) / step + 1 } else { 0 };
        let end = end.clamp(first, size as i128);
        let at = if end > first { usize::try_from(low + first * step).ok()? } else { 0 };
        let n = (end - first) as usize;
        // Where there is one element the distance does not matter.
        let step = if n > 1 { usize::try_from(step).ok()? } else { 1 };
        Some(Self { first: first as usize, n, at, step })
    }

    /// Places from the first element to the last, both included.
    fn reach(&self) -> usize {
        if self.n == 0 { 0 } else { (self.n - 1) * self.step + 1 }
    }
}

/// The kernel of a `pad`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let op = Op::new(cx.graph().module, node.op);
    let (low, interior) = (op.edge_padding_low(), op.interior_padding());
    let to = cx.output(Val::Node(index, 0));
    padded(cx, [node.operands[0], node.operands[1]], low, interior, &node.types[0].shape, to)
}

/// An operand with a value around and between its elements, in `to`, whose elements have `shape`.
pub fn padded(
    cx: &mut BodyLowering<'_, '_, '_>,
    [operand, value]: [Val; 2],
    low: &[i64],
    interior: &[i64],
    shape: &Dims,
    to: SlotId,
) -> Option<Planned> {
    let width = cx.ty(operand).element?.byte_width();
    let sizes = &cx.ty(operand).shape;
    let lines = (0..shape.len()).map(|dim| Line::new(sizes[dim], shape[dim], low[dim], interior[dim]));
    let lines = lines.collect::<Option<Vec<Line>>>()?;
    let strides = row_major(shape);
    let (value, value_view) = cx.view(value);
    let (from, view) = cx.view(operand);
    let isa = cx.isa();
    if let Some(mut rows) = Rows::new(shape, &lines, &view, width, isa) {
        rows.value = (value, value_view.offset * width as isize);
        rows.from = from;
        rows.to = to;
        return Some((Box::new(rows), vec![from, value], vec![to]));
    }
    let fill = |begin: &[usize], size: &[usize]| {
        let zero: Strides = size.iter().map(|_| 0).collect();
        let at: isize = begin.iter().zip(&strides).map(|(begin, stride)| *begin as isize * stride).sum();
        Part {
            copy: StridedCopy::new(size, &zero, &strides, width, isa),
            from: value,
            from_offset: value_view.offset * width as isize,
            to_offset: at * width as isize,
        }
    };
    let mut parts = Vec::new();
    let (mut begin, mut size): (Dims, Dims) = (shape.iter().map(|_| 0).collect(), shape.clone());
    if lines.iter().any(|line| line.n == 0 || line.step > 1) {
        parts.push(fill(&begin, &size));
    } else {
        // Below and above the operand along each dimension; the further dimensions are filled in between.
        for (dim, line) in lines.iter().enumerate() {
            let end = line.at + line.reach();
            for (at, n) in [(0, line.at), (end, shape[dim] - end)] {
                (begin[dim], size[dim]) = (at, n);
                if n > 0 {
                    parts.push(fill(&begin, &size));
                }
            }
            (begin[dim], size[dim]) = (line.at, line.reach());
        }
    }
    if lines.iter().all(|line| line.n > 0) {
        let kept: Dims = lines.iter().map(|line| line.n).collect();
        let to: Strides = lines.iter().zip(&strides).map(|(line, stride)| line.step as isize * stride).collect();
        let to_offset: isize = lines.iter().zip(&strides).map(|(line, stride)| line.at as isize * stride).sum();
        let skipped: isize = lines.iter().zip(&view.strides).map(|(line, stride)| line.first as isize * stride).sum();
        parts.push(Part {
            copy: StridedCopy::new(&kept, &view.strides, &to, width, isa),
            from,
            from_offset: (view.offset + skipped) * width as isize,
            to_offset: to_offset * width as isize,
        });
    }
    Some((Box::new(Pad { parts, to }), vec![from, value], vec![to]))
}

impl Kernel for Pad {
    fn run(&self, memory: &Memory, pool: &Pool) {
        for part in &self.parts {
            // SAFETY: all parts lie inside the result, and what overlaps is written in order.
            unsafe { part.run(memory, memory.address(self.to), pool) };
        }
    }

    fn describe(&self) -> String {
        "pad".to_owned()
    }
}

/// A dimension before the rows.
#[derive(Clone, Debug)]
struct Outer {
    /// Size in the result.
    size: usize,
    line: Line,
    /// Distance of the operand's elements in bytes.
    stride: isize,
}

/// Pads row by row: the last dimension that is padded, with all after it.
#[derive(Debug)]
struct Rows {
    /// The slot of the padding's value, and its byte there.
    value: (SlotId, isize),
    from: SlotId,
    to: SlotId,
    /// Byte of the first element that stays.
    from_offset: isize,
    outer: Vec<Outer>,
    /// What of a row stays, in elements of `unit` bytes.
    line: Line,
    unit: usize,
    /// Bytes of a row.
    bytes: usize,
    /// Copies what stays of a row.
    copy: StridedCopy,
    /// Whether that is every second element, from elements that are neighbours.
    alternates: bool,
    /// Bytes of the operand that stay.
    kept: usize,
    width: usize,
    isa: Isa,
}

impl Rows {
    /// None when rows are too short to be worth it.
    fn new(shape: &[usize], lines: &[Line], view: &View, width: usize, isa: Isa) -> Option<Self> {
        let is_padded = |dim: &usize| lines[*dim].n != shape[*dim] || lines[*dim].first > 0;
        let row = (0..shape.len()).rfind(is_padded)?;
        let inner: usize = shape[row + 1..].iter().product();
        let (unit, bytes) = (inner * width, shape[row].checked_mul(inner * width)?);
        if bytes < 4 * LINE {
            return None;
        }
        let line = lines[row];
        let kept: Dims = std::iter::once(line.n).chain(shape[row + 1..].iter().copied()).collect();
        let mut to: Strides = row_major(&shape[row..]);
        to[0] *= line.step as isize;
        let copy = StridedCopy::new(&kept, &view.strides[row..], &to, width, isa);
        let skipped: isize = lines.iter().zip(&view.strides).map(|(line, stride)| line.first as isize * stride).sum();
        let outer = (0..row).map(|dim| Outer {
            size: shape[dim],
            line: lines[dim],
            stride: view.strides[dim] * width as isize,
        });
        let alternates = inner == 1 && line.step == 2 && view.strides[row] == 1;
        Some(Self {
            value: (SlotId(0), 0),
            from: SlotId(0),
            to: SlotId(0),
            from_offset: (view.offset + skipped) * width as isize,
            outer: outer.collect(),
            line,
            unit,
            bytes,
            copy,
            alternates,
            kept: lines.iter().map(|line| line.n).product::<usize>() * width,
            width,
            isa,
        })
    }

    /// Where the operand's row begins that row `index` of the result shows, in bytes; none when it is all padding.
    fn row_at(&self, mut index: usize) -> Option<isize> {
        let mut at = self.from_offset;
        let mut is_inside = self.line.n > 0;
        for dim in self.outer.iter().rev() {
            let place = (index % dim.size).wrapping_sub(dim.line.at);
            index /= dim.size;
            is_inside &= place.is_multiple_of(dim.line.step) && place / dim.line.step < dim.line.n;
            at = at.wrapping_add(((place / dim.line.step) as isize).wrapping_mul(dim.stride));
        }
        is_inside.then_some(at)
    }

    /// Writes a row that shows the operand's from `from` on; where the elements between those that stay are not padding yet,
    /// `is_filled` is false.
    ///
    /// # Safety
    /// The rows are readable and writable, `value` is an element.
    unsafe fn row(&self, to: *mut u8, from: *const u8, value: *const u8, is_filled: bool) {
        let (line, n_row) = (&self.line, self.bytes / self.width);
        let (at, reach) = (line.at * self.unit, line.reach() * self.unit);
        // SAFETY: the caller's promise.
        unsafe {
            if !is_filled {
                fill(to, value, self.width, at / self.width);
                fill(to.add(at + reach), value, self.width, n_row - (at + reach) / self.width);
            }
            if self.alternates {
                return alternate(to.add(at), from, value, line.n, self.width, self.isa);
            }
            if !is_filled && line.step > 1 {
                fill(to.add(at), value, self.width, reach / self.width);
            }
            self.copy.run_here(from, to.add(at));
        }
    }

    /// Writes rows `range`.
    ///
    /// # Safety
    /// The addresses are those of the slots.
    unsafe fn store(&self, from: *const u8, to: *mut u8, value: *const u8, range: Range<usize>) {
        for index in range {
            // SAFETY: a row of the result, and of the operand where `row_at` says so.
            unsafe {
                let to = to.add(index * self.bytes);
                match self.row_at(index) {
                    Some(at) => self.row(to, from.offset(at), value, false),
                    None => fill(to, value, self.width, self.bytes / self.width),
                }
            }
        }
    }

    /// Where what stays of a row comes from, if that can be written past the caches line by line.
    fn source(&self, from: *const u8, value: *const u8, to: *const u8) -> Option<Source> {
        if !lines::is_possible(self.isa, self.width, to) {
            return None;
        }
        match self.alternates {
            true => Source::alternate(from, value, self.width),
            false => (self.line.step == 1 && self.copy.is_run()).then_some(Source::Run(from)),
        }
    }

    /// Writes rows `range` past the caches line by line.
    ///
    /// # Safety
    /// As for [`Rows::store`]; [`Rows::source`] says that it can be done.
    unsafe fn lines(&self, from: *const u8, to: *mut u8, value: *const u8, range: Range<usize>) {
        let (line, n_row, fill) = (&self.line, self.bytes / self.width, Source::Fill(value));
        let (at, reach) = (line.at * self.unit / self.width, line.reach() * self.unit / self.width);
        let mut lines = Lines::new(self.width);
        for index in range {
            let then = self.row_at(index + 1).map_or(from, |at| from.wrapping_offset(at));
            // SAFETY: a row of the result, and of the operand where `row_at` says so.
            unsafe {
                let to = to.add(index * self.bytes);
                let row = self.row_at(index).and_then(|at| self.source(from.offset(at), value, to));
                let Some(row) = row else {
                    lines.put(to, fill, n_row, then);
                    continue;
                };
                lines.put(to, fill, at, then);
                lines.put(to.add(at * self.width), row, reach, then);
                let end = at + reach;
                lines.put(to.add(end * self.width), fill, n_row - end, then);
            }
        }
        // SAFETY: as above.
        unsafe { lines.finish() };
    }

    /// Writes rows `range` past the caches.
    ///
    /// # Safety
    /// As for [`Rows::store`].
    unsafe fn stream(&self, from: *const u8, to: *mut u8, value: *const u8, range: Range<usize>) {
        let apart = self.bytes.next_multiple_of(LINE);
        ROWS.with_borrow_mut(|rows| {
            if rows.bytes().len() < 2 * apart {
                *rows = Buffer::new(2 * apart);
            }
            // A row of padding, and one in which what stays is written between the padding.
            let (empty, mixed) = (rows.as_ptr(), rows.as_ptr().wrapping_add(apart));
            // SAFETY: the buffer has two rows; otherwise as above.
            unsafe {
                fill(empty, value, self.width, self.bytes / self.width);
                fill(mixed, value, self.width, self.bytes / self.width);
                for index in range {
                    let row = match self.row_at(index) {
                        Some(at) => {
                            self.row(mixed, from.offset(at), value, true);
                            mixed
                        }
                        None => empty,
                    };
                    tiles::stream(to.add(index * self.bytes), row, self.bytes, self.isa);
                }
            }
        });
        tiles::fence();
    }
}

impl Kernel for Rows {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let (from, to) = (Address(memory.address(self.from)), Address(memory.address(self.to)));
        let value = Address(memory.address(self.value.0).wrapping_offset(self.value.1));
        let n: usize = self.outer.iter().map(|dim| dim.size).product();
        let stream = tiles::is_streamed(self.kept, memory.size(self.to));
        pool.split(n, (GRAIN / self.bytes).max(1), &|range| {
            let (from, to, value) = ({ from }.0, { to }.0, { value }.0);
            // SAFETY: the addresses are those of the slots, and threads write rows of their own.
            unsafe {
                match stream {
                    true if self.source(from, value, to).is_some() => self.lines(from, to, value, range),
                    true => self.stream(from, to, value, range),
                    false => self.store(from, to, value, range),
                }
            }
        });
    }

    fn describe(&self) -> String {
        format!("pad by rows of {} bytes", self.bytes)
    }
}

/// Writes `n` elements with `value` between them.
///
/// # Safety
/// The elements and `2 n − 1` places are good.
unsafe fn alternate(to: *mut u8, from: *const u8, value: *const u8, n: usize, width: usize, isa: Isa) {
    macro_rules! of {
        ($T:ty) => {
            match isa {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: the caller's promise; the machine has the instructions of the plan.
                Isa::Avx512 => unsafe { alternate_avx512::<$T>(to.cast(), from.cast(), value.cast(), n) },
                // SAFETY: as above.
                _ => unsafe { alternate_any::<$T>(to.cast(), from.cast(), value.cast(), n) },
            }
        };
    }
    match width {
        1 => of!(u8),
        2 => of!(u16),
        4 => of!(u32),
        8 => of!(u64),
        _ => of!(u128),
    }
}

/// # Safety
/// As for [`alternate`]; the machine has AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
unsafe fn alternate_avx512<T: Copy>(to: *mut T, from: *const T, value: *const T, n: usize) {
    // SAFETY: the caller's promise.
    unsafe { alternate_any(to, from, value, n) }
}

/// # Safety
/// As for [`alternate`].
#[inline(always)]
unsafe fn alternate_any<T: Copy>(to: *mut T, from: *const T, value: *const T, n: usize) {
    const BLOCK: usize = 64;
    // SAFETY: the caller's promise; reads and writes are unaligned. The last element has no value after it.
    unsafe {
        let value = value.read_unaligned();
        let mut at = 0;
        while at + BLOCK < n {
            let block = from.add(at).cast::<[T; BLOCK]>().read_unaligned();
            for (index, element) in block.into_iter().enumerate() {
                to.add(2 * (at + index)).write_unaligned(element);
                to.add(2 * (at + index) + 1).write_unaligned(value);
            }
            at += BLOCK;
        }
        for index in at..n {
            to.add(2 * index).write_unaligned(from.add(index).read_unaligned());
            if index + 1 < n {
                to.add(2 * index + 1).write_unaligned(value);
            }
        }
    }
}
