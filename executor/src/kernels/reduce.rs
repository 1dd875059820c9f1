//! `reduce` with a recognised body.
//!
//! The operand is read by its strides. Its dimensions are put in the order of memory; the innermost one is folded row by
//! row when it goes away and column by column when it stays. When there are few results the outermost folded dimension is
//! cut into chunks of a fixed size, so that all threads have work and the order does not depend on their number.

use std::cell::RefCell;
use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::ops::stablehlo::reduce::Reduce as Op;

use super::folds::{self, Along};
use super::memory::{ALIGN, Buffer, Memory, SlotId};
use super::monoid::{Folder, Places, recognise};
use super::pool::Pool;
use super::rows::{ByRows, RowsOf};
use super::{Kernel, Planned, arg_extremum};
use crate::graph::{Node, Val};
use crate::plan::{BodyLowering, View};

/// A dimension: size, distance in bytes in the operand, distance in elements in the result.
#[derive(Copy, Clone, Debug)]
struct Dim {
    size: usize,
    stride: isize,
    out: isize,
}

/// Which way the innermost dimension goes.
#[derive(Copy, Clone, Debug)]
enum Leaf {
    /// `n` elements next to each other are folded, for each place along a dimension that is kept.
    Rows { n: usize, kept: Dim },
    /// Elements next to each other are kept, and folded along a dimension.
    Cols { kept: Dim, rows: usize, stride: isize },
}

/// The dimensions of a reduction.
#[derive(Clone, Debug)]
struct Nest {
    /// Kept dimensions around the leaf, the slowest first.
    kept: SmallVec<[Dim; 4]>,
    /// Folded dimensions around the leaf, the slowest first.
    folded: SmallVec<[(usize, isize); 4]>,
    leaf: Leaf,
}

/// Folds some dimensions of an operand.
#[derive(Debug)]
pub struct Reduce {
    folder: Folder,
    from: SlotId,
    /// Byte of the first element.
    offset: isize,
    width: usize,
    init: SlotId,
    init_offset: usize,
    out: SlotId,
    nest: Nest,
    /// Number of results.
    n_out: usize,
    /// Elements that each result folds.
    n_folded: usize,
    /// How the outermost folded dimension is cut: pieces of so many.
    chunk: Option<usize>,
}

/// A fold of whole rows that stand one after the other.
#[derive(Copy, Clone, Debug)]
pub struct RowFold {
    /// The body.
    pub folder: Folder,
    /// The rows.
    pub from: SlotId,
    /// The initial value, and its first byte.
    pub init: (SlotId, usize),
    /// A result for every row.
    pub out: SlotId,
    /// Number of rows.
    pub n_rows: usize,
    /// Elements of a row.
    pub n: usize,
}

/// Accumulators that are at work at once.
const BLOCK: usize = 1024;
/// Elements below which a piece of work is not worth a task.
const GRAIN: usize = 1 << 15;

thread_local! {
    /// Accumulators of this thread.
    static ACCUMULATORS: RefCell<Buffer> = RefCell::new(Buffer::new(BLOCK * 16));
    /// Accumulators of chunks, of the thread that runs the step.
    static PARTIALS: RefCell<Buffer> = RefCell::new(Buffer::new(0));
}

/// The kernel of a `reduce`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let dimensions: SmallVec<[usize; 4]> = Op::new(cx.graph().module, node.op)
        .dimensions()
        .iter()
        .map(|dim| usize::try_from(*dim).ok())
        .collect::<Option<_>>()?;
    let known = match node.own_operands().len() {
        4 => arg_extremum::plan(cx, index, node, &dimensions),
        _ => plan_known(cx, index, node, &dimensions),
    };
    known.or_else(|| {
        let shape = &cx.ty(*node.operands.first()?).shape;
        let along = |(dim, base): (usize, &usize)| match dimensions.contains(&dim) {
            true => Along::folded(*base),
            false => Along::kept(*base),
        };
        let windows = shape.iter().enumerate().map(along).collect();
        folds::plan(cx, index, node, windows, &[])
    })
}

