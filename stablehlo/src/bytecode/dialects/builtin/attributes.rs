//! Attributes.

use super::attr_code as code;
use super::{elements, locations};
use crate::bytecode::dialects::{Payload, attr_list, unknown_code};
use crate::bytecode::error::Error;
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece, TypeEntry};
use crate::ir::{AttrId, Attribute, Blob, NameId, Signedness, Type, TypeId};

/// Reads an attribute.
pub(in super::super) fn read_attr(code: u64, d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    Ok(match code {
        code::ARRAY => Attribute::Array(d.attrs("an element of an array")?.into()),
        code::DICTIONARY => dictionary(d)?,
        code::STRING => Attribute::String { value: d.string("a string")?.into(), ty: None },
        code::TYPED_STRING => {
            let value = d.string("a string")?.into();
            Attribute::String { value, ty: Some(d.ty("the type of a string")?) }
        }
        code::FLAT_SYMBOL => Attribute::SymbolRef { root: d.name_attr("a symbol")?, nested: [].into() },
        code::SYMBOL => symbol(d)?,
        code::TYPE => Attribute::Type(d.ty("a type attribute")?),
        code::UNIT => Attribute::Unit,
        code::INTEGER => integer(d)?,
        code::FLOAT => float(d)?,
        code::DENSE_ARRAY => elements::read_dense_array(d)?,
        // Identities last as long as a file: the number of the entry is one.
        code::DISTINCT => {
            Attribute::Distinct { id: d.entry as u32, value: d.attr("the value of a distinct attribute")? }
        }
        _ => {
            return elements::read(code, d)
                .or_else(|| locations::read(code, d))
                .unwrap_or_else(|| Err(unknown_code("builtin", "attribute", code, d).into()));
        }
    })
}

fn dictionary(d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let n = d.cursor.count("the number of entries of a dictionary")?;
    let mut pairs = Vec::with_capacity(n);
    for _ in 0..n {
        pairs.push((d.attr("a key of a dictionary")?, d.attr("a value of a dictionary")?));
    }
    d.complete()?;
    let mut entries = Vec::with_capacity(n);
    for (key, value) in pairs {
        entries.push((d.name_of(key, "a key of a dictionary", offset)?, value));
    }
    dictionary_of(entries, d, offset)
}

/// A dictionary of entries in any order.
///
/// # Errors
/// `bytecode/duplicate-key`
pub(crate) fn dictionary_of(
    mut entries: Vec<(NameId, AttrId)>,
    d: &Decoder<'_, '_>,
    offset: u64,
) -> Result<Attribute, Stop> {
    entries.sort_by(|(a, _), (b, _)| d.module.str(*a).cmp(d.module.str(*b)));
    match entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => {
            let message = format!("a dictionary has the key `{}` twice", d.module.str(pair[0].0));
            Err(Error::new("bytecode/duplicate-key", offset, message).into())
        }
        None => Ok(Attribute::Dictionary(entries.into())),
    }
}

fn symbol(d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let root = d.attr("the root of a symbol")?;
    let parts = d.attrs("a part of a symbol")?;
    d.complete()?;
    let root = d.name_of(root, "the root of a symbol", offset)?;
    let nested = parts.into_iter().map(|part| match d.module.attr(part) {
        Attribute::SymbolRef { root, nested } if nested.is_empty() => Ok(*root),
        _ => Err(Error::new("bytecode/expected-symbol", offset, "a part of a symbol is not a symbol of one part")),
    });
    let nested = nested.collect::<Result<_, _>>()?;
    Ok(Attribute::SymbolRef { root, nested })
}

/// Reads an integer: its type, then as many bits as that has.
pub(in super::super) fn integer(d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let ty = d.ty("the type of an integer")?;
    let (width, signedness) = match *d.module.ty(ty) {
        Type::Integer { width, signedness } => (width, signedness),
        Type::Index => (64, Signedness::Signed),
        _ => {
            let message = format!("an integer cannot have the type `{}`", d.module.display_type(ty));
            return Err(Error::new("bytecode/invalid-type", offset, message).into());
        }
    };
    let value = match width {
        0..=128 => value_of(d.cursor.integer(width, "an integer")?, width, signedness),
        _ => wide_integer(width, signedness, d)?,
    };
    match value {
        Some(value) => Ok(Attribute::Integer { ty, value }),
        None => {
            Err(Error::new("bytecode/unsupported", offset, "an integer does not fit 128 bits with its sign").into())
        }
    }
}

