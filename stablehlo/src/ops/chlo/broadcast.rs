//! Elementwise ops on two or three tensors that are broadcast to a common shape first.

use crate::ops::classes::PRED_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::ops::value_classes::{
    CHLO_COMPLEX_TENSOR, CHLO_FLOAT_TENSOR, CHLO_PRED_OR_INTEGER_TENSOR, CHLO_PRED_TENSOR, CHLO_TENSOR,
};
use crate::syntax::forms::FUNCTIONAL;

/// Declares rows that differ in nothing but names, classes and traits.
macro_rules! broadcast_binary {
    ($($view:ident $mnemonic:literal: $class:ident -> $result:ident, $traits:expr, $summary:literal;)*) => {$(
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
                syntax: Syntax::Form(FUNCTIONAL),
            }
        }
    )*};
}

const PURE: &[Trait] = &[Trait::Pure];
const COMMUTATIVE: &[Trait] = &[Trait::Pure, Trait::Commutative];

broadcast_binary! {
    BroadcastAdd "broadcast_add": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "Adds `lhs` and `rhs`";
    BroadcastAtan2 "broadcast_atan2": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Angle of the point (`rhs`, `lhs`)";
    BroadcastDivide "broadcast_divide": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Divides `lhs` by `rhs`";
    BroadcastMaximum "broadcast_maximum": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "The larger of `lhs` and `rhs`";
    BroadcastMinimum "broadcast_minimum": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "The smaller of `lhs` and `rhs`";
    BroadcastMultiply "broadcast_multiply": CHLO_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "Multiplies `lhs` by `rhs`";
    BroadcastNextAfter "broadcast_next_after": CHLO_TENSOR -> CHLO_TENSOR, PURE, "The representable value next to `lhs` in the direction of `rhs`";
    BroadcastPolygamma "broadcast_polygamma": CHLO_TENSOR -> CHLO_TENSOR, PURE, "The polygamma function of order `lhs` at `rhs`";
    BroadcastPower "broadcast_power": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Raises `lhs` to the power `rhs`";
    BroadcastRemainder "broadcast_remainder": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Remainder of `lhs` divided by `rhs`";
    BroadcastShiftLeft "broadcast_shift_left": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Shifts `lhs` left by `rhs` bits";
    BroadcastShiftRightArithmetic "broadcast_shift_right_arithmetic": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Shifts `lhs` right by `rhs` bits, repeating the sign";
    BroadcastShiftRightLogical "broadcast_shift_right_logical": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Shifts `lhs` right by `rhs` bits, filling with zeros";
    BroadcastSubtract "broadcast_subtract": CHLO_TENSOR -> CHLO_TENSOR, PURE, "Subtracts `rhs` from `lhs`";
    BroadcastZeta "broadcast_zeta": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, PURE, "Hurwitz's zeta function of `lhs` and `rhs`";
    BroadcastAnd "broadcast_and": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "Bitwise and";
    BroadcastOr "broadcast_or": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "Bitwise or";
    BroadcastXor "broadcast_xor": CHLO_PRED_OR_INTEGER_TENSOR -> CHLO_TENSOR, COMMUTATIVE, "Bitwise exclusive or";
    BroadcastComplex "broadcast_complex": CHLO_FLOAT_TENSOR -> CHLO_COMPLEX_TENSOR, PURE, "Complex numbers of the real parts `lhs` and the imaginary parts `rhs`";
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
        syntax: Syntax::Form(FUNCTIONAL),
    }
}