/// The kernel for a body that is recognised.
fn plan_known(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node, dimensions: &[usize]) -> Option<Planned> {
    let [operand, init] = node.own_operands()[..] else { return None };
    let ty = cx.ty(operand);
    let element = ty.element?;
    if ty.is_empty() || !node.captures.is_empty() || cx.graph().module.quantized(ty.ty).is_some() {
        return None;
    }
    let op = recognise(cx.graph(), *node.bodies.first()?, element)?;
    let folder = Folder::new(cx.isa(), op, element).filter(Folder::is_free)?;
    let width = element.byte_width();
    let n = ty.len();
    let (mut from, mut view) = cx.view(operand);
    let contiguous =
        |view: &View| n == 1 || view.shape.iter().zip(&view.strides).any(|(n, stride)| *n > 1 && *stride == 1);
    if !contiguous(&view) {
        from = cx.dense(operand);
        view = View::whole(operand, &cx.ty(operand).shape);
    }
    let nest = nest(&view, dimensions, width);
    let (init, init_view) = cx.view(init);
    let init_offset = usize::try_from(init_view.offset).ok()? * width;
    let out = cx.output(Val::Node(index, 0));
    let n_out = node.types[0].len();
    let n_folded = n / n_out;
    let offset = view.offset * width as isize;
    let mut kernel = Reduce { folder, from, offset, width, init, init_offset, out, nest, n_out, n_folded, chunk: None };
    kernel.chunk = kernel.chunk();
    Some((Box::new(kernel), vec![from, init], vec![out]))
}

/// The dimensions in the order of memory.
fn nest(view: &View, dimensions: &[usize], width: usize) -> Nest {
    let mut dims: SmallVec<[(Dim, bool); 6]> = SmallVec::new();
    let mut out = 1;
    for dim in (0..view.shape.len()).rev() {
        let is_folded = dimensions.contains(&dim);
        let (size, stride) = (view.shape[dim], view.strides[dim] * width as isize);
        if size != 1 {
            dims.push((Dim { size, stride, out: if is_folded { 0 } else { out } }, is_folded));
        }
        if !is_folded {
            out *= size as isize;
        }
    }
    // The slowest first; the one whose elements are next to each other is the last.
    dims.reverse();
    dims.sort_by_key(|(dim, _)| (dim.stride == width as isize, std::cmp::Reverse(dim.stride.unsigned_abs())));
    let mut joined: SmallVec<[(Dim, bool); 6]> = SmallVec::new();
    for (dim, is_folded) in dims {
        match joined.last_mut() {
            Some((outer, kind))
                if *kind == is_folded
                    && outer.stride == dim.stride * dim.size as isize
                    && outer.out == dim.out * dim.size as isize =>
            {
                *outer = Dim { size: outer.size * dim.size, ..dim };
            }
            _ => joined.push((dim, is_folded)),
        }
    }
    let one = Dim { size: 1, stride: 0, out: 0 };
    let (inner, inner_folded) = joined.pop().unwrap_or((one, true));
    let (mut kept, mut folded) = (SmallVec::<[Dim; 4]>::new(), SmallVec::<[(usize, isize); 4]>::new());
    for (dim, is_folded) in joined {
        if is_folded {
            folded.push((dim.size, dim.stride));
        } else {
            kept.push(dim);
        }
    }
    let leaf = if inner_folded {
        Leaf::Rows { n: inner.size, kept: kept.pop().unwrap_or(one) }
    } else {
        let (rows, stride) = folded.pop().unwrap_or((1, 0));
        Leaf::Cols { kept: inner, rows, stride }
    };
    Nest { kept, folded, leaf }
}

impl Nest {
    /// Results of one leaf.
    fn leaf_len(&self) -> usize {
        match self.leaf {
            Leaf::Rows { kept, .. } | Leaf::Cols { kept, .. } => kept.size,
        }
    }

    /// Size and distance of the outermost folded dimension.
    fn outermost(&self, width: usize) -> (usize, isize) {
        match (self.folded.first(), self.leaf) {
            (Some(dim), _) => *dim,
            (None, Leaf::Rows { n, .. }) => (n, width as isize),
            (None, Leaf::Cols { rows, stride, .. }) => (rows, stride),
        }
    }

