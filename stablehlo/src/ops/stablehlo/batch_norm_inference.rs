//! `batch_norm_inference`: normalization by given statistics.

use super::batch_norm::{self, check_feature_index, check_size};
use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place};

op! {
    /// Normalization by given statistics.
    pub struct BatchNormInference = "stablehlo" "batch_norm_inference";
    operands {
        one I1 operand: FLOAT_OR_QUANTIZED_TENSOR;
        one I2 scale: FLOAT_OR_QUANTIZED_VECTOR;
        one I3 offset: FLOAT_OR_QUANTIZED_VECTOR;
        one I4 mean: FLOAT_OR_QUANTIZED_VECTOR;
        one I5 variance: FLOAT_OR_QUANTIZED_VECTOR;
    }
    attributes {
        required I6 epsilon: F32;
        required I7 feature_index: I64;
    }
    results {
        one result: FLOAT_OR_QUANTIZED_TENSOR;
    }
    regions {}
    spec {
        summary: "Normalizes `operand` by `mean` and `variance` of each feature",
        anchor: "batch_norm_inference",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "feature_index is a dimension of operand.", check_feature_index),
    Constraint::rule("C2", "All operands and the result have the same element type.", batch_norm::check_element_types),
    Constraint::rule("C3", "scale has one element per feature.", |cx| check_size(cx, Place::Operand(1), "scale")),
    Constraint::rule("C4", "offset has one element per feature.", |cx| check_size(cx, Place::Operand(2), "offset")),
    Constraint::rule("C5", "mean has one element per feature.", |cx| check_size(cx, Place::Operand(3), "mean")),
    Constraint::rule("C6", "variance has one element per feature.", |cx| check_size(cx, Place::Operand(4), "variance")),
    Constraint::rule("C7", "The result has the type of operand.", |cx| cx.check_results(&infer(cx)?)),
];

/// The type of the operand.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(cx.operand(0)))])
}
