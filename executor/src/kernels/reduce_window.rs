//! `reduce_window` with a recognised body: pooling, and running sums and extremes.
//!
//! Windows with room around the elements are left to the interpreter unless folding the initial value changes nothing. The
//! dimensions after the last one that windows move along are one run of neighbours; windows that move by one element make
//! longer runs. All places of the windows of a run are folded as columns.

use std::cell::RefCell;
use std::ops::Range;

use interpreter::Tensor;
use interpreter::ops::window::{WindowDimension, make, reads_padding};
use smallvec::SmallVec;
use stablehlo::ir::Literal;
use stablehlo::ops::stablehlo::reduce_window::ReduceWindow as Op;

use super::folds::{self, Along};
use super::fused::fill;
use super::isa::Isa;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::monoid::{Folder, LANES, Places, SCANS, Scan, WindowsFn, recognise};
use super::pool::Pool;
use super::rows::{ByRows, RowsOf};
use super::strided::copy_run;
use super::tiles::Tile;
use super::{Kernel, Planned, pad};
use crate::graph::{Dims, Node, Val};
use crate::plan::BodyLowering;

/// One dimension of the windows, in elements of that dimension.
#[derive(Copy, Clone, Debug)]
struct Window {
    base: usize,
    count: usize,
    size: usize,
    stride: isize,
    dilation: isize,
    low: isize,
    /// Distance of elements in bytes.
    step: isize,
}

impl Window {
    /// The places of window `index` that are elements, and the element of the first of them.
    fn places(&self, index: usize) -> (Range<usize>, isize) {
        let begin = index as isize * self.stride - self.low;
        let up = |value: isize| (value + self.dilation - 1).div_euclid(self.dilation).clamp(0, self.size as isize);
        let (first, end) = (up(-begin), up(self.base as isize - begin));
        (first as usize..end.max(first) as usize, begin + first * self.dilation)
    }

    /// Whether every window is its element.
    fn is_trivial(&self) -> bool {
        self.size == 1 && self.stride == 1 && self.low == 0 && self.count == self.base
    }

    /// Windows that begin before all elements and end at their own (`false`), or begin at their own and end after all.
    fn runs(&self) -> Option<bool> {
        let all = self.size >= self.base && self.count == self.base && self.stride == 1 && self.dilation == 1;
        match self.low {
            low if all && low == self.size as isize - 1 => Some(false),
            0 if all => Some(true),
            _ => None,
        }
    }
}

/// Folds windows.
#[derive(Debug)]
pub struct ReduceWindow {
    folder: Folder,
    from: SlotId,
    init: SlotId,
    init_offset: usize,
    out: SlotId,
    width: usize,
    /// Dimensions before the last one that windows move along.
    outer: SmallVec<[Window; 4]>,
    /// That one.
    along: Window,
    /// Neighbours in the dimensions after it.
    inner: usize,
    /// The results are running folds, from the last element to the first if so.
    runs: Option<bool>,
    isa: Isa,
    /// Whether windows share so much that their rows are better folded once for all, and a row has room.
    is_separable: bool,
}

/// Accumulators that are at work at once.
const BLOCK: usize = 1024;
/// Elements of each line that are turned at once, so that they and the lines fit into the accumulators.
const PART: usize = BLOCK / SCANS;

/// Accumulators of running folds.
#[repr(align(64))]
struct Accumulators([u8; SCANS * 16]);

/// Elements below which a piece of work is not worth a task.
const GRAIN: usize = 1 << 14;

/// Elements of the operand from which on rows are folded before windows.
const SEPARABLE: usize = 1 << 12;
/// Neighbours that make windows side by side worth it.
const NEIGHBOURS: usize = 16;
/// Places of a window up to which results are made at once.
const MAX_PLACES: usize = 16;
/// Elements of a row that is folded before the windows along it.
const ROW: usize = 1 << 14;

thread_local! {
    static ACCUMULATORS: RefCell<Buffer> = RefCell::new(Buffer::new(BLOCK * 16));
    /// Accumulators and a folded row.
    static FOLDED: RefCell<Buffer> = RefCell::new(Buffer::new((BLOCK + ROW) * 16));
}

