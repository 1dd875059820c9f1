//! `gather`: slices of a tensor at computed places.

use crate::ops::classes::{INTEGER_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Trait};

op! {
    /// Slices of a tensor at computed places.
    pub struct Gather = "stablehlo" "gather";
    operands {
        one I1 operand: TENSOR;
        one I2 start_indices: INTEGER_TENSOR;
    }
    attributes {
        required I3 dimension_numbers: GatherDims;
        required I9 slice_sizes: I64Array;
        default I10 indices_are_sorted: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: TENSOR;
    }
    regions {}
    spec {
        summary: "Collects slices of `operand` that begin at `start_indices`",
        anchor: "gather",
        traits: &[Trait::Pure],
        vhlo: &[("gather_v1", "0.9.0"), ("gather_v2", "1.1.0")],
    }
}
