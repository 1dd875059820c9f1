//! `reverse`: elements in opposite order along some dimensions.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::List;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict};

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("dimensions"), AttrDict, Types(TypeForm::Same)];

op! {
    /// Elements in opposite order along some dimensions.
    pub struct Reverse = "stablehlo" "reverse";
    operands { one I1 operand: TENSOR; }
    attributes { required I2 dimensions: I64Array; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Reverses the order of elements along `dimensions`",
        anchor: "reverse",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same type.", c1_same_type),
            Constraint::rule("C2", "dimensions do not repeat.", |cx| list(cx).unique()),
            Constraint::rule("C3", "dimensions are dimensions of result.", |cx| list(cx).in_range(cx.rank(cx.result(0)), "the result")),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn c1_same_type(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Result(0)])?;
    cx.check_results(&infer(cx)?)
}

fn list<'m>(cx: &Cx<'m>) -> List<'m> {
    List::new("dimensions", "dimensions", Reverse::new(cx.module, cx.op).dimensions())
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(cx.operand(0)))])
}