/// The kernel of a `reduce_window`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let module = cx.graph().module;
    let op = Op::new(module, node.op);
    let padding = match op.padding() {
        Some(attr) => Tensor::from(&Literal::from_attr(module, attr)?).saturated_integers(),
        None => Vec::new(),
    };
    let steps = [op.window_strides(), op.base_dilations(), op.window_dilations()];
    let shape = &cx.ty(*node.operands.first()?).shape;
    let mut dimensions = make(shape, Some(op.window_dimensions()), steps, &padding).ok()?;
    let instead = dilated(cx, node, &mut dimensions)?;
    plan_known(cx, index, node, &dimensions, instead.first().copied()).or_else(|| {
        let windows = dimensions.iter().zip(&node.types[0].shape).map(|(dimension, count)| {
            let Window { base, count, size, stride, dilation, low, .. } = window(dimension, *count, 0)?;
            Some(Along { base, count, size, stride, dilation, low })
        });
        folds::plan(cx, index, node, windows.collect::<Option<_>>()?, &instead)
    })
}

/// Operands with the initial value between their elements, where they are dilated; the dimensions are theirs then. No slots
/// when they are not, none when they would be too large.
fn dilated(
    cx: &mut BodyLowering<'_, '_, '_>,
    node: &Node,
    dimensions: &mut [WindowDimension],
) -> Option<SmallVec<[SlotId; 2]>> {
    /// How much larger than the operand the dilated one may be, and how many bytes do not matter.
    const MOST: usize = 256;
    const FREE: usize = 1 << 20;
    let mut slots = SmallVec::new();
    if dimensions.iter().all(|dimension| dimension.base_dilation == 1) {
        return Some(slots);
    }
    let mut interior: SmallVec<[i64; 4]> = SmallVec::new();
    for dimension in dimensions.iter_mut() {
        interior.push(i64::try_from(dimension.base_dilation - 1).ok()?);
        let reach = (dimension.base as i128 - 1).max(0).checked_mul(dimension.base_dilation)?;
        dimension.base = usize::try_from(reach).ok()? + dimension.base.min(1);
        dimension.base_dilation = 1;
    }
    let shape: Dims = dimensions.iter().map(|dimension| dimension.base).collect();
    let n = shape.iter().try_fold(1usize, |n, size| n.checked_mul(*size))?;
    let low: SmallVec<[i64; 4]> = interior.iter().map(|_| 0).collect();
    let (own, n_operands) = (node.own_operands(), node.types.len());
    for at in 0..n_operands {
        let (operand, init) = (*own.get(at)?, *own.get(n_operands + at)?);
        let ty = cx.ty(operand);
        let bytes = n.checked_mul(ty.element?.byte_width())?;
        if cx.ty(init).element != ty.element || bytes > ty.bytes().saturating_mul(MOST).saturating_add(FREE) {
            return cx.decline("its operand would be much larger when dilated");
        }
        let to = cx.scratch(bytes);
        let planned = pad::padded(cx, [operand, init], &low, &interior, &shape, to)?;
        cx.first(node, planned);
        slots.push(to);
    }
    Some(slots)
}

