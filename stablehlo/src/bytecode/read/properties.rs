//! What the op names of a file mean, and the attributes of ops.
//!
//! From format 5, inherent attributes of registered ops stand in the properties section, each op in its own layout: in the
//! alphabetical order of their names, a required one as an index, any other as an index that may be absent; sizes of
//! segments come last (before format 6 they are attributes among the others). Other attributes are in a dictionary, which
//! before format 5 holds all of them.
//!
//! Ops share properties and dictionaries; what they are in the module is worked out once for each op name.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::container::OpEntry;
use super::entries::Tables;
use crate::bytecode::cursor::Cursor;
use crate::bytecode::error::{Error, Result};
use crate::bytecode::read::container::offset_in;
use crate::bytecode::younger::younger_attributes;
use crate::ir::{AttrId, Attribute, Dims, Module, NameId};
use crate::ops::spec::{OpSpec, Presence, Trait};
use crate::ops::{self, OpKind, fill};
use crate::syntax::parse::foreign::inherent_attributes;
use crate::vhlo;

/// What an op name of the file means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// An op of a registered dialect as it is.
    Known(OpKind, Layout),
    /// An op of portable artifacts.
    Versioned(vhlo::read::VersionedOp),
    /// Any other op.
    Opaque(NameId),
}

impl Meaning {
    /// What `entry`, whose dialect is `dialect`, means.
    pub(super) fn of(entry: &OpEntry<'_>, dialect: &str, module: &mut Module, offset: u64) -> Result<Self> {
        if dialect == "vhlo" {
            return match vhlo::read::find(entry.mnemonic) {
                Some(op) => Ok(Meaning::Versioned(op)),
                None => {
                    let version = vhlo::Version::CURRENT;
                    let message = format!("there is no op `vhlo.{}` up to version {version}", entry.mnemonic);
                    Err(Error::new("bytecode/unknown-op", offset, message))
                }
            };
        }
        let name = match entry.mnemonic {
            "" => dialect.to_owned(),
            mnemonic => format!("{dialect}.{mnemonic}"),
        };
        match ops::find(&name) {
            Some(kind) => Ok(Meaning::Known(kind, Layout::of(kind))),
            None if ops::is_registered_dialect(dialect) => {
                let message = format!("there is no op `{name}` in dialect `{dialect}`");
                Err(Error::new("bytecode/unknown-op", offset, message))
            }
            None => Ok(Meaning::Opaque(module.name(&name))),
        }
    }
}

/// How the inherent attributes of an op stand in its properties.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Slots in the alphabetical order of their names, and whether they are required.
    fields: SmallVec<[(u16, bool); 4]>,
    /// Slots of the sizes of operand and result segments.
    segments: SmallVec<[u16; 2]>,
    /// Slots that the op did not always have, from the oldest to the youngest: files from before lack them.
    younger: SmallVec<[u16; 2]>,
}

impl Layout {
    fn of(kind: OpKind) -> Self {
        let spec = kind.spec();
        let mut slots: SmallVec<[u16; 8]> = (0..spec.attributes.len() as u16).collect();
        slots.sort_by_key(|slot| spec.attributes[usize::from(*slot)].name);
        let is_segments = |slot: &u16| is_segment_sizes(spec, spec.attributes[usize::from(*slot)].name);
        let required = |slot: u16| spec.attributes[usize::from(slot)].presence == Presence::Required;
        Self {
            fields: slots.iter().map(|slot| (*slot, required(*slot) || is_segments(slot))).collect(),
            segments: slots.iter().copied().filter(is_segments).collect(),
            younger: younger_attributes(kind).filter_map(|(name, _)| Some(spec.attribute_slot(name)? as u16)).collect(),
        }
    }
}

/// Whether this inherent attribute holds the sizes of operand or result segments.
fn is_segment_sizes(spec: &OpSpec, name: &str) -> bool {
    (name == "operandSegmentSizes" && spec.has(Trait::OperandSegments))
        || (name == "resultSegmentSizes" && spec.has(Trait::ResultSegments))
}

