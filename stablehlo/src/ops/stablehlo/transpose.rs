//! `transpose`: dimensions in another order.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("permutation"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Dimensions in another order.
    pub struct Transpose = "stablehlo" "transpose";
    operands { one I1 operand: ANY_TENSOR; }
    attributes { required I2 permutation: I64Array; }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Puts the dimensions of `operand` in the order `permutation`",
        anchor: "transpose",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