/// The value that these bits have; booleans are 0 and 1.
fn value_of(bits: u128, width: u32, signedness: Signedness) -> Option<i128> {
    match signedness {
        Signedness::Unsigned => i128::try_from(bits).ok(),
        Signedness::Signless if width == 1 => Some(bits as i128),
        _ if width == 0 => Some(0),
        _ => Some((bits << (128 - width)) as i128 >> (128 - width)),
    }
}

/// An integer of more than 128 bits, whose value must not need them.
fn wide_integer(width: u32, signedness: Signedness, d: &mut Decoder<'_, '_>) -> Result<Option<i128>, Error> {
    let n = d.cursor.count("the number of words of an integer")?;
    let words = (0..n).map(|_| d.cursor.signed("a word of an integer")).collect::<Result<Vec<i64>, _>>()?;
    let word = |index: usize| words.get(index).copied().unwrap_or(0) as u64;
    let low = u128::from(word(1)) << 64 | u128::from(word(0));
    let n_words = width.div_ceil(64) as usize;
    let top_mask = u64::MAX >> (n_words as u32 * 64 - width);
    let top = word(n_words - 1) & top_mask;
    let fits = |fill: u64| (2..n_words - 1).all(|index| word(index) == fill) && top == fill & top_mask;
    let value = low as i128;
    let fits = match value < 0 {
        false => fits(0),
        true => signedness != Signedness::Unsigned && fits(u64::MAX),
    };
    Ok(fits.then_some(value))
}

/// Reads a float: its type, then its bits.
pub(in super::super) fn float(d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    let offset = d.cursor.offset();
    let ty = d.ty("the type of a float")?;
    let Type::Float(kind) = *d.module.ty(ty) else {
        let message = format!("a float cannot have the type `{}`", d.module.display_type(ty));
        return Err(Error::new("bytecode/invalid-type", offset, message).into());
    };
    let bits = d.cursor.integer(kind.format().bits, "a float")?;
    Ok(Attribute::Float { ty, bits })
}

/// The entry of an array of attributes that are in the table: how many, and each.
pub(crate) fn array(e: &mut Encoder<'_>, attrs: Payload) -> AttrEntry {
    e.table.attr("builtin", code::ARRAY, attrs)
}

/// The entry of a signless integer type.
fn integer_type(e: &mut Encoder<'_>, width: u64) -> TypeEntry {
    e.table.ty("builtin", super::type_code::INTEGER, [Piece::Varint(width << 2)])
}

/// The form of a builtin attribute; none when it has no encoding, or is another dialect's.
pub(in super::super) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> Option<AttrEntry> {
    let module = e.module;
    let (code, payload): (u64, Payload) = match module.attr(attr) {
        Attribute::Unit => (code::UNIT, Payload::new()),
        Attribute::Integer { ty, value } => (code::INTEGER, write_integer(e, *ty, *value)),
        Attribute::Float { ty, bits } => {
            let Type::Float(kind) = module.ty(*ty) else { return None };
            let value = Piece::integer(*bits, kind.format().bits);
            (code::FLOAT, std::iter::once(Piece::Type(e.ty(*ty))).chain(value).collect())
        }
        Attribute::String { value, ty } => {
            let string = Piece::String(e.table.string(value));
            match ty {
                None => (code::STRING, [string].into_iter().collect()),
                Some(ty) => (code::TYPED_STRING, [string, Piece::Type(e.ty(*ty))].into_iter().collect()),
            }
        }
        Attribute::Type(ty) => (code::TYPE, [Piece::Type(e.ty(*ty))].into_iter().collect()),
        Attribute::Array(values) => (code::ARRAY, attr_list(e, values)),
        Attribute::Dictionary(entries) => {
            let entries: Vec<_> = entries.iter().map(|(name, value)| (e.name(*name), e.attr(*value))).collect();
            return Some(write_dictionary(e, &entries));
        }
        Attribute::SymbolRef { root, nested } => symbol_payload(e, *root, nested),
        Attribute::DenseI64Array(values) => {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            (code::DENSE_ARRAY, dense_array(integer_type(e, 64), values.len(), bytes))
        }
        Attribute::DenseBoolArray(values) => {
            let bytes = values.iter().map(|value| u8::from(*value)).collect();
            (code::DENSE_ARRAY, dense_array(integer_type(e, 1), values.len(), bytes))
        }
        Attribute::DenseArray { element, bytes } => {
            let width = match module.ty(*element) {
                Type::Integer { width, .. } => width.div_ceil(8).max(1) as usize,
                Type::Float(kind) => kind.format().bits.div_ceil(8) as usize,
                _ => return None,
            };
            (code::DENSE_ARRAY, dense_array(e.ty(*element), bytes.len() / width, bytes.to_vec()))
        }
        Attribute::Distinct { id, value } => {
            // Two of them are never the same, even around the same value.
            let pieces = [Piece::Attr(e.attr(*value)), Piece::Identity(*id)];
            (code::DISTINCT, pieces.into_iter().collect())
        }
        Attribute::Location(location) => return Some(e.location(*location)),
        _ => return elements::write(e, attr),
    };
    Some(e.table.attr("builtin", code, payload))
}

