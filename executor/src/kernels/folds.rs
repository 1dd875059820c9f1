//! `reduce` and `reduce_window` of any number of operands with any elementwise body.
//!
//! A reduction is windows too: of the whole size where a dimension goes away, of size 1 where it stays. For one place of the
//! windows after the other, the elements that all windows have there are brought side by side and folded into the results,
//! many at a time. Each result meets its elements in order, as in the interpreter; threads share the results.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;

use super::body::Compiled;
use super::fused::fill;
use super::isa::Isa;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::monoid::Places;
use super::pool::Pool;
use super::strided_copy::StridedCopy;
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, Val};
use crate::plan::{BodyLowering, Strides, row_major};

/// Windows along one dimension: element `window · stride + place · dilation − low` of `base`.
#[derive(Copy, Clone, Debug)]
pub struct Along {
    /// Elements of the operand.
    pub base: usize,
    /// Number of windows.
    pub count: usize,
    /// Places of a window.
    pub size: usize,
    /// Distance of windows.
    pub stride: isize,
    /// Distance of places.
    pub dilation: isize,
    /// Padding before the first element.
    pub low: isize,
}

impl Along {
    /// A dimension that goes away.
    pub fn folded(base: usize) -> Self {
        Self { base, count: 1, size: base, stride: 1, dilation: 1, low: 0 }
    }

    /// A dimension that stays.
    pub fn kept(base: usize) -> Self {
        Self { base, count: base, size: 1, stride: 1, dilation: 1, low: 0 }
    }

    /// Of the windows `among` those that have an element at `place`.
    fn hits(&self, place: usize, among: &Range<usize>) -> Range<usize> {
        let begin = place as isize * self.dilation - self.low;
        let up = |value: isize| (value + self.stride - 1).div_euclid(self.stride);
        let clamp = |value: isize| value.clamp(among.start as isize, among.end as isize) as usize;
        let first = clamp(up(-begin));
        first..clamp(up(self.base as isize - begin)).max(first)
    }
}

/// An operand, its initial value and its result.
#[derive(Debug)]
struct Operand {
    from: SlotId,
    /// Byte of the first element, distances in elements.
    offset: isize,
    strides: Strides,
    init: SlotId,
    init_offset: isize,
    width: usize,
    out: SlotId,
}

#[derive(Debug)]
struct Folds {
    body: Compiled,
    windows: Vec<Along>,
    operands: Vec<Operand>,
    isa: Isa,
}

/// Elements below which a piece of work is not worth a task.
const GRAIN: usize = 1 << 13;
/// Results that are folded into at once.
const AT_ONCE: usize = 1 << 12;

thread_local! {
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// The kernel of a node whose operands are `n` arrays and their initial values. What stands in slots of `instead`, if there
/// are any, is folded instead of the arrays.
pub fn plan(
    cx: &mut BodyLowering<'_, '_, '_>,
    index: u32,
    node: &Node,
    windows: Vec<Along>,
    instead: &[SlotId],
) -> Option<Planned> {
    let own = node.own_operands();
    let graph = cx.graph();
    let n = node.types.len();
    let body_id = *node.bodies.first()?;
    let body = &graph.bodies[body_id];
    if own.len() != 2 * n || node.operands.len() != own.len() || body.params.len() != 2 * n || body.results.len() != n {
        return None;
    }
    let elements = (0..n).map(|at| node.types[at].element).collect::<Option<Vec<_>>>()?;
    for (at, element) in elements.iter().enumerate() {
        let values =
            [cx.ty(own[at]), cx.ty(own[n + at]), &body.params[at], &body.params[n + at], body.ty(body.results[at])];
        let is_plain = |ty: &&crate::graph::Ty| ty.element == Some(*element) && graph.module.quantized(ty.ty).is_none();
        if !values.iter().all(is_plain) || values[0].is_empty() || node.types[at].is_empty() {
            return None;
        }
    }
    let compiled = Compiled::new(graph, body_id, cx.isa())?;
    let mut operands = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        let width = element.byte_width();
        let (from, offset, strides) = match instead.get(at) {
            Some(slot) => (*slot, 0, row_major(&windows.iter().map(|window| window.base).collect::<Dims>())),
            None => {
                let (from, view) = cx.view(own[at]);
                (from, view.offset, view.strides)
            }
        };
        let (init, init_view) = cx.view(own[n + at]);
        let out = cx.output(Val::Node(index, at as u16));
        let (offset, init_offset) = (offset * width as isize, init_view.offset * width as isize);
        operands.push(Operand { from, offset, strides, init, init_offset, width, out });
    }
    let reads = operands.iter().flat_map(|operand| [operand.from, operand.init]).collect();
    let writes = operands.iter().map(|operand| operand.out).collect();
    let kernel = Folds { body: compiled, windows, operands, isa: cx.isa() };
    Some((Box::new(kernel), reads, writes))
}

impl Folds {
    /// Number of results.
    fn n_out(&self) -> usize {
        self.windows.iter().map(|window| window.count).product()
    }

