//! `chlo.top_k`: the largest elements.

use crate::ops::op;
use crate::ops::spec::{DefaultValue, Trait};
use crate::ops::value_classes::CHLO_TENSOR;

op! {
    /// The largest elements and where they stand.
    pub struct TopK = "chlo" "top_k";
    operands { one _ operand: CHLO_TENSOR; }
    attributes {
        required _ k: I64;
        default _ is_stable: Bool = DefaultValue::Bool(true);
    }
    results { one values: CHLO_TENSOR; one indices: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Gives the `k` largest elements along the last dimension, largest first, and their positions",
        traits: &[Trait::Pure],
    }
}
