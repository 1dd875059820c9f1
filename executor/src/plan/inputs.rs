//! How loops read values: one after the other, one for all, by strides, or as positions.

use stablehlo::ir::OpId;
use stablehlo::ops::stablehlo::iota::Iota;

use super::fuse::Class;
use super::lower::BodyLowering;
use super::views::{Strides, View, row_major};
use super::{Action, Step};
use crate::graph::{Dims, Val};
use crate::kernels::elementwise::{self, Detail, Operation};
use crate::kernels::fused::{Access, Input, Instr, Loop, Reg};
use crate::kernels::isa::Isa;
use crate::kernels::lanes::StepFn;
use crate::kernels::memory::SlotId;
use crate::kernels::strided::Strided;
use crate::kernels::strided_copy::{Materialize, StridedCopy};

impl BodyLowering<'_, '_, '_> {
    /// How a loop reads a value. A transpose of some size is written out first, which goes by blocks that fit the caches.
    pub(super) fn input(&mut self, value: Val) -> Input {
        if !is_transposed(self.views.of(value)) {
            return self.input_in_place(value);
        }
        Input { slot: self.dense(value), width: self.width(value), access: Access::Linear { offset: 0 } }
    }

    /// How a loop reads a value from where it stands.
    pub(super) fn input_in_place(&mut self, value: Val) -> Input {
        let view = self.views.of(value).clone();
        let width = self.width(value);
        if let Val::Node(index, _) = view.root
            && self.units.classes[index as usize] == Class::Iota
            && !self.slots.contains_key(&view.root)
            && let Some(input) = self.iota(&view)
        {
            return input;
        }
        Input { slot: self.root(view.root), width, access: access(&view, width) }
    }

    /// Numbers that follow from positions; none when the view is not that simple.
    pub(super) fn iota(&self, view: &View) -> Option<Input> {
        let node = self.body.node(view.root)?;
        let ty = &node.types[0];
        let dim = usize::try_from(Iota::new(self.graph().module, node.op).iota_dimension()).ok()?;
        let element = ty.element?;
        let (divisor, size) = if view.is_identity(ty.len()) {
            (ty.shape[dim + 1..].iter().product(), ty.shape[dim])
        } else {
            // A broadcast of a list of numbers.
            let (1, 0) = (ty.shape.len(), view.offset) else { return None };
            let mut along =
                view.strides.iter().enumerate().filter(|(at, stride)| **stride != 0 && view.shape[*at] != 1);
            let (Some((at, 1)), None) = (along.next(), along.next()) else { return None };
            if view.shape[at] != ty.shape[0] {
                return None;
            }
            (view.shape[at + 1..].iter().product(), view.shape[at])
        };
        let access = Access::Iota { divisor, size: size.max(1), element };
        Some(Input { slot: SlotId(0), width: element.byte_width(), access })
    }

    /// The dimension along which the elements of a value are their positions; none when they are not.
    pub fn iota_dimension(&self, value: Val) -> Option<usize> {
        let view = self.views.of(value);
        let Val::Node(index, _) = view.root else { return None };
        if self.units.classes[index as usize] != Class::Iota {
            return None;
        }
        let Access::Iota { divisor, size, .. } = self.iota(view)?.access else { return None };
        let shape = &self.ty(value).shape;
        (0..shape.len()).find(|dim| shape[*dim] == size && shape[dim + 1..].iter().product::<usize>() == divisor)
    }
}

