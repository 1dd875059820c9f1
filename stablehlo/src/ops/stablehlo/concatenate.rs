//! `concatenate`: tensors one after the other along a dimension.

use crate::ir::{DYNAMIC, Shape};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Tensors one after the other.
    pub struct Concatenate = "stablehlo" "concatenate";
    operands { many I1 inputs: TENSOR; }
    attributes { required I2 dimension: I64; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Puts `inputs` one after the other along `dimension`",
        anchor: "concatenate",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C3", "There is at least one input.", c3_not_empty),
            Constraint::rule("C1", "All inputs have the same element type.", |cx| {
                let places: Vec<Place> = (0..cx.module.operands(cx.op).len()).map(Place::Operand).collect();
                cx.same_element_type(&places)
            }),
            Constraint::rule("C4", "dimension is a dimension of the inputs.", c4_dimension),
            Constraint::rule("C2", "All inputs have the same shape, except along dimension.", c2_shapes),
            Constraint::rule("C5", "result has the element type of the inputs.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Result(0)])),
            Constraint::rule("C6", "result has the shape of the inputs, except that its size along dimension is the sum of theirs.", |cx| cx.check_results(&infer(cx)?)),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn c3_not_empty(cx: &Cx<'_>) -> Verdict {
    ensure(!cx.module.operands(cx.op).is_empty(), || Fault::new("expected at least one input, got none"))
}

fn c4_dimension(cx: &Cx<'_>) -> Verdict {
    let op = Concatenate::new(cx.module, cx.op);
    dims::dimension("dimension", op.dimension(), cx.rank(cx.operand(0)), "the inputs")
}

fn c2_shapes(cx: &Cx<'_>) -> Verdict {
    let op = Concatenate::new(cx.module, cx.op);
    let wanted = cx.shape(cx.operand(0));
    for (index, input) in op.inputs().iter().enumerate().skip(1) {
        let found = cx.shape(*input);
        let same = |dim: usize| op.dimension() == dim as i64 || dims::compatible(wanted[dim], found[dim]);
        ensure(wanted.len() == found.len() && (0..wanted.len()).all(same), || {
            let (one, other) = (dims::show(wanted), dims::show(found));
            let message =
                format!("shapes must be the same except in dimension {}, got {one} and {other}", op.dimension());
            Fault::new(message).at(Place::Operand(index)).label(Place::Operand(0), format!("has shape {one}"))
        })?;
    }
    Ok(())
}

/// Sizes add up along the dimension, as far as they or their bounds are known; elsewhere the most specific one counts.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Concatenate::new(cx.module, cx.op);
    let first = cx.operand(0);
    let along = usize::try_from(op.dimension()).unwrap_or(usize::MAX);
    let mut shape = Shape::from_elem(DYNAMIC, cx.rank(first));
    let mut bounds = shape.clone();
    for dim in 0..shape.len() {
        let known = op.inputs().iter().map(|input| (cx.shape(*input)[dim], dims::bound_at(cx.bounds(*input), dim)));
        let merged = if dim == along { sum(known) } else { Inferred::merge_dimensions(known) };
        let Some(merged) = merged else {
            return Err(Fault::new(format!("sizes and bounds of dimension {dim} disagree between the inputs")));
        };
        (shape[dim], bounds[dim]) = merged;
    }
    Ok(vec![dims::bounded(shape, bounds, Some(cx.element_type(first)))])
}

/// Size and bound of the whole; none when the sum does not fit.
fn sum(mut parts: impl Iterator<Item = (i64, i64)>) -> Option<(i64, i64)> {
    parts.try_fold((0, DYNAMIC), |(size, bound), (other, other_bound)| {
        if size != DYNAMIC && other != DYNAMIC {
            return Some((size.checked_add(other)?, DYNAMIC));
        }
        let most = |size, bound| if size == DYNAMIC { bound } else { size };
        match (most(size, bound), most(other, other_bound)) {
            (DYNAMIC, _) | (_, DYNAMIC) => Some((DYNAMIC, DYNAMIC)),
            (x, y) => Some((DYNAMIC, x.checked_add(y)?)),
        }
    })
}
