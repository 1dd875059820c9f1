//! `real_dynamic_slice`: `slice` at places that are values; not in the specification.

use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// A part of a tensor whose start, limit and strides are values.
    pub struct RealDynamicSlice = "stablehlo" "real_dynamic_slice";
    operands { one _ operand: TENSOR; one _ start_indices: SHAPE_VECTOR; one _ limit_indices: SHAPE_VECTOR; one _ strides: SHAPE_VECTOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes every `strides`-th element from `start_indices` up to `limit_indices`, all of which are values",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Result(0)])),
            Constraint::rule("C2", "start_indices, limit_indices and strides have the same type.", c2_same_types),
            Constraint::rule("C3", "start_indices, limit_indices and strides have one entry per dimension of operand.", c3_one_per_dimension),
        ],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

fn c2_same_types(cx: &Cx<'_>) -> Verdict {
    let ty = |index| cx.ty(cx.operand(index));
    ensure(ty(1) == ty(2) && ty(1) == ty(3), || {
        let (start, limit, strides) = (cx.show(ty(1)), cx.show(ty(2)), cx.show(ty(3)));
        Fault::new(format!(
            "start_indices, limit_indices and strides must have the same type, got {start}, {limit} and {strides}"
        ))
    })
}

fn c3_one_per_dimension(cx: &Cx<'_>) -> Verdict {
    let (rank, found) = (cx.rank(cx.operand(0)), cx.shape(cx.operand(1)).first().copied().unwrap_or(DYNAMIC));
    ensure(found == DYNAMIC || i64::try_from(rank) == Ok(found), || {
        Fault::new(format!("start_indices must have {rank} entries, one per dimension of the operand, got {found}"))
            .at(Place::Operand(1))
            .label(Place::Operand(0), format!("has rank {rank}"))
    })
}
