//! The syntax that the constants of StableHLO and CHLO share; that of a single op stands with its declaration.

use crate::ir::OpId;
use crate::syntax::Printer;
use crate::syntax::parse::lexical::accept;
use crate::syntax::parse::{Input, OpState, PResult, Parser, expected, punct};

/// `{…} dense<…> : T`; the tail of the generic form when the value's type is not the result's.
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let (Some(value), Some(result)) = (module.property(op, "value"), module.result(op)) else { return p.give_up() };
    if module.attr_type(value) == Some(module.value_type(result)) {
        p.attr_dict(op, &["value"]);
        p.out.push(' ');
        return p.attr(value);
    }
    p.out.push_str("() <{value = ");
    p.attr(value);
    p.out.push_str("}>");
    p.attr_dict(op, &["value"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Either of the forms that [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    if let Some(i) = accept(i, "(") {
        let (i, ()) = punct!(i, ")")?;
        // Older texts have the value among the other attributes.
        let i = match accept(i, "<") {
            Some(i) => {
                let (i, ()) = parser.attribute_dictionary(i, state)?;
                punct!(i, ">")?.0
            }
            None => i,
        };
        let (i, ()) = parser.attribute_dictionary(i, state)?;
        let (i, ()) = punct!(i, ":")?;
        return parser.function_types_into(i, state);
    }
    let (at, ()) = parser.attribute_dictionary(i, state)?;
    let (i, value) = parser.attribute(at)?;
    let Some(ty) = parser.module.attr_type(value) else {
        return Err(expected(at, "parse/expected-elements", "an elements attribute"));
    };
    parser.set_attribute(state, "value", value);
    state.result_types.push(ty);
    Ok((i, ()))
}
