//! Control flow: `if`, `case`, `while` and the `return` that ends their regions.

use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::ops::value_classes::{ANY_TENSOR_OR_TOKEN, ANY_TENSOR_TOKEN_OR_BUFFER, I32_TENSOR, PRED_TENSOR};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;

op! {
    /// One of two regions, chosen by a boolean.
    pub struct If = "stablehlo" "if";
    operands { one I1 pred: PRED_TENSOR; }
    attributes {}
    results { many results: ANY_TENSOR_OR_TOKEN; }
    regions { one I2 true_branch; one I3 false_branch; }
    spec {
        summary: "Runs `true_branch` or `false_branch` depending on `pred`",
        anchor: "if",
        traits: &[Trait::SingleBlock],
    }
}

op! {
    /// One of many regions, chosen by a number.
    pub struct Case = "stablehlo" "case";
    operands { one I1 index: I32_TENSOR; }
    attributes {}
    results { many results: ANY_TENSOR_OR_TOKEN; }
    regions { many I2 branches; }
    spec {
        summary: "Runs the branch that `index` names, the last one when `index` is out of range",
        anchor: "case",
        traits: &[Trait::SingleBlock],
    }
}

op! {
    /// A loop over values that it carries along.
    pub struct While = "stablehlo" "while";
    operands { many I1 operand: ANY_TENSOR_TOKEN_OR_BUFFER; }
    attributes {}
    results { many results: ANY_TENSOR_TOKEN_OR_BUFFER; }
    regions { one I2 cond; one I3 body; }
    spec {
        summary: "Runs `body` again and again while `cond` holds",
        anchor: "while",
        traits: &[Trait::SingleBlock],
    }
}

const RETURN_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Operands)];

op! {
    /// The end of a region of a StableHLO op.
    pub struct Return = "stablehlo" "return";
    operands { many _ results: ANY_TENSOR_TOKEN_OR_BUFFER; }
    attributes {}
    results {}
    regions {}
    spec {
        summary: "Ends a region and gives its values",
        traits: &[Trait::Pure, Trait::Terminator],
        syntax: Syntax::Form(RETURN_FORM),
    }
}
