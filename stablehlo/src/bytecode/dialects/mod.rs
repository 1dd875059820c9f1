//! How attributes and types of every dialect are encoded, reading and writing side by side.
//!
//! An entry begins with a code in the namespace of its dialect; the payload behind it is the dialect's matter. What a dialect
//! has no encoding for is written as assembly text.

mod builtin;
mod chlo;
mod quant;
mod sdy;
mod stablehlo;
pub(crate) mod vhlo;

pub(crate) use builtin::{
    array, dense_blob, dictionary_of, stored, write_dense, write_dictionary, write_i32_array, write_symbol,
};

use smallvec::SmallVec;

use super::error::Error;
use super::read::{Decoder, Stop};
use super::write::{self, AttrEntry, Encoder, Encodings, Piece, TypeEntry};
use crate::ir::{AttrId, Attribute, NameId, Type, TypeId};

/// Reads the payload of an attribute that `dialect` has encoded.
///
/// When [`Decoder::missing`] is not empty afterwards, the result means nothing.
pub(crate) fn read_attr(dialect: &str, code: u64, d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    match dialect {
        "builtin" => builtin::read_attr(code, d),
        "stablehlo" => stablehlo::read_attr(code, d),
        "chlo" => chlo::read_attr(code, d),
        "sdy" => sdy::read_attr(code, d),
        "vhlo" => vhlo::read_attr(code, d),
        _ => Err(unknown_dialect(dialect, "attribute", code, d)),
    }
}

/// Reads the payload of a type that `dialect` has encoded.
pub(crate) fn read_type(dialect: &str, code: u64, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    match dialect {
        "builtin" => builtin::read_type(code, d),
        "stablehlo" => stablehlo::read_type(code, d),
        "quant" => quant::read_type(code, d),
        "vhlo" => vhlo::read_type(code, d),
        _ => Err(unknown_dialect(dialect, "type", code, d)),
    }
}

/// The dialects' own encodings.
pub(crate) const NATIVE: Encodings = Encodings { attr: write_attr, ty: write_type, location: builtin::write_location };

/// An attribute in its dialect's encoding, or as text.
pub(crate) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> write::Result<AttrEntry> {
    let coded = builtin::write_attr(e, attr)
        .or_else(|| stablehlo::write_attr(e, attr))
        .or_else(|| chlo::write_attr(e, attr))
        .or_else(|| sdy::write_attr(e, attr));
    Ok(coded.unwrap_or_else(|| {
        let module = e.module;
        let dialect = match module.attr(attr) {
            Attribute::Opaque { dialect, .. } => module.str(*dialect),
            Attribute::Enum(value) => value.kind().mnemonic().0,
            Attribute::RaggedDotDimensionNumbers(_) => "chlo",
            _ => "builtin",
        };
        e.table.text_attr(dialect, &module.display_attr(attr).to_string())
    }))
}

/// A type in its dialect's encoding, or as text.
pub(crate) fn write_type(e: &mut Encoder<'_>, ty: TypeId) -> write::Result<TypeEntry> {
    let coded =
        builtin::write_type(e, ty).or_else(|| stablehlo::write_type(e, ty)).or_else(|| quant::write_type(e, ty));
    Ok(coded.unwrap_or_else(|| {
        let module = e.module;
        let dialect = match module.ty(ty) {
            Type::Quantized(_) => "quant",
            Type::Opaque { dialect, .. } => module.str(*dialect),
            _ => "builtin",
        };
        e.table.text_ty(dialect, &module.display_type(ty).to_string())
    }))
}

/// What follows the code of an entry.
pub(crate) type Payload = SmallVec<[Piece; 4]>;

/// A list: how many there are, and each.
pub(crate) fn list(items: impl ExactSizeIterator<Item = Piece>) -> Payload {
    std::iter::once(Piece::Varint(items.len() as u64)).chain(items).collect()
}

/// A list of attributes.
pub(crate) fn attr_list(e: &mut Encoder<'_>, attrs: &[AttrId]) -> Payload {
    list(attrs.iter().map(|attr| Piece::Attr(e.attr(*attr))))
}

/// A list of types.
pub(crate) fn type_list(e: &mut Encoder<'_>, types: &[TypeId]) -> Payload {
    list(types.iter().map(|ty| Piece::Type(e.ty(*ty))))
}

/// A list of signed numbers.
pub(crate) fn signed_list(numbers: &[i64]) -> Payload {
    list(numbers.iter().map(|number| Piece::Signed(*number)))
}

fn unknown_dialect(dialect: &str, kind: &str, code: u64, d: &Decoder<'_, '_>) -> Stop {
    let message = format!("{kind} {code} of dialect `{dialect}`: the encodings of this dialect are not known here");
    d.cursor.error("bytecode/unknown-dialect", message).into()
}

/// The complaint about a code that `dialect` does not have.
pub(crate) fn unknown_code(dialect: &str, kind: &str, code: u64, d: &Decoder<'_, '_>) -> Error {
    d.cursor.error("bytecode/unknown-code", format!("dialect `{dialect}` has no {kind} with code {code}"))
}

/// What reading payloads has in common.
impl Decoder<'_, '_> {
    /// A builtin StringAttr that must be UTF-8, as a name.
    pub(crate) fn name_attr(&mut self, what: &str) -> Result<NameId, Stop> {
        let offset = self.cursor.offset();
        let attr = self.attr(what)?;
        self.complete()?;
        self.name_of(attr, what, offset)
    }

    /// The string attribute `attr`, which stands at byte `offset`, as a name.
    pub(crate) fn name_of(&mut self, attr: AttrId, what: &str, offset: u64) -> Result<NameId, Stop> {
        if let Some(name) = self.attr_names.get(&attr) {
            return Ok(*name);
        }
        let Some(bytes) = self.module.string_bytes(attr) else {
            return Err(Error::new("bytecode/expected-string", offset, format!("{what} is not a string")).into());
        };
        let Ok(name) = std::str::from_utf8(bytes).map(str::to_owned) else {
            return Err(Error::new("bytecode/invalid-string", offset, format!("{what} is not UTF-8")).into());
        };
        let name = self.module.name(&name);
        self.attr_names.insert(attr, name);
        Ok(name)
    }

    /// A number that must fit `T`.
    pub(crate) fn small<T: TryFrom<u64>>(&mut self, what: &str) -> Result<T, Error> {
        let offset = self.cursor.offset();
        let number = self.cursor.varint(what)?;
        T::try_from(number).map_err(|_| {
            Error::new("bytecode/invalid-number", offset, format!("{what} is {number}, which is too large"))
        })
    }

    /// A byte that is 0 or 1.
    pub(crate) fn bool(&mut self, what: &str) -> Result<bool, Error> {
        let offset = self.cursor.offset();
        match self.cursor.byte(what)? {
            0 => Ok(false),
            1 => Ok(true),
            byte => Err(Error::new("bytecode/invalid-number", offset, format!("{what} is {byte}, neither 0 nor 1"))),
        }
    }
}
