//! `batch_norm_training`: normalization by the statistics of the batch.

use crate::ops::classes::{FLOAT_OR_QUANTIZED_TENSOR, FLOAT_OR_QUANTIZED_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

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
        numerics: Numerics::Accumulation,
        vhlo: &[("batch_norm_training_v1", "0.9.0")],
    }
}
