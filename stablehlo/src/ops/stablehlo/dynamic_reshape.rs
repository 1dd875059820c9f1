//! `dynamic_reshape`: `reshape` to a shape that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;

op! {
    /// The same elements in a shape that is a value.
    pub struct DynamicReshape = "stablehlo" "dynamic_reshape";
    operands { one I1 operand: ANY_TENSOR; one I2 output_shape: STATIC_SHAPE_VECTOR; }
    attributes {}
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the elements of `operand` the shape `output_shape`",
        anchor: "dynamic_reshape",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
