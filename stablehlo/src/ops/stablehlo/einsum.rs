//! `einsum` and `unary_einsum`: contractions written as index letters; not in the specification.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", config = "), Slot("einsum_config"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Contraction of two tensors written as index letters.
    pub struct Einsum = "stablehlo" "einsum";
    operands { one _ lhs: TENSOR; one _ rhs: TENSOR; }
    attributes { required _ einsum_config: Str; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Contracts `lhs` and `rhs` as the index letters of `einsum_config` say",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        deprecated: Some("write stablehlo.dot_general and stablehlo.transpose instead"),
    }
}

op! {
    /// Reduction and transposition of one tensor written as index letters.
    pub struct UnaryEinsum = "stablehlo" "unary_einsum";
    operands { one _ operand: TENSOR; }
    attributes { required _ einsum_config: Str; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sums and transposes `operand` as the index letters of `einsum_config` say",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        deprecated: Some("write stablehlo.reduce, stablehlo.broadcast_in_dim and stablehlo.transpose instead"),
    }
}
