//! Elementwise ops of two operands whose result has their type up to scale and zero point; `add`, which also takes
//! per-axis quantized tensors, has rules of its own.

use super::{SAME_TYPE_C1, same_baseline_infer};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Infer, Numerics, Syntax, Trait};
use crate::syntax::forms::BINARY;

const COMMUTATIVE: &[Trait] = &[Trait::Pure, Trait::Commutative];
const ORDERED: &[Trait] = &[Trait::Pure];

/// One row per op: view, mnemonic, class of operands and result, traits, numerics, summary.
macro_rules! binary {
    ($($view:ident $mnemonic:literal $class:ident $traits:ident $numerics:expr, $summary:literal;)*) => {$(
        op! {
            #[doc = $summary]
            pub struct $view = "stablehlo" $mnemonic;
            operands { one I1 lhs: $class; one I2 rhs: $class; }
            attributes {}
            results { one result: $class; }
            regions {}
            spec {
                summary: $summary,
                anchor: $mnemonic,
                traits: $traits,
                constraints: SAME_TYPE_C1,
                infer: Infer::Fn(same_baseline_infer),
                syntax: Syntax::Form(BINARY),
                numerics: $numerics,
            }
        }
    )*};
}

binary! {
    And "and" PRED_OR_INTEGER_TENSOR COMMUTATIVE Numerics::Exact, "Logical and of booleans, bitwise and of integers";
    Atan2 "atan2" FLOAT_COMPLEX_OR_QUANTIZED_TENSOR ORDERED Numerics::Ulp(3), "Angle of the point (rhs, lhs), element by element";
    Divide "divide" NUMBER_TENSOR ORDERED Numerics::Exact, "Divides `lhs` by `rhs` element by element; integers round towards zero";
    Maximum "maximum" TENSOR COMMUTATIVE Numerics::Exact, "Larger of two elements; logical or for booleans";
    Minimum "minimum" TENSOR COMMUTATIVE Numerics::Exact, "Smaller of two elements; logical and for booleans";
    Multiply "multiply" TENSOR COMMUTATIVE Numerics::Exact, "Multiplies element by element; logical and for booleans";
    Or "or" PRED_OR_INTEGER_TENSOR COMMUTATIVE Numerics::Exact, "Logical or of booleans, bitwise or of integers";
    Power "power" NUMBER_TENSOR ORDERED Numerics::Ulp(3), "Raises `lhs` to the power of `rhs` element by element";
    Remainder "remainder" NUMBER_TENSOR ORDERED Numerics::Exact, "Remainder of the division of `lhs` by `rhs`; it has the sign of `lhs`";
    ShiftLeft "shift_left" INTEGER_TENSOR ORDERED Numerics::Exact, "Shifts the bits of `lhs` left by `rhs`";
    ShiftRightArithmetic "shift_right_arithmetic" INTEGER_TENSOR ORDERED Numerics::Exact, "Shifts the bits of `lhs` right by `rhs`, repeating the sign bit";
    ShiftRightLogical "shift_right_logical" INTEGER_TENSOR ORDERED Numerics::Exact, "Shifts the bits of `lhs` right by `rhs`, filling with zeros";
    Subtract "subtract" NUMBER_TENSOR ORDERED Numerics::Exact, "Subtracts `rhs` from `lhs` element by element";
    Xor "xor" PRED_OR_INTEGER_TENSOR COMMUTATIVE Numerics::Exact, "Exclusive or of booleans, bitwise exclusive or of integers";
}
