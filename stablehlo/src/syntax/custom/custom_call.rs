//! Syntax of `custom_call`.

use crate::ir::OpId;
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::print::write::push_symbol;
use crate::syntax::{Printer, TypeForm};

/// `@target(%a, %b) {…} : (T, U) -> V`
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let target = module.property(op, "call_target_name");
    let Some(target) = target.and_then(|attr| module.string_attr(attr)) else { return p.give_up() };
    p.out.push(' ');
    push_symbol(&mut p.out, target);
    p.out.push('(');
    p.values(module.operands(op));
    p.out.push(')');
    p.attr_dict(op, &["call_target_name"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, target) = parser.symbol_name(i)?;
    let target = parser.module.str(target).as_bytes().to_vec();
    let target = parser.string_value(&target);
    parser.set_attribute(state, "call_target_name", target);
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = parser.operands(i, state)?;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}
