//! `dynamic_slice` and `dynamic_update_slice`: a window at a computed place.

use smallvec::SmallVec;

use super::concatenate::Part;
use super::indices::{ReadIndex, reader};
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::StridedCopy;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::{BodyLowering, row_major};

/// Where a window begins along a dimension.
#[derive(Debug)]
struct Start {
    slot: SlotId,
    offset: usize,
    read: ReadIndex,
    last: i64,
    /// Bytes per element of the dimension.
    stride: isize,
}

/// The place that the numbers in memory mean.
fn place(starts: &[Start], memory: &Memory) -> isize {
    let place = starts.iter().map(|start| {
        // SAFETY: the plan's view of a scalar lies inside its slot.
        let index = unsafe { (start.read)(memory.address(start.slot).add(start.offset), 0) };
        index.clamp(0, start.last) as isize * start.stride
    });
    place.sum()
}

fn starts(
    cx: &mut BodyLowering<'_, '_, '_>,
    operands: &[Val],
    shape: &[usize],
    window: &[usize],
    strides: &[isize],
    width: usize,
) -> Option<SmallVec<[Start; 4]>> {
    let mut starts = SmallVec::new();
    for (dim, operand) in operands.iter().enumerate() {
        let last = i64::try_from(shape[dim].checked_sub(window[dim])?).ok()?;
        if last == 0 {
            continue;
        }
        let element = cx.ty(*operand).element?;
        let read = reader(element)?;
        let (slot, view) = cx.view(*operand);
        let offset = usize::try_from(view.offset).ok()? * element.byte_width();
        starts.push(Start { slot, offset, read, last, stride: strides[dim] * width as isize });
    }
    Some(starts)
}

#[derive(Debug)]
struct DynamicSlice {
    part: Part,
    starts: SmallVec<[Start; 4]>,
    to: SlotId,
}

/// The kernel of a `dynamic_slice`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ty = &node.types[0];
    let width = ty.element?.byte_width();
    let shape = &cx.ty(node.operands[0]).shape;
    let (from, view) = cx.view(node.operands[0]);
    let starts = starts(cx, &node.operands[1..], shape, &ty.shape, &view.strides, width)?;
    let to = cx.output(Val::Node(index, 0));
    let copy = StridedCopy::new(&ty.shape, &view.strides, &row_major(&ty.shape), width, cx.isa());
    let part = Part { copy, from, from_offset: view.offset * width as isize, to_offset: 0 };
    let reads = starts.iter().map(|start| start.slot).chain([from]).collect();
    Some((Box::new(DynamicSlice { part, starts, to }), reads, vec![to]))
}

impl Kernel for DynamicSlice {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let from = memory.address(self.part.from).wrapping_offset(self.part.from_offset + place(&self.starts, memory));
        // SAFETY: starts are moved to where the window lies inside the operand.
        unsafe { self.part.copy.run(from, memory.address(self.to), pool) };
    }

    fn describe(&self) -> String {
        "dynamic slice".to_owned()
    }
}

#[derive(Debug)]
struct DynamicUpdateSlice {
    /// The operand, if it is not the result's own place.
    operand: Option<Part>,
    update: Part,
    starts: SmallVec<[Start; 4]>,
    to: SlotId,
}

/// The kernel of a `dynamic_update_slice`.
pub fn plan_update(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ty = &node.types[0];
    let width = ty.element?.byte_width();
    let strides = row_major(&ty.shape);
    let window = &cx.ty(node.operands[1]).shape;
    let starts = starts(cx, &node.operands[2..], &ty.shape, window, &strides, width)?;
    let (update, update_view) = cx.view(node.operands[1]);
    let (to, operand) = cx.in_place(node, 0, Val::Node(index, 0));
    let copy = StridedCopy::new(window, &update_view.strides, &strides, width, cx.isa());
    let update = Part { copy, from: update, from_offset: update_view.offset * width as isize, to_offset: 0 };
    let reads =
        starts.iter().map(|start| start.slot).chain([update.from, operand.as_ref().map_or(to, |part| part.from)]);
    let reads = reads.collect();
    Some((Box::new(DynamicUpdateSlice { operand, update, starts, to }), reads, vec![to]))
}

impl Kernel for DynamicUpdateSlice {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let to = memory.address(self.to);
        // The numbers are read first: their place is free to be the result's once they are known.
        let place = place(&self.starts, memory);
        // SAFETY: starts are moved to where the window lies inside the result.
        unsafe {
            if let Some(operand) = &self.operand {
                operand.run(memory, to, pool);
            }
            self.update.run(memory, to.offset(place), pool);
        }
    }

    fn describe(&self) -> String {
        let how = if self.operand.is_none() { " in place" } else { "" };
        format!("dynamic update slice{how}")
    }
}
