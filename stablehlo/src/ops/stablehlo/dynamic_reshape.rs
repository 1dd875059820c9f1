//! `dynamic_reshape`: `reshape` to a shape that is a value.

use super::reshape::{c2_count, c3_quantization, count};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::show;
use crate::ops::stablehlo::quantization::same_element_type_up_to_axis;
use crate::ops::stablehlo::shape_value;
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// The same elements in a shape that is a value.
    pub struct DynamicReshape = "stablehlo" "dynamic_reshape";
    operands { one I1 operand: ANY_TENSOR; one I2 output_shape: STATIC_SHAPE_VECTOR; }
    attributes {}
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the elements of `operand` the shape `output_shape`",
        anchor: "dynamic_reshape",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type, except that the quantization dimension of per-axis quantized ones may differ.", |cx| same_element_type_up_to_axis(cx, true)),
            Constraint::rule("C2", "operand and result have the same number of elements.", c2_count_of_shape),
            Constraint::rule("C3", "The quantization dimensions of per-axis quantized operand and result have the same size, and as many elements before and behind them.", c3_quantization),
            Constraint::rule("C4", "output_shape has one size per dimension of result, and result has these sizes where they are known.", |cx| shape_value::describes_result(cx, 1, "output_shape")),
        ],
        infer: Infer::Fn(|cx| shape_value::infer(cx, 1)),
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

/// The number of elements agrees with the result's type and, where it is known, with the value of output_shape.
fn c2_count_of_shape(cx: &Cx<'_>) -> Verdict {
    c2_count(cx)?;
    let Some(sizes) = cx.constant_integers(cx.operand(1)) else {
        return Ok(());
    };
    let operand = cx.shape(cx.operand(0));
    let (Some(wanted), Some(found)) = (count(operand), count(&sizes)) else {
        return Ok(());
    };
    ensure(wanted == found, || {
        let message = format!(
            "output_shape must hold as many elements as the operand: {wanted} of {}, got {found} of {}",
            show(operand),
            show(&sizes)
        );
        Fault::new(message).at(Place::Operand(1)).label(Place::Operand(0), format!("has {wanted} elements"))
    })
}