    /// The same with another size of the outermost folded dimension.
    fn cut(&self, size: usize) -> Self {
        let mut nest = self.clone();
        match (nest.folded.first_mut(), &mut nest.leaf) {
            (Some(dim), _) => dim.0 = size,
            (None, Leaf::Rows { n, .. }) => *n = size,
            (None, Leaf::Cols { rows, .. }) => *rows = size,
        }
        nest
    }
}

impl Reduce {
    /// How the outermost folded dimension is cut, by sizes alone.
    fn chunk(&self) -> Option<usize> {
        let total = self.n_out * self.n_folded;
        let (size, _) = self.nest.outermost(self.width);
        let n_chunks = (total / (2 * GRAIN)).min(64).min(size);
        (self.n_out < 256 && n_chunks > 1).then(|| size.div_ceil(n_chunks))
    }

    /// Folds for results `range`, in the order of the nest, and hands over accumulators: where the results go (first one
    /// and distance), the number of the first in the order of the nest, the accumulators and how many.
    fn fold(
        &self,
        nest: &Nest,
        from: *const u8,
        range: Range<usize>,
        take: &mut dyn FnMut(isize, isize, usize, *mut u8, usize),
    ) {
        let leaf_len = nest.leaf_len();
        ACCUMULATORS.with_borrow_mut(|buffer| {
            let acc = buffer.as_ptr();
            let mut at = range.start;
            while at < range.end {
                let begin = at % leaf_len;
                let n = (leaf_len - begin).min(range.end - at).min(BLOCK);
                let (mut place, mut out) = (0, 0);
                let mut rest = at / leaf_len;
                for dim in nest.kept.iter().rev() {
                    let index = (rest % dim.size) as isize;
                    rest /= dim.size;
                    place += index * dim.stride;
                    out += index * dim.out;
                }
                let step = match nest.leaf {
                    Leaf::Rows { kept, .. } | Leaf::Cols { kept, .. } => {
                        place += begin as isize * kept.stride;
                        out += begin as isize * kept.out;
                        kept.out
                    }
                };
                self.fold_block(nest, acc, from.wrapping_offset(place), n);
                take(out, step, at, acc, n);
                at += n;
            }
        });
    }

    /// Folds `n` neighbours of a leaf, the first of which begins at `from`.
    fn fold_block(&self, nest: &Nest, acc: *mut u8, from: *const u8, n: usize) {
        let mut index: SmallVec<[usize; 4]> = SmallVec::from_elem(0, nest.folded.len());
        let mut place = 0;
        let mut first = true;
        loop {
            let at = from.wrapping_offset(place);
            // SAFETY: the nest describes elements of the operand, which the plan checks to lie inside its slot; there is room
            // for BLOCK accumulators.
            unsafe {
                match nest.leaf {
                    Leaf::Rows { n: len, kept } => (self.folder.rows)(acc, first, at, len, n, kept.stride),
                    Leaf::Cols { rows, stride, .. } => (self.folder.cols)(acc, first, at, n, rows, stride),
                }
            }
            first = false;
            let mut dim = nest.folded.len();
            loop {
                if dim == 0 {
                    return;
                }
                dim -= 1;
                let (size, stride) = nest.folded[dim];
                index[dim] += 1;
                place += stride;
                if index[dim] < size {
                    break;
                }
                place -= size as isize * stride;
                index[dim] = 0;
            }
        }
    }

    fn finish(&self, places: Places, out: isize, step: isize, acc: *const u8, n: usize) {
        let to = places.out.wrapping_offset(out * self.width as isize);
        // SAFETY: the results lie inside their slot.
        unsafe { (self.folder.finish)(to, step, places.init, acc, n) };
    }

    fn places(&self, place: &dyn Fn(SlotId) -> *mut u8) -> Places {
        Places {
            from: place(self.from).wrapping_offset(self.offset),
            init: place(self.init).wrapping_add(self.init_offset),
            out: place(self.out),
        }
    }

