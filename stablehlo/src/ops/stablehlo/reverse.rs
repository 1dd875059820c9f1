//! `reverse`: elements in opposite order along some dimensions.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("dimensions"), AttrDict, Types(TypeForm::Same)];

op! {
    /// Elements in opposite order along some dimensions.
    pub struct Reverse = "stablehlo" "reverse";
    operands { one I1 operand: TENSOR; }
    attributes { required I2 dimensions: I64Array; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Reverses the order of elements along `dimensions`",
        anchor: "reverse",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
