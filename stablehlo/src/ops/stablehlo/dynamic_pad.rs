//! `dynamic_pad`: `pad` by amounts that are values.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;

op! {
    /// Padding by amounts that are values.
    pub struct DynamicPad = "stablehlo" "dynamic_pad";
    operands { one I1 operand: TENSOR; one I2 padding_value: SCALAR_TENSOR; one I3 edge_padding_low: STATIC_SHAPE_VECTOR; one I4 edge_padding_high: STATIC_SHAPE_VECTOR; one I5 interior_padding: STATIC_SHAPE_VECTOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Expands `operand` by padding whose amounts are values; negative padding crops",
        anchor: "dynamic_pad",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
