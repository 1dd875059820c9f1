//! `fft`: discrete Fourier transform.

use crate::ops::classes::FLOAT_OR_COMPLEX_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[
    Operands,
    Text(", type = "),
    Slot("fft_type"),
    Text(", length = "),
    Slot("fft_length"),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Discrete Fourier transform.
    pub struct Fft = "stablehlo" "fft";
    operands {
        one I1 operand: FLOAT_OR_COMPLEX_TENSOR;
    }
    attributes {
        required I2 fft_type: FftTypeAttr;
        required I3 fft_length: I64Array;
    }
    results {
        one result: FLOAT_OR_COMPLEX_TENSOR;
    }
    regions {}
    spec {
        summary: "Transforms the last dimensions of `operand` to or from the frequency domain",
        anchor: "fft",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        vhlo: &[("fft_v1", "0.9.0")],
    }
}
