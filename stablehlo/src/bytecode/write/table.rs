//! The attributes and types of a file that is being written, before they are numbered.
//!
//! An entry is made of pieces; pieces that name other entries hold their places in this table. Equal entries are one.
//! Which number an entry gets in the file follows from how often and where it is used, see `number.rs`.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::ir::Blob;

/// An attribute of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AttrEntry(pub(crate) u32);

/// A type of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeEntry(pub(crate) u32);

/// A string of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StringEntry(pub(crate) u32);

/// A dialect of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DialectEntry(pub(crate) u16);

/// What payloads are made of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Piece {
    /// An unsigned number.
    Varint(u64),
    /// A signed number.
    Signed(i64),
    /// One byte.
    Byte(u8),
    /// Bytes as they are.
    Raw(Box<[u8]>),
    /// A size and the bytes.
    Blob(Blob),
    /// The number of an attribute.
    Attr(AttrEntry),
    /// The number of an attribute or that there is none.
    OptionalAttr(Option<AttrEntry>),
    /// The number of a type.
    Type(TypeEntry),
    /// The number of a string.
    String(StringEntry),
    /// The number of a dialect's resource.
    Resource(StringEntry),
}

impl Piece {
    /// An integer of a known width, whose bits are `value`: see `Cursor::integer`, its inverse.
    pub(crate) fn integer(value: u128, width: u32) -> SmallVec<[Piece; 3]> {
        let value = if width >= 128 { value } else { value & ((1 << width) - 1) };
        match width {
            0..=8 => SmallVec::from_iter([Piece::Byte(value as u8)]),
            9..=64 => SmallVec::from_iter([Piece::Signed(value as u64 as i64)]),
            _ => {
                let (low, high) = (value as u64, (value >> 64) as u64);
                let n = if high == 0 { 1 } else { 2 };
                let words = [low, high].into_iter().take(n).map(|word| Piece::Signed(word as i64));
                std::iter::once(Piece::Varint(n as u64)).chain(words).collect()
            }
        }
    }

    /// An f64 by its bits.
    pub(crate) fn double(value: f64) -> Piece {
        Piece::Signed(value.to_bits() as i64)
    }
}

/// The form of an entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    /// The dialect's encoding: its code, then the payload.
    Encoded(SmallVec<[Piece; 4]>),
    /// The assembly text.
    Text(Box<str>),
}

/// An attribute or a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Entry {
    pub(crate) dialect: DialectEntry,
    pub(crate) form: Form,
}

type Interner<T> = IndexSet<T, FxBuildHasher>;

/// All entries of a file.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub(crate) attrs: Interner<Entry>,
    pub(crate) types: Interner<Entry>,
    pub(crate) strings: Interner<Box<[u8]>>,
    pub(crate) dialects: Interner<Box<str>>,
}

impl Table {
    /// A dialect by its namespace.
    pub(crate) fn dialect(&mut self, name: &str) -> DialectEntry {
        let index = match self.dialects.get_index_of(name) {
            Some(index) => index,
            None => self.dialects.insert_full(name.into()).0,
        };
        DialectEntry(index as u16)
    }

    /// A string.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> StringEntry {
        let index = match self.strings.get_index_of(bytes) {
            Some(index) => index,
            None => self.strings.insert_full(bytes.into()).0,
        };
        StringEntry(index as u32)
    }

    /// An attribute in its dialect's encoding.
    pub(crate) fn attr(&mut self, dialect: &str, code: u64, payload: impl IntoIterator<Item = Piece>) -> AttrEntry {
        let entry = self.encoded(dialect, code, payload);
        AttrEntry(self.attrs.insert_full(entry).0 as u32)
    }

    /// An attribute as text.
    pub(crate) fn text_attr(&mut self, dialect: &str, text: &str) -> AttrEntry {
        let entry = Entry { dialect: self.dialect(dialect), form: Form::Text(text.into()) };
        AttrEntry(self.attrs.insert_full(entry).0 as u32)
    }

    /// A type in its dialect's encoding.
    pub(crate) fn ty(&mut self, dialect: &str, code: u64, payload: impl IntoIterator<Item = Piece>) -> TypeEntry {
        let entry = self.encoded(dialect, code, payload);
        TypeEntry(self.types.insert_full(entry).0 as u32)
    }

    /// A type as text.
    pub(crate) fn text_ty(&mut self, dialect: &str, text: &str) -> TypeEntry {
        let entry = Entry { dialect: self.dialect(dialect), form: Form::Text(text.into()) };
        TypeEntry(self.types.insert_full(entry).0 as u32)
    }

    fn encoded(&mut self, dialect: &str, code: u64, payload: impl IntoIterator<Item = Piece>) -> Entry {
        let pieces = std::iter::once(Piece::Varint(code)).chain(payload).collect();
        Entry { dialect: self.dialect(dialect), form: Form::Encoded(pieces) }
    }
}
