//! `concatenate`: each operand is copied to its place.

use stablehlo::ops::stablehlo::concatenate::Concatenate as Op;

use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::StridedCopy;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::{BodyLowering, row_major};

/// A copy between slots.
#[derive(Debug)]
pub struct Part {
    /// How.
    pub copy: StridedCopy,
    /// What is read.
    pub from: SlotId,
    /// The byte of its first element.
    pub from_offset: isize,
    /// The byte of the result that the first element goes to.
    pub to_offset: isize,
}

impl Part {
    /// Copies to `to`.
    ///
    /// # Safety
    /// The copy's elements lie inside the slots.
    pub unsafe fn run(&self, memory: &Memory, to: *mut u8, pool: &Pool) {
        // SAFETY: the caller's promise.
        unsafe { self.copy.run(memory.address(self.from).offset(self.from_offset), to.offset(self.to_offset), pool) }
    }
}

#[derive(Debug)]
struct Concatenate {
    parts: Vec<Part>,
    to: SlotId,
}

/// The kernel of a `concatenate`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let dimension = usize::try_from(Op::new(cx.graph().module, node.op).dimension()).ok()?;
    let width = node.types[0].element?.byte_width();
    let to_strides = row_major(&node.types[0].shape);
    let (mut parts, mut at) = (Vec::new(), 0);
    for operand in &node.operands {
        let (from, view) = cx.view(*operand);
        let copy = StridedCopy::new(&view.shape, &view.strides, &to_strides, width, cx.isa());
        let copy = copy.part_of(node.types[0].bytes());
        let to_offset = at as isize * to_strides[dimension] * width as isize;
        parts.push(Part { copy, from, from_offset: view.offset * width as isize, to_offset });
        at += view.shape[dimension];
    }
    let to = cx.output(Val::Node(index, 0));
    let reads = parts.iter().map(|part| part.from).collect();
    Some((Box::new(Concatenate { parts, to }), reads, vec![to]))
}

impl Kernel for Concatenate {
    fn run(&self, memory: &Memory, pool: &Pool) {
        for part in &self.parts {
            // SAFETY: operands fill disjoint parts of the result.
            unsafe { part.run(memory, memory.address(self.to), pool) };
        }
    }

    fn describe(&self) -> String {
        format!("concatenate of {} parts", self.parts.len())
    }
}
