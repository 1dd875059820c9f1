//! The sections of a file.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::bytes::{Builder, Encoded, push_flagged, push_signed, push_varint};
use super::ir::IrWriter;
use super::number::Numbers;
use super::places::Place;
use super::plan::Plan;
use super::table::{AttrEntry, DialectEntry, Form, Piece, PropertiesEntry, StringEntry, Table, TypeEntry};
use super::uses::UseOrders;
use crate::bytecode::{SectionKind, format};
use crate::diag::Diagnostic;
use crate::ir::{ExternalResource, Module, Resource};

/// `MLïR`
const MAGIC: [u8; 4] = [0x4D, 0x4C, 0xEF, 0x52];

/// The code of a place among the builtin attributes.
const PLACE_CODE: u64 = 11;

/// Strings by number, which they get when they are first written.
#[derive(Default)]
struct Strings {
    order: IndexSet<StringEntry, FxBuildHasher>,
}

impl Strings {
    fn number(&mut self, string: StringEntry) -> u64 {
        self.order.insert_full(string).0 as u64
    }
}

/// Resources that the module holds, by the strings that are their keys.
pub(super) type Resources<'m> = FxHashMap<StringEntry, &'m Resource>;

/// The resources of a module that belong to no dialect.
#[derive(Default)]
pub(super) struct ExternalResources<'m> {
    /// By group.
    groups: Vec<(StringEntry, Vec<(StringEntry, &'m ExternalResource)>)>,
    /// Those that are strings.
    strings: FxHashMap<&'m [u8], StringEntry>,
}

impl<'m> ExternalResources<'m> {
    pub(super) fn of(module: &'m Module, table: &mut Table) -> Self {
        let mut external = Self::default();
        for (group, entries) in &module.external_resources {
            let mut rows = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                if let ExternalResource::String(text) = value {
                    external.strings.insert(text, table.string(text));
                }
                rows.push((table.string(module.str(*key).as_bytes()), value));
            }
            external.groups.push((table.string(module.str(*group).as_bytes()), rows));
        }
        external
    }
}

/// All that is written.
pub(super) struct File<'f> {
    pub(super) format: u64,
    pub(super) producer: &'f str,
    pub(super) module: &'f Module,
    pub(super) table: &'f Table,
    pub(super) plan: &'f Plan,
    pub(super) numbers: &'f Numbers,
    pub(super) orders: &'f UseOrders,
    pub(super) unknown: AttrEntry,
    pub(super) resources: &'f Resources<'f>,
    pub(super) external: &'f ExternalResources<'f>,
}

