//! `scatter` with one operand whose updates are combined by one elementwise op, or replace what was there.
//!
//! Updates are applied in the order of the updates, each element's one after the other, as the interpreter does. Threads
//! share the elements inside the windows, not the windows, so that the order stays.

use interpreter::element::Element;
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::scatter::Scatter as Op;

use super::concatenate::Part;
use super::gather::{Batches, Coordinate};
use super::indices::{ReadIndex, reader};
use super::lanes::StepFn;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, NodeKind, Val};
use crate::plan::{BodyLowering, Strides, row_major, step};

/// Bytes of updates below which a scatter is not worth splitting over threads.
const GRAIN: usize = 1 << 17;

/// How an update meets what is there.
#[derive(Copy, Clone, Debug)]
enum Combine {
    Replace,
    /// By a step on (there, update), or the other way round.
    Step {
        f: StepFn,
        is_swapped: bool,
    },
    /// By a loop of its own over windows of one element.
    Single(SingleFn),
}

/// Combines one element with one update.
type SingleFn = unsafe fn(*mut u8, *const u8);

#[derive(Debug)]
struct Scatter {
    /// The operand, if it is not the result's own place.
    operand: Option<Part>,
    indices: SlotId,
    read: ReadIndex,
    updates: SlotId,
    batches: Batches,
    coordinates: SmallVec<[Coordinate; 3]>,
    /// Shape of a window, and distances of its elements in the result and among the updates.
    window: Dims,
    to_strides: Strides,
    from_strides: Strides,
    /// For each dimension of a window that of the operand.
    window_dims: Dims,
    combine: Combine,
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

/// The loop for windows of one element, for what programs are full of.
fn single(kind: OpKind, element: ElementType) -> Option<SingleFn> {
    unsafe fn apply<T: Element>(at: *mut u8, update: *const u8, f: impl Fn(T, T) -> T) {
        // SAFETY: both are an element of the type.
        unsafe {
            let there = std::slice::from_raw_parts_mut(at, T::WIDTH);
            let update = T::read_le(std::slice::from_raw_parts(update, T::WIDTH));
            f(T::read_le(there), update).write_le(there);
        }
    }
    macro_rules! of {
        ($($variant:ident $T:ty),*) => {
            match (kind, element) {
                $(
                    // SAFETY: the promise of `SingleFn`.
                    (OpKind::Add, ElementType::$variant) => Some(|at, update| unsafe { apply::<$T>(at, update, <$T as Element>::add) }),
                    // SAFETY: as above.
                    (OpKind::Maximum, ElementType::$variant) => Some(|at, update| unsafe { apply::<$T>(at, update, <$T as Element>::maximum) }),
                    // SAFETY: as above.
                    (OpKind::Minimum, ElementType::$variant) => Some(|at, update| unsafe { apply::<$T>(at, update, <$T as Element>::minimum) }),
                )*
                _ => None,
            }
        };
    }
    of!(F32 f32, F64 f64, I32 i32, I64 i64, UI32 u32)
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
    let read = reader(indices_ty.element?)?;
    let mut combine = combine(cx, node, element)?;
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
    let along: Strides = update_batch.iter().map(|dim| update_strides[*dim]).collect();
    let batching = numbers.input_batching_dims.iter().zip(&numbers.scatter_indices_batching_dims);
    let batching: Vec<(usize, isize)> =
        batching.map(|(dim, indices_dim)| (*indices_dim as usize, strides[*dim as usize])).collect();
    let vector_dim = usize::try_from(numbers.index_vector_dim).ok()?;
    let batches = Batches::new(&indices_ty.shape, vector_dim, &along, &batching)?;
    let along_vector = row_major(&indices_ty.shape).get(vector_dim).copied().unwrap_or(1) as usize;
    let coordinates = numbers.scatter_dims_to_operand_dims.iter().enumerate().map(|(position, dim)| {
        let dim = *dim as usize;
        Coordinate { at: position * along_vector, dim, limit: ty.shape[dim] as i64, stride: strides[dim] }
    });
    let coordinates = coordinates.collect();
    if let Combine::Step { is_swapped, .. } = combine
        && window.iter().all(|size| *size == 1)
        && let NodeKind::Op(kind) = cx.graph().bodies[node.bodies[0]].nodes[0].kind
        && let Some(f) = single(kind, element)
        && !(is_swapped && element.is_float())
    {
        combine = Combine::Single(f);
    }
    let (indices, updates) = (cx.dense(own[1]), cx.dense(own[2]));
    let (to, operand) = cx.in_place(node, 0, Val::Node(index, 0));
    let reads = vec![indices, updates, operand.as_ref().map_or(to, |part| part.from)];
    let kernel = Scatter {
        operand,
        indices,
        read,
        updates,
        batches,
        coordinates,
        to_strides: window_dims.iter().map(|dim| strides[*dim]).collect(),
        from_strides: update_window.iter().map(|dim| update_strides[*dim]).collect(),
        window,
        window_dims,
        combine,
        width: element.byte_width(),
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
    /// Whether a window lies inside the operand.
    #[inline(always)]
    fn size_along(&self, dim: usize) -> i64 {
        self.window_dims.iter().position(|window_dim| *window_dim == dim).map_or(1, |at| self.window[at] as i64)
    }

    /// Columns `first..end` of the rows of every window.
    fn columns(&self, to: Address, indices: *const u8, updates: *const u8, first: usize, end: usize) {
        let sizes: SmallVec<[i64; 4]> =
            self.coordinates.iter().map(|coordinate| self.size_along(coordinate.dim)).collect();
        let mut begin: SmallVec<[i64; 4]> = SmallVec::from_elem(0, sizes.len());
        for batch in 0..self.batches.len() {
            let place = self.batches.place(batch);
            let (mut element, mut is_inside) = (place.operand, true);
            for ((coordinate, size), begin) in self.coordinates.iter().zip(&sizes).zip(&mut begin) {
                // SAFETY: the indices' slot holds all vectors.
                let index = unsafe { (self.read)(indices, place.indices + coordinate.at) };
                *begin = index;
                is_inside &= index >= 0 && index <= coordinate.limit - size;
                element = element.wrapping_add((index as isize).wrapping_mul(coordinate.stride));
            }
            // SAFETY: the updates' slot holds all windows.
            let from = unsafe { updates.offset(place.windows * self.width as isize) };
            if is_inside {
                // SAFETY: the window lies inside the result.
                unsafe { self.inside(to.at(element * self.width as isize), from, first, end) };
            } else {
                let window = Window { to: place.operand, from: place.windows, begin: begin.clone() };
                self.crossing(to, updates, &window, first, end);
            }
        }
    }

    /// Combines columns of a window that lies inside.
    ///
    /// # Safety
    /// `to` and `from` are its first elements.
    #[inline(always)]
    unsafe fn inside(&self, to: *mut u8, from: *const u8, first: usize, end: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            if let Combine::Single(f) = self.combine {
                return f(to, from);
            }
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
        // SAFETY: the caller's promise; steps allow the result to be an operand of the same width.
        unsafe {
            match self.combine {
                Combine::Replace => std::ptr::copy_nonoverlapping(from, to, n * self.width),
                Combine::Step { f, is_swapped: false } => f(n, to, to, from, from),
                Combine::Step { f, is_swapped: true } => f(n, to, from, to, to),
                Combine::Single(f) => f(to, from),
            }
        }
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
            for (coordinate, begin) in self.coordinates.iter().zip(&window.begin) {
                let along = self.window_dims.iter().position(|dim| *dim == coordinate.dim).map_or(0, |at| index[at]);
                let at = begin.saturating_add(along as i64);
                is_inside &= at >= 0 && at < coordinate.limit;
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
        let (indices, updates) = (Address(memory.address(self.indices)), Address(memory.address(self.updates)));
        if self.window.contains(&0) || self.batches.len() == 0 {
            return;
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
        format!("scatter of {} windows{how}", self.batches.len())
    }
}
