//! Helpers for ops with a syntax of their own.
//!
//! A syntax function ([`ParseFn`](super::ParseFn)) gets the input right behind the op's name and fills an [`OpState`].
//! Everything is a production: it takes the input that is left and gives back the rest.
//!
//! ```text
//! fn parse<'s>(parser: &mut Parser<'s>, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
//!     let (i, ()) = punct!(i, "(")?;                              // a token that must be there
//!     let (i, ()) = parser.operands(i, state)?;                   // %a, %b, …
//!     let (i, ()) = punct!(i, ")")?;
//!     let (i, ()) = keyword!(i, "dims")?;
//!     let (i, ()) = punct!(i, "=")?;
//!     let (i, ()) = parser.slot(i, state, "broadcast_dimensions")?;   // [0, 1] into the attribute of that name
//!     let (i, ()) = parser.attribute_dictionary(i, state)?;       // {…}, if there is one
//!     parser.types(i, state, TypeForm::Function)                  // : (T, U) -> V
//! }
//! ```
//!
//! * tokens: [`punct!`], [`keyword!`], `lexical::{accept, accept_keyword, bare_id, int64, string_literal, peek}`; `accept…`
//!   functions give `None` when something else is next
//! * values: [`Parser::ssa_use`], [`Parser::accept_ssa_use`], [`Parser::operands`], [`Parser::operand`]
//! * types: [`Parser::type_`], [`Parser::type_list`], [`Parser::types`], [`Parser::function_types_into`]
//! * attributes: [`Parser::attribute`], [`Parser::bare_attribute`], [`Parser::slot`], [`Parser::set_attribute`],
//!   [`Parser::attribute_dictionary`], [`Parser::i64_list`], [`Parser::symbol_name`]
//! * regions: [`Parser::region`], [`Parser::argument`], [`Parser::arguments_until`]; ops that a compact form implies are
//!   made directly with [`Parser::module`]
//! * faults: [`expected`](super::expected), [`fault`](super::fault)

use smallvec::SmallVec;

use super::error::{Checked, PResult, expected, fault};
use super::lexical::{self, Input, accept, accept_keyword, accept_suffix_id, peek, separated_until, skip};
use super::{OpState, Parser, TrailingLocation, TypeList, punct};
use crate::ir::{AttrId, Attribute, NameId, Span, Type, TypeId};
use crate::ops::fill;
use crate::syntax::TypeForm;

/// An argument of a region's entry block.
#[derive(Clone, Debug)]
pub struct Argument<'s> {
    /// Its name without `%`, when it has one.
    pub name: Option<&'s [u8]>,
    /// Where the name (or else the type) stands.
    pub span: Span,
    /// Its type.
    pub ty: TypeId,
    /// `{…}` after the type, where that is legal.
    pub attributes: Option<AttrId>,
    /// Its `loc(…)`.
    pub location: TrailingLocation<'s>,
}

/// Values.
impl<'s> Parser<'s> {
    /// value-use-list, possibly empty: `%a, %b#1`, appended to the op's operands. A comma that no value follows is left.
    #[inline]
    pub fn operands(&mut self, mut i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let Some((rest, first)) = self.accept_ssa_use(i) else {
            return Ok((i, ()));
        };
        state.operands.push(first);
        i = rest;
        while let Some(rest) = accept(i, ",")
            && let Some((rest, operand)) = self.accept_ssa_use(rest)
        {
            state.operands.push(operand);
            i = rest;
        }
        Ok((i, ()))
    }

    /// One value-use, appended to the op's operands.
    pub fn operand(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, operand) = self.ssa_use(i)?;
        state.operands.push(operand);
        Ok((i, ()))
    }
}