/// The kernel for a body that is recognised.
fn plan_known(
    cx: &mut BodyLowering<'_, '_, '_>,
    index: u32,
    node: &Node,
    dimensions: &[WindowDimension],
    instead: Option<SlotId>,
) -> Option<Planned> {
    let [operand, init] = node.own_operands()[..] else { return None };
    let graph = cx.graph();
    let ty = cx.ty(operand);
    let element = ty.element?;
    if ty.is_empty() || node.types[0].is_empty() || !node.captures.is_empty() || graph.module.quantized(ty.ty).is_some()
    {
        return None;
    }
    let folder = Folder::new(cx.isa(), recognise(graph, *node.bodies.first()?, element)?, element)?;
    let counts = &node.types[0].shape;
    if reads_padding(dimensions, counts) && !cx.splat(init).is_some_and(|init| folder.is_neutral(init)) {
        return None;
    }
    let width = element.byte_width();
    let mut windows: SmallVec<[Window; 4]> = SmallVec::new();
    let mut step = width as isize;
    for (dimension, count) in dimensions.iter().zip(counts).rev() {
        windows.push(window(dimension, *count, step)?);
        step *= dimension.base as isize;
    }
    // The slowest last.
    let mut inner = 1;
    let n_inner = windows.iter().take_while(|window| window.is_trivial()).count();
    for window in windows.drain(..n_inner) {
        inner *= window.base;
    }
    windows.reverse();
    let one = Window { base: 1, count: 1, size: 1, stride: 1, dilation: 1, low: 0, step: (inner * width) as isize };
    let along = windows.pop().unwrap_or(one);
    let runs = along.runs().filter(|_| along.base > 1 && windows.iter().all(Window::is_trivial));
    if runs.is_none() && !folder.is_free() {
        return None;
    }
    let n: usize = dimensions.iter().map(|dimension| dimension.base).product();
    let from = instead.unwrap_or_else(|| cx.dense(operand));
    let (init, init_view) = cx.view(init);
    let init_offset = usize::try_from(init_view.offset).ok()? * width;
    let out = cx.output(Val::Node(index, 0));
    let isa = cx.isa();
    // Accumulators that are elements can be folded again. Few elements are not worth another order of sums.
    let is_separable = folder.acc_width == width
        && n >= SEPARABLE
        && along.size > 1
        && along.stride < (along.size as isize - 1) * along.dilation + 1
        && along.base * inner <= ROW;
    let kernel = ReduceWindow {
        folder,
        from,
        init,
        init_offset,
        out,
        width,
        outer: windows,
        along,
        inner,
        runs,
        isa,
        is_separable,
    };
    Some((Box::new(kernel), vec![from, init], vec![out]))
}

/// Windows whose numbers are small enough; none when the operand is dilated.
fn window(dimension: &WindowDimension, count: usize, step: isize) -> Option<Window> {
    let narrow = |value: i128| isize::try_from(value).ok().filter(|value| value.unsigned_abs() < 1 << 30);
    let size = isize::try_from(dimension.size).ok().filter(|size| *size < 1 << 30)?;
    if dimension.base_dilation != 1 || count >= 1 << 30 || dimension.base >= 1 << 30 {
        return None;
    }
    Some(Window {
        base: dimension.base,
        count,
        size: size as usize,
        stride: narrow(dimension.stride)?,
        dilation: narrow(dimension.window_dilation)?,
        low: narrow(dimension.low)?,
        step,
    })
}

impl ReduceWindow {
    fn places(&self, place: &dyn Fn(SlotId) -> *mut u8) -> Places {
        Places { from: place(self.from), init: place(self.init).wrapping_add(self.init_offset), out: place(self.out) }
    }

    /// Rows of windows along the last dimension: results `range`, counted without neighbours.
    fn windows(&self, places: Places, range: Range<usize>) {
        let count = self.along.count;
        ACCUMULATORS.with_borrow_mut(|buffer| {
            let mut at = range.start;
            let mut rows = Vec::new();
            while at < range.end {
                let begin = at % count;
                let end = count.min(begin + range.end - at);
                self.rows(at / count, &mut rows);
                let is_shared = self.is_separable && rows.len() > 1;
                // Windows that are apart have few elements in common: whole rows are read once and in order.
                let is_apart = is_shared && self.along.stride > 1 && self.inner >= NEIGHBOURS;
                if let Some(f) = self.folder.windows.filter(|_| !is_apart)
                    && rows.len() * self.along.size <= MAX_PLACES
                {
                    if self.inner >= NEIGHBOURS || !self.in_rows(f, places, &rows, at / count, begin..end) {
                        self.side_by_side(f, places, &rows, at / count, begin..end);
                    }
                } else if is_shared {
                    self.columns_first(places, &rows, at / count, begin..end);
                } else {
                    self.row(places, &rows, at / count, begin..end, buffer.as_ptr());
                }
                at += end - begin;
            }
        });
    }

    /// Where the rows of elements begin that windows of row `index` reach.
    fn rows(&self, index: usize, rows: &mut Vec<isize>) {
        rows.clear();
        rows.push(0);
        let mut rest = index;
        // The slowest dimension is to be the slowest in the list: work from the fastest and repeat what is there.
        for window in self.outer.iter().rev() {
            let (places, first) = window.places(rest % window.count);
            rest /= window.count;
            let n = rows.len();
            for place in 1..places.len() {
                for row in 0..n {
                    rows.push(rows[row] + (first + place as isize * window.dilation) * window.step);
                }
            }
            for row in &mut rows[..n] {
                *row += first * window.step;
            }
            if places.is_empty() {
                rows.clear();
                return;
            }
        }
    }

