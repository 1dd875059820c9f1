//! Encoding attributes, types and locations, each once and without recursion.

use super::table::{AttrEntry, Piece, Table, TypeEntry};
use crate::arena::Entity;
use crate::diag::Diagnostic;
use crate::ir::{AttrId, LocId, Location, Module, NameId, TypeId};

/// A result of encoding.
pub(crate) type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// How attributes and types are encoded: in their own dialects, or in VHLO.
///
/// The functions encode one attribute, type or location. They ask the [`Encoder`] for what is inside.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Encodings {
    pub(crate) attr: fn(&mut Encoder<'_>, AttrId) -> Result<AttrEntry>,
    pub(crate) ty: fn(&mut Encoder<'_>, TypeId) -> Result<TypeEntry>,
    /// All locations but `unknown` and points in files, which the [`Encoder`] encodes itself.
    pub(crate) location: fn(&mut Encoder<'_>, LocId) -> Result<AttrEntry>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Item {
    Attr(AttrId),
    Type(TypeId),
    Location(LocId),
    VhloAttr(AttrId),
    VhloType(TypeId),
}

/// Gives the entries of a module's attributes, types and locations.
///
/// What is not encoded yet is noted and given as pending ([`AttrEntry::PENDING`]); an entry made of pending ones is pending
/// itself and thrown away. [`Encoder::complete`] then encodes what is missing and tries again, so nothing is recursive.
pub(crate) struct Encoder<'m> {
    pub(crate) module: &'m Module,
    pub(crate) table: Table,
    native: Encodings,
    /// Encodings as VHLO; those of locations are not used.
    vhlo: Encodings,
    attrs: Vec<AttrEntry>,
    types: Vec<TypeEntry>,
    locations: Vec<AttrEntry>,
    vhlo_attrs: Vec<AttrEntry>,
    vhlo_types: Vec<TypeEntry>,
    names: Vec<AttrEntry>,
    missing: Vec<Item>,
}

/// The entry of `id`; where it is not there, room for it.
fn cached<T: Copy>(cache: &mut Vec<T>, index: usize, pending: T) -> &mut T {
    if index >= cache.len() {
        cache.resize(index + 1, pending);
    }
    &mut cache[index]
}

impl<'m> Encoder<'m> {
    /// An encoder for `module`.
    pub(crate) fn new(module: &'m Module, native: Encodings, vhlo: Encodings) -> Self {
        Self {
            module,
            table: Table::default(),
            native,
            vhlo,
            attrs: Vec::new(),
            types: Vec::new(),
            locations: Vec::new(),
            vhlo_attrs: Vec::new(),
            vhlo_types: Vec::new(),
            names: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// An attribute in the encoding of its own dialect.
    pub(crate) fn attr(&mut self, attr: AttrId) -> AttrEntry {
        let entry = *cached(&mut self.attrs, attr.index(), AttrEntry::PENDING);
        if entry == AttrEntry::PENDING {
            self.missing.push(Item::Attr(attr));
        }
        entry
    }

    /// A type in the encoding of its own dialect.
    pub(crate) fn ty(&mut self, ty: TypeId) -> TypeEntry {
        let entry = *cached(&mut self.types, ty.index(), TypeEntry::PENDING);
        if entry == TypeEntry::PENDING {
            self.missing.push(Item::Type(ty));
        }
        entry
    }

    /// A location.
    pub(crate) fn location(&mut self, location: LocId) -> AttrEntry {
        let entry = *cached(&mut self.locations, location.index(), AttrEntry::PENDING);
        if entry == AttrEntry::PENDING {
            self.missing.push(Item::Location(location));
        }
        entry
    }

    /// An attribute as VHLO.
    pub(crate) fn vhlo_attr(&mut self, attr: AttrId) -> AttrEntry {
        let entry = *cached(&mut self.vhlo_attrs, attr.index(), AttrEntry::PENDING);
        if entry == AttrEntry::PENDING {
            self.missing.push(Item::VhloAttr(attr));
        }
        entry
    }

    /// A type as VHLO.
    pub(crate) fn vhlo_ty(&mut self, ty: TypeId) -> TypeEntry {
        let entry = *cached(&mut self.vhlo_types, ty.index(), TypeEntry::PENDING);
        if entry == TypeEntry::PENDING {
            self.missing.push(Item::VhloType(ty));
        }
        entry
    }

    /// A name as a builtin string attribute, never pending.
    pub(crate) fn name(&mut self, name: NameId) -> AttrEntry {
        let known = *cached(&mut self.names, name.index(), AttrEntry::PENDING);
        if known != AttrEntry::PENDING {
            return known;
        }
        let module = self.module;
        let entry = self.string_attr(module.str(name).as_bytes());
        self.names[name.index()] = entry;
        entry
    }

    /// A builtin string attribute without type, never pending.
    pub(crate) fn string_attr(&mut self, bytes: &[u8]) -> AttrEntry {
        let string = self.table.string(bytes);
        self.table.attr("builtin", 2, [Piece::String(string)])
    }

    /// The location that says nothing.
    pub(crate) fn unknown_location(&mut self) -> AttrEntry {
        self.table.attr("builtin", 15, [])
    }

    /// Whether something that was asked for is missing: what refers to it is pending.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Runs `encode` again and again until nothing that it asks for is missing.
    pub(crate) fn complete<T>(&mut self, mut encode: impl FnMut(&mut Self) -> Result<T>) -> Result<T> {
        loop {
            let made = encode(self).inspect_err(|_| self.missing.clear())?;
            if self.missing.is_empty() {
                return Ok(made);
            }
            self.encode_missing().inspect_err(|_| self.missing.clear())?;
        }
    }

    fn encode_missing(&mut self) -> Result<()> {
        while let Some(item) = self.missing.last().copied() {
            let depth = self.missing.len();
            self.encode(item)?;
            // Else it stays, below what it misses.
            if self.missing.len() == depth {
                self.missing.pop();
            }
        }
        Ok(())
    }

    fn encode(&mut self, item: Item) -> Result<()> {
        match item {
            Item::Attr(attr) if self.attrs[attr.index()] == AttrEntry::PENDING => {
                self.attrs[attr.index()] = (self.native.attr)(self, attr)?;
            }
            Item::Type(ty) if self.types[ty.index()] == TypeEntry::PENDING => {
                self.types[ty.index()] = (self.native.ty)(self, ty)?;
            }
            Item::Location(location) if self.locations[location.index()] == AttrEntry::PENDING => {
                self.locations[location.index()] = self.encode_location(location)?;
            }
            Item::VhloAttr(attr) if self.vhlo_attrs[attr.index()] == AttrEntry::PENDING => {
                self.vhlo_attrs[attr.index()] = (self.vhlo.attr)(self, attr)?;
            }
            Item::VhloType(ty) if self.vhlo_types[ty.index()] == TypeEntry::PENDING => {
                self.vhlo_types[ty.index()] = (self.vhlo.ty)(self, ty)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn encode_location(&mut self, location: LocId) -> Result<AttrEntry> {
        match self.module.location(location) {
            Location::Unknown => Ok(self.unknown_location()),
            Location::File(range) if (range.line, range.column) == (range.end_line, range.end_column) => {
                let file = self.name(range.file);
                Ok(self.table.place(file, range.line, range.column))
            }
            _ => (self.native.location)(self, location),
        }
    }
}
