//! The rules that the three `batch_norm` ops share.

use super::dims::{bound_at, bounded, compatible, dimension, size_at};
use crate::ir::{DYNAMIC, Shape};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const OPERAND: Place = Place::Operand(0);

/// The number of the feature dimension.
fn feature_index(cx: &Cx<'_>) -> i64 {
    let attr = cx.module.property(cx.op, "feature_index");
    attr.and_then(|attr| cx.module.integer_attr(attr)).unwrap_or(-1)
}

/// Shape and bounds of the operand.
fn operand<'m>(cx: &Cx<'m>) -> (&'m [i64], &'m [i64]) {
    cx.value(OPERAND).map_or((&[], &[]), |operand| (cx.shape(operand), cx.bounds(operand)))
}

/// Passes when feature_index is a dimension of the operand.
pub fn check_feature_index(cx: &Cx<'_>) -> Verdict {
    let (index, rank) = (feature_index(cx), operand(cx).0.len());
    dimension("feature_index", index, rank, "operand").map_err(|fault| fault.label(OPERAND, format!("has rank {rank}")))
}

/// Passes when all operands and results have one element type, up to quantization parameters.
pub fn check_element_types(cx: &Cx<'_>) -> Verdict {
    let operands = (0..cx.module.operands(cx.op).len()).map(Place::Operand);
    let results = (0..cx.module.results(cx.op).len()).map(Place::Result);
    cx.same_element_type(&operands.chain(results).collect::<Vec<_>>())
}

/// Passes when the vector at `place` has one element per feature.
pub fn check_size(cx: &Cx<'_>, place: Place, name: &str) -> Verdict {
    let features = size_at(operand(cx).0, feature_index(cx));
    let size = cx.value(place).and_then(|value| cx.shape(value).first().copied()).unwrap_or(DYNAMIC);
    ensure(compatible(features, size), || {
        Fault::new(format!("{name} must have one element per feature, {features}, got {size}"))
            .at(place)
            .label(OPERAND, format!("has {features} features"))
    })
}

/// The operand's type, and two vectors with one element per feature.
///
/// # Errors
/// None; the signature is that of inference.
pub fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let Some(value) = cx.value(OPERAND) else {
        return Ok(Vec::new());
    };
    let output = Inferred::Type(cx.ty(value));
    let (shape, bounds) = operand(cx);
    let features = usize::try_from(feature_index(cx)).unwrap_or(usize::MAX);
    let size = Shape::from_slice(&[shape.get(features).copied().unwrap_or(DYNAMIC)]);
    let vector = bounded(size, Shape::from_slice(&[bound_at(bounds, features)]), Some(cx.element_type(value)));
    Ok(vec![output, vector.clone(), vector])
}