/// Property slots of one op.
type Slots = SmallVec<[Option<AttrId>; 8]>;

/// Where an op says that its attributes are: numbers of a dictionary and of properties.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Source {
    /// Number of the op's name.
    pub(super) op: u32,
    pub(super) dictionary: Option<u32>,
    pub(super) properties: Option<u32>,
}

/// The attributes of an op as the module has them.
#[derive(Copy, Clone, Debug)]
pub(super) struct Found {
    start: usize,
    end: usize,
    /// The discardable ones.
    pub(super) discardable: Option<AttrId>,
    /// How large all of them are when written out.
    pub(super) nodes: u64,
}

/// The meanings of op names and of their attributes, as far as ops asked for them.
#[derive(Debug)]
pub(super) struct Attributes {
    /// By the number of the op name; files have more names than ops of a kind that is used.
    meanings: Vec<Option<Box<Meaning>>>,
    found: FxHashMap<Source, Found>,
    pool: Vec<Option<AttrId>>,
}

impl Attributes {
    pub(super) fn new(n_op_names: usize) -> Self {
        Self { meanings: vec![None; n_op_names], found: FxHashMap::default(), pool: Vec::new() }
    }

    /// The property slots of what [`Attributes::find`] found.
    #[inline]
    pub(super) fn slots(&self, found: Found) -> &[Option<AttrId>] {
        &self.pool[found.start..found.end]
    }

    /// Looks up what op name number `op` means; it exists.
    #[inline]
    pub(super) fn meaning(
        &mut self,
        op: u32,
        tables: &mut Tables<'_>,
        module: &mut Module,
        offset: u64,
    ) -> Result<&Meaning> {
        let slot = &mut self.meanings[op as usize];
        if let Some(meaning) = slot {
            return Ok(meaning);
        }
        let entry = &tables.container.ops[op as usize];
        let dialect = tables.container.dialects[entry.dialect as usize].name;
        tables.budget.charge((dialect.len() + entry.mnemonic.len()) as u64, offset)?;
        Ok(slot.insert(Box::new(Meaning::of(entry, dialect, module, offset)?)))
    }

    /// The attributes that `source` names; `offset` is where the op stands. The op's meaning is known.
    #[inline]
    pub(super) fn find(
        &mut self,
        source: Source,
        tables: &mut Tables<'_>,
        module: &mut Module,
        offset: u64,
    ) -> Result<Found> {
        if let Some(found) = self.found.get(&source) {
            return Ok(*found);
        }
        let Some(meaning) = &self.meanings[source.op as usize] else {
            return Err(Error::new("bytecode/unknown-op", offset, "an op has no meaning"));
        };
        let mut reading = Reading { tables, module, offset };
        let (slots, discardable) = reading.attributes(source, meaning)?;
        let nodes = slots.iter().flatten().chain(&discardable).map(|attr| u64::from(module.attr_extent(*attr).nodes));
        let start = self.pool.len();
        let nodes = nodes.sum();
        self.pool.extend(slots);
        let found = Found { start, end: self.pool.len(), discardable, nodes };
        self.found.insert(source, found);
        Ok(found)
    }
}

/// Reads the attributes of one op.
struct Reading<'r, 'a> {
    tables: &'r mut Tables<'a>,
    module: &'r mut Module,
    /// Where the op stands.
    offset: u64,
}

