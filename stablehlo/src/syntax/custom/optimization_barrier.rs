//! Syntax of `optimization_barrier`.

use crate::ir::OpId;
use crate::syntax::parse::lexical::accept;
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::{Printer, TypeForm};

/// `{…} %a, %b : T, U`, or `{…}()` without operands.
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let types = || operands.iter().map(|operand| module.value_type(*operand));
    if !module.results(op).iter().map(|result| module.value_type(result)).eq(types()) {
        return p.give_up();
    }
    p.attr_dict(op, &[]);
    if operands.is_empty() {
        return p.out.push_str("()");
    }
    p.out.push(' ');
    p.values(operands);
    p.out.push_str(" : ");
    p.types(types());
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    if let Some(i) = accept(i, "(") {
        return punct!(i, ")");
    }
    let (i, ()) = parser.operands(i, state)?;
    parser.types(i, state, TypeForm::Operands)
}
