//! Syntax of the checks that compare with a constant: `%x, dense<…> : T[, tolerance = 0.1] {…}`, whose type says the operand's.

use crate::ir::OpId;
use crate::syntax::Printer;
use crate::syntax::parse::lexical::{accept, accept_keyword};
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, punct};

/// Writes the constant with its type and the tolerance, if there is one.
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
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

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
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
