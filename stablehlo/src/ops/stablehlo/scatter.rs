//! `scatter`: updates of slices at computed places.

use crate::ops::classes::{INTEGER_OR_INDEX_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Numerics, Trait};

op! {
    /// Updates of slices at computed places.
    pub struct Scatter = "stablehlo" "scatter";
    operands {
        many I1 inputs: TENSOR;
        one I2 scatter_indices: INTEGER_OR_INDEX_TENSOR;
        many I3 updates: TENSOR;
    }
    attributes {
        required I4 scatter_dimension_numbers: ScatterDims;
        default I10 indices_are_sorted: Bool = DefaultValue::Bool(false);
        default I11 unique_indices: Bool = DefaultValue::Bool(false);
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I12 update_computation;
    }
    spec {
        summary: "Combines slices of `inputs` at `scatter_indices` with `updates`",
        anchor: "scatter",
        traits: &[Trait::Pure, Trait::SingleBlock],
        numerics: Numerics::Accumulation,
        vhlo: &[("scatter_v1", "0.9.0"), ("scatter_v2", "1.1.0")],
    }
}
