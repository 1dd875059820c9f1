//! Ops in bytecode of their own dialects.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::encoder::{Encoder, Result};
use super::lowering::{Lowering, OpRecord};
use super::table::{AttrEntry, OpNameEntry, Piece, PropertiesEntry, TypeEntry};
use crate::bytecode::dialects::{write_dictionary, write_i32_array};
use crate::bytecode::format;
use crate::bytecode::younger::younger_attributes;
use crate::diag::Diagnostic;
use crate::ir::{AttrId, Attribute, Dims, Module, OpId, OpName, TypeId};
use crate::ops::spec::{OpSpec, Presence, Trait};
use crate::ops::{OpKind, attr_classes};
use crate::syntax::parse::foreign::inherent_attributes;
use crate::vhlo::Version;

/// Attributes of an op: its own and the dictionary of the others.
type Attributes = (OpName, SmallVec<[Option<AttrId>; 8]>, Option<AttrId>);

/// Writes every op, attribute and type as what it is.
#[derive(Debug)]
pub(crate) struct Native {
    format: u64,
    /// Whose declarations the properties follow.
    release: Version,
    names: FxHashMap<OpName, OpNameEntry>,
    /// Ops without attributes, by kind.
    plain: Vec<Option<OpRecord>>,
    /// Many ops have the same attributes.
    records: FxHashMap<Attributes, OpRecord>,
}

impl Native {
    pub(super) fn new(format: u64, release: Version) -> Self {
        Self { format, release, names: FxHashMap::default(), plain: Vec::new(), records: FxHashMap::default() }
    }

    fn name(&mut self, encoder: &mut Encoder<'_>, name: OpName) -> OpNameEntry {
        let table = &mut encoder.table;
        *self.names.entry(name).or_insert_with(|| match name {
            OpName::Known(kind) => table.op_name(kind.spec().dialect, kind.spec().mnemonic, true),
            OpName::Opaque(name) => {
                let full = encoder.module.str(name);
                let (dialect, mnemonic) = full.split_once('.').unwrap_or((full, ""));
                table.op_name(dialect, mnemonic, inherent_attributes(full).is_some())
            }
        })
    }

    fn record(&mut self, encoder: &mut Encoder<'_>, op: OpId) -> Result<OpRecord> {
        let module = encoder.module;
        let name = module.op(op).name();
        let discardable = module.op(op).attributes().filter(|attributes| !is_empty(module, *attributes));
        let slots = module.properties(op);
        let (attributes, properties) = match name {
            _ if self.format < format::PROPERTIES => (merged(encoder, name, slots, discardable), None),
            OpName::Known(kind) => {
                (discardable.map(|attributes| encoder.attr(attributes)), self.properties(encoder, kind, op)?)
            }
            OpName::Opaque(name) => {
                let held = slots.first().copied().flatten();
                match inherent_attributes(module.str(name)) {
                    Some(inherent) => foreign_attributes(encoder, op, &inherent, held, discardable)?,
                    None => {
                        let held = held.map(|attr| Piece::Attr(encoder.attr(attr)));
                        let properties = held.map(|piece| encoder.table.properties([piece]));
                        (discardable.map(|attributes| encoder.attr(attributes)), properties)
                    }
                }
            }
        };
        Ok(OpRecord { name: self.name(encoder, name), attributes, properties, replaced: false })
    }

    /// Whether the op does not have this attribute yet.
    fn is_unknown(&self, kind: OpKind, name: &str) -> bool {
        self.release < Version::CURRENT.release()
            && younger_attributes(kind).any(|(younger, since)| younger == name && since > self.release)
    }

    /// The properties of a declared op: its attributes in the order of their names, then the sizes of segments.
    fn properties(&self, encoder: &mut Encoder<'_>, kind: OpKind, op: OpId) -> Result<Option<PropertiesEntry>> {
        let spec = kind.spec();
        let slots = encoder.module.properties(op);
        if spec.attributes.is_empty() {
            return Ok(None);
        }
        let mut pieces: SmallVec<[Piece; 8]> = SmallVec::new();
        let mut sizes: SmallVec<[Piece; 8]> = SmallVec::new();
        for slot in by_name(spec) {
            let attr = &spec.attributes[slot];
            let value = slots.get(slot).copied().flatten();
            if is_segment_sizes(spec, attr.name) {
                let numbers = value.map(|value| segment_sizes(encoder.module, value)).unwrap_or_default();
                if self.format >= format::SPARSE_SEGMENTS {
                    sizes.extend(sparse_array(&numbers));
                } else {
                    pieces.push(Piece::Attr(write_i32_array(encoder, &numbers)));
                }
                continue;
            }
            if value.is_none() && self.is_unknown(kind, attr.name) {
                continue;
            }
            let entry = value.map(|value| encoder.attr(value));
            let required = attr.presence == Presence::Required;
            pieces.push(reference(encoder.module, op, attr.name, required, entry)?);
        }
        pieces.extend(sizes);
        Ok(Some(encoder.table.properties(pieces)))
    }
}

