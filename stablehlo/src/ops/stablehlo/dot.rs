//! `dot`: contraction of the last dimension of one tensor with the first of another.

use super::dims::{bound_at, bounded, check_result_shapes, compatible, show};
use super::precision;
use crate::ir::Shape;
use crate::ops::classes::{ANY_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[
    Operands,
    Optional("precision_config", &[Text(", precision = "), Slot("precision_config")]),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Contraction of the last dimension of one tensor with the first of another.
    pub struct Dot = "stablehlo" "dot";
    operands {
        one _ lhs: TENSOR;
        one _ rhs: ANY_TENSOR;
    }
    attributes {
        optional _ precision_config: PrecisionConfig;
    }
    results {
        one result: ANY_TENSOR;
    }
    regions {}
    spec {
        summary: "Multiplies vectors and matrices, contracting the last dimension of `lhs` with the first of `rhs`",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
        deprecated: Some("write `stablehlo.dot_general`"),
    }
}

/// The op is older than the specification and has no section there; labels are ours.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "precision_config has one entry per operand.", c1),
    Constraint::rule(
        "C2",
        "Both operands are vectors or matrices, and the last dimension of lhs has the size of the first of rhs.",
        c2,
    ),
    Constraint::rule(
        "C3",
        "The result has the first dimension of a matrix lhs and the last of a matrix rhs.",
        c3_result_shape,
    ),
];

fn c1(cx: &Cx<'_>) -> Verdict {
    precision::check_count(Dot::new(cx.module, cx.op).precision_config().as_deref())
}

fn c2(cx: &Cx<'_>) -> Verdict {
    let op = Dot::new(cx.module, cx.op);
    let (lhs, rhs) = (cx.shape(op.lhs()), cx.shape(op.rhs()));
    let contracted = match (lhs, rhs) {
        ([.., last], [first, ..]) if lhs.len() <= 2 && rhs.len() <= 2 => Some((*last, *first)),
        _ => None,
    };
    let Some((last, first)) = contracted else {
        let message = format!("lhs and rhs must have rank 1 or 2, got {} and {}", lhs.len(), rhs.len());
        return Err(Fault::new(message).at(Place::Operand(0)));
    };
    ensure(compatible(last, first), || {
        let message = format!(
            "the last dimension of lhs must have the size of the first of rhs, got {} and {}",
            show(lhs),
            show(rhs)
        );
        Fault::new(message).at(Place::Operand(1))
    })
}

fn c3_result_shape(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

/// Shape of the result; its element type does not follow from the operands.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Dot::new(cx.module, cx.op);
    let (mut shape, mut bounds) = (Shape::new(), Shape::new());
    for (value, dim) in [(op.lhs(), 0), (op.rhs(), 1)] {
        if let [_, _] = cx.shape(value) {
            shape.push(cx.shape(value)[dim]);
            bounds.push(bound_at(cx.bounds(value), dim));
        }
    }
    Ok(vec![bounded(shape, bounds, None)])
}
