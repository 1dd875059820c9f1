//! Pretty forms of dialects that are kept opaque: Shardy, and what tests of other dialects' conversions contain.
//!
//! [`FORMS`] is followed by the parser here and by the printer in `print/foreign.rs`. An op read in such a form is the op
//! that the generic form would give: opaque, its inherent attributes as the dictionary in property slot 0 (which
//! [`Module::property`](crate::ir::Module::property) looks into), everything else among its discardable attributes.
//! Attributes of the op's own dialect are opaque attributes whose text the form shows in part: `<["a"=2]>` of `sdy.mesh` is
//! `#sdy.mesh<["a"=2]>`, written as the pattern `mesh*`.

use super::error::{PResult, expected, fault};
use super::functions::unknown_custom_form;
use super::lexical::{self, Input, accept, int64, peek, skip};
use super::{OpState, Parser, TypeList, forms, punct};
use crate::ir::{AttrId, Attribute, NameId, OpName, Type};
use crate::syntax::TypeForm;

/// A part of a foreign form; names are those of inherent attributes.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Part {
    /// Operands, comma separated.
    Operands,
    /// Fixed text.
    Text(&'static str),
    /// `@name`, a string attribute.
    Symbol(&'static str),
    /// `"text"`
    String(&'static str),
    /// A number, an i64 attribute.
    I64(&'static str),
    /// Any attribute with its type; the op's result has that type.
    Value(&'static str),
    /// `[4, 8]`, dense elements of the result's type.
    Elements(&'static str),
    /// Text in brackets of any kind, an opaque attribute of the op's dialect; `*` in the pattern stands for it.
    Body(&'static str, &'static str),
    /// Fixed text and a body, if that text is next.
    OptionalBody(&'static str, &'static str, &'static str),
    /// One of these words, an i32 attribute: its position among them.
    Word(&'static str, &'static [&'static str]),
    /// Nothing: an opaque attribute of the op's dialect that has this body.
    Filled(&'static str, &'static str),
    /// ` {…}`, if there are discardable attributes.
    AttrDict,
    /// `(%a: T, …) {…}`, a region with the arguments of its entry block.
    Region,
    /// ` : ` and types as registered ops write them.
    Types(TypeForm),
    /// ` : T to U`
    Cast,
    /// ` : T`, operands having its element type.
    ElementsOf,
    /// ` : T`, the first operand's type; the others are of type `index`, and so is the result (if the flag is set) or else it
    /// has the element type.
    Indexed(bool),
    /// `^bb1(%a : T)`, a successor and the operands that it gets with their types.
    Branch,
    /// ` : T, U`, operand types; the result has the opaque type named here.
    Gives(&'static str),
}

use Part::{
    AttrDict, Body, Branch, Cast, Elements, ElementsOf, Filled, Gives, I64, Indexed, Operands, OptionalBody, Region,
    String, Symbol, Text, Types, Value, Word,
};

const CAST: &[Part] = &[Operands, AttrDict, Cast];
const SAME: &[Part] = &[Operands, AttrDict, Types(TypeForm::Same)];
const WITHOUT_FAST_MATH: &[Part] = &[Operands, AttrDict, Types(TypeForm::Same), Filled("fastmath", "fastmath<none>")];
const WITHOUT_FLAGS: &[Part] = &[Operands, AttrDict, Types(TypeForm::Same), Filled("overflowFlags", "overflow<none>")];
const TERMINATOR: &[Part] = &[AttrDict, Operands, Types(TypeForm::Operands)];
const BARE: &[Part] = &[Operands, AttrDict, Types(TypeForm::Bare)];
const SHARDING: &[Part] = &[Operands, Text(" "), Body("sharding", "sharding*"), AttrDict, Types(TypeForm::Same)];
const OUT_SHARDING: Part = Body("out_sharding", "sharding*");

/// Axes in front of the operand, then the sharding of the result.
const fn collective(axes: Part) -> [Part; 7] {
    [axes, Text(" "), Operands, Text(" out_sharding="), OUT_SHARDING, AttrDict, Types(TypeForm::Same)]
}

const ALL_GATHER: [Part; 7] = collective(Body("gathering_axes", "list_of_axis_ref_lists*"));
const ALL_SLICE: [Part; 7] = collective(Body("slicing_axes", "list_of_axis_ref_lists*"));
const REDUCE_SCATTER: [Part; 7] = collective(Body("reduce_scatter_axes", "list_of_axis_ref_lists*"));
const ALL_TO_ALL: [Part; 7] = collective(Body("params", "all_to_all_param_list*"));
const ALL_REDUCE: [Part; 7] = collective(Body("reduction_axes", "axis_ref_list*"));

/// The forms by op name.
pub static FORMS: &[(&str, &[Part])] = &[
    ("sdy.mesh", &[Symbol("sym_name"), Text(" = "), Body("mesh", "mesh*"), AttrDict]),
    ("sdy.sharding_constraint", SHARDING),
    ("sdy.reshard", SHARDING),
    (
        "sdy.manual_computation",
        &[
            Text("("),
            Operands,
            Text(") in_shardings="),
            Body("in_shardings", "sharding_per_value<*>"),
            Text(" out_shardings="),
            Body("out_shardings", "sharding_per_value<*>"),
            Text(" manual_axes="),
            Body("manual_axes", "manual_axes*"),
            Text(" "),
            Region,
            AttrDict,
            Types(TypeForm::Function),
        ],
    ),
    (
        "sdy.named_computation",
        &[
            Text("<"),
            String("name"),
            Text(">("),
            Operands,
            Text(")"),
            OptionalBody(" in_shardings=", "in_shardings", "sharding_per_value<*>"),
            OptionalBody(" out_shardings=", "out_shardings", "sharding_per_value<*>"),
            Text(" "),
            Region,
            AttrDict,
            Types(TypeForm::Function),
        ],
    ),
    ("sdy.all_gather", &ALL_GATHER),
    ("sdy.all_slice", &ALL_SLICE),
    ("sdy.reduce_scatter", &REDUCE_SCATTER),
    ("sdy.all_to_all", &ALL_TO_ALL),
    ("sdy.all_reduce", &ALL_REDUCE),
    ("sdy.collective_permute", &[Operands, Text(" out_sharding="), OUT_SHARDING, AttrDict, Types(TypeForm::Same)]),
    ("sdy.sharding_group", &[Operands, Text(" group_id="), I64("group_id"), AttrDict, Types(TypeForm::Operands)]),
    (
        "sdy.propagation_barrier",
        &[
            Operands,
            Text(" allowed_direction="),
            Word("allowed_direction", &["NONE", "FORWARD", "BACKWARD", "BOTH"]),
            AttrDict,
            Types(TypeForm::Same),
        ],
    ),
    ("sdy.return", TERMINATOR),
    ("arith.constant", &[AttrDict, Value("value")]),
    ("arith.index_cast", CAST),
    ("arith.addi", WITHOUT_FLAGS),
    ("arith.muli", WITHOUT_FLAGS),
    ("arith.subi", WITHOUT_FLAGS),
    ("arith.addf", WITHOUT_FAST_MATH),
    ("arith.divf", WITHOUT_FAST_MATH),
    ("arith.mulf", WITHOUT_FAST_MATH),
    ("arith.subf", WITHOUT_FAST_MATH),
    ("arith.andi", SAME),
    ("arith.maxsi", SAME),
    ("arith.minsi", SAME),
    ("arith.ori", SAME),
    ("arith.xori", SAME),
    ("bufferization.to_buffer", CAST),
    ("bufferization.to_tensor", CAST),
    ("cf.br", &[Branch, AttrDict]),
    ("llvm.return", TERMINATOR),
    ("memref.cast", CAST),
    ("shape.broadcast", BARE),
    ("shape.const_shape", &[AttrDict, Elements("shape")]),
    ("shape.cstr_broadcastable", &[Operands, AttrDict, Gives("shape.witness")]),
    ("shape.num_elements", BARE),
    ("shape.shape_of", BARE),
    ("sparse_tensor.convert", CAST),
    ("tensor.cast", CAST),
    ("tensor.dim", &[Operands, AttrDict, Indexed(true)]),
    ("tensor.extract", &[Operands, Text("["), Operands, Text("]"), AttrDict, Indexed(false)]),
    ("tensor.from_elements", &[Operands, AttrDict, ElementsOf]),
];

/// The form of the op of that name.
pub fn find_form(name: &str) -> Option<&'static [Part]> {
    FORMS.iter().find(|(known, _)| *known == name).map(|(_, parts)| *parts)
}

/// Inherent attributes that no form shows because they are almost never there.
const HIDDEN: &[(&str, &str)] = &[
    ("arith.addf", "roundingmode"),
    ("arith.divf", "roundingmode"),
    ("arith.mulf", "roundingmode"),
    ("arith.subf", "roundingmode"),
    ("sdy.all_reduce", "reduction_op"),
    ("sdy.reduce_scatter", "reduction_op"),
    ("shape.broadcast", "error"),
];

/// The inherent attributes of the op of that name in alphabetical order, and whether each must be there: none for ops that have
/// no form here.
pub fn inherent_attributes(name: &str) -> Option<Vec<(&'static str, bool)>> {
    let shown = find_form(name)?.iter().filter_map(|part| match *part {
        Symbol(attr) | String(attr) | I64(attr) | Value(attr) | Elements(attr) | Body(attr, _) | Word(attr, _) => {
            Some((attr, true))
        }
        OptionalBody(_, attr, _) | Filled(attr, _) => Some((attr, false)),
        Operands | Text(_) | AttrDict | Region | Types(_) | Cast | ElementsOf | Indexed(_) | Branch | Gives(_) => None,
    });
    let hidden = HIDDEN.iter().filter(|(op, _)| *op == name).map(|(_, attr)| (*attr, false));
    let mut attrs: Vec<_> = shown.chain(hidden).collect();
    attrs.sort_unstable();
    Some(attrs)
}

/// What is read besides the op's parts.
struct Foreign<'s> {
    dialect: &'s str,
    inherent: Vec<(NameId, AttrId)>,
}

impl<'s> Parser<'s> {
    /// An op in a pretty form that the registry does not know; `i` stands behind its name.
    pub(super) fn foreign_operation(
        &mut self,
        i: Input<'s>,
        name_at: Input<'s>,
        written: &'s str,
        state: &mut OpState<'s>,
    ) -> PResult<'s, OpName> {
        let split = written.split_once('.');
        if let (Some((dialect, _)), Some(parts)) = (split, find_form(written)) {
            let outer = std::mem::take(&mut self.default_dialect);
            let result = self.foreign_parts(i, name_at, parts, dialect, state);
            self.default_dialect = outer;
            let (i, ()) = super::cut(result)?;
            return Ok((i, OpName::Opaque(self.module.name(written))));
        }
        if let Some((dialect, mnemonic)) = split
            && crate::ops::is_registered_dialect(dialect)
        {
            return Err(self.unknown_operation(name_at, dialect, mnemonic));
        }
        let has_default = split.is_none() && !self.default_dialect.is_empty();
        let tried = has_default.then(|| format!("{}.{written}", self.default_dialect));
        Err(unknown_custom_form(name_at, written, tried))
    }

    fn foreign_parts(
        &mut self,
        mut i: Input<'s>,
        name_at: Input<'s>,
        parts: &'static [Part],
        dialect: &'s str,
        state: &mut OpState<'s>,
    ) -> PResult<'s, ()> {
        let mut foreign = Foreign { dialect, inherent: Vec::new() };
        for part in parts {
            (i, ()) = self.foreign_part(i, *part, &mut foreign, state)?;
        }
        if !foreign.inherent.is_empty() {
            let mut names: Vec<_> = foreign.inherent.iter().map(|(name, _)| *name).collect();
            names.sort_unstable();
            if names.windows(2).any(|pair| pair[0] == pair[1]) {
                return Err(fault(name_at, "parse/duplicate-key", "an attribute is given twice"));
            }
            let dictionary = self.module.dictionary(foreign.inherent);
            state.properties.push(Some(dictionary));
        }
        Ok((i, ()))
    }

    fn foreign_part(
        &mut self,
        i: Input<'s>,
        part: Part,
        foreign: &mut Foreign<'s>,
        state: &mut OpState<'s>,
    ) -> PResult<'s, ()> {
        match part {
            Operands => self.operands(i, state),
            Text(text) => forms::expect_text(i, text),
            Symbol(name) => {
                let (i, symbol) = self.symbol_name(i)?;
                let value = self.name_value(symbol);
                foreign.inherent.push((self.module.name(name), value));
                Ok((i, ()))
            }
            String(name) => {
                let (i, text) = lexical::string_literal(i)?;
                let value = self.string_value(&text);
                foreign.inherent.push((self.module.name(name), value));
                Ok((i, ()))
            }
            I64(name) => {
                let (i, value) = int64(i)?;
                let value = self.i64_value(value);
                foreign.inherent.push((self.module.name(name), value));
                Ok((i, ()))
            }
            Value(name) => self.foreign_value(i, name, foreign, state),
            Elements(name) => self.foreign_elements(i, name, foreign, state),
            Body(name, pattern) => self.foreign_body(i, name, pattern, foreign),
            OptionalBody(text, name, pattern) => match forms::accept_text(i, text) {
                Some(rest) => self.foreign_body(rest, name, pattern, foreign),
                None => Ok((i, ())),
            },
            Word(name, words) => {
                let (rest, word) = lexical::bare_id(i)?;
                let Some(number) = words.iter().position(|known| known.as_bytes() == word) else {
                    let message = format!("expected one of {}", words.join(", "));
                    return Err(fault(skip(i), "parse/expected-keyword", message));
                };
                let ty = self.i32_type();
                let value = self.module.intern_attr(Attribute::Integer { ty, value: number as i128 });
                foreign.inherent.push((self.module.name(name), value));
                Ok((rest, ()))
            }
            Filled(name, body) => {
                self.push_opaque(name, "*", body.as_bytes(), foreign);
                Ok((i, ()))
            }
            AttrDict => self.attribute_dictionary(i, state),
            Region => {
                let (i, ()) = punct!(i, "(")?;
                let (i, arguments) = self.arguments_until(i, ")", "`)`")?;
                let (i, region) = self.region(i, &arguments)?;
                state.regions.push(region);
                Ok((i, ()))
            }
            Branch => self.branch(i, state),
            Types(form) => self.types(i, state, form),
            Cast | ElementsOf | Indexed(_) | Gives(_) => self.foreign_types(i, part, state),
        }
    }

    /// An attribute that says the result's type.
    fn foreign_value(
        &mut self,
        i: Input<'s>,
        name: &str,
        foreign: &mut Foreign<'s>,
        state: &mut OpState<'s>,
    ) -> PResult<'s, ()> {
        let at = i;
        let (i, value) = self.attribute(i)?;
        let Some(ty) = self.module.attr_type(value) else {
            return Err(fault(at, "parse/expected-attribute", "expected an attribute that has a type"));
        };
        foreign.inherent.push((self.module.name(name), value));
        state.result_types.push(ty);
        Ok((i, ()))
    }

    /// `[4, 8] : tensor<2xindex>`
    fn foreign_elements(
        &mut self,
        i: Input<'s>,
        name: &str,
        foreign: &mut Foreign<'s>,
        state: &mut OpState<'s>,
    ) -> PResult<'s, ()> {
        let (i, values) = self.i64_list(i)?;
        let (i, ()) = punct!(i, ":")?;
        let (i, ty) = self.type_(i)?;
        state.result_types.push(ty);
        let index = self.module.intern_type(Type::Index);
        let elements_type = self.module.tensor_type(&[values.len() as i64], index);
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let value = self.dense_value(elements_type, bytes, 8);
        foreign.inherent.push((self.module.name(name), value));
        Ok((i, ()))
    }

    fn foreign_body(&mut self, i: Input<'s>, name: &str, pattern: &str, foreign: &mut Foreign<'s>) -> PResult<'s, ()> {
        let at = skip(i);
        if !matches!(peek(at), b'<' | b'[' | b'{') {
            return Err(expected(at, "parse/expected-punctuation", "text in brackets"));
        }
        let (rest, _) = lexical::opaque_body(at)?;
        self.push_opaque(name, pattern, &at[..at.len() - rest.len()], foreign);
        Ok((rest, ()))
    }

    fn push_opaque(&mut self, name: &str, pattern: &str, text: &[u8], foreign: &mut Foreign<'s>) {
        let text = std::string::String::from_utf8_lossy(text);
        let body = normalize_body(foreign.dialect, pattern.replacen('*', &text, 1).into());
        let dialect = self.module.name(foreign.dialect);
        let value = self.module.intern_attr(Attribute::Opaque { dialect, body, ty: None });
        foreign.inherent.push((self.module.name(name), value));
    }

    fn foreign_types(&mut self, i: Input<'s>, part: Part, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, ":")?;
        let at = i;
        let (i, types) = self.type_list(i)?;
        let one = |types: &TypeList| match types.as_slice() {
            [ty] => Ok(*ty),
            _ => Err(fault(at, "parse/expected-type", "expected one type")),
        };
        match part {
            Cast => {
                let (i, ()) = super::keyword!(i, "to")?;
                let (i, results) = self.type_list(i)?;
                state.operand_types = types;
                state.result_types = results;
                Ok((i, ()))
            }
            Gives(ty) => {
                let (dialect, body) = ty.split_once('.').unwrap_or((ty, ""));
                let dialect = self.module.name(dialect);
                state.operand_types = types;
                state.result_types.push(self.module.intern_type(Type::Opaque { dialect, body: body.into() }));
                Ok((i, ()))
            }
            _ => {
                let ty = one(&types)?;
                let Some(element) = self.module.element_type(ty) else {
                    return Err(fault(at, "parse/expected-type", "expected a shaped type"));
                };
                let index = self.module.intern_type(Type::Index);
                let n_operands = state.operands.len();
                match part {
                    Indexed(gives_index) => {
                        let others = std::iter::repeat_n(index, n_operands.saturating_sub(1));
                        state.operand_types.push(ty);
                        state.operand_types.extend(others);
                        state.result_types.push(if gives_index { index } else { element });
                    }
                    _ => {
                        state.operand_types.extend(std::iter::repeat_n(element, n_operands));
                        state.result_types.push(ty);
                    }
                }
                Ok((i, ()))
            }
        }
    }

    /// `^bb1(%a : T)`
    fn branch(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, block) = self.successor(i)?;
        state.successors.push(block);
        if let Some(rest) = accept(i, "(") {
            let (rest, ()) = self.operands(rest, state)?;
            let (rest, ()) = punct!(rest, ":")?;
            let (rest, types) = self.type_list(rest)?;
            state.operand_types = types;
            return punct!(rest, ")");
        }
        Ok((i, ()))
    }
}

