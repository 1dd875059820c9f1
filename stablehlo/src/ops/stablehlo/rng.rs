//! `rng`: random numbers of a distribution.

use super::dims::show;
use super::shape_value;
use crate::ir::{DYNAMIC, RngDistribution, Shape};
use crate::ops::classes::{BOOLEAN_INTEGER_OR_FLOAT_SCALAR, BOOLEAN_INTEGER_OR_FLOAT_TENSOR, STATIC_SHAPE_VECTOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Numerics, Syntax};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] =
    &[Operands, Text(", distribution = "), Slot("rng_distribution"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Random numbers of a distribution.
    pub struct Rng = "stablehlo" "rng";
    operands {
        one I1 a: BOOLEAN_INTEGER_OR_FLOAT_SCALAR;
        one I2 b: BOOLEAN_INTEGER_OR_FLOAT_SCALAR;
        one I3 shape: STATIC_SHAPE_VECTOR;
    }
    attributes {
        required I4 rng_distribution: RngDistributionAttr;
    }
    results {
        one result: BOOLEAN_INTEGER_OR_FLOAT_TENSOR;
    }
    regions {}
    spec {
        summary: "Draws numbers from the uniform distribution on [a, b) or the normal one with mean a and deviation b",
        anchor: "rng",
        constraints: RULES,
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
        numerics: Numerics::Random,
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "a, b and the result have the same element type.", c1_element_types),
    Constraint::rule("C2", "The normal distribution is one of floats.", c2_normal_floats),
    Constraint::rule("C3", "The result has the sizes in shape.", c3_result_shape),
];

fn op<'m>(cx: &Cx<'m>) -> Rng<'m> {
    Rng::new(cx.module, cx.op)
}

fn c1_element_types(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Operand(1), Place::Result(0)])
}

fn c2_normal_floats(cx: &Cx<'_>) -> Verdict {
    let element = cx.element_type(op(cx).a());
    let float = cx.module.scalar_element(element).is_some_and(|element| element.is_float());
    ensure(op(cx).rng_distribution() != RngDistribution::Normal || float, || {
        Fault::new(format!("a and b of the NORMAL distribution must be floats, got {}", cx.show(element)))
            .at(Place::Operand(0))
    })
}

fn c3_result_shape(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// The sizes that shape gives, dynamic ones where it is not a constant.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let shape: Shape = match cx.constant_integers(op(cx).shape()) {
        Some(sizes) => sizes.into(),
        None => shape_value::unknown(cx, op(cx).shape()),
    };
    ensure(shape.iter().all(|size| *size >= 0 || *size == DYNAMIC), || {
        Fault::new(format!("shape must not be negative, got {}", show(&shape))).at(Place::Operand(2))
    })?;
    Ok(vec![Inferred::tensor(shape, cx.element_type(op(cx).a()))])
}
