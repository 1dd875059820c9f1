//! `scatter` of any number of operands with any elementwise body.
//!
//! Updates are applied in the order of the updates, each element's one after the other, as the interpreter does. Threads
//! share the elements inside the windows, not the windows, so that the order stays. Only where many windows of one element
//! meet in a small result (histograms) are they combined in several copies of it, which are then combined in order; how many
//! depends on the sizes alone.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use interpreter::element::Element;
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::scatter::Scatter as Op;

use super::body::Compiled;
use super::concatenate::Part;
use super::fused::fill;
use super::lanes::StepFn;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::offsets::OUTSIDE;
use super::pool::Pool;
use super::scatter_rows::ScatterRows;
use super::scatter_windows::Windows;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Graph, Node, NodeKind, Val};
use crate::plan::{BodyLowering, row_major, step};

/// Bytes of updates below which a scatter is not worth splitting over threads.
const GRAIN: usize = 1 << 17;
/// Updates from which on copies of the result are thought of, and bytes of them at most.
const MANY: usize = 1 << 16;
const MAX_COPIES: usize = 8 << 20;

thread_local! {
    /// Copies of a result, kept between runs.
    static COPIES: RefCell<Buffer> = RefCell::new(Buffer::new(0));
    /// What a body needs.
    static SCRATCH: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// How an update meets what is there.
#[derive(Clone, Debug)]
pub(super) enum Combine {
    Replace,
    /// By a step on (there, update), or the other way round.
    Step {
        f: StepFn,
        is_swapped: bool,
    },
    /// By a body on all that is there and all updates.
    Body(Arc<Compiled>),
}

impl Combine {
    /// What the region does.
    fn new(cx: &BodyLowering<'_, '_, '_>, node: &Node) -> Option<Self> {
        let graph = cx.graph();
        let id = *node.bodies.first()?;
        let by_body = || Some(Combine::Body(Arc::new(Compiled::new(graph, id, cx.isa())?)));
        let body = &graph.bodies[id];
        let [result] = body.results[..] else { return by_body() };
        let (there, update) = (Val::Param(0), Val::Param(1));
        if result == update {
            return Some(Combine::Replace);
        }
        let [inner] = &body.nodes[..] else { return by_body() };
        let is_swapped = match inner.operands[..] {
            [a, b] if (a, b) == (there, update) => false,
            [a, b] if (a, b) == (update, there) => true,
            _ => return by_body(),
        };
        if result != Val::Node(0, 0) || inner.types[0].element != body.params[0].element {
            return by_body();
        }
        Some(Combine::Step { f: step(graph, inner, cx.isa())?, is_swapped })
    }

    /// Combines `n` adjacent elements of one operand of `width` bytes; a body does so with those of all operands and is
    /// none of this.
    ///
    /// # Safety
    /// They are readable and writable.
    #[inline(always)]
    pub(super) unsafe fn elements(&self, to: *mut u8, from: *const u8, n: usize, width: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.elements_to(to, to, from, n, width) }
    }

    /// The same with what was `there` elsewhere than where it goes to.
    ///
    /// # Safety
    /// They are readable and writable; `there` is `to`, or does not overlap it.
    #[inline(always)]
    pub(super) unsafe fn elements_to(&self, to: *mut u8, there: *const u8, from: *const u8, n: usize, width: usize) {
        // SAFETY: the caller's promise; steps allow the result to be an operand of the same width.
        unsafe {
            match *self {
                Combine::Replace => std::ptr::copy_nonoverlapping(from, to, n * width),
                Combine::Step { f, is_swapped: false } => f(n, to, there, from, from),
                Combine::Step { f, is_swapped: true } => f(n, to, from, there, there),
                Combine::Body(_) => {}
            }
        }
    }
}

/// Combines elements, each at an offset from `to` unless it is outside, with updates that are `step` apart.
type SinglesFn = unsafe fn(to: *mut u8, offsets: &[isize], updates: *const u8, step: isize);

/// Windows of one element.
#[derive(Copy, Clone, Debug)]
struct Singles {
    f: SinglesFn,
    /// How copies of the result that were begun with an element meet, if that is the same.
    merge: Option<(StepFn, [u8; 8])>,
}

/// An operand with its updates and its result.
#[derive(Debug)]
struct Array {
    /// The operand, if it is not the result's own place.
    operand: Option<Part>,
    updates: SlotId,
    /// Byte of the first update.
    updates_offset: isize,
    to: SlotId,
    /// Bytes of an element.
    width: usize,
}

#[derive(Debug)]
struct Scatter {
    arrays: SmallVec<[Array; 1]>,
    indices: SlotId,
    windows: Windows,
    combine: Combine,
    singles: Option<Singles>,
}

