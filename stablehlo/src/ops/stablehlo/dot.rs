//! `dot`: contraction of the last dimension of one tensor with the first of another.

use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[
    Operands,
    Optional("precision_config", &[Text(", precision = "), Slot("precision_config")]),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Contraction of the last dimension of one tensor with the first of another.
    pub struct Dot = "stablehlo" "dot";
    operands {
        one _ lhs: TENSOR;
        one _ rhs: ANY_TENSOR;
    }
    attributes {
        optional _ precision_config: PrecisionConfig;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Multiplies vectors and matrices, contracting the last dimension of `lhs` with the first of `rhs`",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        vhlo: &[("dot_v1", "0.9.0")],
        deprecated: Some("write `stablehlo.dot_general`"),
    }
}
