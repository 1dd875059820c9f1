//! `scatter` with one operand whose updates are combined by one elementwise op, or replace what was there.
//!
//! Updates are applied in the order of the updates, each element's one after the other, as the interpreter does. Threads
//! share the elements inside the windows, not the windows, so that the order stays. Only where many windows of one element
//! meet in a small result (histograms) are they combined in several copies of it, which are then combined in order; how many
//! depends on the sizes alone.

use std::cell::RefCell;
use std::ops::Range;

use interpreter::element::Element;
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::scatter::Scatter as Op;

use super::concatenate::Part;
use super::fused::fill;
use super::gather::{Batches, Coordinate};
use super::lanes::StepFn;
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::offsets::{OUTSIDE, Vectors};
use super::pool::Pool;
use super::scatter_rows::ScatterRows;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, NodeKind, Val};
use crate::plan::{BodyLowering, Strides, row_major, step};

/// Bytes of updates below which a scatter is not worth splitting over threads.
const GRAIN: usize = 1 << 17;
/// Updates from which on copies of the result are thought of, and bytes of them at most.
const MANY: usize = 1 << 16;
const MAX_COPIES: usize = 8 << 20;

thread_local! {
    /// Copies of a result, kept between runs.
    static COPIES: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// How an update meets what is there.
#[derive(Copy, Clone, Debug)]
pub(super) enum Combine {
    Replace,
    /// By a step on (there, update), or the other way round.
    Step {
        f: StepFn,
        is_swapped: bool,
    },
}

impl Combine {
    /// Combines `n` adjacent elements of `width` bytes.
    ///
    /// # Safety
    /// They are readable and writable.
    #[inline(always)]
    pub(super) unsafe fn elements(self, to: *mut u8, from: *const u8, n: usize, width: usize) {
        // SAFETY: the caller's promise; steps allow the result to be an operand of the same width.
        unsafe {
            match self {
                Combine::Replace => std::ptr::copy_nonoverlapping(from, to, n * width),
                Combine::Step { f, is_swapped: false } => f(n, to, to, from, from),
                Combine::Step { f, is_swapped: true } => f(n, to, from, to, to),
            }
        }
    }
}

/// Combines elements, each at an offset from `to` unless it is outside, with updates that are `step` bytes apart.
type SinglesFn = unsafe fn(to: *mut u8, offsets: &[isize], updates: *const u8, step: isize);

/// Windows of one element.
#[derive(Copy, Clone, Debug)]
struct Singles {
    f: SinglesFn,
    /// How copies of the result that were begun with an element meet, if that is the same.
    merge: Option<(StepFn, [u8; 8])>,
}

#[derive(Debug)]
struct Scatter {
    /// The operand, if it is not the result's own place.
    operand: Option<Part>,
    indices: SlotId,
    vectors: Vectors,
    /// Sizes of the dimensions that the coordinates are about.
    sizes: SmallVec<[i64; 4]>,
    updates: SlotId,
    /// Byte of the first update.
    updates_offset: isize,
    /// Shape of a window, and distances of its elements in the result and among the updates.
    window: Dims,
    to_strides: Strides,
    from_strides: Strides,
    /// For each dimension of a window that of the operand.
    window_dims: Dims,
    combine: Combine,
    singles: Option<Singles>,
    width: usize,
    to: SlotId,
}

/// What the region does.
fn combine(cx: &BodyLowering<'_, '_, '_>, node: &Node, element: ElementType) -> Option<Combine> {
    let graph = cx.graph();
    let body = &graph.bodies[*node.bodies.first()?];
    let [result] = body.results[..] else { return None };
    let (there, update) = (Val::Param(0), Val::Param(1));
    if result == update {
        return Some(Combine::Replace);
    }
    let [inner] = &body.nodes[..] else { return None };
    if result != Val::Node(0, 0) || inner.types[0].element != Some(element) {
        return None;
    }
    let is_swapped = match inner.operands[..] {
        [a, b] if (a, b) == (there, update) => false,
        [a, b] if (a, b) == (update, there) => true,
        _ => return None,
    };
    let f = step(graph, inner, cx.isa())?;
    Some(Combine::Step { f, is_swapped })
}

/// # Safety
/// The promise of [`SinglesFn`]: all offsets are elements or outside, and there is an update for each.
#[inline(always)]
unsafe fn apply<T: Copy>(to: *mut u8, offsets: &[isize], updates: *const u8, step: isize, f: impl Fn(T, T) -> T) {
    for (index, offset) in offsets.iter().enumerate() {
        if *offset != OUTSIDE {
            // SAFETY: the caller's promise; reads and writes are unaligned.
            unsafe {
                let at = to.offset(*offset).cast::<T>();
                let update = updates.offset(index as isize * step).cast::<T>().read_unaligned();
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

/// The kernel of a `scatter`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let own = node.own_operands();
    if own.len() != 3 || own.len() != node.operands.len() {
        return None;
    }
    let op = Op::new(cx.graph().module, node.op);
    let numbers = op.scatter_dimension_numbers();
    let (ty, indices_ty, updates_ty) = (&node.types[0], cx.ty(own[1]), cx.ty(own[2]));
    let element = ty.element?;
    if cx.ty(own[0]).element != Some(element) || updates_ty.element != Some(element) {
        return None;
    }
    let combine = combine(cx, node, element)?;
    let (strides, update_strides) = (row_major(&ty.shape), row_major(&updates_ty.shape));
    let is_window = |dim: &usize| numbers.update_window_dims.contains(&(*dim as i64));
    let (update_window, update_batch): (Vec<usize>, Vec<usize>) = (0..updates_ty.shape.len()).partition(is_window);
    let last_batch = update_batch.last().copied();
    if last_batch.zip(update_window.first().copied()).is_some_and(|(batch, window)| batch > window) {
        // Then the order of updates is not window after window.
        return None;
    }
    let dropped = |dim: &usize| {
        let dim = *dim as i64;
        numbers.inserted_window_dims.contains(&dim) || numbers.input_batching_dims.contains(&dim)
    };
    let window_dims: Dims = (0..ty.shape.len()).filter(|dim| !dropped(dim)).collect();
    let window: Dims = update_window.iter().map(|dim| updates_ty.shape[*dim]).collect();
    let batching = numbers.input_batching_dims.iter().zip(&numbers.scatter_indices_batching_dims);
    let batching: Vec<(usize, isize)> =
        batching.map(|(dim, indices_dim)| (*indices_dim as usize, strides[*dim as usize])).collect();
    let vector_dim = usize::try_from(numbers.index_vector_dim).ok()?;
    let singles = match combine {
        _ if window.iter().any(|size| *size != 1) => None,
        Combine::Replace => Some(Singles { f: replace(element.byte_width()), merge: None }),
        Combine::Step { is_swapped: true, .. } if element.is_float() => None,
        Combine::Step { f: merge, .. } => match cx.graph().bodies[node.bodies[0]].nodes[0].kind {
            NodeKind::Op(kind) => singles(kind, element).map(|(f, start)| Singles { f, merge: Some((merge, start)) }),
            NodeKind::Constant(_) => None,
        },
    };
    // One number for all updates is read where it stands.
    let (mut updates, view) = cx.view(own[2]);
    let is_splat = singles.is_some() && view.strides.iter().all(|stride| *stride == 0);
    let (update_strides, updates_offset) = match is_splat {
        true => (view.strides, view.offset * element.byte_width() as isize),
        false => (update_strides, 0),
    };
    if !is_splat {
        updates = cx.dense(own[2]);
    }
    let along: Strides = update_batch.iter().map(|dim| update_strides[*dim]).collect();
    let batches = Batches::new(&indices_ty.shape, vector_dim, &along, &batching)?;
    let along_vector = row_major(&indices_ty.shape).get(vector_dim).copied().unwrap_or(1) as usize;
    let size_along =
        |dim: usize| window_dims.iter().position(|window_dim| *window_dim == dim).map_or(1, |at| window[at]);
    let coordinates = numbers.scatter_dims_to_operand_dims.iter().enumerate().map(|(position, dim)| {
        let dim = *dim as usize;
        let limit = ty.shape[dim] as i64 - size_along(dim) as i64;
        Coordinate { at: position * along_vector, dim, limit, stride: strides[dim] }
    });
    let coordinates: SmallVec<[Coordinate; 3]> = coordinates.collect();
    let sizes = coordinates.iter().map(|coordinate| ty.shape[coordinate.dim] as i64).collect();
    let width = element.byte_width();
    let vectors = Vectors::new(batches, coordinates, indices_ty.element?, width, false, cx.isa())?;
    let indices = cx.dense(own[1]);
    let (to, operand) = cx.in_place(node, 0, Val::Node(index, 0));
    let reads = vec![indices, updates, operand.as_ref().map_or(to, |part| part.from)];
    let (to_strides, from_strides): (Strides, Strides) = (
        window_dims.iter().map(|dim| strides[*dim]).collect(),
        update_window.iter().map(|dim| update_strides[*dim]).collect(),
    );
    if let Some(part) = &operand
        && to_strides == row_major(&window)
        && from_strides == to_strides
        && vectors.coordinates.iter().all(|coordinate| size_along(coordinate.dim) == 1)
        && let Some(rows) = ScatterRows::new(part, &vectors, window.iter().product(), ty.len(), width)
    {
        let rows = ScatterRows { indices, updates, combine, to, isa: cx.isa(), ..rows };
        return Some((Box::new(rows), reads, vec![to]));
    }
    let kernel = Scatter {
        operand,
        indices,
        vectors,
        sizes,
        updates,
        updates_offset,
        to_strides,
        from_strides,
        window,
        window_dims,
        combine,
        singles,
        width,
        to,
    };
    Some((Box::new(kernel), reads, vec![to]))
}

/// A window that is to be combined: first elements in the result and among the updates, and its beginning.
struct Window {
    to: isize,
    from: isize,
    /// Beginning by coordinate.
    begin: SmallVec<[i64; 4]>,
}

impl Scatter {
    /// Columns `first..end` of the rows of every window.
    fn columns(&self, to: Address, indices: *const u8, updates: *const u8, first: usize, end: usize) {
        let width = self.width as isize;
        // SAFETY: the slots hold all vectors and all windows; windows are inside the result when their offset says so.
        unsafe {
            self.vectors.chunks(indices, 0..self.vectors.len(), |chunk, offsets| {
                for (number, offset) in offsets[..chunk.n].iter().enumerate() {
                    let from = chunk.place.windows + number as isize * chunk.step.windows;
                    if *offset != OUTSIDE {
                        self.inside(to.at(*offset), updates.offset(from * width), first, end);
                        continue;
                    }
                    let vector = chunk.place.indices + number * chunk.step.indices;
                    let begin = self.vectors.coordinates.iter();
                    let begin = begin.map(|coordinate| (self.vectors.read)(indices, vector + coordinate.at)).collect();
                    let operand = chunk.place.operand + number as isize * chunk.step.operand;
                    self.crossing(to, updates, &Window { to: operand, from, begin }, first, end);
                }
            });
        }
    }

    /// Windows of one element: the vectors `range`.
    ///
    /// # Safety
    /// The addresses are those of the result, or of a copy of it, of the indices and of the updates.
    unsafe fn singles(&self, f: SinglesFn, to: *mut u8, indices: *const u8, updates: *const u8, range: Range<usize>) {
        let width = self.width as isize;
        // SAFETY: the caller's promise.
        unsafe {
            self.vectors.chunks(indices, range, |chunk, offsets| {
                let updates = updates.offset(chunk.place.windows * width);
                f(to, &offsets[..chunk.n], updates, chunk.step.windows * width);
            });
        }
    }

    /// How many copies of a result of `bytes` are worth it: as many as get several updates for each element. This does not
    /// depend on the threads, which share them out.
    fn n_copies(&self, bytes: usize) -> usize {
        let len = (bytes / self.width).max(1);
        match self.vectors.len() / (4 * len) {
            n if n < 2 || self.vectors.len() < MANY => 1,
            n => n.min(8).min(MAX_COPIES / bytes.max(1)).max(1),
        }
    }

    /// Windows of one element, shared out by copies of the result.
    fn copies(&self, singles: &Singles, to: Address, indices: Address, updates: Address, bytes: usize, pool: &Pool) {
        let n = self.vectors.len();
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
                        fill(at, start.as_ptr(), self.width, bytes / self.width);
                    }
                    self.singles(singles.f, at, { indices }.0, { updates }.0, range);
                }
            });
            pool.split(bytes / self.width, GRAIN / self.width, &|range| {
                let (to, others) = ({ to }, { others });
                for copy in 0..n_copies - 1 {
                    // SAFETY: as above; threads have elements of their own.
                    unsafe {
                        let to = to.0.add(range.start * self.width);
                        let other = others.0.add(copy * apart + range.start * self.width);
                        merge(range.len(), to, to, other, other);
                    }
                }
            });
        });
    }

    /// Combines columns of a window that lies inside.
    ///
    /// # Safety
    /// `to` and `from` are its first elements.
    #[inline(always)]
    unsafe fn inside(&self, to: *mut u8, from: *const u8, first: usize, end: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            let Some((_, outer)) = self.window.split_last() else { return self.elements(to, from, 1) };
            let (to_stride, from_stride) = (self.to_strides[outer.len()], self.from_strides[outer.len()]);
            let width = self.width as isize;
            let n_rows: usize = outer.iter().product();
            for row in 0..n_rows {
                let (mut left, mut to_row, mut from_row) = (row, 0, 0);
                for (dim, size) in outer.iter().enumerate().rev() {
                    let index = (left % size) as isize;
                    left /= size;
                    to_row += index * self.to_strides[dim];
                    from_row += index * self.from_strides[dim];
                }
                let to = to.offset(to_row * width);
                let from = from.offset(from_row * width);
                if to_stride == 1 && from_stride == 1 {
                    let skip = first as isize * width;
                    self.elements(to.offset(skip), from.offset(skip), end - first);
                } else {
                    for column in first as isize..end as isize {
                        let to = to.offset(column * to_stride * width);
                        self.elements(to, from.offset(column * from_stride * width), 1);
                    }
                }
            }
        }
    }

    /// Combines `n` adjacent elements.
    ///
    /// # Safety
    /// They are readable and writable.
    #[inline(always)]
    unsafe fn elements(&self, to: *mut u8, from: *const u8, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.combine.elements(to, from, n, self.width) }
    }

    /// Combines those elements of a window that lie inside.
    fn crossing(&self, to: Address, updates: *const u8, window: &Window, first: usize, end: usize) {
        let n: usize = self.window.iter().product();
        let width = self.width as isize;
        for element in 0..n {
            let mut left = element;
            let mut index: Dims = self.window.clone();
            for (dim, size) in self.window.iter().enumerate().rev() {
                index[dim] = left % size;
                left /= size;
            }
            let column = index.last().copied().unwrap_or(0);
            if column < first || column >= end {
                continue;
            }
            let (mut place, mut from, mut is_inside) = (window.to, window.from, true);
            for ((coordinate, begin), size) in self.vectors.coordinates.iter().zip(&window.begin).zip(&self.sizes) {
                let along = self.window_dims.iter().position(|dim| *dim == coordinate.dim).map_or(0, |at| index[at]);
                let at = begin.saturating_add(along as i64);
                is_inside &= at >= 0 && at < *size;
                place = place.wrapping_add((*begin as isize).wrapping_mul(coordinate.stride));
            }
            for (dim, index) in index.iter().enumerate() {
                place = place.wrapping_add(*index as isize * self.to_strides[dim]);
                from += *index as isize * self.from_strides[dim];
            }
            if is_inside {
                // SAFETY: every coordinate is inside, the other dimensions' windows begin at zero and fit.
                unsafe { self.elements(to.at(place * width), updates.offset(from * width), 1) };
            }
        }
    }
}

impl Kernel for Scatter {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let to = Address(memory.address(self.to));
        if let Some(operand) = &self.operand {
            // SAFETY: the operand has the result's shape.
            unsafe { operand.run(memory, to.0, pool) };
        }
        let indices = Address(memory.address(self.indices));
        let updates = Address(memory.address(self.updates).wrapping_offset(self.updates_offset));
        if self.window.contains(&0) || self.vectors.len() == 0 {
            return;
        }
        if let Some(singles) = &self.singles {
            return self.copies(singles, to, indices, updates, memory.size(self.to), pool);
        }
        let columns = self.window.last().copied().unwrap_or(1);
        let bytes = memory.size(self.updates);
        // Columns of whole lines for each thread.
        let line = (64 / self.width).max(1);
        let grain = if bytes < GRAIN { columns.div_ceil(line) } else { 256 / 64 };
        pool.split(columns.div_ceil(line), grain, &|range| {
            let (to, indices, updates) = ({ to }, { indices }, { updates });
            self.columns(to, indices.0, updates.0, range.start * line, (range.end * line).min(columns));
        });
    }

    fn describe(&self) -> String {
        let how = if self.operand.is_none() { " in place" } else { "" };
        format!("scatter of {} windows{how}", self.vectors.len())
    }
}