fn write_integer(e: &mut Encoder<'_>, ty: TypeId, value: i128) -> Payload {
    let width = match e.module.ty(ty) {
        Type::Integer { width, .. } => *width,
        _ => 64,
    };
    let ty = Piece::Type(e.ty(ty));
    if width <= 128 {
        return std::iter::once(ty).chain(Piece::integer(value as u128, width)).collect();
    }
    let n_words = if value < 0 { width.div_ceil(64) as usize } else { if value >> 64 == 0 { 1 } else { 2 } };
    let mut payload: Payload = [ty, Piece::Varint(n_words as u64)].into_iter().collect();
    for index in 0..n_words {
        let word = (value >> (64 * index).min(127)) as u64;
        let is_top = (index + 1) * 64 > width as usize;
        let word = if is_top { word & u64::MAX >> ((index + 1) * 64 - width as usize) } else { word };
        payload.push(Piece::Signed(word as i64));
    }
    payload
}

fn symbol_payload(e: &mut Encoder<'_>, root: NameId, nested: &[NameId]) -> (u64, Payload) {
    let root = Piece::Attr(e.name(root));
    if nested.is_empty() {
        return (code::FLAT_SYMBOL, [root].into_iter().collect());
    }
    let mut payload: Payload = [root, Piece::Varint(nested.len() as u64)].into_iter().collect();
    for name in nested {
        let name = Piece::Attr(e.name(*name));
        payload.push(Piece::Attr(e.table.attr("builtin", code::FLAT_SYMBOL, [name])));
    }
    (code::SYMBOL, payload)
}

/// A dictionary of entries that are sorted by name.
pub(crate) fn write_dictionary(e: &mut Encoder<'_>, entries: &[(AttrEntry, AttrEntry)]) -> AttrEntry {
    let pairs = entries.iter().flat_map(|(name, value)| [Piece::Attr(*name), Piece::Attr(*value)]);
    let payload = std::iter::once(Piece::Varint(entries.len() as u64)).chain(pairs);
    e.table.attr("builtin", code::DICTIONARY, payload)
}

/// `array<i32: …>`
pub(crate) fn write_i32_array(e: &mut Encoder<'_>, numbers: &[i64]) -> AttrEntry {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| (*number as i32).to_le_bytes()).collect();
    let element = integer_type(e, 32);
    e.table.attr("builtin", code::DENSE_ARRAY, dense_array(element, numbers.len(), bytes))
}

/// The entry of a symbol of one part.
pub(crate) fn write_symbol(e: &mut Encoder<'_>, name: &str) -> AttrEntry {
    let name = Piece::Attr(e.string_attr(name.as_bytes()));
    e.table.attr("builtin", code::FLAT_SYMBOL, [name])
}

fn dense_array(element: TypeEntry, count: usize, bytes: Vec<u8>) -> Payload {
    [Piece::Type(element), Piece::Varint(count as u64), Piece::Blob(Blob::new(bytes))].into_iter().collect()
}