/// # Safety
/// The promise of [`SinglesFn`]: all offsets are elements or outside, and there is an update for each.
#[inline(always)]
unsafe fn apply<T: Copy>(to: *mut u8, offsets: &[isize], updates: *const u8, step: isize, f: impl Fn(T, T) -> T) {
    for (index, offset) in offsets.iter().enumerate() {
        if *offset != OUTSIDE {
            // SAFETY: the caller's promise; reads and writes are unaligned.
            unsafe {
                let at = to.cast::<T>().offset(*offset);
                let update = updates.cast::<T>().offset(index as isize * step).read_unaligned();
                at.write_unaligned(f(at.read_unaligned(), update));
            }
        }
    }
}

/// The loop for windows of one element, for what programs are full of.
fn singles(kind: OpKind, element: ElementType) -> Option<(SinglesFn, [u8; 8])> {
    fn start(value: &[u8]) -> [u8; 8] {
        std::array::from_fn(|at| value.get(at).copied().unwrap_or(0))
    }
    macro_rules! of {
        ($($variant:ident $T:ident $zero:expr, $least:expr, $most:expr;)*) => {
            match (kind, element) {
                $(
                    (OpKind::Add, ElementType::$variant) => {
                        // SAFETY: the promise of `SinglesFn`.
                        let f: SinglesFn = |to, at, updates, step| unsafe { apply::<$T>(to, at, updates, step, <$T as Element>::add) };
                        Some((f, start(&$zero.to_le_bytes())))
                    }
                    (OpKind::Maximum, ElementType::$variant) => {
                        // SAFETY: as above.
                        let f: SinglesFn = |to, at, updates, step| unsafe { apply::<$T>(to, at, updates, step, <$T as Element>::maximum) };
                        Some((f, start(&$least.to_le_bytes())))
                    }
                    (OpKind::Minimum, ElementType::$variant) => {
                        // SAFETY: as above.
                        let f: SinglesFn = |to, at, updates, step| unsafe { apply::<$T>(to, at, updates, step, <$T as Element>::minimum) };
                        Some((f, start(&$most.to_le_bytes())))
                    }
                )*
                _ => None,
            }
        };
    }
    of! {
        F32 f32 -0f32, f32::NEG_INFINITY, f32::INFINITY;
        F64 f64 -0f64, f64::NEG_INFINITY, f64::INFINITY;
        I32 i32 0i32, i32::MIN, i32::MAX;
        I64 i64 0i64, i64::MIN, i64::MAX;
        UI32 u32 0u32, u32::MIN, u32::MAX;
    }
}

