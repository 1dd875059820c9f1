//! `broadcast_in_dim`: repetition along dimensions of size 1 and new ones.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("broadcast_dimensions"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor along dimensions of size 1 and new ones.
    pub struct BroadcastInDim = "stablehlo" "broadcast_in_dim";
    operands { one I1 operand: ANY_TENSOR; }
    attributes { required I2 broadcast_dimensions: I64Array; }
    results { one result: STATIC_OR_BOUNDED_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` along dimensions of size 1 and new ones",
        anchor: "broadcast_in_dim",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
