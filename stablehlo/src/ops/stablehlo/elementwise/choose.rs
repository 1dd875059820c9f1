//! Elementwise choices: `clamp` and `select`.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;

const SELECT_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Select)];

op! {
    /// Limits elements to a range.
    pub struct Clamp = "stablehlo" "clamp";
    operands { one I1 min: TENSOR; one I2 operand: TENSOR; one I3 max: TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Limits each element of `operand` to the range from `min` to `max`",
        anchor: "clamp",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Elementwise choice.
    pub struct Select = "stablehlo" "select";
    operands { one I1 pred: PRED_TENSOR; one I2 on_true: TENSOR; one I3 on_false: TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes each element from `on_true` or `on_false` as `pred` says",
        anchor: "select",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(SELECT_FORM),
    }
}
