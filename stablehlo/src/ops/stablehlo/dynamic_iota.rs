//! `dynamic_iota`: `iota` of a shape that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("iota_dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Numbers counted along a dimension of a shape that is a value.
    pub struct DynamicIota = "stablehlo" "dynamic_iota";
    operands { one I1 output_shape: STATIC_SHAPE_VECTOR; }
    attributes { required I2 iota_dimension: I64; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Counts 0, 1, 2 … along `iota_dimension` of a tensor of shape `output_shape`",
        anchor: "dynamic_iota",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
