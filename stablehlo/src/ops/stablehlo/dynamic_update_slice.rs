//! `dynamic_update_slice`: a tensor with a part replaced, at a place that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;

op! {
    /// A tensor with a part replaced.
    pub struct DynamicUpdateSlice = "stablehlo" "dynamic_update_slice";
    operands { one I1 operand: TENSOR; one I2 update: TENSOR; many I3 start_indices: SCALAR_INTEGER_TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Replaces a part of `operand` by `update` at the place `start_indices`, moved inside if need be",
        anchor: "dynamic_update_slice",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
