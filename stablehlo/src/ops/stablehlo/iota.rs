//! `iota`: numbers counted along a dimension.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::ops::stablehlo::dims;
use crate::syntax::Form::{self, AttrDict, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Text("dim = "), Slot("iota_dimension"), AttrDict, Types(TypeForm::Results)];

op! {
    /// Numbers counted along a dimension.
    pub struct Iota = "stablehlo" "iota";
    operands {}
    attributes { required I1 iota_dimension: I64; }
    results { one output: STATIC_NUMBER_TENSOR; }
    regions {}
    spec {
        summary: "Counts 0, 1, 2 … along `iota_dimension`",
        anchor: "iota",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "iota_dimension is a dimension of output.", |cx| {
                let op = Iota::new(cx.module, cx.op);
                dims::dimension("iota_dimension", op.iota_dimension(), cx.rank(op.output()), "the result")
            }),
        ],
        syntax: Syntax::Form(FORM),
    }
}
