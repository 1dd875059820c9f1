//! `add`: the elementwise op that also takes per-axis quantized tensors.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::BINARY;

op! {
    /// Elementwise sum; logical or for booleans.
    pub struct Add = "stablehlo" "add";
    operands { one I1 lhs: ANY_TENSOR; one I2 rhs: ANY_TENSOR; }
    attributes {}
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Adds `lhs` and `rhs` element by element; logical or for booleans",
        anchor: "add",
        traits: &[Trait::Pure, Trait::Commutative],
        constraints: &[],
        syntax: Syntax::Form(BINARY),
    }
}
