//! `batch_norm_grad`: gradients of `batch_norm_training`.

use super::batch_norm::{self, check_feature_index, check_size, infer};
use super::dims::same_shape;
use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Place, Verdict};

op! {
    /// Gradients of `batch_norm_training`.
    pub struct BatchNormGrad = "stablehlo" "batch_norm_grad";
    operands {
        one I1 operand: FLOAT_OR_QUANTIZED_TENSOR;
        one I2 scale: FLOAT_OR_QUANTIZED_VECTOR;
        one I3 mean: FLOAT_OR_QUANTIZED_VECTOR;
        one I4 variance: FLOAT_OR_QUANTIZED_VECTOR;
        one I5 grad_output: FLOAT_OR_QUANTIZED_TENSOR;
    }
    attributes {
        required I6 epsilon: F32;
        required I7 feature_index: I64;
    }
    results {
        one grad_operand: FLOAT_OR_QUANTIZED_TENSOR;
        one grad_scale: FLOAT_OR_QUANTIZED_VECTOR;
        one grad_offset: FLOAT_OR_QUANTIZED_VECTOR;
    }
    regions {}
    spec {
        summary: "Gives the gradients of the inputs of `batch_norm_training` from that of its output",
        anchor: "batch_norm_grad",
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
    Constraint::rule("C3", "operand, grad_output and grad_operand have the same shape.", |cx| {
        same_shape(cx, [Place::Operand(0), Place::Operand(4), Place::Result(0)])
    }),
    Constraint::rule("C4", "scale, mean, variance, grad_scale and grad_offset have the same shape.", |cx| {
        same_shape(cx, [1, 2, 3].map(Place::Operand).into_iter().chain([1, 2].map(Place::Result)))
    }),
    Constraint::rule("C5", "scale has one element per feature.", c5_scale),
];

fn c5_scale(cx: &Cx<'_>) -> Verdict {
    check_size(cx, Place::Operand(1), "scale")?;
    cx.check_results(&infer(cx)?)
}
