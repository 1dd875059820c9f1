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

use super::memory::{Buffer, Memory, SlotId};
use super::monoid::{Folder, SCANS, Scan, recognise};
use super::pool::Pool;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
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
}

/// Accumulators that are at work at once.
const BLOCK: usize = 1024;
/// Elements below which a piece of work is not worth a task.
const GRAIN: usize = 1 << 14;

thread_local! {
    static ACCUMULATORS: RefCell<Buffer> = RefCell::new(Buffer::new(BLOCK * 16));
}

/// The kernel of a `reduce_window`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let [operand, init] = node.own_operands()[..] else { return None };
    let graph = cx.graph();
    let op = Op::new(graph.module, node.op);
    let ty = cx.ty(operand);
    let element = ty.element?;
    if ty.is_empty() || node.types[0].is_empty() || !node.captures.is_empty() || graph.module.quantized(ty.ty).is_some()
    {
        return None;
    }
    let folder = Folder::new(cx.isa(), recognise(graph, *node.bodies.first()?, element)?, element)?;
    let padding = match op.padding() {
        Some(attr) => Tensor::from(&Literal::from_attr(graph.module, attr)?).saturated_integers(),
        None => Vec::new(),
    };
    let steps = [op.window_strides(), op.base_dilations(), op.window_dilations()];
    let dimensions = make(&ty.shape, Some(op.window_dimensions()), steps, &padding).ok()?;
    let counts = &node.types[0].shape;
    if reads_padding(&dimensions, counts) && !cx.splat(init).is_some_and(|init| folder.is_neutral(init)) {
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
    let from = cx.dense(operand);
    let (init, init_view) = cx.view(init);
    let init_offset = usize::try_from(init_view.offset).ok()? * width;
    let out = cx.output(Val::Node(index, 0));
    let kernel = ReduceWindow { folder, from, init, init_offset, out, width, outer: windows, along, inner, runs };
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

#[derive(Copy, Clone)]
struct Places {
    from: *const u8,
    init: *const u8,
    out: *mut u8,
}

// SAFETY: threads read the operand and write disjoint results.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

impl ReduceWindow {
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
                self.row(places, &rows, at / count, begin..end, buffer.as_ptr());
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
            let (hit, first) = along.places(at);
            // Windows of the same places that follow each other element by element are one run.
            let mut end = at + 1;
            if along.stride == 1 && hit.len() == along.size {
                let last = along.base as isize - (along.size as isize - 1) * along.dilation + along.low;
                end = (last.max(0) as usize).clamp(end, range.end);
            }
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

    /// Running folds of lines `range`.
    fn scans(&self, places: Places, range: Range<usize>, backwards: bool) {
        let (n, inner, width) = (self.along.base, self.inner, self.width as isize);
        let mut at = range.start;
        while at < range.end {
            // Lines are side by side in one block of neighbours, or block after block.
            let (lines, apart) = match inner {
                1 => (SCANS.min(range.end - at), n as isize * width),
                _ => (SCANS.min(range.end - at).min(inner - at % inner), width),
            };
            let start = ((at / inner) * n * inner + at % inner) as isize * width;
            let step = inner as isize * width;
            let (start, step) = if backwards { (start + (n as isize - 1) * step, -step) } else { (start, step) };
            let scan = Scan {
                from: places.from.wrapping_offset(start),
                out: places.out.wrapping_offset(start),
                init: places.init,
                n,
                lines,
                step,
                apart,
            };
            // SAFETY: the lines lie inside operand and result.
            unsafe { (self.folder.scan)(scan) };
            at += lines;
        }
    }
}

impl Kernel for ReduceWindow {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = Places {
            from: memory.address(self.from),
            init: memory.address(self.init).wrapping_add(self.init_offset),
            out: memory.address(self.out),
        };
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
