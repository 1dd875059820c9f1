//! Elementwise functions of one tensor.

use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::ops::value_classes::{
    CHLO_COMPLEX_TENSOR, CHLO_FLOAT_OR_COMPLEX_TENSOR, CHLO_FLOAT_TENSOR, CHLO_PRED_TENSOR,
};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;

/// `%x : T -> U`
pub(super) const BARE: &[Form] = &[Operands, AttrDict, Types(TypeForm::Bare)];

/// Declares rows that differ in nothing but names and classes.
macro_rules! unary {
    ($($view:ident $mnemonic:literal: $class:ident -> $result:ident, $summary:literal;)*) => {$(
        op! {
            #[doc = concat!($summary, ".")]
            pub struct $view = "chlo" $mnemonic;
            operands { one _ operand: $class; }
            attributes {}
            results { one result: $result; }
            regions {}
            spec {
                summary: $summary,
                traits: &[Trait::Pure],
                syntax: Syntax::Form(BARE),
            }
        }
    )*};
}

unary! {
    AsinAcosKernel "_asin_acos_kernel": CHLO_COMPLEX_TENSOR -> CHLO_COMPLEX_TENSOR, "The common part of the complex arc functions; frameworks do not write it";
    Acos "acos": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Arc cosine";
    Acosh "acosh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Inverse hyperbolic cosine";
    Asin "asin": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Arc sine";
    Asinh "asinh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Inverse hyperbolic sine";
    Atan "atan": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Arc tangent";
    Atanh "atanh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Inverse hyperbolic tangent";
    BesselI1e "bessel_i1e": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Exponentially scaled modified Bessel function of order 1";
    Conj "conj": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Complex conjugate";
    Cosh "cosh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Hyperbolic cosine";
    Digamma "digamma": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, "Logarithmic derivative of the gamma function";
    Erf "erf": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, "Error function";
    ErfInv "erf_inv": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, "Inverse error function";
    Erfc "erfc": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, "Complementary error function";
    IsInf "is_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, "Whether elements are infinite";
    IsNegInf "is_neg_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, "Whether elements are negative infinity";
    IsPosInf "is_pos_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, "Whether elements are positive infinity";
    Lgamma "lgamma": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, "Logarithm of the absolute value of the gamma function";
    Sinh "sinh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Hyperbolic sine";
    Square "square": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Square";
    ChloTan "tan": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, "Tangent";
}
