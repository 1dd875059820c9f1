//! `pad`: the elements that stay are copied to their places, the room around them is filled.

use stablehlo::ops::stablehlo::pad::Pad as Op;

use super::concatenate::Part;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::StridedCopy;
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, Val};
use crate::plan::{BodyLowering, Strides, row_major};

#[derive(Debug)]
struct Pad {
    /// Boxes of padding, then the operand.
    parts: Vec<Part>,
    to: SlotId,
}

/// What of a dimension stays: the first element of the operand, how many, the place of the first and the distance.
struct Line {
    first: usize,
    n: usize,
    at: usize,
    step: usize,
}

impl Line {
    fn new(size: usize, padded: usize, low: i64, interior: i64) -> Option<Self> {
        let (low, step) = (i128::from(low), i128::from(interior) + 1);
        // Element i lands at low + i * step; those from `first` to before `end` land inside.
        let first = if low < 0 { (-low + step - 1) / step } else { 0 }.min(size as i128);
        let end = if padded as i128 > low { (padded as i128 - low - 1) / step + 1 } else { 0 };
        let end = end.clamp(first, size as i128);
        let at = if end > first { usize::try_from(low + first * step).ok()? } else { 0 };
        let n = (end - first) as usize;
        // Where there is one element the distance does not matter.
        let step = if n > 1 { usize::try_from(step).ok()? } else { 1 };
        Some(Self { first: first as usize, n, at, step })
    }

    /// Places from the first element to the last, both included.
    fn reach(&self) -> usize {
        if self.n == 0 { 0 } else { (self.n - 1) * self.step + 1 }
    }
}

/// The kernel of a `pad`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let op = Op::new(cx.graph().module, node.op);
    let (low, interior) = (op.edge_padding_low(), op.interior_padding());
    let shape = &node.types[0].shape;
    let width = node.types[0].element?.byte_width();
    let sizes = &cx.ty(node.operands[0]).shape;
    let lines = (0..shape.len()).map(|dim| Line::new(sizes[dim], shape[dim], low[dim], interior[dim]));
    let lines = lines.collect::<Option<Vec<Line>>>()?;
    let strides = row_major(shape);
    let (value, value_view) = cx.view(node.operands[1]);
    let (from, view) = cx.view(node.operands[0]);
    let isa = cx.isa();
    let fill = |begin: &[usize], size: &[usize]| {
        let zero: Strides = size.iter().map(|_| 0).collect();
        let at: isize = begin.iter().zip(&strides).map(|(begin, stride)| *begin as isize * stride).sum();
        Part {
            copy: StridedCopy::new(size, &zero, &strides, width, isa),
            from: value,
            from_offset: value_view.offset * width as isize,
            to_offset: at * width as isize,
        }
    };
    let mut parts = Vec::new();
    let (mut begin, mut size): (Dims, Dims) = (shape.iter().map(|_| 0).collect(), shape.clone());
    if lines.iter().any(|line| line.n == 0 || line.step > 1) {
        parts.push(fill(&begin, &size));
    } else {
        // Below and above the operand along each dimension; the further dimensions are filled in between.
        for (dim, line) in lines.iter().enumerate() {
            let end = line.at + line.reach();
            for (at, n) in [(0, line.at), (end, shape[dim] - end)] {
                (begin[dim], size[dim]) = (at, n);
                if n > 0 {
                    parts.push(fill(&begin, &size));
                }
            }
            (begin[dim], size[dim]) = (line.at, line.reach());
        }
    }
    if lines.iter().all(|line| line.n > 0) {
        let kept: Dims = lines.iter().map(|line| line.n).collect();
        let to: Strides = lines.iter().zip(&strides).map(|(line, stride)| line.step as isize * stride).collect();
        let to_offset: isize = lines.iter().zip(&strides).map(|(line, stride)| line.at as isize * stride).sum();
        let skipped: isize = lines.iter().zip(&view.strides).map(|(line, stride)| line.first as isize * stride).sum();
        parts.push(Part {
            copy: StridedCopy::new(&kept, &view.strides, &to, width, isa),
            from,
            from_offset: (view.offset + skipped) * width as isize,
            to_offset: to_offset * width as isize,
        });
    }
    let to = cx.output(Val::Node(index, 0));
    Some((Box::new(Pad { parts, to }), vec![from, value], vec![to]))
}

impl Kernel for Pad {
    fn run(&self, memory: &Memory, pool: &Pool) {
        for part in &self.parts {
            // SAFETY: all parts lie inside the result, and what overlaps is written in order.
            unsafe { part.run(memory, memory.address(self.to), pool) };
        }
    }

    fn describe(&self) -> String {
        "pad".to_owned()
    }
}
