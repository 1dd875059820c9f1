//! `dot_general`: contraction of chosen dimensions of two tensors, batched over others.

use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// Contraction of chosen dimensions of two tensors, batched over others.
    pub struct DotGeneral = "stablehlo" "dot_general";
    operands {
        one I1 lhs: TENSOR;
        one I2 rhs: ANY_TENSOR;
    }
    attributes {
        required I3 dot_dimension_numbers: DotDims;
        optional I7 precision_config: PrecisionConfig;
        optional I8 algorithm: DotAlgorithmAttr;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Multiplies and sums over the contracting dimensions of `lhs` and `rhs`, for each index of the batching dimensions",
        anchor: "dot_general",
        traits: &[Trait::Pure],
        numerics: Numerics::Accumulation,
        vhlo: &[("dot_general_v1", "0.9.0"), ("dot_general_v2", "1.6.0")],
    }
}
