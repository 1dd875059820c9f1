//! `real_dynamic_slice`: `slice` at places that are values; not in the specification.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::forms::FUNCTIONAL;

op! {
    /// A part of a tensor whose start, limit and strides are values.
    pub struct RealDynamicSlice = "stablehlo" "real_dynamic_slice";
    operands { one _ operand: TENSOR; one _ start_indices: SHAPE_VECTOR; one _ limit_indices: SHAPE_VECTOR; one _ strides: SHAPE_VECTOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes every `strides`-th element from `start_indices` up to `limit_indices`, all of which are values",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
