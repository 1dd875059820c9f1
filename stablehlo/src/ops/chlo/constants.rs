//! `chlo.constant` and `chlo.constant_like`.

use crate::ops::op;
use crate::ops::spec::{ResultNames, Trait};
use crate::ops::value_classes::{CHLO_TENSOR, STATIC_TENSOR};

op! {
    /// A constant.
    pub struct ChloConstant = "chlo" "constant";
    operands {}
    attributes { required _ value: Elements; }
    results { one output: STATIC_TENSOR; }
    regions {}
    spec {
        summary: "Gives the constant `value`",
        traits: &[Trait::Pure],
        result_names: ResultNames::Numbers,
    }
}

op! {
    /// A constant of another tensor's shape.
    pub struct ConstantLike = "chlo" "constant_like";
    operands { one _ operand: CHLO_TENSOR; }
    attributes { required _ value: Typed; }
    results { one result: CHLO_TENSOR; }
    regions {}
    spec {
        summary: "Gives a tensor of the shape of `operand` that is full of `value`",
        traits: &[Trait::Pure],
    }
}
