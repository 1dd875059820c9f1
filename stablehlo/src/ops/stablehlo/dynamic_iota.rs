//! `dynamic_iota`: `iota` of a shape that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::{dims, shape_value};
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
        constraints: &[
            Constraint::rule("C1", "iota_dimension is a dimension of the shape output_shape.", |cx| {
                let op = DynamicIota::new(cx.module, cx.op);
                dims::dimension("iota_dimension", op.iota_dimension(), shape_value::length(cx, op.output_shape()), "the result")
            }),
            Constraint::rule("C2", "output_shape has one size per dimension of result, and result has these sizes where they are known.", |cx| shape_value::describes_result(cx, 0, "output_shape")),
        ],
        infer: Infer::Fn(|cx| shape_value::infer(cx, 0)),
        syntax: Syntax::Form(FORM),
    }
}
