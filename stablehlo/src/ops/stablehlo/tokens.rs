//! Order: `create_token`, `after_all` and `optimization_barrier`.

use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::ops::value_classes::{TENSOR_OR_TOKEN, TOKEN};
use crate::syntax::Form::{self, AttrDict, Operands, Types};
use crate::syntax::TypeForm;

const RESULT_TYPE: &[Form] = &[AttrDict, Types(TypeForm::Results)];

op! {
    /// A token that waits for nothing.
    pub struct CreateToken = "stablehlo" "create_token";
    operands {}
    attributes {}
    results { one output: TOKEN; }
    regions {}
    spec {
        summary: "Makes a token that depends on nothing",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(RESULT_TYPE),
        deprecated: Some("write `stablehlo.after_all` without operands instead"),
    }
}

const AFTER_ALL_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Same)];

op! {
    /// A token that waits for others.
    pub struct AfterAll = "stablehlo" "after_all";
    operands { many I1 inputs: TOKEN; }
    attributes {}
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Makes a token after all that `inputs` stand for has happened",
        anchor: "after_all",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(AFTER_ALL_FORM),
    }
}

op! {
    /// An identity that optimizations may not cross.
    pub struct OptimizationBarrier = "stablehlo" "optimization_barrier";
    operands { many _ operand: TENSOR_OR_TOKEN; }
    attributes {}
    results { many result: TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Gives `operand` back, after everything that makes it has run and before anything that uses the results",
        anchor: "optimization_barrier",
        traits: &[Trait::Pure],
    }
}
