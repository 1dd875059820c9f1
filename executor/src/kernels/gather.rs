//! `gather`: the slice that each index vector begins, copied to its place in the result.

use std::ops::Range;

use smallvec::SmallVec;
use stablehlo::ops::stablehlo::gather::Gather as Op;

use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::offsets::{Chunk, Vectors, prefetch};
use super::pool::Pool;
use super::rows::{ByRows, RowsOf};
use super::strided_copy::{Address, LINE, StridedCopy};
use super::{Kernel, Planned, tiles};
use crate::graph::{Dims, Node, Val};
use crate::plan::{BodyLowering, Strides, row_major};

/// Bytes below which a gather is not worth splitting over threads.
const GRAIN: usize = 1 << 16;
/// Lines of a slice that are asked for ahead.
const AHEAD: usize = 16;

/// One number of each index vector.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Where it stands in a vector, in elements of the indices.
    pub at: usize,
    /// The operand's dimension that it is about.
    pub dim: usize,
    /// The largest beginning at which a slice lies inside, for `gather`; size of the dimension for `scatter`.
    pub limit: i64,
    /// Elements of the operand per step.
    pub stride: isize,
}

/// A dimension that says which index vector.
#[derive(Copy, Clone, Debug)]
pub struct BatchDim {
    /// Number of vectors along it.
    pub size: usize,
    /// Distance of the vectors among the indices.
    pub indices: usize,
    /// Distance in elements of what belongs to the vectors (the result of `gather`, the updates of `scatter`).
    pub windows: isize,
    /// Distance in elements of the operand, for batching dimensions.
    pub operand: isize,
}

/// The places of one index vector.
#[derive(Copy, Clone, Default, Debug)]
pub struct Place {
    /// Element of the indices where it begins.
    pub indices: usize,
    /// Element where what belongs to it begins.
    pub windows: isize,
    /// Element of the operand where its batch begins.
    pub operand: isize,
}

/// All index vectors in order.
#[derive(Clone, Debug)]
pub struct Batches {
    /// The slowest first.
    pub dims: SmallVec<[BatchDim; 3]>,
}

impl Batches {
    /// The dimensions of `indices`, but not that of the vectors.
    pub fn new(indices: &[usize], vector_dim: usize, windows: &[isize], operand: &[(usize, isize)]) -> Option<Self> {
        let strides = row_major(indices);
        let dims = (0..indices.len()).filter(|dim| *dim != vector_dim).zip(windows).map(|(dim, windows)| {
            let operand = operand.iter().filter(|(batch_dim, _)| *batch_dim == dim).map(|(_, stride)| stride).sum();
            BatchDim { size: indices[dim], indices: strides[dim] as usize, windows: *windows, operand }
        });
        let mut joined: SmallVec<[BatchDim; 3]> = SmallVec::new();
        for dim in dims.filter(|dim| dim.size != 1) {
            match joined.last_mut() {
                Some(outer)
                    if outer.indices == dim.indices * dim.size
                        && outer.windows == dim.windows * dim.size as isize
                        && outer.operand == dim.operand * dim.size as isize =>
                {
                    *outer = BatchDim { size: outer.size * dim.size, ..dim };
                }
                _ => joined.push(dim),
            }
        }
        Some(Self { dims: joined })
    }

    /// How many vectors there are.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.dims.iter().map(|dim| dim.size).product()
    }

    /// The places of vector number `at`.
    #[inline(always)]
    pub fn place(&self, mut at: usize) -> Place {
        let mut place = Place::default();
        for (number, dim) in self.dims.iter().enumerate().rev() {
            let index = if number == 0 { at } else { at % dim.size };
            if number > 0 {
                at /= dim.size;
            }
            place.indices += index * dim.indices;
            place.windows += index as isize * dim.windows;
            place.operand += index as isize * dim.operand;
        }
        place
    }
}

#[derive(Debug)]
struct Gather {
    operand: SlotId,
    /// Byte of the operand's first element.
    offset: isize,
    indices: SlotId,
    vectors: Vectors,
    window: StridedCopy,
    width: usize,
    isa: Isa,
    to: SlotId,
    /// Bytes of a vector and of its slice in the result, where both stand one after the other.
    rows: Option<[usize; 2]>,
    /// Whether the result is read again while it is in the cache.
    is_kept: bool,
    /// Whether the operand is larger than the near caches.
    is_far: bool,
}

/// Bytes of an operand whose elements are waited for.
const FAR: usize = 1 << 19;

/// Bytes of a result from which on it may be made block by block with what reads it.
const BLOCKS: usize = 1 << 16;