/// The body of an opaque attribute as it is kept: Shardy's are brought to the spacing in which Shardy prints them, all others
/// stay as they are.
pub(super) fn normalize_body(dialect: &str, body: Box<str>) -> Box<str> {
    if dialect != "sdy" || body.starts_with("op_sharding_rule") || !body.is_ascii() {
        return body;
    }
    let mut out = std::string::String::with_capacity(body.len());
    let mut in_string = false;
    let mut pending_space = false;
    for byte in body.chars() {
        if in_string {
            in_string = byte != '"';
            out.push(byte);
            continue;
        }
        if byte.is_ascii_whitespace() {
            pending_space = true;
            continue;
        }
        let after_opening = matches!(out.chars().last(), None | Some('[' | '{' | '<' | '(' | ' ' | '=' | ':'));
        let before_closing = matches!(byte, ']' | '}' | '>' | ')' | ',' | '=' | ':');
        if pending_space && !after_opening && !before_closing {
            out.push(' ');
        }
        pending_space = false;
        in_string = byte == '"';
        // `{"a"}: 0->1`, but `"a":(1)2`.
        let wants_space = byte == ',' || (byte == ':' && out.ends_with('}'));
        out.push(byte);
        if wants_space {
            out.push(' ');
        }
    }
    out.into()
}
