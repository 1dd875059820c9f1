//! `cholesky`: cholesky decomposition of a batch of matrices.

use crate::ops::classes::FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
use crate::ops::op;
use crate::ops::spec::{DefaultValue, Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] =
    &[Operands, Optional("lower", &[Text(", lower = "), Slot("lower")]), AttrDict, Types(TypeForm::Same)];

op! {
    /// Cholesky decomposition of a batch of matrices.
    pub struct Cholesky = "stablehlo" "cholesky";
    operands {
        one I1 a: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
    }
    attributes {
        default I2 lower: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
    }
    regions {}
    spec {
        summary: "Finds the triangular factor of each positive-definite matrix in `a`",
        anchor: "cholesky",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        vhlo: &[("cholesky_v1", "0.9.0")],
    }
}
