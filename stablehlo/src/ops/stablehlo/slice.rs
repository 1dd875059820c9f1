//! `slice`: a part of a tensor, at places known from the program.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::Trait;

op! {
    /// A part of a tensor.
    pub struct Slice = "stablehlo" "slice";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 start_indices: I64Array;
        required I3 limit_indices: I64Array;
        required I4 strides: I64Array;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes every `strides`-th element from `start_indices` up to `limit_indices`",
        anchor: "slice",
        traits: &[Trait::Pure],
        constraints: &[],
    }
}
