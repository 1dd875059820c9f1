//! `set_dimension_size`: a dimension declared to have fewer elements than its bound; not in the specification.

use crate::ir::{DYNAMIC, Shape};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred};

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// A dimension declared to have fewer elements than its bound.
    pub struct SetDimensionSize = "stablehlo" "set_dimension_size";
    operands { one _ operand: TENSOR; one _ size: SCALAR_I32_TENSOR; }
    attributes { required _ dimension: I64; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sets the size of the bounded dimension `dimension` to `size`",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "dimension is a dimension of operand.", |cx| {
                let op = SetDimensionSize::new(cx.module, cx.op);
                dims::dimension("dimension", op.dimension(), cx.rank(op.operand()), "the operand")
            }),
            Constraint::rule("C2", "result is operand with the size of dimension unknown, and bounded by what it was, unless size is a constant that says the same.", |cx| cx.check_results(&infer(cx)?)),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = SetDimensionSize::new(cx.module, cx.op);
    let mut shape = Shape::from_slice(cx.shape(op.operand()));
    let mut bounds: Shape = (0..shape.len()).map(|dim| dims::bound_at(cx.bounds(op.operand()), dim)).collect();
    let Some(dim) = usize::try_from(op.dimension()).ok().filter(|dim| *dim < shape.len()) else {
        return Err(Fault::new("dimension is out of range"));
    };
    if shape[dim] != DYNAMIC {
        bounds[dim] = shape[dim];
    }
    shape[dim] = DYNAMIC;
    let size = cx.constant_integers(op.size()).and_then(|sizes| sizes.first().copied());
    if size == Some(bounds[dim]) {
        (shape[dim], bounds[dim]) = (bounds[dim], DYNAMIC);
    }
    Ok(vec![dims::bounded(shape, bounds, Some(cx.element_type(op.operand())))])
}
