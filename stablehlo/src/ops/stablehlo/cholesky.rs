//! `cholesky`: cholesky decomposition of a batch of matrices.

use super::dims::{compatible, show};
use crate::ops::classes::FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, DefaultValue, Infer, Numerics, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] =
    &[Operands, Optional("lower", &[Text(", lower = "), Slot("lower")]), AttrDict, Types(TypeForm::Same)];

op! {
    /// Cholesky decomposition of a batch of matrices.
    pub struct Cholesky = "stablehlo" "cholesky";
    operands {
        one I1 a: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
    }
    attributes {
        default I2 lower: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: FLOAT_COMPLEX_OR_QUANTIZED_TENSOR;
    }
    regions {}
    spec {
        summary: "Finds the triangular factor of each positive-definite matrix in `a`",
        anchor: "cholesky",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Accumulation,
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C2", "a has at least two dimensions.", c2_rank),
    Constraint::rule("C3", "The last two dimensions of a have the same size.", c3_square),
    Constraint::rule("C1", "The result has the type of a, up to quantization parameters.", c1_result_type),
];

fn shape<'m>(cx: &Cx<'m>) -> &'m [i64] {
    cx.shape(Cholesky::new(cx.module, cx.op).a())
}

fn c2_rank(cx: &Cx<'_>) -> Verdict {
    ensure(shape(cx).len() >= 2, || {
        Fault::new(format!("a must have at least rank 2, got shape {}", show(shape(cx)))).at(Place::Operand(0))
    })
}

fn c3_square(cx: &Cx<'_>) -> Verdict {
    let square = matches!(shape(cx), [.., rows, columns] if compatible(*rows, *columns));
    ensure(square, || {
        Fault::new(format!("the last two dimensions of a must have the same size, got shape {}", show(shape(cx))))
            .at(Place::Operand(0))
    })
}

fn c1_result_type(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The type of the operand.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(Cholesky::new(cx.module, cx.op).a()))])
}
