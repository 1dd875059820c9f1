//! `dynamic_update_slice`: a tensor with a part replaced, at a place that is a value.

use super::dynamic_slice::{one_index_per_dimension, same_index_types};
use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// A tensor with a part replaced.
    pub struct DynamicUpdateSlice = "stablehlo" "dynamic_update_slice";
    operands { one I1 operand: TENSOR; one I2 update: TENSOR; many I3 start_indices: SCALAR_INTEGER_TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Replaces a part of `operand` by `update` at the place `start_indices`, moved inside if need be",
        anchor: "dynamic_update_slice",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same type.", c1_same_type),
            Constraint::rule("C2", "update and operand have the same element type.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Operand(1)])),
            Constraint::rule("C3", "update and operand have the same rank.", c3_rank),
            Constraint::rule("C4", "There is one start index per dimension of operand.", |cx| {
                let op = DynamicUpdateSlice::new(cx.module, cx.op);
                one_index_per_dimension(cx, op.start_indices().len(), cx.rank(op.operand()))
            }),
            Constraint::rule("C5", "All start indices have the same type.", |cx| same_index_types(cx, 2)),
            Constraint::rule("C6", "update is no larger than operand in any dimension.", c6_sizes),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

fn c1_same_type(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Result(0)])?;
    cx.check_results(&infer(cx)?)
}

fn c3_rank(cx: &Cx<'_>) -> Verdict {
    let op = DynamicUpdateSlice::new(cx.module, cx.op);
    let (wanted, found) = (cx.rank(op.operand()), cx.rank(op.update()));
    ensure(wanted == found, || {
        Fault::new(format!("update must have the operand's rank {wanted}, got {found}"))
            .at(Place::Operand(1))
            .label(Place::Operand(0), format!("has rank {wanted}"))
    })
}

fn c6_sizes(cx: &Cx<'_>) -> Verdict {
    let op = DynamicUpdateSlice::new(cx.module, cx.op);
    for (dim, (update, size)) in cx.shape(op.update()).iter().zip(cx.shape(op.operand())).enumerate() {
        ensure(*update == DYNAMIC || *size == DYNAMIC || update <= size, || {
            Fault::new(format!("update must be at most the operand's size {size} in dimension {dim}, got {update}"))
                .at(Place::Operand(1))
                .label(Place::Operand(0), "updated")
        })?;
    }
    Ok(())
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(cx.operand(0)))])
}
