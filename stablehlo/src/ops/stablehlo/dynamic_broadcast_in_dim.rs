//! `dynamic_broadcast_in_dim`: `broadcast_in_dim` to a shape that is a value.

use super::broadcast_in_dim::Broadcasting;
use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::{List, size_at};
use crate::ops::stablehlo::quantization::same_element_type_up_to_axis;
use crate::ops::stablehlo::shape_value;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", dims = "), Slot("broadcast_dimensions"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor to a shape that is a value.
    pub struct DynamicBroadcastInDim = "stablehlo" "dynamic_broadcast_in_dim";
    operands { one I1 operand: ANY_TENSOR; one I2 output_dimensions: STATIC_SHAPE_VECTOR; }
    attributes {
        required I3 broadcast_dimensions: I64Array;
        optional I4 known_expanding_dimensions: I64Array;
        optional I5 known_nonexpanding_dimensions: I64Array;
    }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` to the shape `output_dimensions`",
        anchor: "dynamic_broadcast_in_dim",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type, except that scales, zero points and quantization dimension of per-axis quantized ones may differ.", |cx| same_element_type_up_to_axis(cx, false)),
            Constraint::rule("C2", "broadcast_dimensions has one entry per dimension of operand.", |cx| view(cx).c2_one_per_dimension()),
            Constraint::rule("C3", "broadcast_dimensions are dimensions of result.", |cx| view(cx).c3_in_range()),
            Constraint::rule("C4", "broadcast_dimensions do not repeat.", |cx| view(cx).c4_unique()),
            Constraint::rule("C5", "A dimension of operand has size 1 or the size of the result's dimension it goes to.", c5_sizes),
            Constraint::rule("C6", "A per-axis quantized result is quantized along the dimension that the operand's quantization dimension goes to, and repeats scale and zero point where that had size 1.", |cx| view(cx).c6_quantization()),
            Constraint::rule("C7", "output_dimensions has one size per dimension of result, and result has these sizes where they are known.", |cx| shape_value::describes_result(cx, 1, "output_dimensions")),
            Constraint::rule("C8", "known_expanding_dimensions and known_nonexpanding_dimensions do not repeat, alone or together.", c8_unique_hints),
            Constraint::rule("C9", "known_expanding_dimensions are dimensions of operand.", |cx| hints(cx)[0].in_range(cx.rank(cx.operand(0)), "the operand")),
            Constraint::rule("C10", "known_nonexpanding_dimensions are dimensions of operand.", |cx| hints(cx)[1].in_range(cx.rank(cx.operand(0)), "the operand")),
        ],
        infer: Infer::Fn(|cx| shape_value::infer(cx, 1)),
        syntax: Syntax::Form(FORM),
    }
}

fn view<'c, 'm>(cx: &'c Cx<'m>) -> Broadcasting<'c, 'm> {
    let op = DynamicBroadcastInDim::new(cx.module, cx.op);
    Broadcasting { cx, operand: op.operand(), result: op.result(), dimensions: op.broadcast_dimensions() }
}

/// Sizes agree with the result's type and, where it is known, with the value of output_dimensions.
fn c5_sizes(cx: &Cx<'_>) -> Verdict {
    view(cx).c5_sizes(true)?;
    let op = DynamicBroadcastInDim::new(cx.module, cx.op);
    let Some(sizes) = cx.constant_integers(op.output_dimensions()) else {
        return Ok(());
    };
    for (dim, (size, to)) in cx.shape(op.operand()).iter().zip(op.broadcast_dimensions()).enumerate() {
        let wanted = size_at(&sizes, *to);
        ensure(matches!(*size, 1 | DYNAMIC) || wanted == DYNAMIC || *size == wanted, || {
            let message = format!(
                "dimension {dim} of the operand must have size 1 or the size {wanted} that output_dimensions gives, got {size}"
            );
            Fault::new(message).at(Place::Operand(0)).label(Place::Operand(1), "a constant")
        })?;
    }
    Ok(())
}

/// Expanding and nonexpanding dimensions, as far as they are known.
fn hints<'m>(cx: &Cx<'m>) -> [List<'m>; 2] {
    let op = DynamicBroadcastInDim::new(cx.module, cx.op);
    let list = |name, dims: Option<&'m [i64]>| List::new(name, name, dims.unwrap_or(&[]));
    [
        list("known_expanding_dimensions", op.known_expanding_dimensions()),
        list("known_nonexpanding_dimensions", op.known_nonexpanding_dimensions()),
    ]
}

fn c8_unique_hints(cx: &Cx<'_>) -> Verdict {
    let [expanding, nonexpanding] = hints(cx);
    expanding.unique()?;
    nonexpanding.unique()?;
    expanding.distinct(nonexpanding)
}
