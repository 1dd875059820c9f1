//! `dynamic_broadcast_in_dim`: `broadcast_in_dim` to a shape that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("broadcast_dimensions"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor to a shape that is a value.
    pub struct DynamicBroadcastInDim = "stablehlo" "dynamic_broadcast_in_dim";
    operands { one I1 operand: ANY_TENSOR; one I2 output_dimensions: STATIC_SHAPE_VECTOR; }
    attributes {
        required I3 broadcast_dimensions: I64Array;
        optional I4 known_expanding_dimensions: I64Array;
        optional I5 known_nonexpanding_dimensions: I64Array;
    }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` to the shape `output_dimensions`",
        anchor: "dynamic_broadcast_in_dim",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
