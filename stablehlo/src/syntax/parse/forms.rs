//! Reading of pretty forms that are data, and of attribute values in the bare spelling of their kind.

use smallvec::SmallVec;

use super::attributes::expect_bool;
use super::error::{PResult, expected, fault};
use super::lexical::{self, Input, int64, peek, separated_until, skip};
use super::{OpState, Parser, punct};
use crate::ir::{AttrId, Attribute, EnumKind, FloatKind, Signedness, Type};
use crate::ops::spec::AttrKind;
use crate::syntax::Form;

/// Reads what follows the name of an op with [`Syntax::Form`](crate::ops::spec::Syntax::Form).
pub(super) fn form<'s>(
    parser: &mut Parser<'s>,
    mut i: Input<'s>,
    parts: &'static [Form],
    state: &mut OpState<'s>,
) -> PResult<'s, ()> {
    for part in parts {
        (i, ()) = match *part {
            Form::Operands => parser.operands(i, state)?,
            Form::Text(text) => expect_text(i, text)?,
            Form::Slot(name) => parser.slot(i, state, name)?,
            Form::Optional(_, inner) => match inner.first() {
                Some(Form::Text(text)) if accept_text(i, text).is_some() => form(parser, i, inner, state)?,
                _ => (i, ()),
            },
            Form::AttrDict => parser.attribute_dictionary(i, state)?,
            Form::Types(types) => parser.types(i, state, types)?,
        };
    }
    Ok((i, ()))
}

/// Reads fixed text that must be next.
pub(super) fn expect_text<'s>(i: Input<'s>, text: &'static str) -> PResult<'s, ()> {
    match accept_text(i, text) {
        Some(rest) => Ok((rest, ())),
        None => Err(expected(i, "parse/expected-text", quoted(text))),
    }
}

/// Fixed text as a diagnostic shows it.
fn quoted(text: &'static str) -> &'static str {
    match text.trim() {
        "" => "a space",
        trimmed => trimmed,
    }
}

/// Reads the tokens of fixed text; spaces may vary.
pub(super) fn accept_text<'s>(mut i: Input<'s>, text: &'static str) -> Option<Input<'s>> {
    let mut wanted = text.as_bytes();
    loop {
        wanted = skip(wanted);
        if wanted.is_empty() {
            return Some(i);
        }
        i = skip(i);
        let length = lexical::token_length(wanted);
        let token = &wanted[..length];
        i = i.strip_prefix(token)?;
        // A word must not go on.
        if lexical::in_word(token[length - 1]) && i.first().is_some_and(|byte| lexical::in_word(*byte)) {
            return None;
        }
        wanted = &wanted[length..];
    }
}

/// Bare values.
impl<'s> Parser<'s> {
    /// An attribute in the spelling that pretty forms use for its kind: `[1, 2]` rather than `array<i64: 1, 2>`, `LT` rather
    /// than `#stablehlo<comparison_direction LT>` (which is read as well).
    pub fn bare_attribute(&mut self, i: Input<'s>, kind: AttrKind) -> PResult<'s, AttrId> {
        match kind {
            AttrKind::I64 => {
                let (i, value) = int64(i)?;
                Ok((i, self.i64_value(value)))
            }
            AttrKind::I32 => self.bare_integer(i, 32, Signedness::Signless),
            AttrKind::UI32 => self.bare_integer(i, 32, Signedness::Unsigned),
            AttrKind::UI64 => self.bare_integer(i, 64, Signedness::Unsigned),
            AttrKind::F32 | AttrKind::F64 => {
                let float = if kind == AttrKind::F32 { FloatKind::F32 } else { FloatKind::F64 };
                let ty = self.module.intern_type(Type::Float(float));
                self.attribute_of_type(i, Some(ty))
            }
            AttrKind::String => {
                let (i, text) = lexical::string_literal(i)?;
                Ok((i, self.string_value(&text)))
            }
            AttrKind::Bool => {
                let (i, value) = expect_bool(i)?;
                Ok((i, self.bool_value(value)))
            }
            AttrKind::I64Array => {
                let (i, values) = self.i64_list(i)?;
                Ok((i, self.module.intern_attr(Attribute::DenseI64Array(values))))
            }
            AttrKind::BoolArray => self.bare_bool_array(i),
            AttrKind::Enum(kind) => self.bare_enum(i, kind),
            AttrKind::EnumArray(kind) => self.bare_enum_array(i, kind),
            AttrKind::ConvDimensionNumbers if peek(i) == b'[' => {
                let (i, numbers) = self.convolution_dimensions(i)?;
                Ok((i, self.module.intern_attr(Attribute::ConvDimensionNumbers(Box::new(numbers)))))
            }
            AttrKind::DotAlgorithm if peek(i) == b'<' => self.dot_algorithm(i),
            _ => self.attribute(i),
        }
    }

    /// A number of an integer type that is not written.
    fn bare_integer(&mut self, i: Input<'s>, width: u32, signedness: Signedness) -> PResult<'s, AttrId> {
        let ty = self.module.intern_type(Type::Integer { width, signedness });
        self.attribute_of_type(i, Some(ty))
    }

    /// `[true, 0, …]`
    fn bare_bool_array(&mut self, i: Input<'s>) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "[")?;
        let mut values = SmallVec::new();
        let (i, ()) = separated_until(i, "]", "`]`", |i| {
            let (i, value) = self.boolean(i)?;
            values.push(value);
            Ok((i, ()))
        })?;
        Ok((i, self.module.intern_attr(Attribute::DenseBoolArray(values))))
    }

    /// A word, or the whole attribute.
    fn bare_enum(&mut self, i: Input<'s>, kind: EnumKind) -> PResult<'s, AttrId> {
        if peek(i) != b'#' {
            return self.enum_word(i, kind);
        }
        let at = skip(i);
        let (i, attr) = self.attribute(at)?;
        match self.module.attr(attr) {
            Attribute::Enum(value) if value.kind() == kind => Ok((i, attr)),
            _ => {
                let (dialect, mnemonic) = kind.mnemonic();
                Err(fault(at, "parse/invalid-enum", format!("expected a word of {dialect}.{mnemonic}")))
            }
        }
    }

    /// `[HIGH, DEFAULT]`
    fn bare_enum_array(&mut self, i: Input<'s>, kind: EnumKind) -> PResult<'s, AttrId> {
        let (i, ()) = punct!(i, "[")?;
        let mut values: SmallVec<[AttrId; 4]> = SmallVec::new();
        let (i, ()) = separated_until(i, "]", "`]`", |i| {
            let (i, value) = self.bare_enum(i, kind)?;
            values.push(value);
            Ok((i, ()))
        })?;
        Ok((i, self.module.intern_attr(Attribute::Array(values.as_slice().into()))))
    }
}