impl<'a> Reading<'_, 'a> {
    fn attributes(&mut self, source: Source, meaning: &Meaning) -> Result<(Slots, Option<AttrId>)> {
        let discardable = match source.dictionary {
            Some(index) => self.dictionary(index)?,
            None => Vec::new(),
        };
        match meaning {
            Meaning::Known(kind, layout) => self.known(source, *kind, layout, discardable),
            Meaning::Versioned(op) => self.versioned(source, op, discardable),
            Meaning::Opaque(name) => {
                let mut slots = self.opaque(source, *name)?;
                let mut discardable = discardable;
                if source.properties.is_none() {
                    slots.extend(self.inherent(*name, &mut discardable).map(Some));
                }
                Ok((slots, self.rest(source, discardable)?))
            }
        }
    }

    /// The entries of the op's dictionary.
    fn dictionary(&mut self, index: u32) -> Result<Vec<(NameId, AttrId)>> {
        let attr = self.tables.attr(self.module, u64::from(index), "the attributes of an op", self.offset)?;
        match self.module.attr(attr) {
            Attribute::Dictionary(entries) => {
                // Each use of a dictionary may become one of its own.
                self.tables.budget.charge(4 * entries.len() as u64, self.offset)?;
                Ok(entries.to_vec())
            }
            _ => Err(Error::new("bytecode/expected-dictionary", self.offset, "the attributes are not a dictionary")),
        }
    }

    /// What is left of the dictionary when inherent attributes are taken out.
    fn rest(&mut self, source: Source, rest: Vec<(NameId, AttrId)>) -> Result<Option<AttrId>> {
        let Some(index) = source.dictionary.filter(|_| !rest.is_empty()) else {
            return Ok(None);
        };
        let whole = self.tables.attr(self.module, u64::from(index), "the attributes of an op", self.offset)?;
        match self.module.attr(whole) {
            Attribute::Dictionary(entries) if entries.len() == rest.len() => Ok(Some(whole)),
            _ => Ok(Some(self.module.dictionary(rest))),
        }
    }

    /// The bytes of the op's properties.
    fn properties(&self, source: Source) -> Option<Cursor<'a>> {
        let bytes = *self.tables.container.properties.get(source.properties? as usize)?;
        Some(Cursor::new(bytes, offset_in(self.tables.container.file, bytes)))
    }

    fn known(
        &mut self,
        source: Source,
        kind: OpKind,
        layout: &Layout,
        mut discardable: Vec<(NameId, AttrId)>,
    ) -> Result<(Slots, Option<AttrId>)> {
        let spec = kind.spec();
        let mut slots: Slots = smallvec::smallvec![None; spec.attributes.len()];
        if source.properties.is_some() {
            if self.tables.container.ops[source.op as usize].registered == Some(false) {
                self.properties_dictionary(source, spec, &mut slots)?;
            } else {
                self.layout(source, spec, layout, &mut slots)?;
            }
        }
        discardable.retain(|(name, value)| {
            let name = match self.module.str(*name) {
                "operand_segment_sizes" => "operandSegmentSizes",
                "result_segment_sizes" => "resultSegmentSizes",
                name => name,
            };
            match spec.attribute_slot(name) {
                Some(slot) => {
                    slots[slot] = Some(fill::normalize_property(self.module, spec.attributes[slot].name, *value));
                    false
                }
                None => true,
            }
        });
        fill::fill_defaults(self.module, spec, &mut slots);
        Ok((slots, self.rest(source, discardable)?))
    }

    /// Properties of an op that was not registered where the file was written: one dictionary.
    fn properties_dictionary(&mut self, source: Source, spec: &OpSpec, slots: &mut Slots) -> Result<()> {
        let attr = self.only_attribute(source)?;
        let Some(Attribute::Dictionary(entries)) = attr.map(|attr| self.module.attr(attr).clone()) else {
            let message = format!("the properties of `{}` are not a dictionary", spec.name);
            return Err(Error::new("bytecode/expected-dictionary", self.offset, message));
        };
        for (name, value) in entries {
            if let Some(slot) = spec.attribute_slot(self.module.str(name)) {
                slots[slot] = Some(fill::normalize_property(self.module, spec.attributes[slot].name, value));
            }
        }
        Ok(())
    }

    /// Properties in the layout of their op; in an older one, without its youngest attributes, if only that fits.
    fn layout(&mut self, source: Source, spec: &OpSpec, layout: &Layout, slots: &mut Slots) -> Result<()> {
        let newest = self.layout_without(source, spec, layout, &[], slots);
        for first in (0..layout.younger.len()).rev() {
            if newest.is_ok() {
                break;
            }
            slots.fill(None);
            if self.layout_without(source, spec, layout, &layout.younger[first..], slots).is_ok() {
                return Ok(());
            }
        }
        newest
    }

    fn layout_without(
        &mut self,
        source: Source,
        spec: &OpSpec,
        layout: &Layout,
        lacking: &[u16],
        slots: &mut Slots,
    ) -> Result<()> {
        let Some(mut cursor) = self.properties(source) else {
            return Ok(());
        };
        let sparse = self.tables.container.format >= 6;
        for (slot, required) in &layout.fields {
            if lacking.contains(slot) || (sparse && layout.segments.contains(slot)) {
                continue;
            }
            let name = spec.attributes[usize::from(*slot)].name;
            let offset = cursor.offset();
            let index = match required {
                true => Some(cursor.varint(name)?),
                false => cursor.optional(name)?,
            };
            if let Some(index) = index {
                let value = self.tables.attr(self.module, index, name, offset)?;
                slots[usize::from(*slot)] = Some(fill::normalize_property(self.module, name, value));
            }
        }
        if sparse {
            for slot in &layout.segments {
                let attr = &spec.attributes[usize::from(*slot)];
                let n = if attr.name == "operandSegmentSizes" { spec.operands.len() } else { spec.results.len() };
                let sizes = sparse_array(&mut cursor, n, attr.name)?;
                slots[usize::from(*slot)] = Some(self.module.intern_attr(Attribute::DenseI64Array(sizes)));
            }
        }
        cursor.finish("the properties of an op")
    }

    /// The op of a portable artifact.
    fn versioned(
        &mut self,
        source: Source,
        op: &vhlo::read::VersionedOp,
        mut discardable: Vec<(NameId, AttrId)>,
    ) -> Result<(Slots, Option<AttrId>)> {
        let mut values: Slots = smallvec::smallvec![None; op.attributes.len()];
        if let Some(mut cursor) = self.properties(source) {
            for (name, value) in op.attributes.iter().zip(&mut values) {
                let offset = cursor.offset();
                let index = cursor.varint(name)?;
                *value = Some(self.tables.attr(self.module, index, name, offset)?);
            }
            cursor.finish("the properties of an op")?;
        }
        discardable.retain(|(name, value)| {
            let name = self.module.str(*name);
            match op.attributes.iter().position(|attr| *attr == name) {
                Some(at) => {
                    values[at] = Some(*value);
                    false
                }
                None => true,
            }
        });
        let mut slots = vhlo::read::properties(op, self.module, &values, self.offset)?;
        // What is declared and VHLO does not have stands among the discardable attributes.
        let spec = op.kind.spec();
        discardable.retain(|(name, value)| match spec.attribute_slot(self.module.str(*name)) {
            Some(slot) if slots[slot].is_none() => {
                slots[slot] = Some(*value);
                false
            }
            _ => true,
        });
        fill::fill_defaults(self.module, op.kind.spec(), &mut slots);
        Ok((slots, self.rest(source, discardable)?))
    }

    /// The properties of an op that is kept as it is: one attribute.
    fn opaque(&mut self, source: Source, name: NameId) -> Result<Slots> {
        if source.properties.is_none() {
            return Ok(Slots::new());
        }
        if self.tables.container.ops[source.op as usize].registered == Some(true) {
            return self.foreign(source, name);
        }
        Ok(self.only_attribute(source)?.into_iter().map(Some).collect())
    }

    /// The properties of an op of another dialect in its own layout, which is known of those ops that have a form in text;
    /// they become a dictionary.
    fn foreign(&mut self, source: Source, name: NameId) -> Result<Slots> {
        let op = self.module.str(name);
        let Some(attributes) = inherent_attributes(op) else {
            let dialect = op.split('.').next().unwrap_or(op);
            let message = format!("the properties of `{op}` are encoded as only dialect `{dialect}` knows");
            return Err(Error::new("bytecode/unknown-properties", self.offset, message));
        };
        let Some(mut cursor) = self.properties(source) else {
            return Ok(Slots::new());
        };
        let mut entries = Vec::new();
        for (name, required) in attributes {
            let offset = cursor.offset();
            let index = match required {
                true => Some(cursor.varint(name)?),
                // The last ones are younger than some files.
                false if cursor.is_empty() => None,
                false => cursor.optional(name)?,
            };
            if let Some(index) = index {
                let value = self.tables.attr(self.module, index, name, offset)?;
                entries.push((self.module.name(name), value));
            }
        }
        cursor.finish("the properties of an op")?;
        match entries.is_empty() {
            true => Ok(Slots::new()),
            false => Ok(smallvec::smallvec![Some(self.module.dictionary(entries))]),
        }
    }

    /// Takes the inherent attributes of an op of another dialect, as far as they are known, out of the dictionary of all that it
    /// has in old formats.
    fn inherent(&mut self, name: NameId, all: &mut Vec<(NameId, AttrId)>) -> Option<AttrId> {
        let inherent = inherent_attributes(self.module.str(name))?;
        let is_inherent =
            |(name, _): &(NameId, AttrId)| inherent.iter().any(|(attr, _)| *attr == self.module.str(*name));
        let (taken, rest): (Vec<_>, Vec<_>) = all.drain(..).partition(is_inherent);
        *all = rest;
        (!taken.is_empty()).then(|| self.module.dictionary(taken))
    }

    /// Properties that are one attribute.
    fn only_attribute(&mut self, source: Source) -> Result<Option<AttrId>> {
        let Some(mut cursor) = self.properties(source) else {
            return Ok(None);
        };
        let base = cursor.offset();
        let index = cursor.varint("the properties of an op")?;
        let attr = self.tables.attr(self.module, index, "the properties of an op", base)?;
        cursor.finish("the properties of an op")?;
        Ok(Some(attr))
    }
}