/// Types of operands and results.
impl<'s> Parser<'s> {
    /// `':' types`, written in one of the ways of pretty forms; sets operand and result types.
    pub fn types(&mut self, i: Input<'s>, state: &mut OpState<'s>, form: TypeForm) -> PResult<'s, ()> {
        if form == TypeForm::Operands && state.operands.is_empty() && peek(i) != b':' {
            return Ok((i, ()));
        }
        let (i, ()) = punct!(i, ":")?;
        match form {
            TypeForm::Function => self.function_types_into(i, state),
            TypeForm::Same => {
                if peek(i) == b'(' {
                    return self.function_types_into(i, state);
                }
                let (i, ty) = self.type_(i)?;
                state.operand_types.extend(std::iter::repeat_n(ty, state.operands.len()));
                if state.spec.is_none_or(|spec| !spec.results.is_empty()) {
                    state.result_types.push(ty);
                }
                Ok((i, ()))
            }
            TypeForm::Complex => self.complex_types(i, state),
            TypeForm::Select => self.select_types(i, state),
            TypeForm::Operands => {
                let (i, types) = self.type_list(i)?;
                if state.spec.is_some_and(|spec| !spec.results.is_empty()) {
                    state.result_types.extend_from_slice(&types);
                }
                state.operand_types = types;
                Ok((i, ()))
            }
            TypeForm::Results => {
                let (i, types) = self.type_list(i)?;
                // A tuple says what it is made of.
                if let [only] = types.as_slice()
                    && let Type::Tuple(members) = self.module.ty(*only)
                    && !state.operands.is_empty()
                {
                    state.operand_types = SmallVec::from_slice(members);
                }
                state.result_types = types;
                Ok((i, ()))
            }
            TypeForm::Bare => {
                let (i, types) = if peek(i) == b'-' { (i, TypeList::new()) } else { self.type_list(i)? };
                state.operand_types = types;
                let (i, ()) = punct!(i, "->")?;
                let (i, types) = self.function_result_types(i)?;
                state.result_types = types;
                Ok((i, ()))
            }
        }
    }

    fn complex_types(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        if peek(i) == b'(' {
            return self.function_types_into(i, state);
        }
        let at = i;
        let (i, ty) = self.type_(i)?;
        let Some(part) = self.real_part(ty) else {
            return Err(fault(at, "parse/expected-type", "expected a tensor type with complex elements"));
        };
        state.operand_types.extend(std::iter::repeat_n(part, state.operands.len()));
        state.result_types.push(ty);
        Ok((i, ()))
    }

    /// The type of the real parts of a complex tensor (or of a complex number).
    fn real_part(&mut self, ty: TypeId) -> Option<TypeId> {
        let scalar = self.module.element_type(ty).unwrap_or(ty);
        let Type::Complex(part) = *self.module.ty(scalar) else {
            return None;
        };
        match self.module.ty(ty).clone() {
            Type::RankedTensor(mut tensor) => {
                tensor.element = part;
                Some(self.module.intern_type(Type::RankedTensor(tensor)))
            }
            Type::UnrankedTensor { .. } => Some(self.module.intern_type(Type::UnrankedTensor { element: part })),
            Type::Complex(_) => Some(part),
            _ => None,
        }
    }

    fn select_types(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        if peek(i) == b'(' {
            return self.function_types_into(i, state);
        }
        let (i, pred) = self.type_(i)?;
        let (i, ()) = punct!(i, ",")?;
        let (i, ty) = self.type_(i)?;
        state.operand_types.extend_from_slice(&[pred, ty, ty]);
        state.result_types.push(ty);
        Ok((i, ()))
    }

    /// function-type, its parts being the op's operand and result types.
    #[inline]
    pub fn function_types_into(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        let (i, types) = self.type_list_parens(i)?;
        state.operand_types = types;
        let (i, ()) = punct!(i, "->")?;
        let (i, types) = self.function_result_types(i)?;
        state.result_types = types;
        Ok((i, ()))
    }
}

/// Attributes of an op.
impl<'s> Parser<'s> {
    /// Puts an attribute where it belongs: into the slot of that name, or among the discardable ones.
    pub fn set_attribute(&mut self, state: &mut OpState<'s>, name: &str, value: AttrId) {
        match state.spec.and_then(|spec| spec.attribute_slot(name)) {
            Some(slot) => state.properties[slot] = Some(self.normalize_property(name, value)),
            None => state.attributes.push((self.module.name(name), value)),
        }
    }

