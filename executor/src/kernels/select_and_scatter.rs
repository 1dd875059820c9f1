//! `select_and_scatter`: the gradient of max pooling, and what else is selected and combined by elementwise bodies.
//!
//! The neighbours in the dimensions after the last one that windows move along are looked at side by side; threads take
//! leading dimensions or neighbours of their own, so that sums have their order.

use std::cell::RefCell;
use std::ops::Range;

use interpreter::Tensor;
use interpreter::element::{CompareType, Direction, Element, ElementType, bf16, f16};
use interpreter::ops::elementwise::question;
use interpreter::ops::window::{WindowDimension, make};
use smallvec::SmallVec;
use stablehlo::ir::Literal;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::select_and_scatter::SelectAndScatter as Op;

use super::body::Compiled;
use super::fused::fill;
use super::isa::Isa;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::monoid::{self, recognise};
use super::pool::Pool;
use super::{Kernel, Planned};
use crate::graph::{Graph, Node, NodeKind, Val};
use crate::plan::BodyLowering;

/// Selects and combines.
#[derive(Debug)]
pub struct SelectAndScatter {
    how: How,
    operand: SlotId,
    source: SlotId,
    init: SlotId,
    init_offset: usize,
    out: SlotId,
    width: usize,
    /// Leading dimensions that windows do not move along: how many places they have.
    outer: usize,
    /// The dimensions that windows move along, the slowest first.
    windows: SmallVec<[WindowDimension; 4]>,
    counts: SmallVec<[usize; 4]>,
    /// The elements of a window that lies inside, counted from its first.
    whole: Vec<usize>,
    /// Neighbours in the dimensions after them.
    inner: usize,
    describe: String,
}

/// # Safety
/// The places are those of the slots, the machine has the instructions of the plan.
type Task = unsafe fn(&SelectAndScatter, Places, usize, Range<usize>);

/// How elements are selected and combined.
#[derive(Debug)]
enum How {
    /// Extremes are selected, and added to.
    Known(Task),
    /// By any bodies: that which selects, and that which combines.
    Bodies(Box<[Compiled; 2]>),
}

thread_local! {
    /// What bodies need, and elements side by side for them.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// Places of a window up to which they are written down.
const MAX_PLACES: usize = 1 << 16;
/// Neighbours that are looked at side by side.
const LANES: usize = 64;

/// The kernel of a `select_and_scatter`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let [operand, source, init] = node.own_operands()[..] else { return None };
    let graph = cx.graph();
    let ty = cx.ty(operand);
    let element = ty.element?;
    let quantized = graph.module.quantized(ty.ty).is_some();
    if ty.is_empty()
        || cx.ty(source).is_empty()
        || !node.captures.is_empty()
        || quantized
        || ty.len() > u32::MAX as usize
    {
        return None;
    }
    let [select, scatter] = node.bodies[..] else { return None };
    let known = || {
        let direction = comparison(graph, select)?;
        let is_added = recognise(graph, scatter, element)? == monoid::Op::Add;
        let task = choose(cx.isa(), element, direction).filter(|_| is_added)?;
        Some((How::Known(task), format!("select {direction:?} and add")))
    };
    let by_bodies = || {
        let of = |id: usize| Compiled::new(graph, id, cx.isa()).filter(|_| graph.bodies[id].params.len() == 2);
        let is_about = |id: usize| graph.bodies[id].params.iter().all(|ty| ty.element == Some(element));
        let gives = |id: usize| -> Vec<_> {
            graph.bodies[id].results.iter().map(|value| graph.bodies[id].ty(*value).element).collect()
        };
        let is_plain = is_about(select)
            && is_about(scatter)
            && gives(select) == [Some(ElementType::I1)]
            && gives(scatter) == [Some(element)];
        let (select, scatter) = (of(select)?, of(scatter)?);
        is_plain.then(|| (How::Bodies(Box::new([select, scatter])), "select and combine by bodies".to_owned()))
    };
    let Some((how, name)) = known().or_else(by_bodies) else {
        return cx.decline("its regions are not elementwise, or about other types");
    };
    let op = Op::new(graph.module, node.op);
    let padding = match op.padding() {
        Some(attr) => Tensor::from(&Literal::from_attr(graph.module, attr)?).saturated_integers(),
        None => Vec::new(),
    };
    let all = make(&ty.shape, op.window_dimensions(), [op.window_strides(), None, None], &padding).ok()?;
    let counts = &cx.ty(source).shape;
    let is_small = |window: &WindowDimension| {
        window.stride < 1 << 30 && window.low.unsigned_abs() < 1 << 30 && window.size < 1 << 30
    };
    let n_places = all.iter().try_fold(1usize, |n, window| n.checked_mul(window.size));
    if !all.iter().all(is_small) || n_places.is_none_or(|n| n > MAX_PLACES) {
        return cx.decline("its windows are very large");
    }
    let is_trivial = |dim: usize| {
        let window = &all[dim];
        window.size == 1 && window.stride == 1 && window.low == 0 && counts[dim] == window.base
    };
    let end = (0..all.len()).rev().find(|dim| !is_trivial(*dim)).map_or(0, |dim| dim + 1);
    let begin = (0..end).find(|dim| !is_trivial(*dim)).unwrap_or(end);
    let windows: SmallVec<[WindowDimension; 4]> = all[begin..end].iter().copied().collect();
    let kernel = SelectAndScatter {
        how,
        width: element.byte_width(),
        outer: ty.shape[..begin].iter().product(),
        whole: whole(&windows),
        windows,
        counts: counts[begin..end].iter().copied().collect(),
        inner: ty.shape[end..].iter().product(),
        describe: format!("{name} {element} in {} windows", cx.ty(source).len()),
        operand: cx.dense(operand),
        source: cx.dense(source),
        init: cx.view(init).0,
        init_offset: usize::try_from(cx.view(init).1.offset).ok()? * element.byte_width(),
        out: cx.output(Val::Node(index, 0)),
    };
    let (reads, writes) = (vec![kernel.operand, kernel.source, kernel.init], vec![kernel.out]);
    Some((Box::new(kernel), reads, writes))
}

