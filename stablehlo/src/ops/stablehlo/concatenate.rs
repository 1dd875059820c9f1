//! `concatenate`: tensors one after the other along a dimension.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Tensors one after the other.
    pub struct Concatenate = "stablehlo" "concatenate";
    operands { many I1 inputs: TENSOR; }
    attributes { required I2 dimension: I64; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Puts `inputs` one after the other along `dimension`",
        anchor: "concatenate",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