/// The kernel of a `gather`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let op = Op::new(cx.graph().module, node.op);
    let numbers = op.dimension_numbers();
    let sizes: Dims = op.slice_sizes().iter().map(|size| usize::try_from(*size).ok()).collect::<Option<_>>()?;
    let ty = &node.types[0];
    let width = ty.element?.byte_width();
    let (operand_ty, indices_ty) = (cx.ty(node.operands[0]), cx.ty(node.operands[1]));
    if ty.is_empty() || sizes.contains(&0) || operand_ty.is_empty() {
        return None;
    }
    let strides = row_major(&ty.shape);
    let is_offset = |dim: &usize| numbers.offset_dims.contains(&(*dim as i64));
    let along = |dims: &[usize]| dims.iter().map(|dim| strides[*dim]).collect::<Strides>();
    let (offset_dims, batch_dims): (Vec<usize>, Vec<usize>) = (0..ty.shape.len()).partition(is_offset);
    let (operand, view) = cx.view(node.operands[0]);
    let dropped = |dim: &usize| {
        numbers.collapsed_slice_dims.contains(&(*dim as i64)) || numbers.operand_batching_dims.contains(&(*dim as i64))
    };
    let window_dims: Vec<usize> = (0..sizes.len()).filter(|dim| !dropped(dim)).collect();
    let window_shape: Dims = window_dims.iter().map(|dim| sizes[*dim]).collect();
    let from: Strides = window_dims.iter().map(|dim| view.strides[*dim]).collect();
    let window = StridedCopy::new(&window_shape, &from, &along(&offset_dims), width, cx.isa());
    let batching = numbers.operand_batching_dims.iter().zip(&numbers.start_indices_batching_dims);
    let batching: Vec<(usize, isize)> =
        batching.map(|(dim, indices_dim)| (*indices_dim as usize, view.strides[*dim as usize])).collect();
    let vector_dim = usize::try_from(numbers.index_vector_dim).ok()?;
    let batches = Batches::new(&indices_ty.shape, vector_dim, &along(&batch_dims), &batching)?;
    let along_vector = row_major(&indices_ty.shape).get(vector_dim).copied().unwrap_or(1) as usize;
    let coordinates = numbers.start_index_map.iter().enumerate().map(|(position, dim)| {
        let dim = *dim as usize;
        let limit = i64::try_from(operand_ty.shape[dim].checked_sub(sizes[dim])?).ok()?;
        Some(Coordinate { at: position * along_vector, dim, limit, stride: view.strides[dim] })
    });
    let coordinates = coordinates.collect::<Option<_>>()?;
    let vectors = Vectors::new(batches, coordinates, indices_ty.element?, width, true, cx.isa())?;
    let indices = cx.dense(node.operands[1]);
    let to = cx.output(Val::Node(index, 0));
    let offset = view.offset * width as isize;
    let rows = rows(&vectors, &window, width, indices_ty.bytes()).filter(|_| ty.bytes() >= BLOCKS);
    let (isa, is_far) = (cx.isa(), operand_ty.bytes() >= FAR);
    let gather = Gather { operand, offset, indices, vectors, window, width, isa, to, rows, is_kept: false, is_far };
    Some((Box::new(gather), vec![operand, indices], vec![to]))
}

/// Bytes of an index vector and of its slice, if all of both stand one after the other.
fn rows(vectors: &Vectors, window: &StridedCopy, width: usize, indices: usize) -> Option<[usize; 2]> {
    let [dim] = vectors.batches.dims[..] else { return None };
    let is_inside = vectors.coordinates.iter().all(|coordinate| coordinate.at < dim.indices);
    let is_row = dim.windows * width as isize == window.bytes() as isize;
    (is_inside && is_row).then(|| [indices / dim.size, window.bytes()])
}

/// The three arrays of a gather.
#[derive(Copy, Clone)]
struct Places {
    from: Address,
    indices: Address,
    to: Address,
}

impl Gather {
    /// The slices of vectors `range`, copied by `copy(to, from, from of the slice after the next)`.
    ///
    /// # Safety
    /// The places are those of the slots.
    #[inline(always)]
    unsafe fn each(&self, places: Places, range: Range<usize>, copy: impl Fn(*mut u8, *const u8, *const u8)) {
        let width = self.width as isize;
        // SAFETY: the caller's promise; beginnings are moved to where the slice lies inside the operand.
        unsafe {
            self.vectors.chunks(places.indices.0, range, |chunk, offsets| {
                let (mut to, step) = (chunk.place.windows * width, chunk.step.windows * width);
                for (index, offset) in offsets[..chunk.n].iter().enumerate() {
                    let next = offsets[(index + 2).min(chunk.n - 1)];
                    copy(places.to.at(to), places.from.at(*offset), places.from.at(next));
                    to += step;
                }
            });
        }
    }

