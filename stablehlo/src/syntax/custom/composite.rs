//! Syntax of `composite`.

use crate::ir::OpId;
use crate::syntax::parse::lexical::accept;
use crate::syntax::parse::{Input, OpState, PResult, Parser, punct};
use crate::syntax::{Printer, TypeForm};
/// `"name" %a, %b ({…}) {…} : (T, U) -> V`
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(name) = module.property(op, "name") else { return p.give_up() };
    p.out.push(' ');
    p.attr_without_type(name);
    p.out.push(' ');
    p.values(module.operands(op));
    for (index, region) in module.regions(op).iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { " (" });
        p.region(*region, true, true);
    }
    p.out.push_str(if module.regions(op).is_empty() { "" } else { ")" });
    p.attr_dict(op, &["name"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = parser.slot(i, state, "name")?;
    let (mut i, ()) = parser.operands(i, state)?;
    if let Some(mut rest) = accept(i, "(") {
        loop {
            let (after, region) = parser.region(rest, &[])?;
            state.regions.push(region);
            match accept(after, ",") {
                Some(after) => rest = after,
                None => {
                    (i, ()) = punct!(after, ")")?;
                    break;
                }
            }
        }
    }
    let (i, ()) = parser.attribute_dictionary(i, state)?;
    parser.types(i, state, TypeForm::Function)
}
