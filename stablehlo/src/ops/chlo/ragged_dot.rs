//! `chlo.ragged_dot`: a contraction in which one dimension falls into groups of given sizes.

use crate::ops::classes::INTEGER_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};
use crate::ops::value_classes::CHLO_TENSOR;

op! {
    /// A contraction over groups of rows.
    pub struct RaggedDot = "chlo" "ragged_dot";
    operands { one _ lhs: CHLO_TENSOR; one _ rhs: CHLO_TENSOR; one _ group_sizes: INTEGER_TENSOR; }
    attributes {
        required _ ragged_dot_dimension_numbers: RaggedDotDims;
        optional _ precision_config: ChloPrecisionConfig;
    }
    results { one result: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Contracts `lhs` with `rhs`, where one dimension of `lhs` falls into groups of the sizes `group_sizes`",
        traits: &[Trait::Pure],
        numerics: Numerics::Accumulation,
    }
}