    fn row(&self, places: Places, rows: &[isize], index: usize, range: Range<usize>, acc: *mut u8) {
        let along = &self.along;
        let mut at = range.start;
        while at < range.end {
            let (end, hit, first) = self.alike(at, range.end);
            let n = (end - at) * self.inner;
            let to = (index * along.count + at) * self.inner;
            for begin in (0..n).step_by(BLOCK) {
                let n = BLOCK.min(n - begin);
                let offset = first * along.step + (begin * self.width) as isize;
                let out = places.out.wrapping_add((to + begin) * self.width);
                if rows.is_empty() || hit.is_empty() {
                    for index in 0..n {
                        // SAFETY: the results lie inside their slot.
                        unsafe { std::ptr::copy_nonoverlapping(places.init, out.add(index * self.width), self.width) };
                    }
                    continue;
                }
                for (place, row) in rows.iter().enumerate() {
                    let from = places.from.wrapping_offset(row + offset);
                    // SAFETY: `places` and `rows` name elements of the operand, of which there are n neighbours for each
                    // place; there is room for BLOCK accumulators.
                    unsafe { (self.folder.cols)(acc, place == 0, from, n, hit.len(), along.dilation * along.step) };
                }
                // SAFETY: the results lie inside their slot.
                unsafe { (self.folder.finish)(out, 1, places.init, acc, n) };
            }
            at = end;
        }
    }

    /// As [`ReduceWindow::row`], but each result is made at once, from all places of its window.
    fn side_by_side(&self, f: WindowsFn, places: Places, rows: &[isize], index: usize, range: Range<usize>) {
        let along = &self.along;
        let mut elements: SmallVec<[isize; MAX_PLACES]> = SmallVec::new();
        let mut at = range.start;
        while at < range.end {
            let (end, hit, first) = self.alike(at, range.end);
            elements.clear();
            for row in rows {
                elements
                    .extend((0..hit.len() as isize).map(|place| row + (first + place * along.dilation) * along.step));
            }
            let out = places.out.wrapping_add((index * along.count + at) * self.inner * self.width);
            // SAFETY: `hit` and `rows` name elements of the operand, of which there are as many neighbours for each place as
            // there are results, and these lie inside their slot.
            unsafe { f(out, places.init, places.from, &elements, (end - at) * self.inner) };
            at = end;
        }
    }

    /// As [`ReduceWindow::side_by_side`] where there are few neighbours: the windows of a row are these, with the initial value
    /// around the elements, and with all between the windows that are wanted. False when the row is too long for that.
    fn in_rows(&self, f: WindowsFn, places: Places, rows: &[isize], index: usize, range: Range<usize>) -> bool {
        let (along, width) = (&self.along, self.width);
        let unit = self.inner * width;
        // The elements that these windows reach, some of which are not there.
        let begin = range.start as isize * along.stride - along.low;
        let dense = (range.len() - 1) * along.stride as usize + 1;
        let reach = dense + (along.size - 1) * along.dilation as usize;
        let (first, end) =
            (begin.clamp(0, along.base as isize), (begin + reach as isize).clamp(0, along.base as isize));
        let (before, n) = ((first - begin).clamp(0, reach as isize) as usize, (end - first) as usize);
        // Rows are longer by what makes whole vectors of the windows; nobody looks at what comes of that.
        let all = (dense * self.inner).next_multiple_of(LANES);
        let apart = ((reach * self.inner + LANES) * width).next_multiple_of(ALIGN);
        FOLDED.with_borrow_mut(|buffer| {
            if apart * rows.len() + all * width > buffer.bytes().len() {
                return false;
            }
            let (padded, made) = (buffer.as_ptr(), buffer.as_ptr().wrapping_add(apart * rows.len()));
            let mut elements: SmallVec<[isize; MAX_PLACES]> = SmallVec::new();
            let out = places.out.wrapping_add((index * along.count + range.start) * unit);
            // SAFETY: `rows` name rows of the operand, of which elements `first..end` are there; the buffer has room for all
            // that the windows reach, and for as many windows; the results lie inside their slot.
            unsafe {
                for (number, row) in rows.iter().enumerate() {
                    let to = padded.add(number * apart);
                    fill(to, places.init, width, before * self.inner);
                    fill(to.add((before + n) * unit), places.init, width, (reach - before - n) * self.inner);
                    let from = places.from.wrapping_offset(row + first * along.step);
                    std::ptr::copy_nonoverlapping(from, to.add(before * unit), n * unit);
                    let begins = (number * apart) as isize;
                    elements.extend((0..along.size as isize).map(|place| begins + place * along.dilation * along.step));
                }
                f(made, places.init, padded, &elements, all);
                let apart = along.stride * unit as isize;
                match unit {
                    1 => copy_run::<u8>(out.cast(), made, apart, range.len()),
                    2 => copy_run::<u16>(out.cast(), made, apart, range.len()),
                    4 => copy_run::<u32>(out.cast(), made, apart, range.len()),
                    8 => copy_run::<u64>(out.cast(), made, apart, range.len()),
                    _ => {
                        for window in 0..range.len() {
                            let from = made.offset(window as isize * apart);
                            std::ptr::copy_nonoverlapping(from, out.add(window * unit), unit);
                        }
                    }
                }
            }
            true
        })
    }

