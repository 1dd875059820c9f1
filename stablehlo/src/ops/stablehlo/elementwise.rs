//! Elementwise ops whose operands and result have one type.

use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Syntax, Trait};
use crate::syntax::forms::BINARY;
use crate::verify::{Cx, Fault, Place, Verdict};

op! {
    /// Elementwise sum; logical or for booleans.
    pub struct Add = "stablehlo" "add";
    operands { one I1 lhs: TENSOR; one I2 rhs: TENSOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Adds `lhs` and `rhs` element by element",
        anchor: "add",
        traits: &[Trait::Pure, Trait::Commutative],
        constraints: &[Constraint {
            label: "C1",
            text: "Both operands and the result have the same type, unless they are quantized.",
            check: Check::Fn(same_types),
        }],
        syntax: Syntax::Form(BINARY),
    }
}

/// All operands and results have the first operand's type.
fn same_types(cx: &Cx<'_>) -> Verdict {
    let operands = cx.module.operands(cx.op);
    let Some(first) = operands.first().map(|operand| cx.module.value_type(*operand)) else {
        return Ok(());
    };
    for (index, operand) in operands.iter().enumerate() {
        let ty = cx.module.value_type(*operand);
        if ty != first {
            let message = format!("operands must have the same type, got {} and {}", cx.show(first), cx.show(ty));
            return Err(Fault::new(message).at(Place::Operand(index)).label(Place::Operand(0), "the other operand"));
        }
    }
    Ok(())
}
