//! `reshape`: the same elements in another shape.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;

op! {
    /// The same elements in another shape.
    pub struct Reshape = "stablehlo" "reshape";
    operands { one I1 operand: ANY_TENSOR; }
    attributes {}
    results { one result: STATIC_OR_BOUNDED_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the elements of `operand` the result's shape",
        anchor: "reshape",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
