//! How loops read values: one after the other, one for all, by strides, or as positions.

use stablehlo::ops::stablehlo::iota::Iota;

use super::fuse::Class;
use super::lower::BodyLowering;
use super::views::View;
use crate::graph::Val;
use crate::kernels::fused::{Access, Input};
use crate::kernels::memory::SlotId;
use crate::kernels::strided::Strided;

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
