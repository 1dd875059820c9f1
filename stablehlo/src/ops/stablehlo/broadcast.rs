//! `broadcast`: new leading dimensions; not in the specification any more.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", sizes = "), Slot("broadcast_sizes"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor along new leading dimensions.
    pub struct Broadcast = "stablehlo" "broadcast";
    operands { one _ operand: TENSOR; }
    attributes { required _ broadcast_sizes: I64Array; }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` along new leading dimensions of the sizes `broadcast_sizes`",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
        deprecated: Some("write stablehlo.broadcast_in_dim instead"),
    }
}
