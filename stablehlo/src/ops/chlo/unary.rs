//! Elementwise functions of one tensor.

use super::shapes::{self, Family};
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::{
    CHLO_COMPLEX_TENSOR, CHLO_FLOAT_OR_COMPLEX_TENSOR, CHLO_FLOAT_TENSOR, CHLO_PRED_TENSOR,
};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred};

/// `%x : T -> U`
pub(super) const BARE: &[Form] = &[Operands, AttrDict, Types(TypeForm::Bare)];

/// Declares rows that differ in nothing but names and classes.
macro_rules! unary {
    ($($view:ident $mnemonic:literal: $class:ident -> $result:ident, $family:ident, $summary:literal;)*) => {$(
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
                constraints: $family.constraints,
                infer: $family.infer,
                syntax: Syntax::Form(BARE),
            }
        }
    )*};
}

/// Functions whose result has the operand's type.
const SAME: Family = Family {
    constraints: &[Constraint { label: "C1", text: shapes::SAME_TYPES, check: Check::Fn(shapes::same_types) }],
    infer: Infer::Fn(infer_same),
};

/// Functions whose result has the operand's shape.
const PREDICATE: Family = Family {
    constraints: &[Constraint {
        label: "C1",
        text: "The result has the operand's shape.",
        check: Check::Fn(shapes::shape_of_operand),
    }],
    infer: Infer::Fn(shapes::infer_shape_of_operand),
};

fn infer_same(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(cx.operand(0)))])
}

unary! {
    AsinAcosKernel "_asin_acos_kernel": CHLO_COMPLEX_TENSOR -> CHLO_COMPLEX_TENSOR, SAME, "The common part of the complex arc functions; frameworks do not write it";
    Acos "acos": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Arc cosine";
    Acosh "acosh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Inverse hyperbolic cosine";
    Asin "asin": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Arc sine";
    Asinh "asinh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Inverse hyperbolic sine";
    Atan "atan": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Arc tangent";
    Atanh "atanh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Inverse hyperbolic tangent";
    BesselI1e "bessel_i1e": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Exponentially scaled modified Bessel function of order 1";
    Conj "conj": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Complex conjugate";
    Cosh "cosh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Hyperbolic cosine";
    Digamma "digamma": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, SAME, "Logarithmic derivative of the gamma function";
    Erf "erf": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, SAME, "Error function";
    ErfInv "erf_inv": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, SAME, "Inverse error function";
    Erfc "erfc": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, SAME, "Complementary error function";
    IsInf "is_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, PREDICATE, "Whether elements are infinite";
    IsNegInf "is_neg_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, PREDICATE, "Whether elements are negative infinity";
    IsPosInf "is_pos_inf": CHLO_FLOAT_TENSOR -> CHLO_PRED_TENSOR, PREDICATE, "Whether elements are positive infinity";
    Lgamma "lgamma": CHLO_FLOAT_TENSOR -> CHLO_FLOAT_TENSOR, SAME, "Logarithm of the absolute value of the gamma function";
    Sinh "sinh": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Hyperbolic sine";
    Square "square": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Square";
    ChloTan "tan": CHLO_FLOAT_OR_COMPLEX_TENSOR -> CHLO_FLOAT_OR_COMPLEX_TENSOR, SAME, "Tangent";
}
