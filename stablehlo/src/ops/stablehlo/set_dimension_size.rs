//! `set_dimension_size`: a dimension declared to have fewer elements than its bound; not in the specification.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", dim = "), Slot("dimension"), AttrDict, Types(TypeForm::Function)];

op! {
    /// A dimension declared to have fewer elements than its bound.
    pub struct SetDimensionSize = "stablehlo" "set_dimension_size";
    operands { one _ operand: TENSOR; one _ size: I32_TENSOR; }
    attributes { required _ dimension: I64; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sets the size of the bounded dimension `dimension` to `size`",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
