//! `dynamic_slice`: a part of known size, at a place that is a value.

use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const FORM: &[Form] = &[Operands, Text(", sizes = "), Slot("slice_sizes"), AttrDict, Types(TypeForm::Function)];

op! {
    /// A part of a tensor, at a place that is a value.
    pub struct DynamicSlice = "stablehlo" "dynamic_slice";
    operands { one I1 operand: TENSOR; many I2 start_indices: SCALAR_INTEGER_TENSOR; }
    attributes { required I3 slice_sizes: I64Array; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Takes a part of the sizes `slice_sizes` at the place `start_indices`, moved inside if need be",
        anchor: "dynamic_slice",
        traits: &[Trait::Pure],
        constraints: &[],
        syntax: Syntax::Form(FORM),
    }
}
