//! `batch_norm_grad`: gradients of `batch_norm_training`.

use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

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
        numerics: Numerics::Accumulation,
        vhlo: &[("batch_norm_grad_v1", "0.9.0")],
    }
}
