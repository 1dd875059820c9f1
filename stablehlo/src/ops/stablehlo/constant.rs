//! `constant`: a value written in the program.

use crate::ir::{Module, OpId, Type};
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{ResultNames, Trait};

op! {
    /// A value written in the program.
    pub struct Constant = "stablehlo" "constant";
    operands {}
    attributes { required I1 value: Elements; }
    results { one output: STATIC_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the tensor `value`",
        anchor: "constant",
        traits: &[Trait::Pure],
        constraints: &[],
        result_names: ResultNames::Fn(result_name),
    }
}

/// `c` for integers and booleans, `cst` for everything else.
fn result_name(module: &Module, op: OpId) -> Option<&'static str> {
    let element = module.element_type(module.value_type(module.result(op)?))?;
    Some(if matches!(module.ty(element), Type::Integer { .. }) { "c" } else { "cst" })
}
