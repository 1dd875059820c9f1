//! `map`: a function of the elements at each index.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::Trait;

op! {
    /// A function of the elements at each index.
    pub struct Map = "stablehlo" "map";
    operands {
        many I1 inputs: TENSOR;
    }
    attributes {
        required I2 dimensions: I64Array;
    }
    results {
        one result: TENSOR;
    }
    regions {
        one I3 computation;
    }
    spec {
        summary: "Applies `computation` to the elements of `inputs` at each index",
        anchor: "map",
        traits: &[Trait::Pure, Trait::SingleBlock],
        vhlo: &[("map_v1", "0.9.0")],
    }
}
