//! Elementwise ops: an element of the result depends on the elements of the operands at the same place.

pub mod add;
pub mod binary;
pub mod choose;
pub mod compare;
pub mod complex;
pub mod convert;
pub mod unary;

use crate::ops::spec::{Check, Constraint};
use crate::verify::{Cx, Fault, Inferred, Verdict};

/// The one rule of most elementwise ops.
const SAME_TYPE_C1: &[Constraint] = &[Constraint {
    label: "C1",
    text: "Operands and result have the same shape and element type; quantized ones may differ in scale and zero point.",
    check: Check::Fn(same_baseline),
}];

fn same_baseline(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_types()
}

/// The most specific type that the operands allow.
fn same_baseline_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.most_specific(cx.module.operands(cx.op))?])
}
