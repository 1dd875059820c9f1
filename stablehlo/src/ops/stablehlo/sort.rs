//! `sort`: sorting along a dimension.

use super::computation::Computation;
use super::dims::same_shape;
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, DefaultValue, Infer, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// Sorting along a dimension.
    pub struct Sort = "stablehlo" "sort";
    operands {
        many I1 inputs: TENSOR;
    }
    attributes {
        default I2 dimension: I64 = DefaultValue::I64(-1);
        default I3 is_stable: Bool = DefaultValue::Bool(false);
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I4 comparator;
    }
    spec {
        summary: "Sorts the lines of `inputs` along `dimension`, all alike, by `comparator`",
        anchor: "sort",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "There is at least one input.", c1_not_empty),
    Constraint::rule("C3", "All inputs and results have the same shape.", c3_shapes),
    Constraint::rule("C4", "dimension is a dimension of the inputs, counted from either end.", c4_dimension),
    Constraint::rule(
        "C5",
        "comparator takes two 0-dimensional values for each input, of its element type, and returns tensor<i1>.",
        c5_comparator,
    ),
    Constraint::rule("C2", "Each result has the type of its input.", c2_result_types),
];

fn op<'m>(cx: &Cx<'m>) -> Sort<'m> {
    Sort::new(cx.module, cx.op)
}

fn c1_not_empty(cx: &Cx<'_>) -> Verdict {
    ensure(!op(cx).inputs().is_empty(), || Fault::new("there must be at least one input"))
}

fn c3_shapes(cx: &Cx<'_>) -> Verdict {
    let operands = (0..op(cx).inputs().len()).map(Place::Operand);
    let results = (0..cx.module.results(cx.op).len()).map(Place::Result);
    same_shape(cx, operands.chain(results))
}

fn c4_dimension(cx: &Cx<'_>) -> Verdict {
    let rank = i64::try_from(cx.rank(op(cx).inputs()[0])).unwrap_or(i64::MAX);
    let dimension = op(cx).dimension().unwrap_or(-1);
    ensure((-rank..rank).contains(&dimension), || {
        Fault::new(format!("dimension must be in range [-{rank}, {rank}), got {dimension}"))
            .at(Place::Attr("dimension"))
            .label(Place::Operand(0), format!("has rank {rank}"))
    })
}

fn c5_comparator(cx: &Cx<'_>) -> Verdict {
    let inputs = op(cx).inputs();
    let computation = Computation::of(cx, 0)?;
    computation.arity("comparator", 2 * inputs.len(), 1)?;
    for index in 0..2 * inputs.len() {
        computation.scalar_argument(cx, "comparator", index, cx.element_type(inputs[index / 2]))?;
    }
    computation.returns_boolean(cx, "comparator")
}

fn c2_result_types(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The types of the inputs.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(op(cx).inputs().iter().map(|input| Inferred::Type(cx.ty(*input))).collect())
}