    /// Windows of the same places that follow each other element by element are one run: where that of window `at` ends, the
    /// places of a window that are elements, and the element of the first of them.
    fn alike(&self, at: usize, end: usize) -> (usize, Range<usize>, isize) {
        let along = &self.along;
        let (hit, first) = along.places(at);
        if along.stride != 1 || hit.len() != along.size {
            return (at + 1, hit, first);
        }
        let last = along.base as isize - (along.size as isize - 1) * along.dilation + along.low;
        ((last.max(0) as usize).clamp(at + 1, end), hit, first)
    }

    /// As [`ReduceWindow::row`], but the rows of elements are folded first, each of whose places belongs to several windows.
    fn columns_first(&self, places: Places, rows: &[isize], index: usize, range: Range<usize>) {
        let (along, width) = (&self.along, self.width);
        let (begin, end) = match (along.places(range.start), along.places(range.end - 1)) {
            ((hit, first), (last_hit, last)) if along.dilation == 1 && !hit.is_empty() && !last_hit.is_empty() => {
                (first, last + last_hit.len() as isize)
            }
            _ => (0, along.base as isize),
        };
        FOLDED.with_borrow_mut(|buffer| {
            let acc = buffer.as_ptr();
            let folded = acc.wrapping_add(BLOCK * width);
            // Rows that are equally far apart are folded in one go.
            let apart = rows[1] - rows[0];
            let even = rows.windows(2).all(|pair| pair[1] - pair[0] == apart);
            let groups = if even { 1 } else { rows.len() };
            let n = (end - begin) as usize * self.inner;
            for (group, row) in rows[..groups].iter().enumerate() {
                let from = places.from.wrapping_offset(row + begin * along.step);
                // SAFETY: `rows` name rows of the operand; the buffer has room for one of them.
                unsafe { (self.folder.cols)(folded, group == 0, from, n, rows.len() / groups, apart) };
            }
            // What is left are windows along one row.
            let from = folded.wrapping_offset(-begin * along.step).cast_const();
            self.row(Places { from, ..places }, &[0], index, range, acc);
        });
    }

    /// Running folds of lines `range`.
    fn scans(&self, places: Places, range: Range<usize>, backwards: bool) {
        let (n, inner, width) = (self.along.base, self.inner, self.width as isize);
        let mut acc = Accumulators([0; SCANS * 16]);
        let mut at = range.start;
        while at < range.end {
            // Lines are side by side in one block of neighbours, or block after block.
            let (lines, apart) = match inner {
                1 => (SCANS.min(range.end - at), n as isize * width),
                _ => (SCANS.min(range.end - at).min(inner - at % inner), width),
            };
            let start = ((at / inner) * n * inner + at % inner) as isize * width;
            let step = inner as isize * width;
            let (from, out) = (places.from.wrapping_offset(start), places.out.wrapping_offset(start));
            let scan =
                Scan { from, out, init: places.init, acc: acc.0.as_mut_ptr(), first: true, n, lines, step, apart };
            // SAFETY: the lines lie inside operand and result.
            unsafe {
                if inner == 1 && lines > 1 {
                    self.turned(scan, backwards);
                } else {
                    self.scan(scan, backwards);
                }
            }
            at += lines;
        }
    }