/// An array of `n` numbers of which most are zero: all of them, or the others with their positions.
fn sparse_array(cursor: &mut Cursor<'_>, n: usize, what: &str) -> Result<Dims> {
    let offset = cursor.offset();
    let (count, sparse) = cursor.flagged(what)?;
    let wrong = |message: String| Error::new("bytecode/invalid-number", offset, message);
    if count > n as u64 {
        return Err(wrong(format!("{what} has {count} numbers, but the op declares {n}")));
    }
    if !sparse {
        if count != n as u64 {
            return Err(wrong(format!("{what} has {count} numbers, but the op declares {n}")));
        }
        return (0..n).map(|_| Ok(cursor.varint(what)? as i64)).collect();
    }
    let mut sizes: Dims = smallvec::smallvec![0; n];
    if count == 0 {
        return Ok(sizes);
    }
    let width = cursor.varint(what)?;
    if width > 16 {
        return Err(wrong(format!("positions of {what} have at most 16 bits, got {width}")));
    }
    for _ in 0..count {
        let entry = cursor.varint(what)?;
        let (position, value) = (entry & ((1 << width) - 1), entry >> width);
        match sizes.get_mut(position as usize) {
            Some(size) => *size = value as i64,
            None => return Err(wrong(format!("position {position} of {what}, which has {n} numbers"))),
        }
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected: section 6 of the format's description, from bytes that MLIR wrote.
    #[test]
    fn sparse_arrays() {
        for (bytes, sizes) in [
            (&[0x07, 0x01, 0x03][..], &[1, 0][..]),
            (&[0x0d, 0x03, 0x05, 0x03], &[1, 2, 1]),
            (&[0x11, 0x03, 0x03, 0x03, 0x01], &[1, 1, 1, 0]),
            (&[0x03], &[0, 0, 0]),
        ] {
            let mut cursor = Cursor::new(bytes, 0);
            let read = sparse_array(&mut cursor, sizes.len(), "sizes");
            assert_eq!(read.as_deref(), Ok(sizes), "{bytes:x?}");
            assert!(cursor.is_empty());
        }
        for bytes in [&[0x11, 0x03][..], &[0x07, 0x23, 0x03], &[0x07, 0x05, 0x07]] {
            assert!(sparse_array(&mut Cursor::new(bytes, 0), 2, "sizes").is_err(), "{bytes:x?}");
        }
    }
}