    /// Folds the windows `range` of dimension `split`, all of the others.
    fn task(&self, arrays: &[Places], split: usize, range: Range<usize>) {
        let among = |dim: usize| if dim == split { range.clone() } else { 0..self.windows[dim].count };
        let counts: Dims = (0..self.windows.len()).map(|dim| among(dim).len()).collect();
        let n: usize = counts.iter().product();
        let width = self.operands.iter().map(|operand| operand.width).max().unwrap_or(1);
        let apart = (n * width).next_multiple_of(ALIGN);
        let whole: SmallVec<[StridedCopy; 3]> =
            self.operands.iter().map(|operand| self.copy(operand, &counts, &row_major(&counts))).collect();
        // Dimensions before the split have one window, so that the results of a task are neighbours.
        let skipped = range.start * self.windows.iter().skip(split + 1).map(|window| window.count).product::<usize>();
        SCRATCH.with_borrow_mut(|buffer| {
            let bytes = self.body.scratch() + apart * self.operands.len();
            if buffer.bytes().len() < bytes {
                *buffer = Buffer::new(bytes);
            }
            let body = buffer.as_ptr();
            let side = body.wrapping_add(self.body.scratch());
            let mut results: SmallVec<[*mut u8; 3]> = SmallVec::new();
            for (operand, places) in self.operands.iter().zip(arrays) {
                let out = places.out.wrapping_add(skipped * operand.width);
                // SAFETY: a task's results are n elements.
                unsafe { fill(out, places.init, operand.width, n) };
                results.push(out);
            }
            let mut place: Dims = self.windows.iter().map(|_| 0).collect();
            let n_places: usize = self.windows.iter().map(|window| window.size).product();
            let mut params: SmallVec<[*const u8; 6]> = SmallVec::new();
            for _ in 0..n_places {
                params.clear();
                params.extend(results.iter().map(|out| out.cast_const()));
                for (at, operand) in self.operands.iter().enumerate() {
                    let to = side.wrapping_add(at * apart);
                    // SAFETY: the scratch memory has n elements of each operand there.
                    params.push(unsafe { self.bring(operand, arrays[at], &place, &among, &whole[at], to) });
                }
                // SAFETY: all are n elements of the body's types.
                unsafe { self.body.run(n, &params, &results, body) };
                for (place, window) in place.iter_mut().zip(&self.windows).rev() {
                    *place += 1;
                    if *place < window.size {
                        break;
                    }
                    *place = 0;
                }
            }
        });
    }

    /// How the elements of windows at one place are copied to where results of `to` strides are.
    fn copy(&self, operand: &Operand, counts: &[usize], to: &[isize]) -> StridedCopy {
        let from: Strides =
            self.windows.iter().zip(&operand.strides).map(|(window, stride)| window.stride * stride).collect();
        StridedCopy::new(counts, &from, to, operand.width, self.isa)
    }

    /// The elements that windows have at `place`, side by side: where they stand, or brought to `to`.
    ///
    /// # Safety
    /// The places are those of the slots, and `to` has room for as many elements as there are windows.
    unsafe fn bring(
        &self,
        operand: &Operand,
        places: Places,
        place: &[usize],
        among: &impl Fn(usize) -> Range<usize>,
        whole: &StridedCopy,
        to: *mut u8,
    ) -> *const u8 {
        let (mut is_whole, mut n, mut at, mut first) = (true, 1, 0, 0);
        let (mut counts, mut all): (Dims, Dims) = (Dims::new(), Dims::new());
        for (dim, window) in self.windows.iter().enumerate() {
            let (range, stride) = (among(dim), operand.strides[dim]);
            let hits = window.hits(place[dim], &range);
            at += (hits.start as isize * window.stride + place[dim] as isize * window.dilation - window.low) * stride;
            is_whole &= hits == range;
            n *= range.len();
            first = first * range.len() + (hits.start - range.start);
            counts.push(hits.len());
            all.push(range.len());
        }
        let from = places.from.wrapping_offset(at * operand.width as isize);
        // SAFETY: the elements that windows hit are inside the operand, and their windows inside the scratch memory.
        unsafe {
            if is_whole && whole.is_run() {
                return from;
            }
            if is_whole {
                whole.run_here(from, to);
                return to;
            }
            fill(to, places.init, operand.width, n);
            if !counts.contains(&0) {
                let copy = self.copy(operand, &counts, &row_major(&all));
                copy.run_here(from, to.add(first * operand.width));
            }
        }
        to
    }
}

impl Kernel for Folds {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let arrays = self.operands.iter().map(|operand| Places {
            from: memory.address(operand.from).wrapping_offset(operand.offset),
            init: memory.address(operand.init).wrapping_offset(operand.init_offset),
            out: memory.address(operand.out),
        });
        let arrays: SmallVec<[Places; 3]> = arrays.collect();
        let split = self.windows.iter().position(|window| window.count > 1).unwrap_or(0);
        let count = self.windows.get(split).map_or(1, |window| window.count);
        let work: usize = self.windows.iter().map(|window| window.count.saturating_mul(window.size)).product();
        let grain = (GRAIN / (work / count).max(1)).max(1);
        // So many at once that they stay in the cache.
        let piece = (AT_ONCE / (self.n_out() / count).max(1)).max(1);
        let arrays = &arrays[..];
        pool.split(count, grain, &|range| {
            for begin in range.clone().step_by(piece) {
                self.task(arrays, split, begin..range.end.min(begin + piece));
            }
        });
    }

    fn describe(&self) -> String {
        let sizes: Vec<usize> = self.windows.iter().map(|window| window.size).collect();
        format!("folds of {} operands over {sizes:?} by a body", self.operands.len())
    }
}
