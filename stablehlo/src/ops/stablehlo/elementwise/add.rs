//! `add`: the elementwise op that also takes per-axis quantized tensors.

use crate::ir::QuantizedType;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::quantization::{per_axis, quantized};
use crate::syntax::forms::BINARY;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// Elementwise sum; logical or for booleans.
    pub struct Add = "stablehlo" "add";
    operands { one I1 lhs: ANY_TENSOR; one I2 rhs: ANY_TENSOR; }
    attributes {}
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Adds `lhs` and `rhs` element by element; logical or for booleans",
        anchor: "add",
        traits: &[Trait::Pure, Trait::Commutative],
        constraints: &[
            Constraint::rule(
                "C1",
                "lhs, rhs and result have the same shape and, unless any is quantized, the same element type.",
                c1_same_types,
            ),
            Constraint::rule("C2", "Either all of lhs, rhs and result are quantized or none is.", c2_all_quantized),
            Constraint::rule("C3", "Quantized lhs, rhs and result have the same storage type.", c3_storage_types),
            Constraint::rule("C4", "Quantized lhs, rhs and result have the same expressed type.", c4_expressed_types),
            Constraint::rule(
                "C5",
                "result is quantized per axis exactly when lhs or rhs is.",
                c5_granularity,
            ),
            Constraint::rule(
                "C6",
                "A per-axis quantized lhs has the result's quantization dimension.",
                |cx| quantization_dimension(cx, Place::Operand(0), "lhs"),
            ),
            Constraint::rule(
                "C7",
                "A per-axis quantized rhs has the result's quantization dimension.",
                |cx| quantization_dimension(cx, Place::Operand(1), "rhs"),
            ),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(BINARY),
    }
}

/// The three tensors in order.
const PLACES: [Place; 3] = [Place::Operand(0), Place::Operand(1), Place::Result(0)];

/// Whether all three have one type that is not quantized, which settles every rule.
fn plainly_same(cx: &Cx<'_>) -> bool {
    let op = Add::new(cx.module, cx.op);
    let ty = cx.ty(op.lhs());
    cx.ty(op.rhs()) == ty && cx.ty(op.result()) == ty && cx.module.quantized(ty).is_none()
}

/// The quantized element types of the three tensors with their places.
fn quantized_types<'m>(cx: &Cx<'m>) -> impl Iterator<Item = (Place, &'m QuantizedType)> {
    PLACES.into_iter().filter_map(|place| Some((place, quantized(cx, cx.value(place)?)?)))
}

fn c1_same_types(cx: &Cx<'_>) -> Verdict {
    if plainly_same(cx) {
        return Ok(());
    }
    if quantized_types(cx).next().is_none() {
        return cx.same_baseline_types();
    }
    crate::ops::stablehlo::dims::same_shape(cx, PLACES)
}

fn c2_all_quantized(cx: &Cx<'_>) -> Verdict {
    let n_quantized = if plainly_same(cx) { 0 } else { quantized_types(cx).count() };
    ensure(n_quantized == 0 || n_quantized == PLACES.len(), || {
        let types = PLACES.iter().filter_map(|place| Some(cx.show(cx.element_type(cx.value(*place)?))));
        let types = types.collect::<Vec<_>>().join(", ");
        Fault::new(format!("operands and result must all be quantized or none of them, got element types {types}"))
    })
}

/// Passes when all quantized types agree in what `part` takes from them.
fn agree<T: PartialEq>(cx: &Cx<'_>, what: &str, part: impl Fn(&QuantizedType) -> T) -> Verdict {
    if plainly_same(cx) {
        return Ok(());
    }
    let mut types = quantized_types(cx);
    let Some((first, wanted)) = types.next() else {
        return Ok(());
    };
    match types.find(|(_, found)| part(found) != part(wanted)) {
        None => Ok(()),
        Some((place, _)) => {
            let show = |place| cx.value(place).map_or_else(String::new, |value| cx.show(cx.element_type(value)));
            let message = format!("{what} must be equal, got {} and {}", show(first), show(place));
            Err(Fault::new(message).at(place).label(first, format!("elements are {}", show(first))))
        }
    }
}

fn c3_storage_types(cx: &Cx<'_>) -> Verdict {
    agree(cx, "storage types", |ty| (ty.storage.ty, ty.storage.signed))
}

fn c4_expressed_types(cx: &Cx<'_>) -> Verdict {
    agree(cx, "expressed types", |ty| ty.expressed)
}

fn c5_granularity(cx: &Cx<'_>) -> Verdict {
    if plainly_same(cx) {
        return Ok(());
    }
    let op = Add::new(cx.module, cx.op);
    let operands = per_axis(cx, op.lhs()).is_some() || per_axis(cx, op.rhs()).is_some();
    let result = per_axis(cx, op.result()).is_some();
    ensure(operands == result, || {
        let message = if result {
            "result is quantized per axis, but neither lhs nor rhs is"
        } else {
            "lhs or rhs is quantized per axis, but result is not"
        };
        Fault::new(message).at(Place::Result(0))
    })
}

fn quantization_dimension(cx: &Cx<'_>, place: Place, name: &str) -> Verdict {
    if plainly_same(cx) {
        return Ok(());
    }
    let dimension = |place| cx.value(place).and_then(|value| per_axis(cx, value)).map(|(dimension, _)| dimension);
    match (dimension(place), dimension(Place::Result(0))) {
        (Some(operand), Some(result)) if operand != result => {
            let message =
                format!("{name} and result must have the same quantization dimension, got {operand} and {result}");
            Err(Fault::new(message).at(Place::Result(0)).label(place, format!("quantized along dimension {operand}")))
        }
        _ => Ok(()),
    }
}

/// The operands' type; of quantized tensors only the shape follows.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Add::new(cx.module, cx.op);
    let inferred = cx.most_specific(cx.module.operands(cx.op))?;
    if quantized(cx, op.lhs()).is_none() {
        return Ok(vec![inferred]);
    }
    Ok(vec![cx.with_element(inferred, None)])
}