    fn in_chunks(&self, places: Places, pool: &Pool, chunk: usize) {
        let (size, stride) = self.nest.outermost(self.width);
        let n_chunks = size.div_ceil(chunk);
        let row = (self.n_out * self.folder.acc_width).next_multiple_of(ALIGN);
        PARTIALS.with_borrow_mut(|partials| {
            if partials.bytes().len() < n_chunks * row {
                *partials = Buffer::new(n_chunks * row);
            }
            let base = Places { out: partials.as_ptr(), ..places };
            let (whole, last) = (self.nest.cut(chunk), self.nest.cut(size - (n_chunks - 1) * chunk));
            pool.run(n_chunks, &|index| {
                let nest = if index + 1 == n_chunks { &last } else { &whole };
                let Places { from, out, .. } = { base };
                let from = from.wrapping_offset((index * chunk) as isize * stride);
                let to = out.wrapping_add(index * row);
                self.fold(nest, from, 0..self.n_out, &mut |_, _, at, acc, n| {
                    let width = self.folder.acc_width;
                    // SAFETY: each chunk has room for its n_out accumulators.
                    unsafe { std::ptr::copy_nonoverlapping(acc, to.add(at * width), n * width) };
                });
            });
            for index in 1..n_chunks {
                // SAFETY: as above; rows of different chunks do not overlap.
                unsafe { (self.folder.merge)(base.out, base.out.add(index * row), self.n_out) };
            }
            self.land(places, base.out);
        });
    }

    /// Writes results from their accumulators in the order of the nest.
    fn land(&self, places: Places, acc: *const u8) {
        let leaf_len = self.nest.leaf_len();
        for leaf in 0..self.n_out / leaf_len {
            let mut rest = leaf;
            let mut out = 0;
            for dim in self.nest.kept.iter().rev() {
                out += (rest % dim.size) as isize * dim.out;
                rest /= dim.size;
            }
            let (Leaf::Rows { kept, .. } | Leaf::Cols { kept, .. }) = self.nest.leaf;
            self.finish(places, out, kept.out, acc.wrapping_add(leaf * leaf_len * self.folder.acc_width), leaf_len);
        }
    }
}

impl ByRows for Reduce {
    fn n_rows(&self) -> usize {
        self.n_out
    }

    fn own(&self) -> SmallVec<[RowsOf; 2]> {
        let own = [(self.from, self.n_folded * self.width), (self.out, self.width)];
        own.into_iter().map(|(slot, bytes)| RowsOf { slot, bytes }).collect()
    }

    fn run_rows(&self, place: &dyn Fn(SlotId) -> *mut u8, rows: Range<usize>) {
        let places = self.places(place);
        self.fold(&self.nest, places.from, rows, &mut |out, step, _, acc, n| {
            self.finish(places, out, step, acc, n);
        });
    }
}

impl Kernel for Reduce {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = self.places(&|slot| memory.address(slot));
        if let Some(chunk) = self.chunk {
            return self.in_chunks(places, pool, chunk);
        }
        let grain = (GRAIN / self.n_folded).max(1);
        pool.split(self.n_out, grain, &|range| {
            self.fold(&self.nest, places.from, range, &mut |out, step, _, acc, n| {
                self.finish(places, out, step, acc, n);
            });
        });
    }

    fn row_fold(&self) -> Option<RowFold> {
        // Rows one after the other, each folded as a whole.
        let Nest { kept, folded, leaf: Leaf::Rows { n, kept: rows } } = &self.nest else { return None };
        let is_plain = kept.is_empty() && folded.is_empty() && self.offset == 0;
        let is_dense = self.n_out == 1 || rows.out == 1 && rows.stride == (n * self.width) as isize;
        let Self { folder, from, init, init_offset, out, n_out: n_rows, .. } = *self;
        (is_plain && is_dense).then_some(RowFold { folder, from, init: (init, init_offset), out, n_rows, n: *n })
    }

    fn by_rows(&self) -> Option<&dyn ByRows> {
        self.row_fold().map(|_| self as &dyn ByRows)
    }

    fn describe(&self) -> String {
        let leaf = match self.nest.leaf {
            Leaf::Rows { .. } => "rows",
            Leaf::Cols { .. } => "columns",
        };
        format!("reduce {:?} of {} by {leaf}, {} of {}", self.folder.op, self.folder.element, self.n_out, self.n_folded)
    }
}
