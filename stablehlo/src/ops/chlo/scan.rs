//! `chlo.scan`: a loop along a dimension that carries values.

use crate::ops::op;
use crate::ops::spec::{DefaultValue, Numerics, Trait};
use crate::ops::value_classes::CHLO_TENSOR;

op! {
    /// A loop along a dimension.
    pub struct Scan = "chlo" "scan";
    operands { many _ inputs: CHLO_TENSOR; many _ inits: CHLO_TENSOR; }
    attributes {
        required _ dimension: I64;
        optional _ scan_dim_size: I64;
        default _ is_reverse: Bool = DefaultValue::Bool(false);
        optional _ is_associative: Bool;
        required _ operandSegmentSizes: I32Array;
        required _ resultSegmentSizes: I32Array;
    }
    results { many outputs: CHLO_TENSOR; many carries: CHLO_TENSOR; }
    regions { one _ body; }
    spec {
        summary: "Runs `body` on slices of `inputs` along `dimension`, carrying values from one to the next",
        traits: &[Trait::IsolatedFromAbove, Trait::OperandSegments, Trait::ResultSegments],
        numerics: Numerics::Accumulation,
    }
}