    /// The bare value of the declared attribute `name`, in the spelling of its kind: `[1, 2]`, `0`, `LT`.
    pub fn slot(&mut self, i: Input<'s>, state: &mut OpState<'s>, name: &str) -> PResult<'s, ()> {
        let Some((spec, slot)) = state.spec.and_then(|spec| Some((spec, spec.attribute_slot(name)?))) else {
            return Err(fault(i, "bug/unknown-slot", format!("the op does not declare the attribute `{name}`")));
        };
        let (i, value) = self.bare_attribute(i, spec.attributes[slot].kind)?;
        state.properties[slot] = Some(value);
        Ok((i, ()))
    }

    /// dictionary-attribute, if one is next: inherent attributes into their slots, the others among the discardable ones.
    #[inline]
    pub fn attribute_dictionary(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        if peek(i) != b'{' {
            return Ok((i, ()));
        }
        self.attribute_dictionary_into(i, state, false)
    }

    /// `attributes {…}`, if that is next.
    pub fn attribute_dictionary_with_keyword(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        match accept_keyword(i, "attributes") {
            Some(rest) if peek(rest) == b'{' => self.attribute_dictionary_into(rest, state, false),
            Some(rest) => Err(expected(rest, "parse/expected-punctuation", "`{`")),
            None => Ok((i, ())),
        }
    }

    /// dictionary-attribute whose entries go to the op; where a property has been read already it stays, if `properties_win`.
    pub(super) fn attribute_dictionary_into(
        &mut self,
        i: Input<'s>,
        state: &mut OpState<'s>,
        properties_win: bool,
    ) -> PResult<'s, ()> {
        self.dictionary_entries(i, |parser, name, value| {
            let slot = state.spec.and_then(|spec| spec.attribute_slot(parser.module.str(name)));
            match (slot, state.spec) {
                (Some(slot), Some(spec)) => {
                    if !properties_win || state.properties[slot].is_none() {
                        state.properties[slot] = Some(parser.normalize_property(spec.attributes[slot].name, value));
                    }
                }
                _ => state.attributes.push((name, value)),
            }
        })
    }

    /// The entries of `<{…}>` of a registered op; unknown names vanish.
    pub(super) fn properties_into(&mut self, i: Input<'s>, state: &mut OpState<'s>) -> PResult<'s, ()> {
        self.dictionary_entries(i, |parser, name, value| {
            if let Some(spec) = state.spec
                && let Some(slot) = spec.attribute_slot(parser.module.str(name))
            {
                state.properties[slot] = Some(parser.normalize_property(spec.attributes[slot].name, value));
            }
        })
    }

    /// Segment sizes are `array<i32: …>` in text and a list of i64 in a slot; all other properties are kept as they are.
    pub(super) fn normalize_property(&mut self, name: &str, value: AttrId) -> AttrId {
        fill::normalize_property(&mut self.module, name, value)
    }

    /// symbol-ref-id without nesting, `@name` or `@"any text"`, as a name.
    pub fn symbol_name(&mut self, i: Input<'s>) -> PResult<'s, NameId> {
        let at = skip(i);
        let fail = || expected(at, "parse/expected-symbol", "a symbol name `@…`");
        let Some(b'@') = at.first() else {
            return Err(fail());
        };
        let rest = &at[1..];
        let (rest, name) = match rest.first() {
            Some(b'"') => lexical::string_literal(rest)?,
            Some(byte) if lexical::begins_word(*byte) => {
                let (rest, word) = lexical::bare_id(rest)?;
                (rest, word.into())
            }
            _ => return Err(fail()),
        };
        Ok((rest, self.name_of_bytes(at, &name)?))
    }

    /// Interns bytes that must be UTF-8 to be a name.
    pub(super) fn name_of_bytes(&mut self, at: Input<'s>, bytes: &[u8]) -> Checked<'s, NameId> {
        match std::str::from_utf8(bytes) {
            Ok(name) => Ok(self.module.name(name)),
            Err(_) => Err(fault(at, "parse/invalid-name", "names must be valid UTF-8")),
        }
    }

    /// A name as a string attribute.
    pub(super) fn name_value(&mut self, name: NameId) -> AttrId {
        let value = self.module.str(name).as_bytes().into();
        self.module.intern_attr(Attribute::String { value, ty: None })
    }

    /// A string as an attribute without type.
    pub fn string_value(&mut self, bytes: &[u8]) -> AttrId {
        self.module.intern_attr(Attribute::String { value: bytes.into(), ty: None })
    }
}

/// Arguments of regions.
impl<'s> Parser<'s> {
    /// An argument with a name: `%x: T loc(…)`
    pub fn argument(&mut self, i: Input<'s>) -> PResult<'s, Argument<'s>> {
        let at = skip(i);
        let Some((i, name)) = accept_suffix_id(at, b'%') else {
            return Err(expected(at, "parse/expected-value", "an SSA value"));
        };
        let span = self.span(at, i);
        let (i, ()) = punct!(i, ":")?;
        let (i, ty) = self.type_(i)?;
        let (i, location) = self.trailing_location(i)?;
        Ok((i, Argument { name: Some(name), span, ty, attributes: None, location }))
    }

    /// Arguments with names, comma separated, possibly none, up to the token `close`.
    pub fn arguments_until(
        &mut self,
        i: Input<'s>,
        close: &'static str,
        quoted: &'static str,
    ) -> PResult<'s, Vec<Argument<'s>>> {
        let mut arguments = Vec::new();
        let (i, ()) = separated_until(i, close, quoted, |i| {
            let (i, argument) = self.argument(i)?;
            arguments.push(argument);
            Ok((i, ()))
        })?;
        Ok((i, arguments))
    }
}
