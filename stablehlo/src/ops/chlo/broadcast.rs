//! Elementwise ops on two or three tensors that are broadcast to a common shape first.

use super::shapes::{self, Family};
use crate::ir::Type;
use crate::ops::classes::PRED_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::{
    CHLO_COMPLEX_TENSOR, CHLO_FLOAT_TENSOR, CHLO_PRED_OR_INTEGER_TENSOR, CHLO_PRED_TENSOR, CHLO_TENSOR,
};
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

/// Declares rows that differ in nothing but names, classes and traits.
macro_rules! broadcast_binary {
    ($($view:ident $mnemonic:literal: $class:ident -> $result:ident, $traits:expr, $family:ident, $summary:literal;)*) => {$(
        op! {
            #[doc = concat!($summary, ".")]
            pub struct $view = "chlo" $mnemonic;
            operands { one _ lhs: $class; one _ rhs: $class; }
            attributes { optional _ broadcast_dimensions: I64Array; }
            results { one result: $result; }
            regions {}
            spec {
                summary: concat!($summary, ", after broadcasting"),
                traits: $traits,
                constraints: $family.constraints,
                infer: $family.infer,
                syntax: Syntax::Form(FUNCTIONAL),
            }
        }
    )*};
}

const BROADCAST: &str = "The operands can be broadcast to one shape, which the result has: aligned at the last dimension, or as broadcast_dimensions says; sizes of 1 stretch.";

const SHAPE: Constraint = Constraint { label: "C2", text: BROADCAST, check: Check::Fn(result_shape) };

/// Operands and result have one element type.
const EXACT: Family = Family {
    constraints: &[
        Constraint {
            label: "C1",
            text: "Operands and result have exactly the same element type.",
            check: Check::Fn(exact_elements),
        },
        SHAPE,
    ],
    infer: Infer::Fn(infer),
};
/// Operands and result have one element type up to quantization parameters.
const COMPATIBLE: Family = Family {
    constraints: &[
        Constraint {
            label: "C1",
            text: "Operands and result have the same element type; quantized ones may differ in scale and zero point.",
            check: Check::Fn(compatible_elements),
        },
        SHAPE,
    ],
    infer: Infer::Fn(infer),
};
/// The result is complex; the module may not have interned its type yet.
const COMPLEX: Family = Family {
    constraints: &[
        Constraint {
            label: "C1",
            text: "The operands have the same element type, and the result is complex with parts of that type.",
            check: Check::Fn(complex_elements),
        },
        SHAPE,
    ],
    infer: Infer::Fn(infer_shape),
};

const PURE: &[Trait] = &[Trait::Pure];
const COMMUTATIVE: &[Trait] = &[Trait::Pure, Trait::Commutative];

broadcast_binary! {
    BroadcastAdd "broadcast_add": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "Adds `lhs` and `rhs`";
    BroadcastAtan2 "broadcast_atan2": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Angle of the point (`rhs`, `lhs`)";
    BroadcastDivide "broadcast_divide": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Divides `lhs` by `rhs`";
    BroadcastMaximum "broadcast_maximum": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "The larger of `lhs` and `rhs`";
    BroadcastMinimum "broadcast_minimum": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "The smaller of `lhs` and `rhs`";
    BroadcastMultiply "broadcast_multiply": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, EXACT, "Multiplies `lhs` by `rhs`";
    BroadcastNextAfter "broadcast_next_after": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "The representable value next to `lhs` in the direction of `rhs`";
    BroadcastPolygamma "broadcast_polygamma": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "The polygamma function of order `lhs` at `rhs`";
    BroadcastPower "broadcast_power": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Raises `lhs` to the power `rhs`";
    BroadcastRemainder "broadcast_remainder": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Remainder of `lhs` divided by `rhs`";
    BroadcastShiftLeft "broadcast_shift_left": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Shifts `lhs` left by `rhs` bits";
    BroadcastShiftRightArithmetic "broadcast_shift_right_arithmetic": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Shifts `lhs` right by `rhs` bits, repeating the sign";
    BroadcastShiftRightLogical "broadcast_shift_right_logical": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Shifts `lhs` right by `rhs` bits, filling with zeros";
    BroadcastSubtract "broadcast_subtract": CHLO_TENSOR -> CHLO_TENSOR, PURE, EXACT, "Subtracts `rhs` from `lhs`";
    BroadcastZeta "broadcast_zeta": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, PURE, EXACT, "Hurwitz's zeta function of `lhs` and `rhs`";
    BroadcastAnd "broadcast_and": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "Bitwise and";
    BroadcastOr "broadcast_or": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "Bitwise or";
    BroadcastXor "broadcast_xor": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, COMPATIBLE, "Bitwise exclusive or";
    BroadcastComplex "broadcast_complex": CHLO_FLOAT_TENSOR -> CHLO_COMPLEX_TENSOR, PURE, COMPLEX, "Complex numbers of the real parts `lhs` and the imaginary parts `rhs`";
}

