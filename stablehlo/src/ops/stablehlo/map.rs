//! `map`: a function of the elements at each index.

use super::computation::Computation;
use super::dims::{same_shape, show};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

op! {
    /// A function of the elements at each index.
    pub struct Map = "stablehlo" "map";
    operands {
        many I1 inputs: TENSOR;
    }
    attributes {
        required I2 dimensions: I64Array;
    }
    results {
        one result: TENSOR;
    }
    regions {
        one I3 computation;
    }
    spec {
        summary: "Applies `computation` to the elements of `inputs` at each index",
        anchor: "map",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C2", "There is at least one input.", c2_not_empty),
    Constraint::rule("C1", "All inputs and the result have the same shape.", c1_shapes),
    Constraint::rule("C3", "dimensions are all dimensions of the inputs in order.", c3_all_dimensions),
    Constraint::rule(
        "C4",
        "computation takes a 0-dimensional value for each input, of its element type, and returns one of the result's.",
        c4_computation,
    ),
];

fn op<'m>(cx: &Cx<'m>) -> Map<'m> {
    Map::new(cx.module, cx.op)
}

fn c2_not_empty(cx: &Cx<'_>) -> Verdict {
    ensure(!op(cx).inputs().is_empty(), || Fault::new("there must be at least one input"))
}

fn c1_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..op(cx).inputs().len()).map(Place::Operand).chain([Place::Result(0)]))
}

fn c3_all_dimensions(cx: &Cx<'_>) -> Verdict {
    let dimensions = op(cx).dimensions();
    let rank = cx.rank(op(cx).inputs()[0]);
    let in_order = dimensions.iter().enumerate().all(|(index, dim)| i64::try_from(index) == Ok(*dim));
    ensure(in_order && dimensions.len() == rank, || {
        let wanted: Vec<i64> = (0..rank as i64).collect();
        Fault::new(format!(
            "dimensions must be all dimensions of the inputs in order, {}, got {}",
            show(&wanted),
            show(dimensions)
        ))
        .at(Place::Attr("dimensions"))
    })
}

fn c4_computation(cx: &Cx<'_>) -> Verdict {
    let inputs = op(cx).inputs();
    let computation = Computation::of(cx, 0)?;
    computation.arity("computation", inputs.len(), 1)?;
    for (index, input) in inputs.iter().enumerate() {
        computation.scalar_argument(cx, "computation", index, cx.element_type(*input))?;
    }
    let returned = computation.returned[0];
    let element = cx.module.tensor(returned).filter(|tensor| tensor.shape.is_empty()).map(|tensor| tensor.element);
    ensure(element.is_some(), || {
        Fault::new(format!("computation must return a 0-dimensional tensor, got {}", cx.show(returned)))
    })?;
    cx.check_results(&infer(cx)?)
}

/// The shape of the inputs with what computation returns.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let first = op(cx).inputs()[0];
    let computation = Computation::of(cx, 0)?;
    let element = computation.returned.first().and_then(|returned| cx.module.element_type(*returned));
    Ok(vec![cx.with_element(Inferred::Type(cx.ty(first)), element)])
}
