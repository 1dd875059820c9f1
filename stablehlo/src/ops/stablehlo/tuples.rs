//! `tuple` and `get_tuple_element`.

use crate::ir::{Type, TypeId, ValueId};
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::value_classes::{ANY_VALUE, TUPLE};
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_types, ensure};

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
        constraints: &[Constraint {
            label: "C1",
            text: "The result is a tuple with one element per operand, of the operand's type.",
            check: Check::Fn(tuple_c1_elements),
        }],
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
        constraints: &[
            Constraint {
                label: "C1",
                text: "index is not negative and less than the number of elements of the tuple.",
                check: Check::Fn(get_c1_index),
            },
            Constraint {
                label: "C2",
                text: "The result has the type of that element of the tuple.",
                check: Check::Fn(get_c2_type),
            },
        ],
        infer: Infer::Fn(infer_element),
        syntax: Syntax::Form(GET_FORM),
    }
}

/// The element types of a tuple type; none for anything else.
pub(super) fn elements<'m>(cx: &Cx<'m>, ty: TypeId) -> Option<&'m [TypeId]> {
    match cx.module.ty(ty) {
        Type::Tuple(elements) => Some(elements),
        _ => None,
    }
}

/// The element types of a value whose declared class is a tuple.
fn elements_of<'m>(cx: &Cx<'m>, value: ValueId) -> &'m [TypeId] {
    elements(cx, cx.ty(value)).unwrap_or(&[])
}

fn tuple_c1_elements(cx: &Cx<'_>) -> Verdict {
    let op = Tuple::new(cx.module, cx.op);
    let found = elements_of(cx, op.result());
    let wanted = cx.types(op.val());
    let same = found.len() == wanted.len()
        && found.iter().zip(&wanted).all(|(found, wanted)| compatible_types(cx.module, *found, *wanted));
    ensure(same, || {
        let (wanted, found) = (cx.show_types(&wanted), cx.show(cx.ty(op.result())));
        Fault::new(format!("the result must have type tuple<{wanted}>, got {found}")).at(Place::Result(0))
    })
}

fn get_c1_index(cx: &Cx<'_>) -> Verdict {
    let op = GetTupleElement::new(cx.module, cx.op);
    let size = elements_of(cx, op.operand()).len();
    ensure(usize::try_from(op.index()).is_ok_and(|index| index < size), || {
        Fault::new(format!("index must be in range [0, {size}), the elements of the tuple, got {}", op.index()))
            .at(Place::Attr("index"))
            .label(Place::Operand(0), format!("has type {}", cx.show(cx.ty(op.operand()))))
    })
}

fn get_c2_type(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_element(cx)?)
}

fn infer_element(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = GetTupleElement::new(cx.module, cx.op);
    let element = usize::try_from(op.index()).ok().and_then(|index| elements_of(cx, op.operand()).get(index));
    Ok(element.map(|ty| Inferred::Type(*ty)).into_iter().collect())
}
