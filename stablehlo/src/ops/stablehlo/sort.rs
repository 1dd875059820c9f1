//! `sort`: sorting along a dimension.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Trait};

op! {
    /// Sorting along a dimension.
    pub struct Sort = "stablehlo" "sort";
    operands {
        many I1 inputs: TENSOR;
    }
    attributes {
        default I2 dimension: I64 = DefaultValue::I64(-1);
        default I3 is_stable: Bool = DefaultValue::Bool(false);
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I4 comparator;
    }
    spec {
        summary: "Sorts the lines of `inputs` along `dimension`, all alike, by `comparator`",
        anchor: "sort",
        traits: &[Trait::Pure, Trait::SingleBlock],
        vhlo: &[("sort_v1", "0.9.0")],
    }
}
