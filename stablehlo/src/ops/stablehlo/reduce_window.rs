//! `reduce_window`: folding of windows with a function.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// Folding of windows with a function.
    pub struct ReduceWindow = "stablehlo" "reduce_window";
    operands {
        many I1 inputs: TENSOR;
        many I2 init_values: TENSOR;
    }
    attributes {
        required I3 window_dimensions: I64Array;
        optional I4 window_strides: I64Array;
        optional I5 base_dilations: I64Array;
        optional I6 window_dilations: I64Array;
        optional I7 padding: I64Elements;
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I8 body;
    }
    spec {
        summary: "Folds each window of `inputs` with `body`, beginning with `init_values`",
        anchor: "reduce_window",
        traits: &[Trait::Pure, Trait::SingleBlock],
        numerics: Numerics::Accumulation,
        vhlo: &[("reduce_window_v1", "0.9.0")],
    }
}
