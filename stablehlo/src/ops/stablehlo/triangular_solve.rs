//! `triangular_solve`: solution of triangular systems of equations.

use super::dims::{compatible, show};
use crate::ir::Transpose;
use crate::ops::classes::FLOAT_OR_COMPLEX_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// Solution of triangular systems of equations.
    pub struct TriangularSolve = "stablehlo" "triangular_solve";
    operands {
        one I1 a: FLOAT_OR_COMPLEX_TENSOR;
        one I2 b: FLOAT_OR_COMPLEX_TENSOR;
    }
    attributes {
        required I3 left_side: Bool;
        required I4 lower: Bool;
        required I5 unit_diagonal: Bool;
        required I6 transpose_a: TransposeAttr;
    }
    results {
        one result: FLOAT_OR_COMPLEX_TENSOR;
    }
    regions {}
    spec {
        summary: "Solves `op(a) x = b` or `x op(a) = b` for each triangular matrix in `a`",
        anchor: "triangular_solve",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
    }
}

const A: Place = Place::Operand(0);
const B: Place = Place::Operand(1);

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "a and b have the same element type.", c1_element_types),
    Constraint::rule("C2", "a and b have the same rank, at least 2.", c2_ranks),
    Constraint::rule(
        "C3",
        "The matrices in a are square and fit those in b from the left or the right; there are as many in both.",
        c3_shapes,
    ),
    Constraint::rule("X1", "transpose_a is NO_TRANSPOSE, TRANSPOSE or ADJOINT.", x1_transpose),
    Constraint::rule("C4", "The result has the type of b.", c4_result_type),
];

fn op<'m>(cx: &Cx<'m>) -> TriangularSolve<'m> {
    TriangularSolve::new(cx.module, cx.op)
}

fn c1_element_types(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[A, B])
}

fn c2_ranks(cx: &Cx<'_>) -> Verdict {
    let (a, b) = (cx.rank(op(cx).a()), cx.rank(op(cx).b()));
    ensure(a >= 2, || Fault::new(format!("a must have at least rank 2, got {a}")).at(A))?;
    ensure(a == b, || {
        Fault::new(format!("a and b must have the same rank, got {a} and {b}")).at(B).label(A, format!("has rank {a}"))
    })
}

fn c3_shapes(cx: &Cx<'_>) -> Verdict {
    let (a, b) = (cx.shape(op(cx).a()), cx.shape(op(cx).b()));
    let fault = |message: String| {
        Fault::new(message).at(B).label(A, format!("has shape {}", show(a))).label(B, format!("has shape {}", show(b)))
    };
    let ([a_batch @ .., rows, columns], [b_batch @ .., b_rows, b_columns]) = (a, b) else {
        return Ok(());
    };
    ensure(compatible(*rows, *columns), || {
        Fault::new(format!("the last two dimensions of a must have the same size, got shape {}", show(a))).at(A)
    })?;
    let left = op(cx).left_side();
    let shared = if left { *b_rows } else { *b_columns };
    ensure(compatible(*columns, shared), || {
        let which = if left { "second-last dimension of b must have" } else { "last dimension of b must have" };
        fault(format!("the {which} the size of the matrices in a, {columns}, got {shared}"))
    })?;
    ensure(a_batch.iter().zip(b_batch).all(|(a, b)| compatible(*a, *b)), || {
        fault(format!(
            "all but the last two dimensions of a and b must be the same, got {} and {}",
            show(a_batch),
            show(b_batch)
        ))
    })
}

/// The enumeration has a word for "none of these".
fn x1_transpose(cx: &Cx<'_>) -> Verdict {
    ensure(op(cx).transpose_a() != Transpose::Invalid, || {
        let message = "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT, got TRANSPOSE_INVALID";
        Fault::new(message).at(Place::Attr("transpose_a"))
    })
}

fn c4_result_type(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The type of b.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(op(cx).b()))])
}
