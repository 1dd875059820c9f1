//! The `check` dialect: what upstream's interpreter tests state about values.

use super::classes::TENSOR;
use super::op;
use super::spec::{Check, Constraint, Syntax, TypeClass};
use crate::ir::{OpId, Type};
use crate::syntax::Form::{self, AttrDict, Operands, Optional, Slot, Text, Types};
use crate::syntax::forms::BINARY;
use crate::syntax::parse::lexical::{accept, accept_keyword};
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, punct};
use crate::syntax::{Printer, TypeForm};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

/// A tensor, ranked or not, of any floats or complex numbers.
const APPROXIMATE: TypeClass = TypeClass {
    words: "tensor of floating-point or complex values",
    accepts: |module, ty| {
        matches!(module.ty(ty), Type::RankedTensor(_) | Type::UnrankedTensor { .. })
            && module
                .element_type(ty)
                .is_some_and(|element| matches!(module.ty(element), Type::Float(_) | Type::Complex(_)))
    },
};

op! {
    /// Equality with a constant.
    pub struct ExpectEqConst = "check" "expect_eq_const";
    operands { one _ lhs: TENSOR; }
    attributes { required _ value: Elements; }
    results {}
    regions {}
    spec {
        summary: "Fails unless `lhs` equals `value`",
        constraints: &[Constraint { label: "C1", text: "lhs has exactly the type of value.", check: Check::Fn(value_type) }],
        syntax: Syntax::Custom { parse: parse_expect_const, print: print_expect_const },
    }
}

op! {
    /// Equality.
    pub struct ExpectEq = "check" "expect_eq";
    operands { one _ lhs: TENSOR; one _ rhs: TENSOR; }
    attributes {}
    results {}
    regions {}
    spec {
        summary: "Fails unless `lhs` equals `rhs`",
        constraints: &[Constraint { label: "C1", text: "Both operands have exactly the same type.", check: Check::Fn(same_types) }],
        syntax: Syntax::Form(BINARY),
    }
}

op! {
    /// Nearness to a constant.
    pub struct ExpectAlmostEqConst = "check" "expect_almost_eq_const";
    operands { one _ lhs: APPROXIMATE; }
    attributes { required _ value: Elements; optional _ tolerance: F64; }
    results {}
    regions {}
    spec {
        summary: "Fails unless `lhs` is within `tolerance` (1e-4 unless written) of `value`",
        constraints: &[Constraint { label: "C1", text: "lhs has exactly the type of value.", check: Check::Fn(value_type) }],
        syntax: Syntax::Custom { parse: parse_expect_const, print: print_expect_const },
    }
}

const ALMOST_EQ_FORM: &[Form] =
    &[Operands, Optional("tolerance", &[Text(", tolerance = "), Slot("tolerance")]), AttrDict, Types(TypeForm::Same)];

op! {
    /// Nearness.
    pub struct ExpectAlmostEq = "check" "expect_almost_eq";
    operands { one _ lhs: APPROXIMATE; one _ rhs: APPROXIMATE; }
    attributes { optional _ tolerance: F64; }
    results {}
    regions {}
    spec {
        summary: "Fails unless `lhs` is within `tolerance` (1e-4 unless written) of `rhs`",
        constraints: &[Constraint { label: "C1", text: "Both operands have exactly the same type.", check: Check::Fn(same_types) }],
        syntax: Syntax::Form(ALMOST_EQ_FORM),
    }
}

const CLOSE_FORM: &[Form] = &[
    Operands,
    Text(", max_ulp_difference = "),
    Slot("max_ulp_difference"),
    Optional("min_ulp_difference", &[Text(", min_ulp_difference = "), Slot("min_ulp_difference")]),
    AttrDict,
    Types(TypeForm::Operands),
];

op! {
    /// Nearness counted in units in the last place.
    pub struct ExpectClose = "check" "expect_close";
    operands { one _ actual: APPROXIMATE; one _ expected: APPROXIMATE; }
    attributes { required _ max_ulp_difference: UI64; optional _ min_ulp_difference: UI64; }
    results {}
    regions {}
    spec {
        summary: "Fails unless `actual` lies at least `min_ulp_difference` and at most `max_ulp_difference` representable values away from `expected`",
        constraints: &[Constraint { label: "C1", text: "Both operands have exactly the same type.", check: Check::Fn(same_types) }],
        syntax: Syntax::Form(CLOSE_FORM),
    }
}

const SERIALIZED_FORM: &[Form] = &[
    Operands,
    Text(", probe_id = "),
    Slot("probe_id"),
    Optional("iteration", &[Text(", iter = "), Slot("iteration")]),
    AttrDict,
    Types(TypeForm::Same),
];

op! {
    /// Equality with a value that a probe wrote.
    pub struct ExpectSerializedEq = "check" "expect_serialized_eq";
    operands { one _ expected: TENSOR; }
    attributes { required _ probe_id: Str; optional _ iteration: UI32; }
    results {}
    regions {}
    spec {
        summary: "Fails unless `expected` equals what the probe `probe_id` wrote",
        syntax: Syntax::Form(SERIALIZED_FORM),
    }
}

/// Passes when both operands have one type.
fn same_types(cx: &Cx<'_>) -> Verdict {
    let operands = cx.module.operands(cx.op);
    let (first, second) = (cx.ty(operands[0]), cx.ty(operands[1]));
    ensure(first == second, || {
        let message = format!("both operands must have the same type, got {} and {}", cx.show(first), cx.show(second));
        Fault::new(message).at(Place::Operand(1)).label(Place::Operand(0), format!("has type {}", cx.show(first)))
    })
}

/// Passes when the operand has the type of the constant it is compared with.
fn value_type(cx: &Cx<'_>) -> Verdict {
    let found = cx.ty(cx.module.operands(cx.op)[0]);
    let wanted = cx.module.property(cx.op, "value").and_then(|attr| cx.module.attr_type(attr));
    ensure(wanted.is_none_or(|wanted| wanted == found), || {
        let wanted = wanted.map_or_else(String::new, |wanted| cx.show(wanted));
        Fault::new(format!("lhs must have the type of value, {wanted}, got {}", cx.show(found)))
            .at(Place::Operand(0))
            .label(Place::Attr("value"), format!("has type {wanted}"))
    })
}

/// Writes the constant with its type and the tolerance, if there is one.
fn print_expect_const(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(value) = module.property(op, "value") else { return p.give_up() };
    p.out.push(' ');
    p.values(module.operands(op));
    p.out.push_str(", ");
    p.attr(value);
    if let Some(tolerance) = module.property(op, "tolerance") {
        p.out.push_str(", tolerance = ");
        p.bare_attr(tolerance);
    }
    p.attr_dict(op, &["value", "tolerance"]);
}

/// Reads what [`print_expect_const`] writes.
fn parse_expect_const<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.operand(i, state)?;
    let (at, ()) = punct!(i, ",")?;
    let (mut i, value) = parser.attribute(at)?;
    let Some(ty) = parser.module.attr_type(value) else {
        return Err(expected(at, "parse/expected-elements", "an elements attribute"));
    };
    parser.set_attribute(state, "value", value);
    state.operand_types.push(ty);
    if let Some(rest) = accept(i, ",").and_then(|rest| accept_keyword(rest, "tolerance")) {
        let (rest, ()) = punct!(rest, "=")?;
        (i, ()) = parser.slot(rest, state, "tolerance")?;
    }
    parser.attribute_dictionary(i, state)
}
