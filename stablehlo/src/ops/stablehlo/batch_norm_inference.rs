//! `batch_norm_inference`: normalization by given statistics.

use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

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
        numerics: Numerics::Accumulation,
        vhlo: &[("batch_norm_inference_v1", "0.9.0")],
    }
}
