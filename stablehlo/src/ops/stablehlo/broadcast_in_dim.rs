//! `broadcast_in_dim`: repetition along dimensions of size 1 and new ones.

use crate::ir::{DYNAMIC, ValueId};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::ops::stablehlo::dims::{List, size_at};
use crate::ops::stablehlo::quantization::{per_axis, same_element_type_up_to_axis};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("broadcast_dimensions"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor along dimensions of size 1 and new ones.
    pub struct BroadcastInDim = "stablehlo" "broadcast_in_dim";
    operands { one I1 operand: ANY_TENSOR; }
    attributes { required I2 broadcast_dimensions: I64Array; }
    results { one result: STATIC_OR_BOUNDED_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` along dimensions of size 1 and new ones",
        anchor: "broadcast_in_dim",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type, except that scales, zero points and quantization dimension of per-axis quantized ones may differ.", |cx| same_element_type_up_to_axis(cx, false)),
            Constraint::rule("C2", "broadcast_dimensions has one entry per dimension of operand.", |cx| view(cx).c2_one_per_dimension()),
            Constraint::rule("C3", "broadcast_dimensions are dimensions of result.", |cx| view(cx).c3_in_range()),
            Constraint::rule("C4", "broadcast_dimensions do not repeat.", |cx| view(cx).c4_unique()),
            Constraint::rule("C5", "A dimension of operand has size 1 or the size of the result's dimension it goes to.", |cx| view(cx).c5_sizes(false)),
            Constraint::rule("C6", "A per-axis quantized result is quantized along the dimension that the operand's quantization dimension goes to, and repeats scale and zero point where that had size 1.", |cx| view(cx).c6_quantization()),
        ],
        syntax: Syntax::Form(FORM),
    }
}

fn view<'c, 'm>(cx: &'c Cx<'m>) -> Broadcasting<'c, 'm> {
    let op = BroadcastInDim::new(cx.module, cx.op);
    Broadcasting { cx, operand: op.operand(), result: op.result(), dimensions: op.broadcast_dimensions() }
}

/// What `broadcast_in_dim` and `dynamic_broadcast_in_dim` have in common.
pub(super) struct Broadcasting<'c, 'm> {
    pub(super) cx: &'c Cx<'m>,
    pub(super) operand: ValueId,
    pub(super) result: ValueId,
    pub(super) dimensions: &'m [i64],
}

impl Broadcasting<'_, '_> {
    fn list(&self) -> List<'_> {
        List::new("broadcast_dimensions", "broadcast_dimensions", self.dimensions)
    }

    pub(super) fn c2_one_per_dimension(&self) -> Verdict {
        self.list().length(self.cx.rank(self.operand), "one per dimension of the operand")
    }

    pub(super) fn c3_in_range(&self) -> Verdict {
        self.list().in_range(self.cx.rank(self.result), "the result")
    }

    pub(super) fn c4_unique(&self) -> Verdict {
        self.list().unique()
    }

    /// A known size of the operand never meets an unknown one of a static result; `loose` lets it pass.
    pub(super) fn c5_sizes(&self, loose: bool) -> Verdict {
        let result = self.cx.shape(self.result);
        for (dim, (size, to)) in self.cx.shape(self.operand).iter().zip(self.dimensions).enumerate() {
            let wanted = size_at(result, *to);
            let fits = matches!(*size, 1 | DYNAMIC) || *size == wanted || (loose && wanted == DYNAMIC);
            ensure(fits, || {
                let message = format!(
                    "dimension {dim} of the operand must have size 1 or the size {} of dimension {to} of the result, got {size}",
                    crate::syntax::dimension(wanted)
                );
                Fault::new(message).at(Place::Operand(0)).label(Place::Result(0), "broadcast to this")
            })?;
        }
        Ok(())
    }

    pub(super) fn c6_quantization(&self) -> Verdict {
        let cx = self.cx;
        let (Some((from, operand)), Some((along, result))) = (per_axis(cx, self.operand), per_axis(cx, self.result))
        else {
            return Ok(());
        };
        let to = size_at(self.dimensions, from as i64);
        ensure(i64::try_from(along) == Ok(to), || {
            let message = format!(
                "the result must be quantized along dimension {to}, where the operand's quantization dimension {from} goes, \
                 got {along}"
            );
            Fault::new(message).at(Place::Result(0))
        })?;
        let (Some(1), Some(wanted)) = (cx.shape(self.operand).get(from), operand.first()) else {
            return Ok(());
        };
        match result.iter().position(|entry| entry != wanted) {
            None => Ok(()),
            Some(index) => {
                let message = format!(
                    "scale and zero point {index} of the result must repeat those of the operand, {:e} and {}, got {:e} and {}",
                    wanted.scale.get(),
                    wanted.zero_point,
                    result[index].scale.get(),
                    result[index].zero_point
                );
                Err(Fault::new(message).at(Place::Result(0)).label(Place::Operand(0), "has one scale"))
            }
        }
    }
}
