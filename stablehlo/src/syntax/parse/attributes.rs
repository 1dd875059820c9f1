//! Builtin attributes.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::error::{PResult, expected, fault, fault_with_help};
use super::lexical::{
    self, Input, Number, accept, accept_keyword, accept_number, accept_suffix_id, peek, separated, separated_until,
    skip,
};
use super::numbers::{IntegerFormat, accept_signed_number, float_bits, integer_fault, push_bits};
use super::types::begins_type;
use super::{Parser, punct};
use crate::ir::{AttrId, Attribute, DYNAMIC, Dims, NameId, Signedness, Type, TypeId};

/// Keys of a dictionary up to which duplicates are looked for one by one.
const FEW_KEYS: usize = 16;

impl<'s> Parser<'s> {
    /// attribute-value
    pub fn attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        self.attribute_of_type(i, None)
    }

    /// attribute-value whose type, if it has one, is given and not written.
    pub fn attribute_of_type(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let i = skip(i);
        match i.first().copied().unwrap_or(0) {
            b'0'..=b'9' | b'-' => self.number_attribute(i, ty),
            b'"' => self.string_attribute(i, ty),
            b'[' => self.nested(i, Self::array_attribute),
            b'{' => self.nested(i, Self::dictionary_attribute),
            b'@' => self.symbol_ref_attribute(i),
            b'#' => self.nested(i, |parser, i| parser.extended_attribute(i, ty)),
            byte if lexical::begins_word(byte) => self.word_attribute(i, ty),
            byte if begins_type(byte) => self.type_attribute(i),
            _ => Err(expected(i, "parse/expected-attribute", "an attribute")),
        }
    }

    /// Attributes that begin with a word; a word that is none of theirs begins a type.
    fn word_attribute(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let (rest, word) = lexical::bare_id(i)?;
        match word {
            b"true" | b"false" => Ok((rest, self.bool_value(word == b"true"))),
            b"unit" => Ok((rest, self.module.intern_attr(Attribute::Unit))),
            b"dense" => self.dense_elements(rest, i, ty),
            b"dense_resource" => self.dense_resource_elements(rest, ty),
            b"sparse" => self.sparse_elements(rest, i, ty),
            b"array" => self.dense_array(rest),
            b"affine_map" => self.affine_map_attribute(rest),
            b"affine_set" => self.integer_set_attribute(rest),
            b"strided" => self.strided_layout(rest),
            b"distinct" => self.nested(rest, Self::distinct_attribute),
            b"loc" => {
                let (rest, location) = self.location(i)?;
                Ok((rest, self.module.intern_attr(Attribute::Location(location))))
            }
            _ => self.type_attribute(i),
        }
    }

    /// A type as an attribute.
    fn type_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        if peek(i) != b'(' {
            let Some((rest, ty)) = self.accept_type(i)? else {
                return Err(expected(i, "parse/expected-attribute", "an attribute"));
            };
            return Ok((rest, self.module.intern_attr(Attribute::Type(ty))));
        }
        let (rest, ty) = self.type_(i)?;
        Ok((rest, self.module.intern_attr(Attribute::Type(ty))))
    }

    /// integer-attribute or float-attribute: `'-'? number (':' type)?`
    fn number_attribute(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let Some((mut rest, negative, number)) = accept_signed_number(i) else {
            return Err(expected(&i[1..], "parse/expected-number", "a number"));
        };
        let ty = match (ty, accept(rest, ":")) {
            (Some(ty), _) => ty,
            (None, Some(after)) => {
                let (after, ty) = self.type_(after)?;
                rest = after;
                ty
            }
            (None, None) => self.default_number_type(number),
        };
        if let Some(format) = IntegerFormat::of(self.module.ty(ty)) {
            let Number::Integer(text) = number else {
                let message = "floating point value not valid for specified type";
                return Err(fault(i, "parse/expected-integer", message));
            };
            return match format.value(negative, text) {
                Some(value) => Ok((rest, self.module.intern_attr(Attribute::Integer { ty, value }))),
                None => Err(integer_fault(i, negative, format)),
            };
        }
        let Type::Float(kind) = self.module.ty(ty) else {
            let message = format!("a number cannot have the type `{}`", self.module.display_type(ty));
            return Err(fault(i, "parse/invalid-number-type", message));
        };
        let bits = float_bits(i, negative, number, kind.format())?;
        Ok((rest, self.module.intern_attr(Attribute::Float { ty, bits })))
    }

    fn default_number_type(&mut self, number: Number<'s>) -> TypeId {
        match number {
            Number::Integer(_) => self.i64_type(),
            Number::Float(_) => self.module.intern_type(Type::Float(crate::ir::FloatKind::F64)),
        }
    }

    /// `i64`
    pub fn i64_type(&mut self) -> TypeId {
        self.module.intern_type(Type::Integer { width: 64, signedness: Signedness::Signless })
    }

    /// `i32`
    pub fn i32_type(&mut self) -> TypeId {
        self.module.intern_type(Type::Integer { width: 32, signedness: Signedness::Signless })
    }

    /// `i1`
    pub fn i1_type(&mut self) -> TypeId {
        self.module.intern_type(Type::Integer { width: 1, signedness: Signedness::Signless })
    }

    /// `true` or `false`
    pub fn bool_value(&mut self, value: bool) -> AttrId {
        let ty = self.i1_type();
        self.module.intern_attr(Attribute::Integer { ty, value: i128::from(value) })
    }

    /// An `i64` integer attribute.
    pub fn i64_value(&mut self, value: i64) -> AttrId {
        let ty = self.i64_type();
        self.module.intern_attr(Attribute::Integer { ty, value: i128::from(value) })
    }

    /// string-attribute: `string-literal (':' type)?`
    fn string_attribute(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let (mut rest, value) = lexical::string_literal(i)?;
        let mut ty = ty;
        if ty.is_none()
            && let Some(after) = accept(rest, ":")
        {
            let (after, written) = self.type_(after)?;
            ty = Some(written);
            rest = after;
        }
        let ty = ty.filter(|ty| *self.module.ty(*ty) != Type::None);
        let value = value.into_owned().into_boxed_slice();
        Ok((rest, self.module.intern_attr(Attribute::String { value, ty })))
    }

    /// array-attribute: `'[' (attribute-value (',' attribute-value)*)? ']'`
    fn array_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "[")?;
        let mut items: SmallVec<[AttrId; 8]> = SmallVec::new();
        let (i, ()) = separated_until(i, "]", "`]`", |i| {
            let (i, item) = self.attribute(i)?;
            items.push(item);
            Ok((i, ()))
        })?;
        Ok((i, self.module.intern_attr(Attribute::Array(items.as_slice().into()))))
    }

    /// dictionary-attribute
    pub fn dictionary_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let mut entries = Vec::new();
        let (i, ()) = self.dictionary_entries(i, |_, name, value| entries.push((name, value)))?;
        Ok((i, self.module.dictionary(entries)))
    }

    /// `'{' (attribute-entry (',' attribute-entry)*)? '}'` with `attribute-entry: (bare-id | string-literal) ('='
    /// attribute-value)?`; `each` gets the entries, whose names all differ.
    pub(super) fn dictionary_entries(
        &mut self,
        i: Input<'s>,
        mut each: impl FnMut(&mut Self, NameId, AttrId),
    ) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, "{")?;
        let mut few: SmallVec<[NameId; FEW_KEYS]> = SmallVec::new();
        let mut many: FxHashSet<NameId> = FxHashSet::default();
        separated_until(i, "}", "`}`", |i| {
            let at = skip(i);
            let (rest, name) = self.attribute_name(at)?;
            let is_new = match few.len() < FEW_KEYS {
                true => {
                    let is_new = !few.contains(&name);
                    few.push(name);
                    is_new
                }
                false => !few.contains(&name) && many.insert(name),
            };
            if !is_new {
                let message = format!("duplicate key `{}` in dictionary attribute", self.module.str(name));
                return Err(fault(at, "parse/duplicate-key", message));
            }
            let (rest, value) = match accept(rest, "=") {
                Some(rest) => self.attribute(rest)?,
                None => (rest, self.module.intern_attr(Attribute::Unit)),
            };
            each(self, name, value);
            Ok((rest, ()))
        })
    }

    /// The key of a dictionary's entry.
    fn attribute_name(&mut self, at: Input<'s>) -> PResult<'s, NameId> {
        let fail = || expected(at, "parse/expected-attribute-name", "an attribute name");
        if let Some((rest, word)) = lexical::accept_word(at) {
            return Ok((rest, self.name_of_bytes(at, word)?));
        }
        match lexical::accept_string(at)? {
            Some((_, name)) if name.is_empty() => Err(fail()),
            Some((rest, name)) => Ok((rest, self.name_of_bytes(at, &name)?)),
            None => Err(fail()),
        }
    }

    /// symbol-ref-attribute: `symbol-ref-id ('::' symbol-ref-id)*`
    fn symbol_ref_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (mut i, root) = self.symbol_name(i)?;
        let mut nested = Vec::new();
        while let Some(rest) = accept(i, ":").and_then(|rest| accept(rest, ":")) {
            let (rest, name) = self.symbol_name(rest)?;
            nested.push(name);
            i = rest;
        }
        Ok((i, self.module.intern_attr(Attribute::SymbolRef { root, nested: nested.into() })))
    }

    /// dense-array-attribute: `array '<' type (':' element (',' element)*)? '>'`, after the word.
    fn dense_array(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let at = i;
        let (i, element) = self.type_(i)?;
        let width = match self.module.ty(element) {
            Type::Integer { width, .. } => *width,
            Type::Float(kind) => kind.format().bits,
            _ => {
                let shown = self.module.display_type(element);
                let message = format!("expected integer or float type, got: `{shown}`");
                return Err(fault(at, "parse/invalid-element-type", message));
            }
        };
        let is_i64 = matches!(self.module.ty(element), Type::Integer { width: 64, signedness: Signedness::Signless });
        if width != 1 && (width % 8 != 0 || width == 0) {
            return Err(fault(at, "parse/invalid-element-type", "element type bitwidth must be a multiple of 8"));
        }
        let (i, is_empty) = match accept(i, ":") {
            Some(rest) => (rest, false),
            None => (i, true),
        };
        let (i, attr) = if is_i64 {
            let (i, values) = if is_empty { (i, Dims::new()) } else { int64_items(i)? };
            (i, Attribute::DenseI64Array(values))
        } else if width == 1 {
            let (i, values) = if is_empty { (i, SmallVec::new()) } else { bool_items(i)? };
            (i, Attribute::DenseBoolArray(values))
        } else {
            let (i, bytes) = if is_empty { (i, Vec::new()) } else { self.dense_array_items(i, element, width)? };
            (i, Attribute::DenseArray { element, bytes: bytes.into() })
        };
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_attr(attr)))
    }

    fn dense_array_items(&mut self, i: Input<'s>, element: TypeId, width: u32) -> PResult<'s, Vec<u8>> {
        let mut bytes = Vec::new();
        let n_bytes = (width / 8) as usize;
        let ty = self.module.ty(element).clone();
        let (i, ()) = separated(i, |i| {
            let at = skip(i);
            let Some((rest, negative, number)) = accept_signed_number(at) else {
                return Err(expected(at, "parse/expected-number", "a number"));
            };
            let bits = match (&ty, IntegerFormat::of(&ty), number) {
                (Type::Float(kind), ..) => float_bits(at, negative, number, kind.format())?,
                (_, Some(format), Number::Integer(text)) => match format.value(negative, text) {
                    Some(value) => value as u128,
                    None => return Err(integer_fault(at, negative, format)),
                },
                _ => return Err(expected(at, "parse/expected-integer", "an integer")),
            };
            self.count_wide(at, n_bytes.saturating_sub(16))?;
            push_bits(bits, n_bytes, &mut bytes);
            Ok((rest, ()))
        })?;
        Ok((i, bytes))
    }

    /// strided-layout: `strided '<' '[' stride (',' stride)* ']' (',' 'offset' ':' offset)? '>'`, after the word.
    fn strided_layout(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "<")?;
        let (i, strides) = self.i64_list_with_dynamic(i)?;
        let (mut i, mut offset) = (i, 0);
        if let Some(rest) = accept(i, ",") {
            let (rest, ()) = super::keyword!(rest, "offset")?;
            let (rest, ()) = punct!(rest, ":")?;
            (i, offset) = int64_or_dynamic(rest)?;
        }
        let (i, ()) = punct!(i, ">")?;
        Ok((i, self.module.intern_attr(Attribute::StridedLayout { offset, strides })))
    }

    /// distinct-attribute: `distinct '[' integer ']' '<' attribute? '>'`, after the word.
    fn distinct_attribute(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "[")?;
        let at = skip(i);
        let number = accept_number(at).and_then(|(rest, number)| match number {
            Number::Integer(text) => Some((rest, lexical::integer_value(text)?.try_into().ok()?)),
            Number::Float(_) => None,
        });
        let Some((i, number)) = number else {
            return Err(expected(at, "parse/expected-integer", "the number of a distinct attribute"));
        };
        let (i, ()) = punct!(i, "]")?;
        let (i, ()) = punct!(i, "<")?;
        let (i, value) = match accept(i, ">") {
            Some(rest) => (rest, self.module.intern_attr(Attribute::Unit)),
            None => {
                let (rest, value) = self.attribute(i)?;
                let (rest, ()) = punct!(rest, ">")?;
                (rest, value)
            }
        };
        let next = self.distinct.len() as u32;
        let attr = match self.distinct.get(&number) {
            Some(known) => *known,
            None => {
                let attr = self.module.intern_attr(Attribute::Distinct { id: next, value });
                self.distinct.insert(number, attr);
                attr
            }
        };
        match self.module.attr(attr) {
            Attribute::Distinct { value: known, .. } if *known == value => Ok((i, attr)),
            _ => {
                Err(fault(at, "parse/distinct-mismatch", format!("distinct[{number}] was given another value before")))
            }
        }
    }

    /// extended-attribute: `'#' (alias | dialect '.' name ('<' … '>')? | dialect '<' … '>')`
    fn extended_attribute(&mut self, i: Input<'s>, ty: Option<TypeId>) -> PResult<'s, AttrId> {
        let at = i;
        let Some((rest, name)) = accept_suffix_id(i, b'#') else {
            return Err(expected(i, "parse/expected-attribute", "an attribute"));
        };
        let dot = name.iter().position(|byte| *byte == b'.');
        if dot.is_none() && rest.first() != Some(&b'<') {
            return match self.attribute_aliases.get(name).copied() {
                Some(attr) => {
                    let is_location = matches!(self.module.attr(attr), Attribute::Location(_));
                    self.expand(at, self.module.attr_extent(attr), is_location)?;
                    Ok((rest, attr))
                }
                None => {
                    let message = format!("undefined symbol alias id `{}`", String::from_utf8_lossy(name));
                    let help = "attribute aliases are defined before their use";
                    Err(fault_with_help(at, "parse/undefined-alias", message, help))
                }
            };
        }
        let dialect = &name[..dot.unwrap_or(name.len())];
        if dialect.is_empty() {
            return Err(fault(at, "parse/unknown-dialect", "a name without dialect in front of the dot"));
        }
        if matches!(dialect, b"stablehlo" | b"chlo") {
            let dialect = if dialect == b"chlo" { "chlo" } else { "stablehlo" };
            return self.dialect_attribute(at, dialect, dot.is_some());
        }
        let (mut rest, dialect, body) = self.opaque_symbol(at, rest, name, dot)?;
        let body = super::foreign::normalize_body(self.module.str(dialect), body);
        let mut ty = ty;
        if ty.is_none()
            && let Some(after) = accept(rest, ":")
            && peek(after) != b':'
            && begins_type(peek(after))
        {
            let (after, written) = self.type_(after)?;
            ty = Some(written);
            rest = after;
        }
        let ty = ty.filter(|ty| *self.module.ty(*ty) != Type::None);
        Ok((rest, self.module.intern_attr(Attribute::Opaque { dialect, body, ty })))
    }

    /// attribute-alias-def: `'#' alias-name '=' attribute-value`
    pub(super) fn attribute_alias_def(&mut self, i: Input<'s>) -> PResult<'s, ()> {
        let at = i;
        let Some((i, name)) = accept_suffix_id(i, b'#') else {
            return Err(expected(i, "parse/expected-attribute", "an attribute alias"));
        };
        self.check_alias_name(at, name, self.attribute_aliases.contains_key(name))?;
        let (i, ()) = punct!(i, "=")?;
        let (i, attr) = self.attribute(i)?;
        self.attribute_aliases.insert(name, attr);
        Ok((i, ()))
    }

    /// `'[' (integer (',' integer)*)? ']'`
    #[inline]
    pub fn i64_list(&mut self, i: Input<'s>) -> PResult<'s, Dims> {
        let (i, ()) = punct!(i, "[")?;
        if let Some(rest) = accept(i, "]") {
            return Ok((rest, Dims::new()));
        }
        let (i, items) = int64_items(i)?;
        let (i, ()) = punct!(i, "]")?;
        Ok((i, items))
    }

    /// `'[' … ']'` of integers and `?` (which is [`DYNAMIC`]).
    pub fn i64_list_with_dynamic(&mut self, i: Input<'s>) -> PResult<'s, Dims> {
        let (i, ()) = punct!(i, "[")?;
        let mut items = Dims::new();
        let (i, ()) = separated_until(i, "]", "`]`", |i| {
            let (i, item) = int64_or_dynamic(i)?;
            items.push(item);
            Ok((i, ()))
        })?;
        Ok((i, items))
    }

    /// `true`, `false`, `1` or `0`
    pub fn boolean(&mut self, i: Input<'s>) -> PResult<'s, bool> {
        match (accept(i, "1"), accept(i, "0")) {
            (Some(rest), _) => Ok((rest, true)),
            (_, Some(rest)) => Ok((rest, false)),
            _ => expect_bool(i),
        }
    }
}

/// `true` or `false`, if one is next.
pub(super) fn accept_bool(i: Input<'_>) -> Option<(Input<'_>, bool)> {
    match accept_keyword(i, "true") {
        Some(rest) => Some((rest, true)),
        None => accept_keyword(i, "false").map(|rest| (rest, false)),
    }
}

/// An integer or `?`.
pub(super) fn int64_or_dynamic(i: Input<'_>) -> PResult<'_, i64> {
    match accept(i, "?") {
        Some(rest) => Ok((rest, DYNAMIC)),
        None => lexical::int64(i),
    }
}

/// One integer or more, comma separated.
fn int64_items(i: Input<'_>) -> PResult<'_, Dims> {
    let mut items = Dims::new();
    let (i, ()) = separated(i, |i| {
        let (i, item) = lexical::int64(i)?;
        items.push(item);
        Ok((i, ()))
    })?;
    Ok((i, items))
}

/// `true` or `false` that must be next.
pub(super) fn expect_bool(i: Input<'_>) -> PResult<'_, bool> {
    accept_bool(i).ok_or_else(|| expected(i, "parse/expected-bool", "`true` or `false`"))
}

/// One boolean or more, comma separated.
fn bool_items(i: Input<'_>) -> PResult<'_, SmallVec<[bool; 8]>> {
    let mut items = SmallVec::new();
    let (i, ()) = separated(i, |i| {
        let (i, item) = expect_bool(i)?;
        items.push(item);
        Ok((i, ()))
    })?;
    Ok((i, items))
}