impl Lowering for Native {
    fn format(&self) -> u64 {
        self.format
    }

    fn rebuilds(&self) -> bool {
        false
    }

    fn ty(&mut self, encoder: &mut Encoder<'_>, ty: TypeId) -> Result<TypeEntry> {
        Ok(encoder.ty(ty))
    }

    fn op(&mut self, encoder: &mut Encoder<'_>, op: OpId) -> Result<OpRecord> {
        let module = encoder.module;
        let data = module.op(op);
        if let (OpName::Known(kind), [], None) = (data.name(), module.properties(op), data.attributes()) {
            let index = kind as usize;
            if let Some(Some(record)) = self.plain.get(index) {
                return Ok(*record);
            }
            let record = self.record(encoder, op)?;
            self.plain.resize(self.plain.len().max(index + 1), None);
            self.plain[index] = Some(record);
            return Ok(record);
        }
        let key = (data.name(), SmallVec::from_slice(module.properties(op)), data.attributes());
        if let Some(record) = self.records.get(&key) {
            return Ok(*record);
        }
        let record = self.record(encoder, op)?;
        if !encoder.is_waiting() {
            self.records.insert(key, record);
        }
        Ok(record)
    }
}

fn is_empty(module: &Module, attributes: AttrId) -> bool {
    matches!(module.attr(attributes), Attribute::Dictionary(entries) if entries.is_empty())
}

/// Slots of an op's attributes in the order of their names.
fn by_name(spec: &OpSpec) -> SmallVec<[usize; 8]> {
    let mut slots: SmallVec<[usize; 8]> = (0..spec.attributes.len()).collect();
    slots.sort_unstable_by_key(|slot| spec.attributes[*slot].name);
    slots
}

/// Whether this inherent attribute holds the sizes of operand or result segments.
fn is_segment_sizes(spec: &OpSpec, name: &str) -> bool {
    (name == "operandSegmentSizes" && spec.has(Trait::OperandSegments))
        || (name == "resultSegmentSizes" && spec.has(Trait::ResultSegments))
}

/// All attributes in one dictionary, as before format 5.
fn merged(
    encoder: &mut Encoder<'_>,
    name: OpName,
    slots: &[Option<AttrId>],
    discardable: Option<AttrId>,
) -> Option<AttrEntry> {
    let module = encoder.module;
    let mut entries: Vec<(&str, AttrEntry)> = Vec::new();
    let mut take = |encoder: &mut Encoder<'_>, dictionary: Option<AttrId>| {
        if let Some(Attribute::Dictionary(pairs)) = dictionary.map(|dictionary| module.attr(dictionary)) {
            entries.extend(pairs.iter().map(|(key, value)| (module.str(*key), encoder.attr(*value))));
        }
    };
    take(encoder, discardable);
    match name {
        OpName::Opaque(_) => take(encoder, slots.first().copied().flatten()),
        OpName::Known(kind) => {
            let spec = kind.spec();
            for (attr, value) in spec.attributes.iter().zip(slots) {
                let Some(value) = *value else { continue };
                let entry = match is_segment_sizes(spec, attr.name) {
                    true => write_i32_array(encoder, &segment_sizes(module, value)),
                    false => encoder.attr(value),
                };
                entries.push((attr.name, entry));
            }
        }
    }
    entries.sort_by_key(|(key, _)| *key);
    if entries.is_empty() {
        return None;
    }
    let entries: Vec<_> = entries.iter().map(|(key, value)| (encoder.string_attr(key.as_bytes()), *value)).collect();
    Some(write_dictionary(encoder, &entries))
}

/// The numbers of an attribute that holds sizes of segments; none where it is something else.
fn segment_sizes(module: &Module, attr: AttrId) -> Dims {
    attr_classes::i32_array(module, attr).unwrap_or_default()
}

