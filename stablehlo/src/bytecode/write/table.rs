//! The attributes and types of a file that is being written, before they are numbered.
//!
//! An entry is made of pieces; pieces that name other entries hold their places in this table. Equal entries are one.
//! Which number an entry gets in the file follows from how often and where it is used, see `number.rs`.

use std::hash::Hasher;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::places::{Place, Places};
use crate::ir::Blob;

/// An attribute of a [`Table`].
///
/// Places (`"f":1:2`), of which there is one for almost every op, are kept apart: their bit [`AttrEntry::PLACE`] is set.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AttrEntry(pub(crate) u32);

impl AttrEntry {
    /// Stands for an attribute that must be encoded first: see `Encoder`. Whatever refers to it is pending, too.
    pub(crate) const PENDING: AttrEntry = AttrEntry(u32::MAX);
    /// Set in the numbers of places.
    pub(super) const PLACE: u32 = 1 << 31;
}

/// A type of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TypeEntry(pub(crate) u32);

impl TypeEntry {
    /// Stands for a type that must be encoded first.
    pub(crate) const PENDING: TypeEntry = TypeEntry(u32::MAX);
}

/// A string of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct StringEntry(pub(crate) u32);

/// A dialect of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DialectEntry(pub(crate) u32);

/// The name of an op, of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct OpNameEntry(pub(crate) u32);

/// The properties of an op, of a [`Table`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PropertiesEntry(pub(crate) u32);

impl PropertiesEntry {
    /// Stands for properties that refer to something that must be encoded first.
    pub(crate) const PENDING: PropertiesEntry = PropertiesEntry(u32::MAX);
}

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
    /// No bytes; entries that differ in it alone stay apart, as `distinct` attributes of equal values do.
    Identity(u32),
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

    fn is_pending(&self) -> bool {
        match self {
            Piece::Attr(attr) | Piece::OptionalAttr(Some(attr)) => *attr == AttrEntry::PENDING,
            Piece::Type(ty) => *ty == TypeEntry::PENDING,
            _ => false,
        }
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

/// The name of an op as the dialect section lists it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct OpName {
    pub(crate) dialect: DialectEntry,
    /// Without the dialect's name.
    pub(crate) mnemonic: StringEntry,
    /// Whether the op is declared; its properties are then written as its declaration says.
    pub(crate) registered: bool,
}

type Interner<T> = IndexSet<T, FxBuildHasher>;

/// All entries of a file.
#[derive(Debug)]
pub(crate) struct Table {
    pub(super) attrs: Interner<Entry>,
    pub(super) places: Places,
    pub(super) types: Interner<Entry>,
    pub(super) strings: Interner<Box<[u8]>>,
    /// Names of dialects.
    pub(super) dialects: Interner<StringEntry>,
    pub(super) op_names: Interner<OpName>,
    pub(super) properties: Interner<SmallVec<[Piece; 4]>>,
    /// Large blobs by their length and a sample of their bytes.
    blobs: FxHashMap<(usize, u64), Vec<Blob>>,
}

impl Default for Table {
    fn default() -> Self {
        let mut table = Self {
            attrs: Interner::default(),
            places: Places::default(),
            types: Interner::default(),
            strings: Interner::default(),
            dialects: Interner::default(),
            op_names: Interner::default(),
            properties: Interner::default(),
            blobs: FxHashMap::default(),
        };
        table.dialect("builtin");
        table
    }
}

impl Table {
    /// The builtin dialect.
    pub(super) const BUILTIN: DialectEntry = DialectEntry(0);

    /// A dialect by its namespace.
    pub(crate) fn dialect(&mut self, name: &str) -> DialectEntry {
        let name = self.string(name.as_bytes());
        DialectEntry(self.dialects.insert_full(name).0 as u32)
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
        match self.encoded(dialect, code, payload) {
            Some(entry) => AttrEntry(self.attrs.insert_full(entry).0 as u32),
            None => AttrEntry::PENDING,
        }
    }

