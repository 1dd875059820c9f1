//! Elementwise predicates: `compare` and `is_finite`.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::FUNCTIONAL;

const FORM: &[Form] = &[
    Slot("comparison_direction"),
    Text(", "),
    Operands,
    Optional("compare_type", &[Text(", "), Slot("compare_type")]),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Elementwise comparison.
    pub struct Compare = "stablehlo" "compare";
    operands { one I1 lhs: TENSOR; one I2 rhs: TENSOR; }
    attributes {
        required I3 comparison_direction: ComparisonDirectionAttr;
        optional I4 compare_type: ComparisonTypeAttr;
    }
    results { one result: PRED_TENSOR; }
    regions {}
    spec {
        summary: "Compares `lhs` with `rhs` element by element",
        anchor: "compare",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}

op! {
    /// Whether elements are neither infinite nor NaN.
    pub struct IsFinite = "stablehlo" "is_finite";
    operands { one I1 x: FLOAT_OR_QUANTIZED_TENSOR; }
    attributes {}
    results { one y: PRED_TENSOR; }
    regions {}
    spec {
        summary: "Whether each element is finite: neither infinite nor NaN",
        anchor: "is_finite",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
