//! `reduce`: folding of dimensions with a function.

use super::computation::{Reduction, accumulator_elements, check_reducer};
use super::dims::{DimSet, List, bound_at, bounded, check_result_shapes, same_shape};
use crate::ir::{Shape, TypeId, ValueId};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Syntax, Trait};
use crate::syntax::custom;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// Folding of dimensions with a function.
    pub struct Reduce = "stablehlo" "reduce";
    operands {
        many I1 inputs: TENSOR;
        many I2 init_values: TENSOR;
    }
    attributes {
        required I3 dimensions: I64Array;
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I4 body;
    }
    spec {
        summary: "Folds `inputs` along `dimensions` with `body`, beginning with `init_values`",
        syntax: Syntax::Custom { parse: custom::reduce::parse, print: custom::reduce::print },
        anchor: "reduce",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: &[("reduce_v1", "0.9.0")],
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C3", "There are as many inputs, initial values and results, at least one of each.", c3_counts),
    Constraint::rule("C1", "All inputs have the same shape.", c1_input_shapes),
    Constraint::rule("C4", "dimensions are dimensions of the inputs.", c4_in_range),
    Constraint::rule("C5", "dimensions does not name a dimension twice.", c5_unique),
    Constraint::rule(
        "C6",
        "body takes two values for each input and returns one, all 0-dimensional, with an element type that the input's \
         can be promoted to.",
        c6_body,
    ),
    Constraint::rule("C2", "Each initial value has the element type of its input.", c2_element_types),
    Constraint::rule("C7", "Results have the inputs' dimensions without the reduced ones.", c7_result_shapes),
    Constraint::rule("C8", "Results have the element types that body returns.", c8_result_element_types),
];

fn op<'m>(cx: &Cx<'m>) -> Reduce<'m> {
    Reduce::new(cx.module, cx.op)
}

/// Passes when there are `n` inputs, initial values and results each, and `n` is not 0.
pub fn check_counts(cx: &Cx<'_>, inputs: &[ValueId], init_values: &[ValueId]) -> Verdict {
    let n_results = cx.module.results(cx.op).len();
    ensure(!inputs.is_empty(), || Fault::new("there must be at least one input"))?;
    ensure(inputs.len() == init_values.len() && inputs.len() == n_results, || {
        let (n, n_init) = (inputs.len(), init_values.len());
        Fault::new(format!(
            "there must be as many inputs as initial values and results, got {n}, {n_init} and {n_results}"
        ))
    })
}

/// Types of values.
pub fn types(cx: &Cx<'_>, values: &[ValueId]) -> Vec<TypeId> {
    values.iter().map(|value| cx.ty(*value)).collect()
}

/// Passes when each of `others`, operands from number `first` on, has the element type of its partner in `inputs`.
pub fn check_element_types(cx: &Cx<'_>, inputs: &[ValueId], first: usize) -> Verdict {
    (0..inputs.len())
        .try_for_each(|index| cx.same_element_type(&[Place::Operand(index), Place::Operand(first + index)]))
}

fn c3_counts(cx: &Cx<'_>) -> Verdict {
    check_counts(cx, op(cx).inputs(), op(cx).init_values())
}

fn c1_input_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..op(cx).inputs().len()).map(Place::Operand))
}

fn dimensions<'m>(cx: &Cx<'m>) -> List<'m> {
    List::new("dimensions", "dimensions", op(cx).dimensions())
}

fn c4_in_range(cx: &Cx<'_>) -> Verdict {
    dimensions(cx).in_range(cx.rank(op(cx).inputs()[0]), "the inputs")
}

fn c5_unique(cx: &Cx<'_>) -> Verdict {
    dimensions(cx).unique()
}

/// The reduced dimensions as a set.
fn reduced(cx: &Cx<'_>) -> DimSet {
    DimSet::new(cx.rank(op(cx).inputs()[0]), &[op(cx).dimensions()])
}

/// Sizes of the first input without the reduced dimensions.
fn kept_sizes(cx: &Cx<'_>) -> Shape {
    let shape = cx.shape(op(cx).inputs()[0]);
    reduced(cx).others().map(|dim| shape[dim]).collect()
}

fn c6_body(cx: &Cx<'_>) -> Verdict {
    check_reducer(
        cx,
        &Reduction {
            name: "body",
            region: 0,
            inputs: &types(cx, op(cx).inputs()),
            init_values: &types(cx, op(cx).init_values()),
            elementwise: false,
            allowed_sizes: &kept_sizes(cx),
        },
    )
}

fn c2_element_types(cx: &Cx<'_>) -> Verdict {
    check_element_types(cx, op(cx).inputs(), op(cx).inputs().len())
}

fn c7_result_shapes(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c8_result_element_types(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The first input's shape without the reduced dimensions, with what body returns.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let first = op(cx).inputs()[0];
    let shape = kept_sizes(cx);
    let bounds: Shape = reduced(cx).others().map(|dim| bound_at(cx.bounds(first), dim)).collect();
    let elements = accumulator_elements(cx, 0)?;
    Ok(elements.into_iter().map(|element| bounded(shape.clone(), bounds.clone(), Some(element))).collect())
}