/// The dictionary and the properties of an op of another dialect whose inherent attributes are known. They may stand among the
/// discardable ones, as old text has it.
fn foreign_attributes(
    encoder: &mut Encoder<'_>,
    op: OpId,
    inherent: &[(&str, bool)],
    held: Option<AttrId>,
    discardable: Option<AttrId>,
) -> Result<(Option<AttrEntry>, Option<PropertiesEntry>)> {
    let module = encoder.module;
    let is_inherent = |name: &str| inherent.iter().any(|(known, _)| *known == name);
    let entries = |dictionary: Option<AttrId>| match dictionary.map(|dictionary| module.attr(dictionary)) {
        Some(Attribute::Dictionary(entries)) => &entries[..],
        _ => &[],
    };
    let mut properties: SmallVec<[Piece; 4]> = SmallVec::new();
    for (name, required) in inherent {
        let mut dictionaries = [held, discardable].into_iter().flatten();
        let value = dictionaries.find_map(|dictionary| module.dict_get(dictionary, name));
        let entry = value.map(|value| encoder.attr(value));
        properties.push(reference(module, op, name, *required, entry)?);
    }
    if let Some((unknown, _)) = entries(held).iter().find(|(name, _)| !is_inherent(module.str(*name))) {
        let message = format!("`{}` has no inherent attribute `{}`", module.op_name(op), module.str(*unknown));
        return Err(Box::new(Diagnostic::error("bytecode/unwritable", module.source(op).span(), message)));
    }
    let all = entries(discardable);
    let rest: Vec<_> = all.iter().filter(|(name, _)| !is_inherent(module.str(*name))).collect();
    let dictionary = if rest.len() == all.len() {
        discardable.map(|attributes| encoder.attr(attributes))
    } else {
        let rest: Vec<_> = rest.iter().map(|(name, value)| (encoder.name(*name), encoder.attr(*value))).collect();
        (!rest.is_empty()).then(|| write_dictionary(encoder, &rest))
    };
    let properties = (!properties.is_empty()).then(|| encoder.table.properties(properties));
    Ok((dictionary, properties))
}

/// The reference to an inherent attribute.
fn reference(module: &Module, op: OpId, name: &str, required: bool, entry: Option<AttrEntry>) -> Result<Piece> {
    match (required, entry) {
        (true, Some(entry)) => Ok(Piece::Attr(entry)),
        (false, entry) => Ok(Piece::OptionalAttr(entry)),
        (true, None) => {
            let message = format!("`{}` lacks the attribute `{name}`, so it cannot be written", module.op_name(op));
            Err(Box::new(Diagnostic::error("bytecode/unwritable", module.source(op).span(), message)))
        }
    }
}

/// Numbers of which most are zero: all of them, or the others with their positions.
fn sparse_array(numbers: &[i64]) -> SmallVec<[Piece; 8]> {
    const LARGEST_POSITION: usize = 256;
    let others = || numbers.iter().enumerate().filter(|(_, number)| **number != 0);
    let (n_others, last) = (others().count(), others().next_back().map_or(0, |(at, _)| at));
    let flagged = |n: usize, sparse: bool| Piece::Varint((n as u64) << 1 | u64::from(sparse));
    if last > LARGEST_POSITION || n_others > numbers.len() / 2 {
        let all = numbers.iter().map(|number| Piece::Varint(*number as u64));
        return std::iter::once(flagged(numbers.len(), false)).chain(all).collect();
    }
    let mut pieces: SmallVec<[Piece; 8]> = SmallVec::from_iter([flagged(n_others, true)]);
    if n_others > 0 {
        let width = (last + 1).next_power_of_two().trailing_zeros();
        pieces.push(Piece::Varint(u64::from(width)));
        pieces.extend(others().map(|(at, number)| Piece::Varint(at as u64 | (*number as u64) << width)));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected: bytes that MLIR wrote (7, 1, 3 are 3, 0, 1 as numbers of one byte).
    #[test]
    fn sparse_arrays() {
        let numbers = |sizes: &[i64]| -> Vec<u64> {
            let number = |piece| match piece {
                Piece::Varint(number) => number,
                _ => u64::MAX,
            };
            sparse_array(sizes).into_iter().map(number).collect()
        };
        assert_eq!(numbers(&[1, 0]), [3, 0, 1]);
        assert_eq!(numbers(&[1, 2, 1]), [6, 1, 2, 1]);
        assert_eq!(numbers(&[1, 1, 1, 0]), [8, 1, 1, 1, 0]);
        assert_eq!(numbers(&[0, 0, 0]), [1]);
        assert_eq!(numbers(&[0, 0, 5, 0]), [3, 2, 2 | 5 << 2]);
    }
}
