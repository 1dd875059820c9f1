//! Elementwise ops of one operand whose result has the operand's type up to scale and zero point.

use super::{SAME_TYPE_C1, same_baseline_infer};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Infer, Numerics, Syntax, Trait};
use crate::syntax::forms::UNARY;
use crate::vhlo::history::{Change, History, Step};

/// One row per op: view, mnemonic, class of operand and result, numerics, summary.
macro_rules! unary {
    ($($view:ident $mnemonic:literal $class:ident $numerics:expr, $summary:literal;)*) => {$(
        op! {
            #[doc = $summary]
            pub struct $view = "stablehlo" $mnemonic;
            operands { one I1 operand: $class; }
            attributes {}
            results { one result: $class; }
            regions {}
            spec {
                summary: $summary,
                anchor: $mnemonic,
                traits: &[Trait::Pure],
                constraints: SAME_TYPE_C1,
                infer: Infer::Fn(same_baseline_infer),
                syntax: Syntax::Form(UNARY),
                numerics: $numerics,
            }
        }
    )*};
}

/// The same for functions that take a `result_accuracy`.
macro_rules! function {
    ($($view:ident $mnemonic:literal $history:expr, $summary:literal;)*) => {$(
        op! {
            #[doc = $summary]
            pub struct $view = "stablehlo" $mnemonic;
            operands { one I1 operand: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR; }
            attributes { default _ result_accuracy: Accuracy = DefaultValue::DefaultAccuracy; }
            results { one result: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR; }
            regions {}
            spec {
                summary: $summary,
                anchor: $mnemonic,
                traits: &[Trait::Pure],
                constraints: SAME_TYPE_C1,
                infer: Infer::Fn(same_baseline_infer),
                syntax: Syntax::Form(UNARY),
                numerics: Numerics::Ulp(FUNCTION_ULPS),
                vhlo: $history.declared(),
            }
        }
    )*};
}

/// What backends are allowed by default for functions that are not exact: as many ulps as upstream's own tests allow.
const FUNCTION_ULPS: u32 = 3;

unary! {
    Ceil "ceil" FLOAT_OR_QUANTIZED_TENSOR Numerics::Exact, "Rounds each element up to a whole number";
    CountLeadingZeros "count_leading_zeros" INTEGER_TENSOR Numerics::Exact, "Number of zero bits in front of the highest one bit of each element";
    Floor "floor" FLOAT_OR_QUANTIZED_TENSOR Numerics::Exact, "Rounds each element down to a whole number";
    Negate "negate" NUMBER_TENSOR Numerics::Exact, "Negates each element";
    Not "not" PRED_OR_INTEGER_TENSOR Numerics::Exact, "Inverts each boolean, or each bit of each integer";
    Popcnt "popcnt" INTEGER_TENSOR Numerics::Exact, "Number of one bits of each element";
    RoundNearestAfz "round_nearest_afz" FLOAT_OR_QUANTIZED_TENSOR Numerics::Exact, "Rounds each element to the nearest whole number, ties away from zero";
    RoundNearestEven "round_nearest_even" FLOAT_OR_QUANTIZED_TENSOR Numerics::Exact, "Rounds each element to the nearest whole number, ties to even";
    Sign "sign" SIGNED_TENSOR Numerics::Exact, "Sign of each element; the direction for complex numbers";
}

/// `result_accuracy` came after the functions themselves, to `exponential` first.
const HISTORY: History = History::USUAL.steps(&[Step::new(1, 10, ACCURACY)]);
const HISTORY_OF_EXPONENTIAL: History = History::USUAL.steps(&[Step::new(1, 9, ACCURACY)]);
const HISTORY_OF_TAN: History = History::since(1, 4).steps(&[Step::new(1, 10, ACCURACY)]);
const ACCURACY: &[Change] = &[Change::Attributes(&["result_accuracy"])];

function! {
    Cbrt "cbrt" HISTORY, "Cube root of each element";
    Cosine "cosine" HISTORY, "Cosine of each element";
    Exponential "exponential" HISTORY_OF_EXPONENTIAL, "Exponential function of each element";
    ExponentialMinusOne "exponential_minus_one" HISTORY, "Exponential function of each element, minus one";
    Log "log" HISTORY, "Natural logarithm of each element";
    LogPlusOne "log_plus_one" HISTORY, "Natural logarithm of one plus each element";
    Logistic "logistic" HISTORY, "Logistic function of each element, 1 / (1 + exp(-x))";
    Rsqrt "rsqrt" HISTORY, "Reciprocal of the square root of each element";
    Sine "sine" HISTORY, "Sine of each element";
    Sqrt "sqrt" HISTORY, "Square root of each element";
    Tan "tan" HISTORY_OF_TAN, "Tangent of each element";
    Tanh "tanh" HISTORY, "Hyperbolic tangent of each element";
}
