//! Pretty forms of the `builtin` and `func` dialects.

use super::Printer;
use super::write::push_symbol;
use crate::ir::{AttrId, Attribute, OpId, Type, TypeId};
use crate::ops::func::function_type;

/// `module @name attributes {…} { … }`
pub(crate) fn print_module(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let [body] = *module.regions(op) else { return p.give_up() };
    if let Some(name) = module.property(op, "sym_name") {
        let Some(name) = module.string_attr(name) else { return p.give_up() };
        p.out.push(' ');
        push_symbol(&mut p.out, name);
    }
    p.attr_dict_with_keyword(op, &["sym_name"]);
    p.out.push(' ');
    p.region(body, false, false);
}

/// `func.func public @name(%arg0: T {…}) -> (U {…}) attributes {…} { … }`
pub(crate) fn print_func(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some((name, inputs, results)) = signature(p, op) else { return p.give_up() };
    let [body] = *module.regions(op) else { return p.give_up() };
    let entry = module.blocks(body).first().copied();
    let arguments = entry.map_or(&[][..], |block| &module.block(block).arguments);
    if entry.is_some() && arguments.len() != inputs.len() {
        return p.give_up();
    }
    p.out.push(' ');
    if let Some(word) = module.property(op, "sym_visibility").and_then(|attr| module.string_attr(attr)) {
        p.out.extend([word, " "]);
    }
    push_symbol(&mut p.out, name);
    p.out.push('(');
    for (index, ty) in inputs.iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { "" });
        match entry {
            Some(block) => {
                p.value(arguments[index]);
                p.out.push_str(": ");
                p.ty(*ty);
                // Aliases are not looked for here, upstream's oversight.
                if !p.collecting() {
                    attributes_of(p, op, "arg_attrs", index);
                }
                p.argument_location_suffix(block, index);
            }
            None => {
                p.ty(*ty);
                attributes_of(p, op, "arg_attrs", index);
            }
        }
    }
    p.out.push(')');
    print_results(p, op, results);
    p.attr_dict_with_keyword(op, &["sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"]);
    if entry.is_some() {
        p.out.push(' ');
        p.region(body, false, false);
    }
}

/// Name, argument types and result types.
fn signature<'m>(p: &Printer<'m>, op: OpId) -> Option<(&'m str, &'m [TypeId], &'m [TypeId])> {
    let module = p.module;
    let name = module.string_attr(module.property(op, "sym_name")?)?;
    let (inputs, results) = function_type(module, op)?;
    Some((name, inputs, results))
}

/// ` -> (T {…}, U)`
fn print_results(p: &mut Printer<'_>, op: OpId, results: &[TypeId]) {
    let module = p.module;
    let [first, rest @ ..] = results else { return };
    p.out.push_str(" -> ");
    let is_bare = rest.is_empty()
        && dictionary_of(p, op, "res_attrs", 0).is_none()
        && !matches!(module.ty(*first), Type::Function { .. });
    if is_bare {
        return p.ty(*first);
    }
    p.out.push('(');
    for (index, ty) in results.iter().enumerate() {
        p.out.push_str(if index > 0 { ", " } else { "" });
        p.ty(*ty);
        attributes_of(p, op, "res_attrs", index);
    }
    p.out.push(')');
}

/// The attributes of argument or result number `index`, if it has any.
fn dictionary_of(p: &Printer<'_>, op: OpId, list: &str, index: usize) -> Option<AttrId> {
    let module = p.module;
    let Attribute::Array(dictionaries) = module.attr(module.property(op, list)?) else { return None };
    let attr = *dictionaries.get(index)?;
    matches!(module.attr(attr), Attribute::Dictionary(entries) if !entries.is_empty()).then_some(attr)
}

/// ` {…}` after an argument or result type.
fn attributes_of(p: &mut Printer<'_>, op: OpId, list: &str, index: usize) {
    let module = p.module;
    if let Some(attr) = dictionary_of(p, op, list, index)
        && let Attribute::Dictionary(entries) = module.attr(attr)
    {
        p.out.push(' ');
        p.dictionary(entries);
    }
}

/// `call @f(%a) : (T) -> U`
pub(crate) fn print_call(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let Some(callee) = module.property(op, "callee") else { return p.give_up() };
    p.out.push(' ');
    p.attr_without_type(callee);
    p.out.push('(');
    p.values(module.operands(op));
    p.out.push(')');
    p.attr_dict(op, &["callee"]);
    p.out.push_str(" : ");
    p.op_function_type(op);
}

/// `call_indirect %f(%a) : (T) -> U`
pub(crate) fn print_call_indirect(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let [callee, operands @ ..] = module.operands(op) else { return p.give_up() };
    p.out.push(' ');
    p.value(*callee);
    p.out.push('(');
    p.values(operands);
    p.out.push(')');
    p.attr_dict(op, &[]);
    p.out.push_str(" : ");
    p.ty(module.value_type(*callee));
}

/// `unrealized_conversion_cast %a : T to U`
pub(crate) fn print_cast(p: &mut Printer<'_>, op: OpId) {
    let module = p.module;
    let inputs = module.operands(op);
    if !inputs.is_empty() {
        p.out.push(' ');
        p.values(inputs);
        p.out.push_str(" : ");
        p.types(inputs.iter().map(|input| module.value_type(*input)));
    }
    p.out.push_str(" to ");
    p.types(module.results(op).iter().map(|result| module.value_type(result)));
    p.attr_dict(op, &[]);
}
