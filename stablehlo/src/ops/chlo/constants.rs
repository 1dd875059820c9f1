//! `chlo.constant` and `chlo.constant_like`.

use super::shapes;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, ResultNames, Syntax, Trait};
use crate::ops::value_classes::{CHLO_TENSOR, STATIC_TENSOR};
use crate::syntax::constant;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict};

op! {
    /// A constant.
    pub struct ChloConstant = "chlo" "constant";
    operands {}
    attributes { required _ value: Elements; }
    results { one output: STATIC_TENSOR; }
    regions {}
    spec {
        summary: "Gives the constant `value`",
        syntax: Syntax::Custom { parse: constant::parse, print: constant::print },
        traits: &[Trait::Pure, Trait::ConstantLike],
        constraints: &[Constraint {
            label: "C1",
            text: "The result has the type of value.",
            check: Check::Fn(constant_c1_type),
        }],
        infer: Infer::Fn(infer_constant),
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
        constraints: &[
            Constraint {
                label: "C1",
                text: "The result has the type of value as its element type.",
                check: Check::Fn(like_c1_element),
            },
            Constraint {
                label: "C2",
                text: "The result has the operand's shape.",
                check: Check::Fn(shapes::shape_of_operand),
            },
        ],
        infer: Infer::Fn(shapes::infer_shape_of_operand),
    }
}

fn constant_c1_type(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_constant(cx)?)
}

fn infer_constant(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = ChloConstant::new(cx.module, cx.op);
    let ty = cx.module.attr_type(op.value()).unwrap_or_else(|| cx.ty(op.output()));
    Ok(vec![Inferred::Type(ty)])
}

fn like_c1_element(cx: &Cx<'_>) -> Verdict {
    let op = ConstantLike::new(cx.module, cx.op);
    let found = cx.element_type(op.result());
    match cx.module.attr_type(op.value()) {
        Some(wanted) if wanted != found => {
            let (wanted, found) = (cx.show(wanted), cx.show(found));
            Err(Fault::new(format!("the result must have the element type of value, {wanted}, got {found}"))
                .at(Place::Result(0))
                .label(Place::Attr("value"), format!("has type {wanted}")))
        }
        _ => Ok(()),
    }
}