op! {
    /// Comparison.
    pub struct BroadcastCompare = "chlo" "broadcast_compare";
    operands { one _ lhs: CHLO_TENSOR; one _ rhs: CHLO_TENSOR; }
    attributes {
        optional _ broadcast_dimensions: I64Array;
        required _ comparison_direction: ChloComparisonDirectionAttr;
        optional _ compare_type: ChloComparisonTypeAttr;
    }
    results { one result: CHLO_PRED_TENSOR; }
    regions {}
    spec {
        summary: "Compares `lhs` with `rhs`, after broadcasting",
        traits: PURE,
        constraints: &[
            Constraint {
                label: "C1",
                text: "The operands have the same element type.",
                check: Check::Fn(operand_elements),
            },
            SHAPE,
        ],
        infer: Infer::Fn(infer_shape),
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

op! {
    /// Choice.
    pub struct BroadcastSelect = "chlo" "broadcast_select";
    operands { one _ pred: PRED_TENSOR; one _ on_true: CHLO_TENSOR; one _ on_false: CHLO_TENSOR; }
    attributes {}
    results { one result: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Takes elements of `on_true` where `pred` holds and of `on_false` elsewhere, after broadcasting",
        traits: PURE,
        constraints: &[
            Constraint {
                label: "C1",
                text: "on_true and on_false have exactly the same element type.",
                check: Check::Fn(select_c1_elements),
            },
            Constraint {
                label: "C2",
                text: "The operands can be broadcast to one shape, which the result has, with the element type of on_true.",
                check: Check::Fn(select_c2_result),
            },
        ],
        infer: Infer::Fn(infer_select),
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

fn exact_elements(cx: &Cx<'_>) -> Verdict {
    shapes::same_elements(cx, &[Place::Operand(0), Place::Operand(1), Place::Result(0)])
}

fn compatible_elements(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_element_type(&[Place::Operand(0), Place::Operand(1), Place::Result(0)])
}

fn operand_elements(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_element_type(&[Place::Operand(0), Place::Operand(1)])
}

fn result_shape(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_shape(cx)?)
}

/// The shape that both operands broadcast to.
fn infer_shape(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    shapes::infer_binary(cx, None)
}

/// The shape that both operands broadcast to, with the element type of `lhs`.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    shapes::infer_binary(cx, Some(cx.element_type(cx.operand(0))))
}

/// The result is complex with parts of the operands' element type.
fn complex_elements(cx: &Cx<'_>) -> Verdict {
    operand_elements(cx)?;
    let op = BroadcastComplex::new(cx.module, cx.op);
    let (part, found) = (cx.element_type(op.lhs()), cx.element_type(op.result()));
    let fits = matches!(cx.module.ty(found), Type::Complex(parts) if *parts == part);
    ensure(fits, || {
        let message = format!("the result must have element type complex<{}>, got {}", cx.show(part), cx.show(found));
        Fault::new(message).at(Place::Result(0))
    })
}

fn select_c1_elements(cx: &Cx<'_>) -> Verdict {
    shapes::same_elements(cx, &[Place::Operand(1), Place::Operand(2)])
}

fn select_c2_result(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_select(cx)?)
}

fn infer_select(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    shapes::infer_all(cx, Some(cx.element_type(BroadcastSelect::new(cx.module, cx.op).on_true())))
}
