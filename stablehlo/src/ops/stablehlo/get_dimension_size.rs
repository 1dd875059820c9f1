//! `get_dimension_size`: the size of a dimension as a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::ops::stablehlo::dims;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// The size of a dimension as a value.
    pub struct GetDimensionSize = "stablehlo" "get_dimension_size";
    operands { one I1 operand: ANY_TENSOR; }
    attributes { required I2 dimension: I64; }
    results { one result: SCALAR_I32_TENSOR; }
    regions {}
    spec {
        summary: "Gives the size of dimension `dimension` of `operand`",
        anchor: "get_dimension_size",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "dimension is a dimension of operand.", |cx| {
                let op = GetDimensionSize::new(cx.module, cx.op);
                dims::dimension("dimension", op.dimension(), cx.rank(op.operand()), "the operand")
            }),
        ],
        syntax: Syntax::Form(FORM),
    }
}
