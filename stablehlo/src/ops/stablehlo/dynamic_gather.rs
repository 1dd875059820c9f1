//! `dynamic_gather`: `gather` with slice sizes that are computed.

use crate::ops::classes::{INTEGER_TENSOR, STATIC_INTEGER_VECTOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Trait};

op! {
    /// `gather` with slice sizes that are computed.
    pub struct DynamicGather = "stablehlo" "dynamic_gather";
    operands {
        one I1 operand: TENSOR;
        one I2 start_indices: INTEGER_TENSOR;
        one I3 slice_sizes: STATIC_INTEGER_VECTOR;
    }
    attributes {
        required I4 dimension_numbers: GatherDims;
        default I8 indices_are_sorted: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: TENSOR;
    }
    regions {}
    spec {
        summary: "Collects slices of `operand` that begin at `start_indices`; their sizes are an operand",
        anchor: "dynamic_gather",
        traits: &[Trait::Pure],
        vhlo: &[("dynamic_gather_v1", "0.9.0"), ("dynamic_gather_v2", "1.1.0")],
    }
}