    /// The slices of vectors `range`, each of which is one element of type `T`.
    ///
    /// # Safety
    /// As for [`Gather::each`].
    #[inline(always)]
    unsafe fn elements<T: Copy>(&self, places: Places, range: Range<usize>) {
        let width = self.width as isize;
        let copy = |chunk: &Chunk, offsets: &[isize], next: &[isize]| {
            let step = chunk.step.windows * width;
            // SAFETY: as above.
            unsafe {
                let to = places.to.at(chunk.place.windows * width);
                let one = |index: usize, offset: isize| {
                    let value = places.from.at(offset).cast::<T>().read_unaligned();
                    to.offset(index as isize * step).cast::<T>().write_unaligned(value);
                };
                for (index, (offset, next)) in offsets.iter().zip(next).enumerate() {
                    prefetch(places.from.at(*next));
                    one(index, *offset);
                }
                for (index, offset) in offsets.iter().enumerate().skip(next.len()) {
                    one(index, *offset);
                }
            }
        };
        // SAFETY: as above.
        unsafe {
            match self.is_far {
                true => self.vectors.chunks_ahead(places.indices.0, range, copy),
                false => {
                    self.vectors.chunks(places.indices.0, range, |chunk, offsets| copy(chunk, &offsets[..chunk.n], &[]))
                }
            }
        }
    }

    fn places(&self, place: &dyn Fn(SlotId) -> *mut u8) -> Places {
        Places {
            from: Address(place(self.operand).wrapping_offset(self.offset)),
            indices: Address(place(self.indices)),
            to: Address(place(self.to)),
        }
    }

    /// The slices of vectors `range`.
    fn range(&self, places: Places, range: Range<usize>) {
        let bytes = self.window.bytes();
        let all = self.vectors.len() * bytes;
        let stream = tiles::is_streamed(all, all) && bytes >= 4 * LINE && !self.is_kept;
        // SAFETY: the places are those of the slots; each slice lies inside the operand, and the places of slices are disjoint.
        unsafe {
            match (self.window.is_run(), bytes) {
                (true, 1) => self.elements::<u8>(places, range),
                (true, 2) => self.elements::<u16>(places, range),
                (true, 4) => self.elements::<u32>(places, range),
                (true, 8) => self.elements::<u64>(places, range),
                (true, 16) => self.elements::<u128>(places, range),
                (true, _) => {
                    self.each(places, range, |to, from, next| {
                        // The machine does not guess where the next slice begins.
                        for line in 0..bytes.div_ceil(LINE).min(AHEAD) {
                            prefetch(next.wrapping_add(line * LINE));
                        }
                        if stream {
                            tiles::stream(to, from, bytes, self.isa);
                        } else {
                            std::ptr::copy_nonoverlapping(from, to, bytes);
                        }
                    });
                    if stream {
                        tiles::fence();
                    }
                }
                _ => self.each(places, range, |to, from, _| self.window.run_here(from, to)),
            }
        }
    }
}

impl ByRows for Gather {
    fn n_rows(&self) -> usize {
        self.vectors.len()
    }

    fn own(&self) -> SmallVec<[RowsOf; 2]> {
        let [vector, slice] = self.rows.unwrap_or_default();
        // Who gathers from the indices themselves reads all of them.
        let indices = (self.indices != self.operand).then_some(RowsOf { slot: self.indices, bytes: vector });
        indices.into_iter().chain([RowsOf { slot: self.to, bytes: slice }]).collect()
    }

    fn run_rows(&self, place: &dyn Fn(SlotId) -> *mut u8, rows: Range<usize>) {
        self.range(self.places(place), rows);
    }
}

impl Kernel for Gather {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let places = self.places(&|slot| memory.address(slot));
        let n = self.vectors.len();
        let bytes = self.window.bytes();
        // Slices that are large are shared out themselves.
        if n < pool.n_threads() && bytes >= GRAIN {
            // SAFETY: each slice lies inside the operand, and the places of slices are disjoint.
            unsafe { self.each(places, 0..n, |to, from, _| self.window.run(from, to, pool)) };
            return;
        }
        pool.split(n, (GRAIN / (bytes + 16)).max(1), &|range| self.range(places, range));
    }

    fn by_rows(&self) -> Option<&dyn ByRows> {
        self.rows.is_some().then_some(self as &dyn ByRows)
    }

    fn keep(&mut self) {
        self.is_kept = true;
    }

    fn describe(&self) -> String {
        format!("gather of slices of {} bytes", self.window.bytes())
    }
}