impl File<'_> {
    pub(super) fn write(&self) -> Result<Encoded, Diagnostic> {
        let mut strings = Strings::default();
        let mut out = Builder::default();
        out.tail.extend_from_slice(&MAGIC);
        push_varint(&mut out.tail, self.format);
        out.tail.extend_from_slice(self.producer.as_bytes());
        out.tail.push(0);
        out.section(SectionKind::Dialect, self.dialects(&mut strings));
        let (offsets, entries) = self.entries(&mut strings);
        out.section(SectionKind::AttrTypeOffset, offsets);
        out.section(SectionKind::AttrType, entries);
        let mut properties = Properties::default();
        let ir = self.ir(&mut strings, &mut properties)?;
        out.section(SectionKind::Ir, ir);
        let (offsets, values) = self.resources(&mut strings);
        out.section(SectionKind::ResourceOffset, offsets);
        out.section(SectionKind::Resource, values);
        out.section(SectionKind::String, self.strings(&strings));
        if self.format >= format::PROPERTIES {
            out.section(SectionKind::Properties, properties.finish());
        }
        Ok(out.finish())
    }

    /// Names of dialects, then of ops.
    fn dialects(&self, strings: &mut Strings) -> Builder {
        let mut body = Builder::default();
        let out = &mut body.tail;
        push_varint(out, self.numbers.dialect_order.len() as u64);
        for dialect in &self.numbers.dialect_order {
            let name = strings.number(self.table.dialects[dialect.0 as usize]);
            if self.format < format::DIALECT_VERSIONS {
                push_varint(out, name);
            } else {
                push_flagged(out, name, false);
            }
        }
        if self.format >= format::OP_NAME_COUNT {
            push_varint(out, self.numbers.op_name_order.len() as u64);
        }
        let names = self.numbers.op_name_order.iter().map(|name| &self.table.op_names[name.0 as usize]);
        let names: Vec<_> = names.collect();
        for group in names.chunk_by(|a, b| a.dialect == b.dialect) {
            push_varint(out, self.numbers.dialect(group[0].dialect));
            push_varint(out, group.len() as u64);
            for name in group {
                let mnemonic = strings.number(name.mnemonic);
                if self.format < format::PROPERTIES {
                    push_varint(out, mnemonic);
                } else {
                    push_flagged(out, mnemonic, name.registered);
                }
            }
        }
        body
    }

    /// The sizes of attributes and types, and the attributes and types.
    fn entries(&self, strings: &mut Strings) -> (Builder, Builder) {
        let mut offsets = Builder::default();
        let mut body = Builder::default();
        let out = &mut offsets.tail;
        push_varint(out, self.numbers.attr_order.len() as u64);
        push_varint(out, self.numbers.type_order.len() as u64);
        for group in self.numbers.attr_order.chunk_by(|a, b| self.attr_dialect(*a) == self.attr_dialect(*b)) {
            push_varint(out, self.numbers.dialect(self.attr_dialect(group[0])));
            push_varint(out, group.len() as u64);
            for attr in group {
                let before = body.size();
                let encoded = match self.table.place_of(*attr) {
                    Some(place) => {
                        self.place(place, &mut body);
                        true
                    }
                    None => self.form(&self.table.attrs[attr.0 as usize].form, strings, &mut body),
                };
                push_flagged(out, (body.size() - before) as u64, encoded);
            }
        }
        for group in self.numbers.type_order.chunk_by(|a, b| self.type_dialect(*a) == self.type_dialect(*b)) {
            push_varint(out, self.numbers.dialect(self.type_dialect(group[0])));
            push_varint(out, group.len() as u64);
            for ty in group {
                let before = body.size();
                let encoded = self.form(&self.table.types[ty.0 as usize].form, strings, &mut body);
                push_flagged(out, (body.size() - before) as u64, encoded);
            }
        }
        (offsets, body)
    }

    fn attr_dialect(&self, attr: AttrEntry) -> DialectEntry {
        match attr.0 & AttrEntry::PLACE {
            0 => self.table.attrs[attr.0 as usize].dialect,
            _ => Table::BUILTIN,
        }
    }

    fn type_dialect(&self, ty: TypeEntry) -> DialectEntry {
        self.table.types[ty.0 as usize].dialect
    }

    fn place(&self, place: Place, body: &mut Builder) {
        let out = &mut body.tail;
        push_varint(out, PLACE_CODE);
        push_varint(out, self.numbers.attr(place.file));
        push_varint(out, u64::from(place.line));
        push_varint(out, u64::from(place.column));
    }

    /// Writes an entry and says whether it is in its dialect's encoding.
    fn form(&self, form: &Form, strings: &mut Strings, body: &mut Builder) -> bool {
        match form {
            Form::Encoded(pieces) => {
                self.pieces(pieces, strings, body);
                true
            }
            Form::Text(text) => {
                body.tail.extend_from_slice(text.as_bytes());
                body.tail.push(0);
                false
            }
        }
    }

    fn pieces(&self, pieces: &[Piece], strings: &mut Strings, body: &mut Builder) {
        for piece in pieces {
            let out = &mut body.tail;
            match piece {
                Piece::Varint(value) => push_varint(out, *value),
                Piece::Signed(value) => push_signed(out, *value),
                Piece::Byte(value) => out.push(*value),
                Piece::Raw(bytes) => out.extend_from_slice(bytes),
                Piece::Blob(blob) => {
                    push_varint(out, blob.len() as u64);
                    body.blob(blob.bytes());
                }
                Piece::Attr(attr) => push_varint(out, self.numbers.attr(*attr)),
                Piece::OptionalAttr(None) => push_varint(out, 0),
                Piece::OptionalAttr(Some(attr)) => push_flagged(out, self.numbers.attr(*attr), true),
                Piece::Type(ty) => push_varint(out, self.numbers.ty(*ty)),
                Piece::String(string) => push_varint(out, strings.number(*string)),
                Piece::Identity(_) => {}
                Piece::Resource(key) => push_varint(out, self.numbers.resource(*key)),
            }
        }
    }

    fn ir(&self, strings: &mut Strings, properties: &mut Properties) -> Result<Builder, Diagnostic> {
        let mut writer = IrWriter {
            module: self.module,
            plan: self.plan,
            numbers: self.numbers,
            orders: self.orders,
            format: self.format,
            unknown: self.unknown,
            properties: &mut |entry| properties.number(entry, self, strings),
        };
        Ok(Builder::new(writer.write()?))
    }

    /// Keys and sizes of resources, and the resources.
    fn resources(&self, strings: &mut Strings) -> (Builder, Builder) {
        let mut offsets = Builder::default();
        let mut body = Builder::default();
        push_varint(&mut offsets.tail, self.external.groups.len() as u64);
        for (group, entries) in &self.external.groups {
            let mut rows = Vec::new();
            for (key, value) in entries {
                let before = body.size();
                let kind = self.external_value(value, strings, &mut body);
                rows.push((*key, body.size() - before, kind));
            }
            // Upstream asks for the group's string first, then for those of the keys.
            push_varint(&mut offsets.tail, strings.number(*group));
            push_rows(&rows, strings, &mut offsets.tail);
        }
        let mut rows = Vec::new();
        for (number, key) in self.numbers.resource_order.iter().enumerate() {
            let before = body.size();
            if let Some(resource) = self.resources.get(key).filter(|_| number < self.numbers.n_resources_with_data) {
                push_resource(resource, &mut body);
            }
            rows.push((*key, body.size() - before, resource_kind::BLOB));
        }
        if !rows.is_empty() {
            push_varint(&mut offsets.tail, self.numbers.dialect(Table::BUILTIN));
            push_rows(&rows, strings, &mut offsets.tail);
        }
        (offsets, body)
    }

    fn external_value(&self, value: &ExternalResource, strings: &mut Strings, body: &mut Builder) -> u8 {
        match value {
            ExternalResource::Bool(value) => {
                body.tail.push(u8::from(*value));
                resource_kind::BOOL
            }
            ExternalResource::String(text) => {
                let string = self.external.strings.get(&text[..]).copied();
                let string = string.expect("all strings of external resources were noted");
                push_varint(&mut body.tail, strings.number(string));
                resource_kind::STRING
            }
            ExternalResource::Blob(resource) => {
                push_resource(resource, body);
                resource_kind::BLOB
            }
        }
    }

    /// All strings that were asked for: their sizes from last to first, then the strings.
    fn strings(&self, strings: &Strings) -> Builder {
        let mut body = Builder::default();
        let texts = || strings.order.iter().map(|string| &self.table.strings[string.0 as usize]);
        push_varint(&mut body.tail, strings.order.len() as u64);
        for text in texts().rev() {
            push_varint(&mut body.tail, text.len() as u64 + 1);
        }
        for text in texts() {
            body.tail.extend_from_slice(text);
            body.tail.push(0);
        }
        body
    }
}

