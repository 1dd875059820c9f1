//! `select_and_scatter`: sums of values at the places that windows select.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Trait};

op! {
    /// Sums of values at the places that windows select.
    pub struct SelectAndScatter = "stablehlo" "select_and_scatter";
    operands {
        one I1 operand: TENSOR;
        one I2 source: TENSOR;
        one I3 init_value: TENSOR;
    }
    attributes {
        optional I4 window_dimensions: I64Array;
        optional I5 window_strides: I64Array;
        optional I6 padding: I64Elements;
    }
    results {
        one result: TENSOR;
    }
    regions {
        one I7 select;
        one I8 scatter;
    }
    spec {
        summary: "Selects one element of each window of `operand` and combines the values of `source` at the selected places",
        anchor: "select_and_scatter",
        traits: &[Trait::Pure, Trait::SingleBlock],
        numerics: Numerics::Accumulation,
        vhlo: &[("select_and_scatter_v1", "0.9.0")],
    }
}
