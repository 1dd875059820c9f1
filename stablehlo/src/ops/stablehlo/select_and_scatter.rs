//! `select_and_scatter`: sums of values at the places that windows select.

use super::computation::{Computation, Reduction, accumulator_elements, check_reducer};
use super::dims::{check_result_shapes, same_sizes, show};
use super::window::{Window, check_padding_shape, one_per_dimension, padding, positive, sizes_per_dimension};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};
use crate::vhlo::history::{Absent, EQUAL_ELEMENT_TYPES, History, WindowRank};

op! {
    /// Sums of values at the places that windows select.
    pub struct SelectAndScatter = "stablehlo" "select_and_scatter";
    operands {
        one I1 operand: TENSOR;
        one I2 source: TENSOR;
        one I3 init_value: TENSOR;
    }
    attributes {
        optional I4 window_dimensions: I64Array;
        optional I5 window_strides: I64Array;
        optional I6 padding: I64Elements;
    }
    results {
        one result: TENSOR;
    }
    regions {
        one I7 select;
        one I8 scatter;
    }
    spec {
        summary: "Selects one element of each window of `operand` and combines the values of `source` at the selected places",
        anchor: "select_and_scatter",
        traits: &[Trait::Pure, Trait::SingleBlock],
        constraints: RULES,
        infer: Infer::Fn(infer),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL
            .absent(&[
                ("window_dimensions", Absent::Refused),
                ("window_strides", Absent::Ones(WindowRank::Dimensions)),
                ("padding", Absent::ZeroPairs(WindowRank::Dimensions)),
            ])
            .demands(EQUAL_ELEMENT_TYPES)
            .declared(),
    }
}

const OPERAND: Place = Place::Operand(0);
const SOURCE: Place = Place::Operand(1);
const INIT_VALUE: Place = Place::Operand(2);

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "operand and source have the same element type.", c1),
    Constraint::rule("C4", "window_dimensions has one entry per dimension of operand.", c4),
    Constraint::rule("C5", "window_dimensions is positive.", c5),
    Constraint::rule("C6", "window_strides has one entry per dimension of operand.", c6),
    Constraint::rule("C7", "window_strides is positive.", c7),
    Constraint::rule("C8", "padding has a low and a high entry per dimension of operand.", c8),
    Constraint::rule("C9", "select compares two 0-dimensional values of the operand's element type.", c9_select),
    Constraint::rule(
        "C10",
        "scatter takes two 0-dimensional values and returns one, all with an element type that the operand's can be \
         promoted to.",
        c10_scatter,
    ),
    Constraint::rule("C3", "init_value has the operand's element type.", c3),
    Constraint::rule("C2", "source has as many elements in each dimension as there are windows.", c2_source_shape),
    Constraint::rule("C11", "The result has the operand's shape.", c11_result_shape),
    Constraint::rule("C12", "The result has the element type that scatter returns.", c12_result_element_type),
];

fn op<'m>(cx: &Cx<'m>) -> SelectAndScatter<'m> {
    SelectAndScatter::new(cx.module, cx.op)
}

fn rank(cx: &Cx<'_>) -> usize {
    cx.rank(op(cx).operand())
}

/// Sizes of the window. They may be left out by the dialect's declaration, which then means none.
fn sizes<'m>(cx: &Cx<'m>) -> &'m [i64] {
    op(cx).window_dimensions().unwrap_or(&[])
}

fn c1(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[OPERAND, SOURCE])
}

fn c2_source_shape(cx: &Cx<'_>) -> Verdict {
    let window = Window {
        sizes: sizes(cx),
        strides: op(cx).window_strides(),
        base_dilations: None,
        window_dilations: None,
        padding: padding(cx, op(cx).padding(), rank(cx)),
    };
    let wanted = window.counts(cx.shape(op(cx).operand()))?;
    let found = cx.shape(op(cx).source());
    ensure(same_sizes(&wanted, found), || {
        Fault::new(format!("source must have one element per window, {}, got {}", show(&wanted), show(found)))
            .at(SOURCE)
    })
}

fn c3(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[OPERAND, INIT_VALUE])
}

fn c4(cx: &Cx<'_>) -> Verdict {
    sizes_per_dimension("window_dimensions", sizes(cx), rank(cx))
}

fn c5(cx: &Cx<'_>) -> Verdict {
    positive("window_dimensions", Some(sizes(cx)))
}

fn c6(cx: &Cx<'_>) -> Verdict {
    one_per_dimension("window_strides", op(cx).window_strides(), rank(cx))
}

fn c7(cx: &Cx<'_>) -> Verdict {
    positive("window_strides", op(cx).window_strides())
}

fn c8(cx: &Cx<'_>) -> Verdict {
    check_padding_shape(cx, op(cx).padding(), rank(cx))
}

fn c9_select(cx: &Cx<'_>) -> Verdict {
    let computation = Computation::of(cx, 0)?;
    computation.arity("select", 2, 1)?;
    for index in 0..2 {
        computation.scalar_argument(cx, "select", index, cx.element_type(op(cx).operand()))?;
    }
    computation.returns_boolean(cx, "select")
}

fn c10_scatter(cx: &Cx<'_>) -> Verdict {
    check_reducer(
        cx,
        &Reduction {
            name: "scatter",
            region: 1,
            inputs: &[cx.ty(op(cx).operand())],
            init_values: &[cx.ty(op(cx).init_value())],
            elementwise: false,
            allowed_sizes: &[],
        },
    )
}

fn c11_result_shape(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer(cx)?)
}

fn c12_result_element_type(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The operand's shape with what scatter returns.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let operand = op(cx).operand();
    let element = accumulator_elements(cx, 1)?.first().copied();
    Ok(vec![cx.with_element(Inferred::Type(cx.ty(operand)), element)])
}
