//! Pretty forms of the `builtin` and `func` dialects, reading side.

use super::error::{PResult, SyntaxError, expected, fault, fault_with_help};
use super::lexical::{Input, accept, accept_keyword, accept_suffix_id, peek, separated_until, skip};
use super::{Argument, OpState, Parser, TypeList, keyword, punct};
use crate::ir::{AttrId, Attribute, Type, TypeId};

/// `module @name attributes {…} { … }`
pub(crate) fn parse_module<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = optional_symbol_name(p, i, state)?;
    let (i, ()) = p.attribute_dictionary_with_keyword(i, state)?;
    let (i, region) = p.region(i, &[])?;
    if p.module.blocks(region).is_empty() {
        p.module.new_block(region);
    }
    state.regions.push(region);
    Ok((i, ()))
}

fn optional_symbol_name<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    if peek(i) != b'@' {
        return Ok((i, ()));
    }
    symbol_name_attribute(p, i, state)
}

/// `@name` as the attribute `sym_name`.
fn symbol_name_attribute<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, name) = p.symbol_name(i)?;
    let name = p.name_value(name);
    p.set_attribute(state, "sym_name", name);
    Ok((i, ()))
}

/// Types of arguments or results with their attribute dictionaries.
#[derive(Default)]
struct Signature<'s> {
    arguments: Vec<Argument<'s>>,
    results: TypeList,
    result_attributes: Vec<Option<AttrId>>,
}

/// `func.func [public|private|nested] @name(args) [-> results] [attributes {…}] [{body}]`
pub(crate) fn parse_func<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let mut i = i;
    for word in ["public", "private", "nested"] {
        if let Some(rest) = accept_keyword(i, word) {
            let value = p.string_value(word.as_bytes());
            p.set_attribute(state, "sym_visibility", value);
            i = rest;
            break;
        }
    }
    let (i, ()) = symbol_name_attribute(p, i, state)?;
    let mut signature = Signature::default();
    let (i, ()) = function_arguments(p, i, &mut signature)?;
    let (i, ()) = function_results(p, i, &mut signature)?;
    let inputs = signature.arguments.iter().map(|argument| argument.ty).collect();
    let ty = Type::Function { inputs, results: signature.results.as_slice().into() };
    let ty = p.module.intern_type(ty);
    let ty = p.module.intern_attr(Attribute::Type(ty));
    p.set_attribute(state, "function_type", ty);
    let dictionaries: Vec<_> = signature.arguments.iter().map(|argument| argument.attributes).collect();
    set_dictionaries(p, state, "arg_attrs", &dictionaries);
    set_dictionaries(p, state, "res_attrs", &signature.result_attributes);
    let (i, ()) = function_attributes(p, i, state)?;
    function_body(p, i, state, &signature.arguments)
}

/// `attributes {…}`, in which nothing may stand that the signature says.
fn function_attributes<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let Some(rest) = accept_keyword(i, "attributes") else {
        return Ok((i, ()));
    };
    let at = skip(rest);
    let mut entries = Vec::new();
    let (i, ()) = p.dictionary_entries(rest, |_, name, value| entries.push((name, value)))?;
    for (name, value) in entries {
        let name = p.module.str(name).to_owned();
        if matches!(name.as_str(), "sym_name" | "sym_visibility" | "function_type") {
            let message = format!(
                "attribute `{name}` is an inferred attribute and should not be specified in the explicit attribute dictionary"
            );
            return Err(fault(at, "parse/inferred-attribute", message));
        }
        p.set_attribute(state, &name, value);
    }
    Ok((i, ()))
}

/// The body, if there is one.
fn function_body<'s>(
    p: &mut Parser<'s>,
    i: Input<'s>,
    state: &mut OpState<'s>,
    arguments: &[Argument<'s>],
) -> PResult<'s, ()> {
    let at = skip(i);
    // A declaration at the end of the text may be followed by the resources.
    if peek(i) != b'{' || at.starts_with(b"{-#") {
        let region = p.module.new_region();
        state.regions.push(region);
        return Ok((i, ()));
    }
    // Types alone are a declaration, or a body whose first label names the arguments.
    let arguments = if arguments.iter().all(|argument| argument.name.is_some()) { arguments } else { &[] };
    p.open_functions += 1;
    let body = p.region(i, arguments);
    p.open_functions -= 1;
    let (i, region) = body?;
    if p.module.blocks(region).is_empty() {
        return Err(fault(at, "parse/expected-body", "expected non-empty function body"));
    }
    state.regions.push(region);
    Ok((i, ()))
}

