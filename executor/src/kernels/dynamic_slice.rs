//! `dynamic_slice` and `dynamic_update_slice`: a window at a computed place.

use smallvec::SmallVec;
use stablehlo::element::ElementType;

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
pub struct Start {
    /// Where the number stands.
    pub slot: SlotId,
    /// Bytes before it.
    pub offset: usize,
    /// Its type.
    pub element: ElementType,
    read: ReadIndex,
    /// The largest place at which the window lies inside.
    pub last: i64,
    /// Bytes per element of the dimension.
    pub stride: isize,
}

/// A window whose elements stand one after the other, for those who copy it by themselves.
#[derive(Debug)]
pub struct WindowOf<'k> {
    /// The tensor that it is in.
    pub large: SlotId,
    /// Bytes before the window that begins at zeros.
    pub offset: usize,
    /// The window's elements alone.
    pub small: SlotId,
    /// Type of the elements.
    pub element: ElementType,
    /// Number of elements.
    pub n: usize,
    /// Where it begins.
    pub starts: &'k [Start],
    /// Whether it is written.
    pub is_update: bool,
}

/// How many elements a window has, if they stand one after the other.
fn contiguous(window: &[usize], strides: &[isize]) -> Option<usize> {
    let mut n = 1;
    for (size, stride) in window.iter().zip(strides).rev() {
        if *size != 1 && *stride != n as isize {
            return None;
        }
        n *= size;
    }
    Some(n)
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
        starts.push(Start { slot, offset, element, read, last, stride: strides[dim] * width as isize });
    }
    Some(starts)
}

#[derive(Debug)]
struct DynamicSlice {
    element: ElementType,
    /// Elements of a window that stand one after the other.
    run: Option<usize>,
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
    let run = contiguous(&ty.shape, &view.strides);
    Some((Box::new(DynamicSlice { element: ty.element?, run, part, starts, to }), reads, vec![to]))
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

    fn window(&self) -> Option<WindowOf<'_>> {
        let offset = usize::try_from(self.part.from_offset).ok()?;
        let (large, small, starts) = (self.part.from, self.to, &self.starts);
        Some(WindowOf { large, offset, small, element: self.element, n: self.run?, starts, is_update: false })
    }
}

#[derive(Debug)]
struct DynamicUpdateSlice {
    element: ElementType,
    /// Elements of a window and of the update that stand one after the other.
    run: Option<usize>,
    /// The operand, if it is not the result's own place.
    operand: Option<Part>,
    update: Part,
    starts: SmallVec<[Start; 4]>,
    to: SlotId,
}

/// The kernel of a `dynamic_update_slice`.
pub fn plan_update(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ty = &node.types[0];
    let element = ty.element?;
    let width = element.byte_width();
    let strides = row_major(&ty.shape);
    let window = &cx.ty(node.operands[1]).shape;
    let starts = starts(cx, &node.operands[2..], &ty.shape, window, &strides, width)?;
    let (update, update_view) = cx.view(node.operands[1]);
    let run = contiguous(window, &strides).filter(|n| update_view.is_identity(*n));
    let (to, operand) = cx.in_place(node, 0, Val::Node(index, 0));
    let copy = StridedCopy::new(window, &update_view.strides, &strides, width, cx.isa());
    let update = Part { copy, from: update, from_offset: update_view.offset * width as isize, to_offset: 0 };
    let reads =
        starts.iter().map(|start| start.slot).chain([update.from, operand.as_ref().map_or(to, |part| part.from)]);
    let reads = reads.collect();
    Some((Box::new(DynamicUpdateSlice { element, run, operand, update, starts, to }), reads, vec![to]))
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

    fn window(&self) -> Option<WindowOf<'_>> {
        if self.operand.is_some() {
            return None;
        }
        let (large, small, starts) = (self.to, self.update.from, &self.starts);
        Some(WindowOf { large, offset: 0, small, element: self.element, n: self.run?, starts, is_update: true })
    }
}
