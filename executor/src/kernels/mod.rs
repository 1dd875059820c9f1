//! Kernels: the only place with `unsafe`.
#![allow(unsafe_code, reason = "kernels address raw storage; each block says why it is sound")]

pub mod arg_extremum;
mod bitcast;
pub mod body;
pub mod concatenate;
pub mod contraction;
pub mod convolution;
pub mod dot_general;
pub mod dynamic_slice;
pub mod elementwise;
pub mod fft;
#[cfg(target_arch = "x86_64")]
mod fft_lanes;
pub mod fold_loop;
pub mod folds;
pub mod fused;
pub mod gather;
pub mod gemm;
pub mod gemv;
pub mod indices;
pub mod isa;
pub mod jit;
pub mod lanes;
#[cfg(target_arch = "x86_64")]
mod line_sources;
pub mod linear;
mod lines;
mod map;
pub mod matcher;
pub mod memory;
pub mod monoid;
mod monoids;
#[cfg(test)]
mod movement_tests;
pub mod offsets;
pub mod pad;
pub mod pool;
pub mod radix;
pub mod reduce;
pub mod reduce_window;
pub mod reference;
pub mod rng_bit_generator;
pub mod rows;
pub mod scatter;
mod scatter_rows;
mod scatter_windows;
pub mod select_and_scatter;
mod small;
pub mod sort;
pub mod sort_keys;
pub mod strided;
pub mod strided_copy;
mod tiles;
pub mod top_k;
pub mod vector_math;

use std::fmt::Debug;

use stablehlo::ops::OpKind;

use crate::graph::Node;
use crate::plan::BodyLowering;
use memory::{Memory, SlotId};
use pool::Pool;

/// Something that computes slots from slots.
pub trait Kernel: Debug + Send + Sync {
    /// Computes the results.
    fn run(&self, memory: &Memory, pool: &Pool);
    /// One line for people: what is computed, on what, and how.
    fn describe(&self) -> String;
    /// The window that it copies, if that is all it does.
    fn window(&self) -> Option<dynamic_slice::WindowOf<'_>> {
        None
    }
    /// The copy that it is.
    fn copy(&self) -> Option<&Copy> {
        None
    }
    /// The fold of whole rows that it is.
    fn row_fold(&self) -> Option<reduce::RowFold> {
        None
    }
    /// The slot whose elements it finishes piece by piece, so that a loop over them can follow [at once](Self::followed_by).
    fn finishes(&self) -> Option<SlotId> {
        None
    }
    /// Makes the kernel write its results to the slot `to` and do `after` to every piece of them as soon as that is finished,
    /// while it is in the cache. Whether it will; kernels that say what they [finish](Self::finishes) do, once.
    fn followed_by(&mut self, after: &fused::Loop, to: SlotId) -> bool {
        let _ = (after, to);
        false
    }
    /// The operand that it brings into an order of its own in every run, and how many bytes that takes.
    fn packs(&self) -> Option<(SlotId, usize)> {
        None
    }
    /// Makes the kernel read that operand, already in order, from `slot`; the kernel that brings it there.
    fn packed(&mut self, slot: SlotId) -> Option<Box<dyn Kernel>> {
        let _ = slot;
        None
    }
    /// The kernel as one that can be run for some of its rows alone; none when it cannot.
    fn by_rows(&self) -> Option<&dyn rows::ByRows> {
        None
    }
    /// Says that the results are read again while they are in the cache, however many there are.
    fn keep(&mut self) {}
}

/// A kernel with the slots that it reads and writes.
pub type Planned = (Box<dyn Kernel>, Vec<SlotId>, Vec<SlotId>);

/// Chooses the kernel of a node; none when the op is left to the interpreter. A kernel that does not do everything says why
/// by [`BodyLowering::decline`].
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node, kind: OpKind) -> Option<Planned> {
    if let Some(planned) = map::plan_nothing(cx, index, node) {
        return Some(planned);
    }
    match kind {
        OpKind::BitcastConvert => bitcast::plan(cx, index, node),
        OpKind::Cholesky => linear::plan_cholesky(cx, index, node),
        OpKind::Concatenate => concatenate::plan(cx, index, node),
        OpKind::Convolution => convolution::plan(cx, index, node),
        OpKind::Dot | OpKind::DotGeneral => dot_general::plan(cx, index, node, kind),
        OpKind::DynamicSlice => dynamic_slice::plan(cx, index, node),
        OpKind::DynamicUpdateSlice => dynamic_slice::plan_update(cx, index, node),
        OpKind::Fft => fft::plan(cx, index, node),
        OpKind::Gather => gather::plan(cx, index, node),
        OpKind::Map => map::plan(cx, index, node),
        OpKind::Pad => pad::plan(cx, index, node),
        OpKind::Reduce => reduce::plan(cx, index, node),
        OpKind::ReduceWindow => reduce_window::plan(cx, index, node),
        OpKind::RngBitGenerator => rng_bit_generator::plan(cx, index, node),
        OpKind::Scatter => scatter::plan(cx, index, node),
        OpKind::SelectAndScatter => select_and_scatter::plan(cx, index, node),
        OpKind::Sort => sort::plan(cx, index, node),
        OpKind::TopK => top_k::plan(cx, index, node),
        OpKind::TriangularSolve => linear::plan_solve(cx, index, node),
        _ => None,
    }
}

/// A copy of a slot.
#[derive(Debug)]
pub struct Copy {
    /// What is copied.
    pub from: SlotId,
    /// Where to.
    pub to: SlotId,
    /// How much.
    pub bytes: usize,
}

impl Kernel for Copy {
    fn copy(&self) -> Option<&Copy> {
        Some(self)
    }

    fn run(&self, memory: &Memory, pool: &Pool) {
        let (from, to) = (memory.bytes(self.from), memory.bytes_mut(self.to));
        /// Bytes below which a copy is not worth splitting.
        const GRAIN: usize = 1 << 18;
        let chunk = to.len().div_ceil(pool.n_threads()).max(GRAIN);
        let parts: Vec<_> =
            to.chunks_mut(chunk).zip(from.chunks(chunk)).map(|(to, from)| (std::sync::Mutex::new(to), from)).collect();
        pool.run(parts.len(), &|index| {
            let (to, from) = &parts[index];
            if let Ok(mut to) = to.lock() {
                to.copy_from_slice(from);
            }
        });
    }

    fn describe(&self) -> String {
        format!("copy of {} bytes", self.bytes)
    }
}