/// `'(' (argument (',' argument)*)? ')'`, all with names or none.
fn function_arguments<'s>(p: &mut Parser<'s>, i: Input<'s>, signature: &mut Signature<'s>) -> PResult<'s, ()> {
    let (i, ()) = punct!(i, "(")?;
    separated_until(i, ")", "`)`", |i| {
        let at = skip(i);
        let named = accept_suffix_id(at, b'%');
        if let Some(first) = signature.arguments.first()
            && first.name.is_some() != named.is_some()
        {
            let message = "either all arguments have names or none";
            let code = if named.is_some() { "parse/expected-type" } else { "parse/expected-value" };
            return Err(fault(at, code, message));
        }
        let (rest, span) = match named {
            Some((rest, _)) => {
                let span = p.span(at, rest);
                let (rest, ()) = punct!(rest, ":")?;
                (rest, Some(span))
            }
            None => (at, None),
        };
        let (rest, ty) = p.type_(rest)?;
        let span = span.unwrap_or_else(|| p.span(at, rest));
        let (rest, attributes) = optional_dictionary(p, rest)?;
        let (rest, location) = p.trailing_location(rest)?;
        signature.arguments.push(Argument { name: named.map(|(_, name)| name), span, ty, attributes, location });
        Ok((rest, ()))
    })
}

/// `('->' (type | '(' type {…}, … ')'))?`
fn function_results<'s>(p: &mut Parser<'s>, i: Input<'s>, signature: &mut Signature<'s>) -> PResult<'s, ()> {
    let Some(i) = accept(i, "->") else {
        return Ok((i, ()));
    };
    let Some(i) = accept(i, "(") else {
        let (i, ty) = p.type_(i)?;
        signature.results.push(ty);
        return Ok((i, ()));
    };
    separated_until(i, ")", "`)`", |i| {
        let (i, ty) = p.type_(i)?;
        let (i, attributes) = optional_dictionary(p, i)?;
        signature.results.push(ty);
        signature.result_attributes.push(attributes);
        Ok((i, ()))
    })
}

fn optional_dictionary<'s>(p: &mut Parser<'s>, i: Input<'s>) -> PResult<'s, Option<AttrId>> {
    if peek(i) != b'{' {
        return Ok((i, None));
    }
    let (i, attr) = p.dictionary_attribute(i)?;
    let is_empty = matches!(p.module.attr(attr), Attribute::Dictionary(entries) if entries.is_empty());
    Ok((i, (!is_empty).then_some(attr)))
}

/// Sets a list of dictionaries unless all are empty.
fn set_dictionaries<'s>(p: &mut Parser<'s>, state: &mut OpState<'s>, name: &str, dictionaries: &[Option<AttrId>]) {
    if dictionaries.iter().all(Option::is_none) {
        return;
    }
    let empty = p.module.intern_attr(Attribute::Dictionary(Box::default()));
    let list = dictionaries.iter().map(|dictionary| dictionary.unwrap_or(empty)).collect();
    let list = p.module.intern_attr(Attribute::Array(list));
    p.set_attribute(state, name, list);
}

/// `call @f(%a) {attrs} : (T) -> U`
pub(crate) fn parse_call<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, callee) = p.symbol_name(i)?;
    let callee = p.module.intern_attr(Attribute::SymbolRef { root: callee, nested: Box::default() });
    p.set_attribute(state, "callee", callee);
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = p.operands(i, state)?;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = p.attribute_dictionary(i, state)?;
    let (i, ()) = punct!(i, ":")?;
    p.function_types_into(i, state)
}

/// `call_indirect %f(%a) {attrs} : (T) -> U`
pub(crate) fn parse_call_indirect<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (i, ()) = p.operand(i, state)?;
    let (i, ()) = punct!(i, "(")?;
    let (i, ()) = p.operands(i, state)?;
    let (i, ()) = punct!(i, ")")?;
    let (i, ()) = p.attribute_dictionary(i, state)?;
    let (i, ()) = punct!(i, ":")?;
    let at = i;
    let (i, callee): (_, TypeId) = p.type_(i)?;
    let Type::Function { inputs, results } = p.module.ty(callee).clone() else {
        return Err(expected(at, "parse/expected-type", "a function type"));
    };
    state.operand_types.push(callee);
    state.operand_types.extend_from_slice(&inputs);
    state.result_types.extend_from_slice(&results);
    Ok((i, ()))
}

/// `unrealized_conversion_cast (%a : T)? to U {attrs}`
pub(crate) fn parse_cast<'s>(p: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
    let (mut i, ()) = p.operands(i, state)?;
    if !state.operands.is_empty() {
        let (rest, ()) = punct!(i, ":")?;
        let (rest, types) = p.type_list(rest)?;
        state.operand_types = types;
        i = rest;
    }
    let (i, ()) = keyword!(i, "to")?;
    let (i, types) = p.type_list(i)?;
    state.result_types = types;
    p.attribute_dictionary(i, state)
}

/// The complaint about a name that neither the registry nor the table of foreign forms has.
pub(super) fn unknown_custom_form<'s>(at: Input<'s>, name: &str, tried: Option<String>) -> nom::Err<SyntaxError<'s>> {
    let message = match tried {
        Some(tried) => format!("custom op `{name}` is unknown (tried `{tried}` as well)"),
        None => format!("custom op `{name}` is unknown"),
    };
    let help =
        format!("ops of dialects that are not known here are read in the generic form: \"{name}\"(…) : (…) -> (…)");
    fault_with_help(at, "parse/unknown-custom-form", message, help)
}
