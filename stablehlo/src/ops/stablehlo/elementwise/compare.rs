//! Elementwise predicates: `compare` and `is_finite`.

use crate::element::ElementType;
use crate::ir::ComparisonType;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::same_shape;
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

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
        constraints: &[
            Constraint::rule(
                "C1",
                "lhs and rhs have the same element type; quantized ones may differ in scale and zero point.",
                compare_c1_element_types,
            ),
            Constraint::rule("C2", "lhs, rhs and result have the same shape.", compare_c2_shapes),
            Constraint::rule(
                "C3",
                "compare_type fits the element type: SIGNED for signed integers, UNSIGNED for unsigned integers and \
                 booleans, FLOAT or TOTALORDER for floats, FLOAT for complex numbers.",
                compare_c3_compare_type,
            ),
        ],
        infer: Infer::Fn(predicate_infer),
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
        constraints: &[Constraint::rule("C1", "x and y have the same shape.", |cx| {
            same_shape(cx, [Place::Operand(0), Place::Result(0)])
        })],
        infer: Infer::Fn(predicate_infer),
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

fn compare_c1_element_types(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_element_type(&[Place::Operand(0), Place::Operand(1)])
}

fn compare_c2_shapes(cx: &Cx<'_>) -> Verdict {
    let op = Compare::new(cx.module, cx.op);
    // Two operands of one type are the common case; then only the result is left to compare.
    if cx.ty(op.lhs()) == cx.ty(op.rhs()) {
        return same_shape(cx, [Place::Operand(0), Place::Result(0)]);
    }
    same_shape(cx, [Place::Operand(0), Place::Operand(1), Place::Result(0)])?;
    cx.most_specific(cx.module.operands(cx.op)).map(|_: Inferred| ())
}

/// The operands' shape.
fn predicate_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.with_element(cx.most_specific(cx.module.operands(cx.op))?, None)])
}

/// Quantized tensors are compared by what they express, for which the specification asks nothing. `TOTALORDER` and
/// `UNSIGNED` of signed integers are accepted although the specification forbids them: upstream accepts any type, and its
/// own texts have these two.
fn compare_c3_compare_type(cx: &Cx<'_>) -> Verdict {
    let op = Compare::new(cx.module, cx.op);
    let (Some(found), Some(element)) = (op.compare_type(), cx.module.element(cx.ty(op.lhs()))) else {
        return Ok(());
    };
    let fits = match found {
        ComparisonType::NoType => true,
        ComparisonType::Float => element.is_float() || element.is_complex(),
        ComparisonType::TotalOrder => !element.is_complex(),
        ComparisonType::Signed => element.is_signed(),
        ComparisonType::Unsigned => element.is_integer() || element.is_boolean(),
    };
    ensure(fits, || {
        let wanted = wanted_type(element);
        let message =
            format!("compare_type must be {wanted} for elements of type {}, got {}", element.name(), found.word());
        Fault::new(message).at(Place::Attr("compare_type")).label(Place::Operand(0), "these elements are compared")
    })
}

/// What compare types an element type has.
fn wanted_type(element: ElementType) -> &'static str {
    if element.is_float() {
        "FLOAT or TOTALORDER"
    } else if element.is_complex() {
        "FLOAT"
    } else if element.is_unsigned() || element.is_boolean() {
        "UNSIGNED"
    } else {
        "SIGNED"
    }
}