/// What a resource is.
mod resource_kind {
    pub(super) const BLOB: u8 = 0;
    pub(super) const BOOL: u8 = 1;
    pub(super) const STRING: u8 = 2;
}

fn push_resource(resource: &Resource, body: &mut Builder) {
    push_varint(&mut body.tail, u64::from(resource.alignment));
    push_varint(&mut body.tail, resource.data.len() as u64);
    body.align(resource.alignment as usize);
    body.blob(resource.data.bytes());
}

fn push_rows(rows: &[(StringEntry, usize, u8)], strings: &mut Strings, out: &mut Vec<u8>) {
    push_varint(out, rows.len() as u64);
    for (key, size, kind) in rows {
        push_varint(out, strings.number(*key));
        push_varint(out, *size as u64);
        out.push(*kind);
    }
}

/// Properties in order of first use; equal bytes are one.
#[derive(Default)]
struct Properties {
    /// By entry of the table: its number plus one.
    known: Vec<u32>,
    distinct: IndexSet<Box<[u8]>, FxBuildHasher>,
}

impl Properties {
    fn number(&mut self, entry: PropertiesEntry, file: &File<'_>, strings: &mut Strings) -> u64 {
        let index = entry.0 as usize;
        if index >= self.known.len() {
            self.known.resize(index + 1, 0);
        }
        if self.known[index] == 0 {
            let mut body = Builder::default();
            file.pieces(&file.table.properties[index], strings, &mut body);
            let bytes = body.finish().into_bytes();
            self.known[index] = self.distinct.insert_full(bytes[..].into()).0 as u32 + 1;
        }
        u64::from(self.known[index] - 1)
    }

    fn finish(self) -> Builder {
        let mut body = Builder::default();
        push_varint(&mut body.tail, self.distinct.len() as u64);
        for bytes in &self.distinct {
            push_varint(&mut body.tail, bytes.len() as u64);
            body.tail.extend_from_slice(bytes);
        }
        body
    }
}