/// The question that a body asks of its two arguments.
fn comparison(graph: &Graph<'_>, body: usize) -> Option<Direction> {
    let body = &graph.bodies[body];
    let [node] = &body.nodes[..] else { return None };
    if !matches!(node.kind, NodeKind::Op(OpKind::Compare)) || body.results[..] != [Val::Node(0, 0)] {
        return None;
    }
    let (direction, compare_type) = question(graph.module, node.op)?;
    if compare_type == CompareType::TotalOrder {
        return None;
    }
    let (a, b) = (Val::Param(0), Val::Param(1));
    match node.operands[..] {
        [x, y] if (x, y) == (a, b) => Some(direction),
        [x, y] if (x, y) == (b, a) => Some(direction.swapped()),
        _ => None,
    }
}

fn choose(isa: Isa, element: ElementType, direction: Direction) -> Option<Task> {
    macro_rules! of {
        ($run:ident, $T:ty) => {
            match direction {
                Direction::Ge => $run::<$T, GE>,
                Direction::Gt => $run::<$T, GT>,
                Direction::Le => $run::<$T, LE>,
                Direction::Lt => $run::<$T, LT>,
                _ => return None,
            }
        };
    }
    Some(match (element, isa) {
        #[cfg(target_arch = "x86_64")]
        (ElementType::F32, Isa::Avx512) => of!(run_avx512, f32),
        #[cfg(target_arch = "x86_64")]
        (ElementType::BF16, Isa::Avx512) => of!(run_avx512, bf16),
        #[cfg(target_arch = "x86_64")]
        (ElementType::F32, Isa::Avx2) => of!(run_avx2, f32),
        (ElementType::F32, _) => of!(run, f32),
        (ElementType::F64, _) => of!(run, f64),
        (ElementType::BF16, _) => of!(run, bf16),
        (ElementType::F16, _) => of!(run, f16),
        (ElementType::I32, _) => of!(run, i32),
        _ => return None,
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma")]
unsafe fn run_avx512<T: Element, const DIRECTION: u8>(
    this: &SelectAndScatter,
    at: Places,
    outer: usize,
    lanes: Range<usize>,
) {
    // SAFETY: the caller's promise.
    unsafe { run::<T, DIRECTION>(this, at, outer, lanes) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn run_avx2<T: Element, const DIRECTION: u8>(
    this: &SelectAndScatter,
    at: Places,
    outer: usize,
    lanes: Range<usize>,
) {
    // SAFETY: the caller's promise.
    unsafe { run::<T, DIRECTION>(this, at, outer, lanes) }
}

const GE: u8 = 0;
const GT: u8 = 1;
const LE: u8 = 2;
const LT: u8 = 3;

#[inline(always)]
fn keeps<T: Element, const DIRECTION: u8>(kept: T, value: T) -> bool {
    let direction = match DIRECTION {
        GE => Direction::Ge,
        GT => Direction::Gt,
        LE => Direction::Le,
        _ => Direction::Lt,
    };
    Element::compare(kept, value, direction, CompareType::Float)
}

#[derive(Copy, Clone)]
struct Places {
    operand: *const u8,
    source: *const u8,
    init: *const u8,
    out: *mut u8,
}

// SAFETY: threads read operands and write results of disjoint neighbours.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

/// # Safety
/// `at` is readable for element number `index`.
#[inline(always)]
unsafe fn read<T: Element>(at: *const u8, index: usize) -> T {
    // SAFETY: the caller's promise.
    T::read_le(unsafe { std::slice::from_raw_parts(at.add(index * T::WIDTH), T::WIDTH) })
}

/// # Safety
/// `at` is writable for element number `index`.
#[inline(always)]
unsafe fn write<T: Element>(at: *mut u8, index: usize, value: T) {
    // SAFETY: the caller's promise.
    value.write_le(unsafe { std::slice::from_raw_parts_mut(at.add(index * T::WIDTH), T::WIDTH) });
}

/// The results of neighbours `lanes` at place `outer` of the leading dimensions.
///
/// # Safety
/// The promise of [`Task`].
#[inline(always)]
unsafe fn run<T: Element, const DIRECTION: u8>(
    this: &SelectAndScatter,
    places: Places,
    outer: usize,
    lanes: Range<usize>,
) {
    let inner = this.inner;
    let n_elements: usize = this.windows.iter().map(|window| window.base).product();
    let n_windows: usize = this.counts.iter().product();
    let (base, from) = (outer * n_elements * inner, outer * n_windows * inner);
    // SAFETY: all places below are elements of the operand and the result, which have one shape, or of the source.
    unsafe {
        let init = read::<T>(places.init, 0);
        for element in 0..n_elements {
            for lane in lanes.clone() {
                write(places.out, base + element * inner + lane, init);
            }
        }
        let mut elements = Vec::new();
        let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, this.windows.len());
        for window in 0..n_windows {
            reached(this, &index, &mut elements);
            for begin in lanes.clone().step_by(LANES) {
                let n = LANES.min(lanes.end - begin);
                let Some((first, rest)) = elements.split_first() else { continue };
                let mut kept = [T::zero(); LANES];
                let mut at = [*first as u32; LANES];
                for (lane, kept) in kept[..n].iter_mut().enumerate() {
                    *kept = read::<T>(places.operand, base + first * inner + begin + lane);
                }
                for element in rest {
                    let row = base + element * inner + begin;
                    if n == 1 {
                        let value = read::<T>(places.operand, row);
                        if !keeps::<T, DIRECTION>(kept[0], value) {
                            (kept[0], at[0]) = (value, *element as u32);
                        }
                        continue;
                    }
                    let mut value = [T::zero(); LANES];
                    if n == LANES {
                        for (lane, value) in value.iter_mut().enumerate() {
                            *value = read::<T>(places.operand, row + lane);
                        }
                    } else {
                        for (lane, value) in value[..n].iter_mut().enumerate() {
                            *value = read::<T>(places.operand, row + lane);
                        }
                    }
                    // All lanes, so that the compiler makes vectors of them.
                    for lane in 0..LANES {
                        let keeps = keeps::<T, DIRECTION>(kept[lane], value[lane]);
                        kept[lane] = if keeps { kept[lane] } else { value[lane] };
                        at[lane] = if keeps { at[lane] } else { *element as u32 };
                    }
                }
                for (lane, at) in at[..n].iter().enumerate() {
                    let to = base + *at as usize * inner + begin + lane;
                    let value = read::<T>(places.source, from + window * inner + begin + lane);
                    write(places.out, to, Element::add(read::<T>(places.out, to), value));
                }
            }
            advance(&mut index, &this.counts);
        }
    }
}

impl SelectAndScatter {
    /// The results of neighbours `lanes` at place `outer` of the leading dimensions, by bodies.
    fn by_bodies(&self, [select, scatter]: &[Compiled; 2], places: Places, outer: usize, lanes: Range<usize>) {
        let (inner, width) = (self.inner, self.width);
        let n_elements: usize = self.windows.iter().map(|window| window.base).product();
        let n_windows: usize = self.counts.iter().product();
        let (base, from) = (outer * n_elements * inner, outer * n_windows * inner);
        let apart = (LANES * width).next_multiple_of(ALIGN);
        let n_scratch = select.scratch().max(scatter.scratch()).next_multiple_of(ALIGN);
        SCRATCH.with_borrow_mut(|buffer| {
            if buffer.bytes().len() < n_scratch + 2 * apart {
                *buffer = Buffer::new(n_scratch + 2 * apart);
            }
            let scratch = buffer.as_ptr();
            let (kept, keeps) = (scratch.wrapping_add(n_scratch), scratch.wrapping_add(n_scratch + apart));
            // SAFETY: all places below are elements of the operand and the result, which have one shape, or of the source;
            // the buffer has room for the bodies, for LANES elements and for LANES answers.
            unsafe {
                for element in 0..n_elements {
                    let to = places.out.add((base + element * inner + lanes.start) * width);
                    fill(to, places.init, width, lanes.len());
                }
                let mut elements = Vec::new();
                let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, self.windows.len());
                for window in 0..n_windows {
                    reached(self, &index, &mut elements);
                    for begin in lanes.clone().step_by(LANES) {
                        let n = LANES.min(lanes.end - begin);
                        let Some((first, rest)) = elements.split_first() else { continue };
                        let row = |element: usize| places.operand.add((base + element * inner + begin) * width);
                        std::ptr::copy_nonoverlapping(row(*first), kept, n * width);
                        let mut at = [*first; LANES];
                        for element in rest {
                            select.run(n, &[kept, row(*element)], &[keeps], scratch);
                            for (lane, at) in at[..n].iter_mut().enumerate() {
                                if *keeps.add(lane) == 0 {
                                    *at = *element;
                                    let value = row(*element).add(lane * width);
                                    std::ptr::copy_nonoverlapping(value, kept.add(lane * width), width);
                                }
                            }
                        }
                        // What is there is brought side by side to meet the source, and goes back.
                        let out = |lane: usize| places.out.add((base + at[lane] * inner + begin + lane) * width);
                        for lane in 0..n {
                            std::ptr::copy_nonoverlapping(out(lane), kept.add(lane * width), width);
                        }
                        let source = places.source.add((from + window * inner + begin) * width);
                        scatter.run(n, &[kept, source], &[kept], scratch);
                        for lane in 0..n {
                            std::ptr::copy_nonoverlapping(kept.add(lane * width), out(lane), width);
                        }
                    }
                    advance(&mut index, &self.counts);
                }
            }
        });
    }
}

/// The next index of an array of sizes `counts`.
fn advance(index: &mut [usize], counts: &[usize]) {
    for (index, count) in index.iter_mut().zip(counts).rev() {
        *index += 1;
        if *index < *count {
            break;
        }
        *index = 0;
    }
}

/// The elements of a window that lies inside, counted from its first in the dimensions that windows move along.
fn whole(windows: &[WindowDimension]) -> Vec<usize> {
    let mut elements = vec![0];
    for window in windows {
        let before = std::mem::take(&mut elements);
        elements.extend(before.iter().flat_map(|at| (0..window.size).map(move |place| at * window.base + place)));
    }
    elements
}

/// The elements of a window in order, counted in the dimensions that windows move along.
fn reached(this: &SelectAndScatter, index: &[usize], elements: &mut Vec<usize>) {
    elements.clear();
    let (mut first, mut is_inside) = (0, true);
    for (window, index) in this.windows.iter().zip(index) {
        let begin = *index as i64 * window.stride as i64 - window.low as i64;
        is_inside &= begin >= 0 && begin + window.size as i64 <= window.base as i64;
        first = first * window.base + begin.max(0) as usize;
    }
    if is_inside {
        elements.extend(this.whole.iter().map(|element| first + element));
        return;
    }
    elements.push(0);
    for (window, index) in this.windows.iter().zip(index) {
        let n = elements.len();
        for outer in 0..n {
            let before = elements[outer] * window.base;
            elements.extend((0..window.size).filter_map(|place| window.element(*index, place)).map(|at| before + at));
        }
        elements.drain(..n);
    }
}

impl Kernel for SelectAndScatter {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = Places {
            operand: memory.address(self.operand),
            source: memory.address(self.source),
            init: memory.address(self.init).wrapping_add(self.init_offset),
            out: memory.address(self.out),
        };
        // Neighbours in parts of whole vectors.
        const PART: usize = 16;
        let parts = self.inner.div_ceil(PART);
        let n_places: usize = self.windows.iter().map(|window| window.base).product::<usize>() * PART;
        pool.split(self.outer * parts, ((1 << 13) / n_places.max(1)).max(1), &|units| {
            let mut at = units.start;
            while at < units.end {
                let part = at % parts;
                let end = parts.min(part + units.end - at);
                let lanes = part * PART..(end * PART).min(self.inner);
                match &self.how {
                    // SAFETY: the addresses are those of the slots, and plans are for machines that have their instructions.
                    How::Known(task) => unsafe { task(self, places, at / parts, lanes) },
                    How::Bodies(bodies) => self.by_bodies(bodies, places, at / parts, lanes),
                }
                at += end - part;
            }
        });
    }

    fn describe(&self) -> String {
        self.describe.clone()
    }
}
