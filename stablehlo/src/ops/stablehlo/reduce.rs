//! `reduce`: folding of dimensions with a function.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// Folding of dimensions with a function.
    pub struct Reduce = "stablehlo" "reduce";
    operands {
        many I1 inputs: TENSOR;
        many I2 init_values: TENSOR;
    }
    attributes {
        required I3 dimensions: I64Array;
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I4 body;
    }
    spec {
        summary: "Folds `inputs` along `dimensions` with `body`, beginning with `init_values`",
        anchor: "reduce",
        traits: &[Trait::Pure, Trait::SingleBlock],
        numerics: Numerics::Accumulation,
        vhlo: &[("reduce_v1", "0.9.0")],
    }
}
