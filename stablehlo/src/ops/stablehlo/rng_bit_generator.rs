//! `rng_bit_generator`: random bits by a stated algorithm.

use crate::ir::{DYNAMIC, RngAlgorithm};
use crate::ops::classes::{INTEGER_OR_FLOAT_TENSOR, STATIC_INTEGER_OR_FLOAT_TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

const FORM: &[Form] = &[Operands, Text(", algorithm = "), Slot("rng_algorithm"), AttrDict, Types(TypeForm::Function)];

op! {
    /// Random bits by a stated algorithm.
    pub struct RngBitGenerator = "stablehlo" "rng_bit_generator";
    operands {
        one I2 initial_state: INTEGER_OR_FLOAT_TENSOR;
    }
    attributes {
        required I1 rng_algorithm: RngAlgorithmAttr;
    }
    results {
        one output_state: INTEGER_OR_FLOAT_TENSOR;
        one output: STATIC_INTEGER_OR_FLOAT_TENSOR;
    }
    regions {}
    spec {
        summary: "Fills `output` with uniform random bits by the algorithm, and gives the next state",
        anchor: "rng_bit_generator",
        traits: &[Trait::Pure],
        constraints: RULES,
        syntax: Syntax::Form(FORM),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "The state keeps its type.", c1_state_type),
    Constraint::rule("C2", "The state has 2 elements for THREE_FRY, 2 or 3 for PHILOX.", c2_state_size),
];

fn op<'m>(cx: &Cx<'m>) -> RngBitGenerator<'m> {
    RngBitGenerator::new(cx.module, cx.op)
}

fn c1_state_type(cx: &Cx<'_>) -> Verdict {
    let (before, after) = (cx.ty(op(cx).initial_state()), cx.ty(op(cx).output_state()));
    ensure(Inferred::Type(before).admits(cx.module, after), || {
        let message =
            format!("output_state must have the type of initial_state, got {} and {}", cx.show(before), cx.show(after));
        Fault::new(message).at(Place::Result(0))
    })
}

fn c2_state_size(cx: &Cx<'_>) -> Verdict {
    let allowed: &[i64] = match op(cx).rng_algorithm() {
        RngAlgorithm::Default => return Ok(()),
        RngAlgorithm::ThreeFry => &[2],
        RngAlgorithm::Philox => &[2, 3],
    };
    let shape = cx.shape(op(cx).initial_state());
    ensure(matches!(shape, [size] if *size == DYNAMIC || allowed.contains(size)), || {
        let message = format!(
            "initial_state of {} must have {} elements, got {}",
            op(cx).rng_algorithm().word(),
            if allowed.len() == 1 { "2" } else { "2 or 3" },
            cx.show(cx.ty(op(cx).initial_state()))
        );
        Fault::new(message).at(Place::Operand(0))
    })
}