/// The loop that replaces elements.
fn replace(width: usize) -> SinglesFn {
    macro_rules! of {
        ($T:ty) => {
            // SAFETY: the promise of `SinglesFn`.
            |to, at, updates, step| unsafe { apply::<$T>(to, at, updates, step, |_, update| update) }
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

/// The loop for windows of one element, if the region has one.
fn singles_of(graph: &Graph<'_>, node: &Node, combine: &Combine, element: ElementType) -> Option<Singles> {
    match combine {
        Combine::Replace => Some(Singles { f: replace(element.byte_width()), merge: None }),
        Combine::Step { is_swapped: true, .. } if element.is_float() => None,
        Combine::Step { f: merge, .. } => match graph.bodies[node.bodies[0]].nodes[0].kind {
            NodeKind::Op(kind) => singles(kind, element).map(|(f, start)| Singles { f, merge: Some((*merge, start)) }),
            NodeKind::Constant(_) => None,
        },
        Combine::Body(_) => None,
    }
}

/// Whether the region and the operands are about the same types, none of them quantized.
fn is_plain(cx: &BodyLowering<'_, '_, '_>, node: &Node, n: usize) -> bool {
    let own = node.own_operands();
    let Some(body) = node.bodies.first().map(|id| &cx.graph().bodies[*id]) else { return false };
    if own.len() != 2 * n + 1
        || own.len() != node.operands.len()
        || body.params.len() != 2 * n
        || body.results.len() != n
    {
        return false;
    }
    (0..n).all(|at| {
        let values = [cx.ty(own[at]), cx.ty(own[n + 1 + at]), &body.params[at], &body.params[n + at]];
        let mut all = values.into_iter().chain([body.ty(body.results[at])]);
        let element = node.types[at].element;
        element.is_some() && all.all(|ty| ty.element == element && cx.graph().module.quantized(ty.ty).is_none())
    })
}

/// The kernel of a `scatter`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let (own, n) = (node.own_operands(), node.types.len());
    if !is_plain(cx, node, n) {
        return cx.decline("its region is about other types, or reads values from outside");
    }
    let op = Op::new(cx.graph().module, node.op);
    let numbers = op.scatter_dimension_numbers();
    let (ty, updates_ty) = (&node.types[0], cx.ty(own[n + 1]));
    let element = ty.element?;
    let Some(combine) = Combine::new(cx, node) else {
        return cx.decline("its region is not elementwise");
    };
    let is_single = n == 1
        && updates_ty
            .shape
            .iter()
            .enumerate()
            .all(|(dim, size)| *size == 1 || !numbers.update_window_dims.contains(&(dim as i64)));
    let singles = is_single.then(|| singles_of(cx.graph(), node, &combine, element)).flatten();
    // One number for all updates is read where it stands.
    let (_, view) = cx.view(own[n + 1]);
    let is_splat = singles.is_some() && view.strides.iter().all(|stride| *stride == 0);
    let update_strides = if is_splat { view.strides } else { row_major(&updates_ty.shape) };
    let Some(windows) = Windows::new(numbers, [ty, cx.ty(own[n]), updates_ty], &update_strides, cx.isa()) else {
        return cx.decline("windows do not come one after the other");
    };
    let indices = cx.dense(own[n]);
    let mut arrays: SmallVec<[Array; 1]> = SmallVec::new();
    for at in 0..n {
        let width = node.types[at].element?.byte_width();
        let (updates, updates_offset) = match is_splat {
            true => (cx.view(own[n + 1]).0, view.offset * width as isize),
            false => (cx.dense(own[n + 1 + at]), 0),
        };
        let (to, operand) = cx.in_place(node, at, Val::Node(index, at as u16));
        arrays.push(Array { operand, updates, updates_offset, to, width });
    }
    let reads = arrays.iter().flat_map(|array| {
        [array.updates, array.operand.as_ref().map_or(array.to, |part| part.from)].into_iter().chain([indices])
    });
    let (reads, writes) = (reads.collect(), arrays.iter().map(|array| array.to).collect());
    if let [Array { operand: Some(part), updates, to, width, .. }] = &arrays[..]
        && windows.are_rows()
        && !matches!(combine, Combine::Body(_))
        && let Some(rows) = ScatterRows::new(part, &windows.vectors, windows.shape.iter().product(), ty.len(), *width)
    {
        let rows = ScatterRows { indices, updates: *updates, combine, to: *to, isa: cx.isa(), ..rows };
        return Some((Box::new(rows), reads, writes));
    }
    Some((Box::new(Scatter { arrays, indices, windows, combine, singles }), reads, writes))
}

/// Where an operand's updates and result stand.
#[derive(Copy, Clone)]
struct Places {
    to: *mut u8,
    updates: *const u8,
    width: usize,
}

/// All of them.
struct Arrays(SmallVec<[Places; 1]>);

// SAFETY: threads read updates and write elements of their own.
unsafe impl Send for Arrays {}
// SAFETY: as above.
unsafe impl Sync for Arrays {}

impl Scatter {
    /// Columns `columns` of the rows of every window.
    ///
    /// # Safety
    /// The addresses are those of the slots.
    unsafe fn columns(&self, arrays: &Arrays, indices: *const u8, columns: Range<usize>) {
        // SAFETY: the slots hold all vectors and all windows, and `each` names elements of them.
        unsafe {
            match (&self.combine, &arrays.0[..]) {
                (Combine::Body(body), arrays) => SCRATCH.with_borrow_mut(|scratch| {
                    if scratch.bytes().len() < body.scratch() {
                        *scratch = Buffer::new(body.scratch());
                    }
                    let at = scratch.as_ptr();
                    let mut params: SmallVec<[*const u8; 8]> = SmallVec::new();
                    let mut results: SmallVec<[*mut u8; 4]> = SmallVec::new();
                    self.windows.each(indices, columns, |to, from, n| {
                        results.clear();
                        results.extend(arrays.iter().map(|array| array.to.offset(to * array.width as isize)));
                        params.clear();
                        params.extend(results.iter().map(|result| result.cast_const()));
                        params.extend(arrays.iter().map(|array| array.updates.offset(from * array.width as isize)));
                        body.run(n, &params, &results, at);
                    });
                }),
                (simple, [array]) => self.windows.each(indices, columns, |to, from, n| {
                    let width = array.width as isize;
                    simple.elements(array.to.offset(to * width), array.updates.offset(from * width), n, array.width);
                }),
                _ => {}
            }
        }
    }

    /// Windows of one element: the vectors `range`.
    ///
    /// # Safety
    /// The addresses are those of the result, or of a copy of it, of the indices and of the updates.
    unsafe fn singles(&self, f: SinglesFn, to: *mut u8, indices: *const u8, updates: *const u8, range: Range<usize>) {
        let width = self.arrays[0].width as isize;
        // SAFETY: the caller's promise.
        unsafe {
            self.windows.vectors.chunks(indices, range, |chunk, offsets| {
                let updates = updates.offset(chunk.place.windows * width);
                f(to, &offsets[..chunk.n], updates, chunk.step.windows);
            });
        }
    }

    /// How many copies of a result of `bytes` are worth it: as many as get several updates for each element. This does not
    /// depend on the threads, which share them out.
    fn n_copies(&self, bytes: usize) -> usize {
        let len = (bytes / self.arrays[0].width).max(1);
        match self.windows.vectors.len() / (4 * len) {
            n if n < 2 || self.windows.vectors.len() < MANY => 1,
            n => n.min(8).min(MAX_COPIES / bytes.max(1)).max(1),
        }
    }

    /// Windows of one element, shared out by copies of the result.
    fn copies(&self, singles: &Singles, to: Address, indices: Address, updates: Address, bytes: usize, pool: &Pool) {
        let n = self.windows.vectors.len();
        let (Some((merge, start)), n_copies) = (singles.merge, self.n_copies(bytes)) else {
            // SAFETY: the addresses are those of the slots.
            return unsafe { self.singles(singles.f, to.0, indices.0, updates.0, 0..n) };
        };
        if n_copies == 1 {
            // SAFETY: as above.
            return unsafe { self.singles(singles.f, to.0, indices.0, updates.0, 0..n) };
        }
        let apart = bytes.next_multiple_of(ALIGN);
        COPIES.with_borrow_mut(|buffer| {
            if buffer.bytes().len() < apart * (n_copies - 1) {
                *buffer = Buffer::new(apart * (n_copies - 1));
            }
            let others = Address(buffer.as_ptr());
            pool.run(n_copies, &|copy| {
                let (to, others) = ({ to }, { others });
                let range = n * copy / n_copies..n * (copy + 1) / n_copies;
                // SAFETY: as above; the first copy is the result itself, the others are in the buffer.
                unsafe {
                    let mut at = to.0;
                    if copy > 0 {
                        at = others.0.add((copy - 1) * apart);
                        fill(at, start.as_ptr(), self.arrays[0].width, bytes / self.arrays[0].width);
                    }
                    self.singles(singles.f, at, { indices }.0, { updates }.0, range);
                }
            });
            pool.split(bytes / self.arrays[0].width, GRAIN / self.arrays[0].width, &|range| {
                let (to, others) = ({ to }, { others });
                for copy in 0..n_copies - 1 {
                    // SAFETY: as above; threads have elements of their own.
                    unsafe {
                        let to = to.0.add(range.start * self.arrays[0].width);
                        let other = others.0.add(copy * apart + range.start * self.arrays[0].width);
                        merge(range.len(), to, to, other, other);
                    }
                }
            });
        });
    }
}

impl Kernel for Scatter {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let arrays = self.arrays.iter().map(|array| {
            let to = memory.address(array.to);
            if let Some(operand) = &array.operand {
                // SAFETY: the operand has the result's shape.
                unsafe { operand.run(memory, to, pool) };
            }
            let updates = memory.address(array.updates).wrapping_offset(array.updates_offset);
            Places { to, updates, width: array.width }
        });
        let arrays = Arrays(arrays.collect());
        let indices = Address(memory.address(self.indices));
        if self.windows.is_empty() {
            return;
        }
        if let (Some(singles), [places]) = (&self.singles, &arrays.0[..]) {
            let (to, updates) = (Address(places.to), Address(places.updates.cast_mut()));
            return self.copies(singles, to, indices, updates, memory.size(self.arrays[0].to), pool);
        }
        let columns = self.windows.n_columns();
        let width = self.arrays.iter().map(|array| array.width).min().unwrap_or(1);
        let bytes: usize = self.arrays.iter().map(|array| memory.size(array.updates)).sum();
        // Columns of whole lines for each thread.
        let line = (64 / width).max(1);
        let grain = if bytes < GRAIN { columns.div_ceil(line) } else { 256 / 64 };
        let arrays = &arrays;
        pool.split(columns.div_ceil(line), grain, &|range| {
            let indices = { indices }.0;
            // SAFETY: the addresses are those of the slots, and threads have columns of their own.
            unsafe { self.columns(arrays, indices, range.start * line..(range.end * line).min(columns)) };
        });
    }

    fn describe(&self) -> String {
        let how = if self.arrays.iter().all(|array| array.operand.is_none()) { " in place" } else { "" };
        let by = if matches!(self.combine, Combine::Body(_)) { " by a body" } else { "" };
        let operands =
            if self.arrays.len() > 1 { format!(" of {} operands", self.arrays.len()) } else { String::new() };
        format!("scatter of {} windows{operands}{by}{how}", self.windows.vectors.len())
    }
}
