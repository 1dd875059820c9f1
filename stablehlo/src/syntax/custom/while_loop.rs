//! Syntax of `while`.

use crate::ir::{OpId, TypeId, ValueId};
use crate::syntax::Printer;
use crate::syntax::parse::lexical::{accept, expect_keyword};
use crate::syntax::parse::{Argument, Input, OpState, PResult, Parser, TrailingLocation, Use, fault, punct};

/// `(%iterArg = %a, …) : T, U attributes {…}`, then `cond {…} do {…}` on a line of its own.
///
/// The types are those of the operands, so a loop whose values have other types inside or at the end is written in the
/// generic form.
pub(crate) fn print(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let operands = module.operands(op);
    let types = || operands.iter().map(|operand| module.value_type(*operand));
    let arguments = |region: usize| match module.regions(op).get(region).map(|region| module.blocks(*region)) {
        Some([block]) => Some(&module.block(*block).arguments),
        _ => None,
    };
    let (Some(cond_arguments), Some(body_arguments)) = (arguments(0), arguments(1)) else { return p.give_up() };
    let fits = |values: &[ValueId]| values.iter().map(|value| module.value_type(*value)).eq(types());
    let results: Vec<ValueId> = module.results(op).iter().collect();
    if !fits(cond_arguments) || !fits(body_arguments) || !fits(&results) || module.regions(op).len() != 2 {
        return p.give_up();
    }
    p.out.push('(');
    for (index, operand) in operands.iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { "" });
        p.value(cond_arguments[index]);
        p.out.push_str(" = ");
        p.value(*operand);
    }
    p.out.push(')');
    if !operands.is_empty() {
        p.out.push_str(" : ");
        p.types(types());
    }
    p.attr_dict_with_keyword(op, &[]);
    p.out.push('\n');
    p.indentation();
    p.out.push_str("cond ");
    p.region(module.regions(op)[0], false, false);
    p.out.push_str(" do ");
    p.region(module.regions(op)[1], false, false);
}

/// Reads what [`print`] writes.
pub(crate) fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (mut i, ()) = punct!(i, "(")?;
    let mut names = Vec::new();
    if let Some(rest) = accept(i, ")") {
        i = rest;
    } else {
        loop {
            let (rest, argument) = parser.ssa_use(i)?;
            let (rest, ()) = punct!(rest, "=")?;
            let (rest, ()) = parser.operand(rest, state)?;
            names.push(argument);
            match accept(rest, ",") {
                Some(rest) => i = rest,
                None => {
                    (i, ()) = punct!(rest, ")")?;
                    break;
                }
            }
        }
        let at;
        (at, ()) = punct!(i, ":")?;
        (i, state.operand_types) = parser.type_list(at)?;
        if state.operand_types.len() != names.len() {
            let message = format!("expected {} types, got {}", names.len(), state.operand_types.len());
            return Err(fault(at, "parse/number-of-types", message));
        }
        state.result_types = state.operand_types.clone();
    }
    (i, ()) = parser.attribute_dictionary_with_keyword(i, state)?;
    let argument = |(name, ty): (&Use<'s>, &TypeId)| Argument {
        name: Some(name.name),
        span: name.span,
        ty: *ty,
        attributes: None,
        location: TrailingLocation::default(),
    };
    let arguments: Vec<Argument<'s>> = names.iter().zip(&state.operand_types).map(argument).collect();
    for word in ["cond", "do"] {
        let quoted = if word == "cond" { "`cond`" } else { "`do`" };
        (i, ()) = expect_keyword(i, word, quoted)?;
        let region;
        (i, region) = parser.region(i, &arguments)?;
        state.regions.push(region);
    }
    Ok((i, ()))
}
