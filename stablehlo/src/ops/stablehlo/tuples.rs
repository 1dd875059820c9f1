//! `tuple` and `get_tuple_element`.

use crate::ops::op;
use crate::ops::spec::{Syntax, Trait};
use crate::ops::value_classes::{ANY_VALUE, TUPLE};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;

const TUPLE_FORM: &[Form] = &[Operands, AttrDict, Types(TypeForm::Results)];

op! {
    /// Several values as one.
    pub struct Tuple = "stablehlo" "tuple";
    operands { many I1 val: ANY_VALUE; }
    attributes {}
    results { one result: TUPLE; }
    regions {}
    spec {
        summary: "Puts the values `val` together into a tuple",
        anchor: "tuple",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(TUPLE_FORM),
    }
}

const GET_FORM: &[Form] = &[Operands, Text("["), Slot("index"), Text("]"), AttrDict, Types(TypeForm::Function)];

op! {
    /// One of the values of a tuple.
    pub struct GetTupleElement = "stablehlo" "get_tuple_element";
    operands { one I1 operand: TUPLE; }
    attributes { required I2 index: I32; }
    results { one result: ANY_VALUE; }
    regions {}
    spec {
        summary: "Takes the element at position `index` out of the tuple `operand`",
        anchor: "get_tuple_element",
        traits: &[Trait::Pure],
        syntax: Syntax::Form(GET_FORM),
    }
}
