//! `broadcast`: new leading dimensions; not in the specification any more.

use crate::ir::Shape;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims::List;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place};

const FORM: &[Form] = &[Operands, Text(", sizes = "), Slot("broadcast_sizes"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Repeats a tensor along new leading dimensions.
    pub struct Broadcast = "stablehlo" "broadcast";
    operands { one _ operand: TENSOR; }
    attributes { required _ broadcast_sizes: I64Array; }
    results { one result: ANY_TENSOR; }
    regions {}
    spec {
        summary: "Repeats `operand` along new leading dimensions of the sizes `broadcast_sizes`",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type.", |cx| cx.same_element_type(&[Place::Operand(0), Place::Result(0)])),
            Constraint::rule("C2", "broadcast_sizes are not negative.", |cx| {
                let sizes = Broadcast::new(cx.module, cx.op).broadcast_sizes();
                List::new("broadcast_sizes", "broadcast_sizes", sizes).not_negative()
            }),
            Constraint::rule("C3", "The result's shape is broadcast_sizes followed by the operand's shape.", |cx| cx.check_results(&infer(cx)?)),
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
        deprecated: Some("write stablehlo.broadcast_in_dim instead"),
    }
}

fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Broadcast::new(cx.module, cx.op);
    let sizes: Shape = op.broadcast_sizes().iter().chain(cx.shape(op.operand())).copied().collect();
    Ok(vec![Inferred::tensor(sizes, cx.element_type(op.operand()))])
}
