//! Elementwise choices: `clamp` and `select`.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::same_shape;
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;
use crate::syntax::forms::UNARY;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_types, ensure};

const SELECT_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Select)];

op! {
    /// Limits elements to a range.
    pub struct Clamp = "stablehlo" "clamp";
    operands { one I1 min: TENSOR; one I2 operand: TENSOR; one I3 max: TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Limits each element of `operand` to the range from `min` to `max`",
        anchor: "clamp",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "min is 0-dimensional or has the shape of operand.", |cx| {
                scalar_or_shape_of(cx, Place::Operand(0), "min", Place::Operand(1), "operand")
            }),
            Constraint::rule("C2", "max is 0-dimensional or has the shape of operand.", |cx| {
                scalar_or_shape_of(cx, Place::Operand(2), "max", Place::Operand(1), "operand")
            }),
            Constraint::rule(
                "C3",
                "min, operand and max have the same element type; quantized ones may differ in scale and zero point.",
                clamp_c3_element_types,
            ),
            Constraint::rule(
                "C4",
                "operand and result have the same type; quantized ones may differ in scale and zero point.",
                |cx| cx.check_results(&clamp_infer(cx)?),
            ),
        ],
        infer: Infer::Fn(clamp_infer),
        syntax: Syntax::Form(UNARY),
    }
}

op! {
    /// Elementwise choice.
    pub struct Select = "stablehlo" "select";
    operands { one I1 pred: PRED_TENSOR; one I2 on_true: TENSOR; one I3 on_false: TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes each element from `on_true` or `on_false` as `pred` says",
        anchor: "select",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "pred is 0-dimensional or has the shape of on_true.", |cx| {
                scalar_or_shape_of(cx, Place::Operand(0), "pred", Place::Operand(1), "on_true")
            }),
            Constraint::rule(
                "C2",
                "on_true, on_false and result have the same type; quantized ones may differ in scale and zero point.",
                select_c2_types,
            ),
        ],
        infer: Infer::Fn(select_infer),
        syntax: Syntax::Form(SELECT_FORM),
    }
}

fn scalar_or_shape_of(cx: &Cx<'_>, place: Place, name: &str, whole: Place, whole_name: &str) -> Verdict {
    if cx.value(place).is_some_and(|value| cx.rank(value) == 0) {
        return Ok(());
    }
    same_shape(cx, [whole, place]).map_err(|fault| {
        let message = format!("{name} must be 0-dimensional or have the shape of {whole_name}: {}", fault.message());
        Fault::new(message).at(place).label(whole, "the shape to have")
    })
}

fn clamp_c3_element_types(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_element_type(&[Place::Operand(1), Place::Operand(0), Place::Operand(2)])
}

fn clamp_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(cx.operand(1)))])
}

fn select_c2_types(cx: &Cx<'_>) -> Verdict {
    let (on_true, on_false) = (cx.ty(cx.operand(1)), cx.ty(cx.operand(2)));
    ensure(compatible_types(cx.module, on_true, on_false), || {
        let (on_true, on_false) = (cx.show(on_true), cx.show(on_false));
        let message = format!("on_true and on_false must have the same type, got {on_true} and {on_false}");
        Fault::new(message).at(Place::Operand(2)).label(Place::Operand(1), format!("this is {on_true}"))
    })?;
    if on_true == on_false && cx.ty(cx.result(0)) == on_true { Ok(()) } else { cx.check_results(&select_infer(cx)?) }
}

fn select_infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![cx.most_specific(&cx.module.operands(cx.op)[1..])?])
}
