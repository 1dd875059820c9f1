//! `reduce_window`: folding of windows with a function.

use super::computation::{Reduction, accumulator_elements, check_reducer};
use super::dims::{List, bounded, check_result_shapes, same_shape};
use super::reduce::{check_counts, check_element_types};
use super::window::{Window, check_padding_shape, one_per_dimension, padding, positive, sizes_per_dimension};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict};
use crate::vhlo::history::{Absent, EQUAL_ELEMENT_TYPES, History, WindowRank};

op! {
    /// Folding of windows with a function.
    pub struct ReduceWindow = "stablehlo" "reduce_window";
    operands {
        many I1 inputs: TENSOR;
        many I2 init_values: TENSOR;
    }
    attributes {
        required I3 window_dimensions: I64Array;
        optional I4 window_strides: I64Array;
        optional I5 base_dilations: I64Array;
        optional I6 window_dilations: I64Array;
        optional I7 padding: I64Elements;
    }
    results {
        many results: TENSOR;
    }
    regions {
        one I8 body;
    }
    spec {
        summary: "Folds each window of `inputs` with `body`, beginning with `init_values`",
        anchor: "reduce_window",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .absent(&[
                ("window_strides", Absent::Ones(WindowRank::Dimensions)),
                ("base_dilations", Absent::Ones(WindowRank::Dimensions)),
                ("window_dilations", Absent::Ones(WindowRank::Dimensions)),
                ("padding", Absent::ZeroPairs(WindowRank::Dimensions)),
            ])
            .demands(EQUAL_ELEMENT_TYPES)
            .declared(),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "There are as many inputs, initial values and results, at least one of each.", c1_counts),
    Constraint::rule("C2", "All inputs have the same shape.", c2_input_shapes),
    Constraint::rule("C4", "window_dimensions has one entry per dimension of the inputs.", c4),
    Constraint::rule("C5", "window_dimensions is positive.", c5),
    Constraint::rule("C6", "window_strides has one entry per dimension of the inputs.", c6),
    Constraint::rule("C7", "window_strides is positive.", c7),
    Constraint::rule("C8", "base_dilations has one entry per dimension of the inputs.", c8),
    Constraint::rule("C9", "base_dilations is positive.", c9),
    Constraint::rule("C10", "window_dilations has one entry per dimension of the inputs.", c10),
    Constraint::rule("C11", "window_dilations is positive.", c11),
    Constraint::rule("C12", "padding has a low and a high entry per dimension of the inputs.", c12),
    Constraint::rule(
        "C13",
        "body takes two values for each input and returns one, all 0-dimensional, with an element type that the input's \
         can be promoted to.",
        c13_body,
    ),
    Constraint::rule("C3", "Each initial value has the element type of its input.", c3_element_types),
    Constraint::rule("C14", "All results have the same shape.", c14_same_result_shapes),
    Constraint::rule("C15", "Results have as many elements in each dimension as there are windows.", c15_result_shapes),
    Constraint::rule("C16", "Results have the element types that body returns.", c16_result_element_types),
];

fn op<'m>(cx: &Cx<'m>) -> ReduceWindow<'m> {
    ReduceWindow::new(cx.module, cx.op)
}

/// Rank of the inputs.
fn rank(cx: &Cx<'_>) -> usize {
    cx.rank(op(cx).inputs()[0])
}

fn window<'m>(cx: &Cx<'m>) -> Window<'m> {
    let op = op(cx);
    Window {
        sizes: op.window_dimensions(),
        strides: op.window_strides(),
        base_dilations: op.base_dilations(),
        window_dilations: op.window_dilations(),
        padding: padding(cx, op.padding(), rank(cx)),
    }
}

fn c1_counts(cx: &Cx<'_>) -> Verdict {
    check_counts(cx, op(cx).inputs(), op(cx).init_values())
}

fn c2_input_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..op(cx).inputs().len()).map(Place::Operand))
}

fn c3_element_types(cx: &Cx<'_>) -> Verdict {
    check_element_types(cx, op(cx).inputs(), op(cx).inputs().len())
}

fn c4(cx: &Cx<'_>) -> Verdict {
    sizes_per_dimension("window_dimensions", op(cx).window_dimensions(), rank(cx))
}

fn c5(cx: &Cx<'_>) -> Verdict {
    List::new("window_dimensions", "window_dimensions", op(cx).window_dimensions()).positive()
}

fn c6(cx: &Cx<'_>) -> Verdict {
    one_per_dimension("window_strides", op(cx).window_strides(), rank(cx))
}

fn c7(cx: &Cx<'_>) -> Verdict {
    positive("window_strides", op(cx).window_strides())
}

fn c8(cx: &Cx<'_>) -> Verdict {
    one_per_dimension("base_dilations", op(cx).base_dilations(), rank(cx))
}

fn c9(cx: &Cx<'_>) -> Verdict {
    positive("base_dilations", op(cx).base_dilations())
}

fn c10(cx: &Cx<'_>) -> Verdict {
    one_per_dimension("window_dilations", op(cx).window_dilations(), rank(cx))
}

fn c11(cx: &Cx<'_>) -> Verdict {
    positive("window_dilations", op(cx).window_dilations())
}

fn c12(cx: &Cx<'_>) -> Verdict {
    check_padding_shape(cx, op(cx).padding(), rank(cx))
}

fn c13_body(cx: &Cx<'_>) -> Verdict {
    check_reducer(
        cx,
        &Reduction {
            name: "body",
            region: 0,
            inputs: &cx.types(op(cx).inputs()),
            init_values: &cx.types(op(cx).init_values()),
            elementwise: false,
            allowed_sizes: op(cx).window_dimensions(),
        },
    )
}

fn c14_same_result_shapes(cx: &Cx<'_>) -> Verdict {
    same_shape(cx, (0..cx.module.results(cx.op).len()).map(Place::Result))
}

fn c15_result_shapes(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c16_result_element_types(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// Number of windows in each dimension, with what body returns; bounds of the inputs bound the number of windows.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let window = window(cx);
    let elements = accumulator_elements(cx, 0)?;
    let one = |(input, element): (&crate::ir::ValueId, crate::ir::TypeId)| {
        let shape = window.counts(cx.shape(*input))?;
        let bounds = window.counts(cx.bounds(*input))?;
        Ok(bounded(shape, bounds, Some(element)))
    };
    op(cx).inputs().iter().zip(elements).map(one).collect()
}
