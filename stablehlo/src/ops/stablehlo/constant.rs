//! `constant`: a value written in the program.

use crate::ir::{Module, OpId, Type};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, ResultNames, Syntax, Trait};
use crate::syntax::constant;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// A value written in the program.
    pub struct Constant = "stablehlo" "constant";
    operands {}
    attributes { required I1 value: Elements; }
    results { one output: STATIC_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the tensor `value`",
        syntax: Syntax::Custom { parse: constant::parse, print: constant::print },
        anchor: "constant",
        traits: &[Trait::Pure, Trait::ConstantLike],
        constraints: &[
            Constraint::rule("C1", "value has the type of output; a quantized output is written as its storage.", c1_same_type),
        ],
        infer: Infer::Fn(infer),
        result_names: ResultNames::Fn(result_name),
    }
}

/// `c` for integers and booleans, `cst` for everything else.
fn result_name(module: &Module, op: OpId) -> Option<&'static str> {
    let element = module.element_type(module.value_type(module.result(op)?))?;
    Some(if matches!(module.ty(element), Type::Integer { .. }) { "c" } else { "cst" })
}

fn c1_same_type(cx: &Cx<'_>) -> Verdict {
    let op = Constant::new(cx.module, cx.op);
    let output = cx.ty(op.output());
    let Some(value) = cx.module.attr_type(op.value()) else {
        return Ok(());
    };
    if value == output {
        return Ok(());
    }
    let storage = cx.module.quantized(output).map(|quantized| quantized.storage.ty);
    let fits = storage.is_some()
        && cx.module.element_type(value) == storage
        && cx.module.tensor(value).is_some()
        && cx.module.shape(value) == cx.module.shape(output);
    ensure(fits, || {
        let message = format!("value must have the type of output {}, got {}", cx.show(output), cx.show(value));
        Fault::new(message).at(Place::Attr("value"))
    })
}

/// The type of value. A quantized output is written as its storage, from which its element type does not follow.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Constant::new(cx.module, cx.op);
    let inferred =
        cx.module.attr_type(op.value()).map(Inferred::Type).ok_or_else(|| Fault::new("value has no type"))?;
    let is_quantized = cx.module.quantized(cx.ty(op.output())).is_some();
    Ok(vec![if is_quantized { cx.with_element(inferred, None) } else { inferred }])
}