impl BodyLowering<'_, '_, '_> {
    /// A value after some operations on every element: where a loop of its own stores them, or where they stand if there is
    /// nothing to do; none when an operation is unknown.
    pub fn computed(&mut self, op: OpId, value: Val, operations: &[Operation]) -> Option<(SlotId, View)> {
        let Some(last) = operations.last() else { return Some(self.view(value)) };
        let shape = self.ty(value).shape.clone();
        let n = shape.iter().product::<usize>();
        // Checked before anything is written out.
        let functions = functions(self.isa(), operations)?;
        let input = self.input(value);
        let reads = if matches!(input.access, Access::Iota { .. }) { vec![] } else { vec![input.slot] };
        let to = self.scratch(n * last.to.byte_width());
        let fused = self.chain(n, input, operations, &functions, to);
        self.steps.push(Step { op, action: Action::Loop(fused), reads, writes: vec![to] });
        Some((to, View::whole(value, &shape)))
    }

    /// A loop that does operations to `n` elements of one slot and stores them in another.
    pub fn computing(&self, n: usize, from: SlotId, operations: &[Operation], to: SlotId) -> Option<Loop> {
        let functions = functions(self.isa(), operations)?;
        let width = operations.first()?.from.byte_width();
        let input = Input { slot: from, width, access: Access::Linear { offset: 0 } };
        Some(self.chain(n, input, operations, &functions, to))
    }

    fn chain(&self, n: usize, input: Input, operations: &[Operation], functions: &[StepFn], to: SlotId) -> Loop {
        let mut widths = vec![input.width];
        let mut code = Vec::new();
        for (index, (operation, f)) in (0..).zip(operations.iter().zip(functions)) {
            let name = operation.kind.spec().mnemonic;
            code.push(Instr { f: *f, op: Some(*operation), name, out: index + 1, args: [index; 3] });
            widths.push(operation.to.byte_width());
        }
        let mut fused = Loop::new(n, vec![input], code);
        fused.outputs = vec![(operations.len() as Reg, to, widths[operations.len()])];
        fused.assign_tiles(&widths);
        fused.compile(self.isa(), |slot| self.lowering.slots[slot.0 as usize].constant());
        fused
    }

    /// A value with its dimensions in another order of storage: where they are copied to, or stand already.
    pub fn reordered(
        &mut self,
        op: OpId,
        (slot, view): (SlotId, View),
        order: &[usize],
        width: usize,
    ) -> (SlotId, View) {
        let sizes: Dims = order.iter().map(|dim| view.shape[*dim]).collect();
        let from: Strides = order.iter().map(|dim| view.strides[*dim]).collect();
        let strides = row_major(&sizes);
        if from == strides {
            return (slot, view);
        }
        let to = self.scratch(view.len() * width);
        let copy = StridedCopy::new(&sizes, &from, &strides, width, self.isa());
        let kernel = Materialize { copy, from: slot, offset: view.offset * width as isize, to };
        let action = Action::Kernel(Box::new(kernel));
        self.steps.push(Step { op, action, reads: vec![slot], writes: vec![to] });
        let mut view = View { offset: 0, ..view };
        order.iter().zip(&strides).for_each(|(dim, stride)| view.strides[*dim] = *stride);
        (to, view)
    }
}

/// The functions that do operations; none when one is unknown.
fn functions(isa: Isa, operations: &[Operation]) -> Option<Vec<StepFn>> {
    let function = |operation: &Operation| match operation.detail {
        Detail::Precision(exponent, mantissa) => elementwise::reduce_precision(isa, operation.from, exponent, mantissa),
        _ => elementwise::convert(isa, operation.from, operation.to),
    };
    operations.iter().map(function).collect()
}

/// Elements from which on a transpose is better written out than read by a loop.
const TRANSPOSED: usize = 1 << 14;

/// Whether neighbours in memory belong to another dimension than the fastest, in a view of some size.
fn is_transposed(view: &View) -> bool {
    let dims = view.collapsed();
    let Some(((_, inner), outer)) = dims.split_last() else { return false };
    view.len() >= TRANSPOSED && inner.unsigned_abs() > 1 && outer.iter().any(|(_, stride)| stride.unsigned_abs() == 1)
}

/// How a loop reads the elements of a view.
fn access(view: &View, width: usize) -> Access {
    let dims = view.collapsed();
    let offset = view.offset * width as isize;
    if dims.iter().all(|(_, stride)| *stride == 0) {
        return Access::Splat { offset: offset.max(0) as usize };
    }
    if view.is_dense() {
        return Access::Linear { offset: offset.max(0) as usize };
    }
    let dims = dims.into_iter().map(|(size, stride)| (size, stride * width as isize)).collect();
    Access::Strided(Strided { dims, offset, width })
}