    /// An attribute as text.
    pub(crate) fn text_attr(&mut self, dialect: &str, text: &str) -> AttrEntry {
        let entry = Entry { dialect: self.dialect(dialect), form: Form::Text(text.into()) };
        AttrEntry(self.attrs.insert_full(entry).0 as u32)
    }

    /// The attribute that is the location `"file":line:column`; `file` is a string attribute.
    pub(crate) fn place(&mut self, file: AttrEntry, line: u32, column: u32) -> AttrEntry {
        if file == AttrEntry::PENDING {
            return AttrEntry::PENDING;
        }
        AttrEntry(self.places.insert(Place { file, line, column }) | AttrEntry::PLACE)
    }

    /// The place behind an entry; none for other attributes.
    pub(super) fn place_of(&self, attr: AttrEntry) -> Option<Place> {
        match attr.0 & AttrEntry::PLACE {
            0 => None,
            _ => Some(self.places.get(attr.0 & !AttrEntry::PLACE)),
        }
    }

    /// A type in its dialect's encoding.
    pub(crate) fn ty(&mut self, dialect: &str, code: u64, payload: impl IntoIterator<Item = Piece>) -> TypeEntry {
        match self.encoded(dialect, code, payload) {
            Some(entry) => TypeEntry(self.types.insert_full(entry).0 as u32),
            None => TypeEntry::PENDING,
        }
    }

    /// A type as text.
    pub(crate) fn text_ty(&mut self, dialect: &str, text: &str) -> TypeEntry {
        let entry = Entry { dialect: self.dialect(dialect), form: Form::Text(text.into()) };
        TypeEntry(self.types.insert_full(entry).0 as u32)
    }

    /// The name of an op.
    pub(crate) fn op_name(&mut self, dialect: &str, mnemonic: &str, registered: bool) -> OpNameEntry {
        let (dialect, mnemonic) = (self.dialect(dialect), self.string(mnemonic.as_bytes()));
        let name = OpName { dialect, mnemonic, registered };
        OpNameEntry(self.op_names.insert_full(name).0 as u32)
    }

    /// The properties of an op: its references first to last, in the order of writing.
    pub(crate) fn properties(&mut self, pieces: impl IntoIterator<Item = Piece>) -> PropertiesEntry {
        let pieces: SmallVec<[Piece; 4]> = pieces.into_iter().collect();
        match pieces.iter().any(Piece::is_pending) {
            true => PropertiesEntry::PENDING,
            false => PropertiesEntry(self.properties.insert_full(pieces).0 as u32),
        }
    }

    fn encoded(&mut self, dialect: &str, code: u64, payload: impl IntoIterator<Item = Piece>) -> Option<Entry> {
        let mut pieces: SmallVec<[Piece; 4]> = std::iter::once(Piece::Varint(code)).chain(payload).collect();
        if pieces.iter().any(Piece::is_pending) {
            return None;
        }
        for piece in &mut pieces {
            if let Piece::Blob(blob) = piece {
                self.share(blob);
            }
        }
        Some(Entry { dialect: self.dialect(dialect), form: Form::Encoded(pieces) })
    }

    /// Makes equal large blobs identical: they compare by identity, yet constants are one when their bytes are equal.
    fn share(&mut self, blob: &mut Blob) {
        if blob.len() <= Blob::BY_CONTENT {
            return;
        }
        let alike = self.blobs.entry((blob.len(), sample(blob))).or_default();
        match alike.iter().find(|other| other.as_ptr() == blob.as_ptr() || other[..] == blob[..]) {
            Some(other) => *blob = other.clone(),
            None => alike.push(blob.clone()),
        }
    }
}

/// A hash of a few of the bytes: unlike constants mostly differ in it, without that all of their bytes are read.
fn sample(bytes: &[u8]) -> u64 {
    const N_SAMPLES: usize = 32;
    let mut hasher = FxHasher::default();
    for at in 0..N_SAMPLES {
        let start = at * (bytes.len() - 8) / (N_SAMPLES - 1);
        hasher.write(&bytes[start..start + 8]);
    }
    hasher.finish()
}
