//! `gather`: the slice that each index vector begins, copied to its place in the result.

use smallvec::SmallVec;
use stablehlo::ops::stablehlo::gather::Gather as Op;

use super::indices::{ReadIndex, reader};
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::{Address, StridedCopy};
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, Val};
use crate::plan::{BodyLowering, Strides, row_major};

/// Bytes below which a gather is not worth splitting over threads.
const GRAIN: usize = 1 << 16;

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
    read: ReadIndex,
    batches: Batches,
    coordinates: SmallVec<[Coordinate; 3]>,
    window: StridedCopy,
    width: usize,
    to: SlotId,
}

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
    let read = reader(indices_ty.element?)?;
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
    let indices = cx.dense(node.operands[1]);
    let to = cx.output(Val::Node(index, 0));
    let offset = view.offset * width as isize;
    let gather = Gather { operand, offset, indices, read, batches, coordinates, window, width, to };
    Some((Box::new(gather), vec![operand, indices], vec![to]))
}

impl Gather {
    /// The slices of vectors `range`, copied by `copy(to, from)`.
    #[inline(always)]
    fn each(
        &self,
        from: *const u8,
        indices: *const u8,
        to: Address,
        range: std::ops::Range<usize>,
        copy: impl Fn(*mut u8, *const u8),
    ) {
        let width = self.width as isize;
        for batch in range {
            let place = self.batches.place(batch);
            let mut element = place.operand;
            for coordinate in &self.coordinates {
                // SAFETY: the indices' slot holds all vectors.
                let index = unsafe { (self.read)(indices, place.indices + coordinate.at) };
                element += index.clamp(0, coordinate.limit) as isize * coordinate.stride;
            }
            // SAFETY: beginnings are moved to where the slice lies inside the operand.
            unsafe { copy(to.at(place.windows * width), from.offset(element * width)) };
        }
    }
}

impl Kernel for Gather {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let from = Address(memory.address(self.operand).wrapping_offset(self.offset));
        let indices = Address(memory.address(self.indices));
        let to = Address(memory.address(self.to));
        let n = self.batches.len();
        let bytes = self.window.bytes();
        // Slices that are large are shared out themselves.
        if n < pool.n_threads() && bytes >= GRAIN {
            // SAFETY: each slice lies inside the operand, and the places of slices are disjoint.
            self.each(from.0, indices.0, to, 0..n, |to, from| unsafe { self.window.run(from, to, pool) });
            return;
        }
        let one = self.window.is_run();
        pool.split(n, (GRAIN / (bytes + 16)).max(1), &|range| {
            let (from, indices) = ({ from }.0, { indices }.0);
            macro_rules! copy_as {
                // SAFETY: as above.
                ($T:ty) => {
                    self.each(from, indices, to, range, |to, from| unsafe {
                        to.cast::<$T>().write_unaligned(from.cast::<$T>().read_unaligned());
                    })
                };
            }
            match (one, bytes) {
                (true, 1) => copy_as!(u8),
                (true, 2) => copy_as!(u16),
                (true, 4) => copy_as!(u32),
                (true, 8) => copy_as!(u64),
                (true, 16) => copy_as!(u128),
                // SAFETY: as above.
                (true, _) => self.each(from, indices, to, range, |to, from| unsafe {
                    std::ptr::copy_nonoverlapping(from, to, bytes);
                }),
                // SAFETY: as above.
                _ => self.each(from, indices, to, range, |to, from| unsafe { self.window.run_here(from, to) }),
            }
        });
    }

    fn describe(&self) -> String {
        format!("gather of slices of {} bytes", self.window.bytes())
    }
}