    /// # Safety
    /// The promise of [`ScanFn`](super::monoid::ScanFn).
    unsafe fn scan(&self, scan: Scan, backwards: bool) {
        let last = (scan.n as isize - 1) * scan.step;
        let (from, out) = (scan.from.wrapping_offset(last), scan.out.wrapping_offset(last));
        let scan = if backwards { Scan { from, out, step: -scan.step, ..scan } } else { scan };
        // SAFETY: the caller's promise.
        unsafe { (self.folder.scan)(scan) }
    }

    /// Lines whose elements stand one after the other, part by part: each part is turned so that the lines are side by side,
    /// and turned back.
    ///
    /// # Safety
    /// As for [`ReduceWindow::scan`].
    unsafe fn turned(&self, scan: Scan, backwards: bool) {
        let (width, n_parts) = (self.width, scan.n.div_ceil(PART));
        let row = (SCANS * width) as isize;
        let there = Tile { width, from: scan.apart, to: row, stream: false, isa: self.isa };
        let back = Tile { from: row, to: scan.apart, ..there };
        ACCUMULATORS.with_borrow_mut(|buffer| {
            let at = buffer.as_ptr();
            for part in 0..n_parts {
                let first = PART * if backwards { n_parts - 1 - part } else { part };
                let n = PART.min(scan.n - first);
                // SAFETY: the caller's promise; the buffer holds PART rows of SCANS elements.
                unsafe {
                    there.transpose(at, scan.from.add(first * width), n, scan.lines);
                    let turned =
                        Scan { from: at, out: at, first: part == 0, n, step: row, apart: width as isize, ..scan };
                    self.scan(turned, backwards);
                    back.transpose(scan.out.add(first * width), at, scan.lines, n);
                }
            }
        });
    }
}

impl ByRows for ReduceWindow {
    fn n_rows(&self) -> usize {
        self.outer.iter().chain([&self.along]).map(|window| window.count).product()
    }

    fn own(&self) -> SmallVec<[RowsOf; 2]> {
        SmallVec::from_slice(&[RowsOf { slot: self.out, bytes: self.inner * self.width }])
    }

    fn run_rows(&self, place: &dyn Fn(SlotId) -> *mut u8, rows: Range<usize>) {
        self.windows(self.places(place), rows);
    }
}

impl Kernel for ReduceWindow {
    fn by_rows(&self) -> Option<&dyn ByRows> {
        /// Bytes of results from which on they may be made block by block with what reads them.
        const BLOCKS: usize = 1 << 16;
        let bytes = self.n_rows() * self.inner * self.width;
        (self.runs.is_none() && bytes >= BLOCKS).then_some(self as &dyn ByRows)
    }

    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = self.places(&|slot| memory.address(slot));
        let n_rows: usize = self.outer.iter().map(|window| window.count).product();
        if let Some(backwards) = self.runs {
            let n_blocks = (n_rows * self.inner).div_ceil(SCANS);
            let n_lines = n_rows * self.inner;
            pool.split(n_blocks, (GRAIN / (self.along.base * SCANS)).max(1), &|blocks| {
                self.scans(places, blocks.start * SCANS..(blocks.end * SCANS).min(n_lines), backwards);
            });
            return;
        }
        let n_places: usize = self.outer.iter().map(|window| window.size).product::<usize>() * self.along.size;
        let grain = (GRAIN / n_places.saturating_mul(self.inner).max(1)).max(1);
        pool.split(n_rows * self.along.count, grain, &|range| {
            self.windows(places, range);
        });
    }

    fn describe(&self) -> String {
        let sizes: Vec<usize> = self.outer.iter().chain([&self.along]).map(|window| window.size).collect();
        let how = if self.runs.is_some() { "running" } else { "windows" };
        format!("{how} {:?} of {} over {sizes:?}, {} side by side", self.folder.op, self.folder.element, self.inner)
    }
}
