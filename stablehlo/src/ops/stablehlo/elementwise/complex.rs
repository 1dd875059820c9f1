//! Elementwise ops between complex and real numbers.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;

const COMPLEX_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Complex)];

op! {
    /// Modulus of complex numbers, absolute value of others.
    pub struct Abs = "stablehlo" "abs";
    operands { one I1 operand: SIGNED_TENSOR; }
    attributes {}
    results { one result: MAGNITUDE_TENSOR; }
    regions {}
    spec {
        summary: "Absolute value of each element; the modulus for complex numbers",
        anchor: "abs",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Complex numbers from their parts.
    pub struct Complex = "stablehlo" "complex";
    operands { one I1 lhs: WIDE_FLOAT_TENSOR; one I2 rhs: WIDE_FLOAT_TENSOR; }
    attributes {}
    results { one result: COMPLEX_TENSOR; }
    regions {}
    spec {
        summary: "Makes complex numbers of real parts `lhs` and imaginary parts `rhs`",
        anchor: "complex",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(COMPLEX_FORM),
    }
}

op! {
    /// Imaginary part.
    pub struct Imag = "stablehlo" "imag";
    operands { one I1 operand: FLOAT_OR_COMPLEX_TENSOR; }
    attributes {}
    results { one result: FLOAT_TENSOR; }
    regions {}
    spec {
        summary: "Imaginary part of each element; zero for floats",
        anchor: "imag",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Real part.
    pub struct Real = "stablehlo" "real";
    operands { one I1 operand: FLOAT_OR_COMPLEX_TENSOR; }
    attributes {}
    results { one result: FLOAT_TENSOR; }
    regions {}
    spec {
        summary: "Real part of each element; the element itself for floats",
        anchor: "real",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(UNARY),
    }
}
