//! `batch_norm_training`: normalization by the statistics of the batch.

use super::batch_norm::{self, check_feature_index, check_size, infer};
use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::Place;

op! {
    /// Normalization by the statistics of the batch.
    pub struct BatchNormTraining = "stablehlo" "batch_norm_training";
    operands {
        one I1 operand: FLOAT_OR_QUANTIZED_TENSOR;
        one I2 scale: FLOAT_OR_QUANTIZED_VECTOR;
        one I3 offset: FLOAT_OR_QUANTIZED_VECTOR;
    }
    attributes {
        required I4 epsilon: F32;
        required I5 feature_index: I64;
    }
    results {
        one output: FLOAT_OR_QUANTIZED_TENSOR;
        one batch_mean: FLOAT_OR_QUANTIZED_VECTOR;
        one batch_var: FLOAT_OR_QUANTIZED_VECTOR;
    }
    regions {}
    spec {
        summary: "Normalizes `operand` by its mean and variance over all but the feature dimension, and gives both",
        anchor: "batch_norm_training",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "feature_index is a dimension of operand.", check_feature_index),
    Constraint::rule("C2", "All operands and results have the same element type.", batch_norm::check_element_types),
    Constraint::rule("C3", "scale has one element per feature.", |cx| check_size(cx, Place::Operand(1), "scale")),
    Constraint::rule("C4", "offset has one element per feature.", |cx| check_size(cx, Place::Operand(2), "offset")),
    Constraint::rule("C5", "batch_mean has one element per feature.", |cx| {
        check_size(cx, Place::Result(1), "batch_mean")
    }),
    Constraint::rule("C6", "batch_var has one element per feature.", |cx| {
        check_size(cx, Place::Result(2), "batch_var")
    }),
    Constraint::rule("C7", "output has the type of operand.", |cx| cx.check_results(&infer(cx)?)),
];
