//! From ops to the forms that a version knows: what absence means is written out, and structured attributes are taken apart.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Version;
use super::forms::{FormAttr, OpForm, Source, fields_of, history};
use super::history::{Absent, WindowRank, Written};
use super::parts::{Part, take_apart};
use super::read::written;
use crate::bytecode::dialects::vhlo::write;
use crate::bytecode::write::{AttrEntry, Encoder, Lowering, OpRecord, Piece, PropertiesEntry, Result, TypeEntry};
use crate::ir::{
    AttrId, Attribute, ComparisonType, F64, Module, NameId, OpId, OpName, Precision, ResultAccuracy,
    ResultAccuracyMode, TypeId,
};
use crate::ops::OpKind;
use crate::ops::spec::{Attr, AttrKind, DefaultValue, OpSpec, Presence};

/// The version of the writer whose bytes ours are compared with. It did not know later forms, so it had not to replace them:
/// that shows in the order of uses, and nowhere else.
const REFERENCE_WRITER: Version = Version::new(1, 17, 0);

/// Writes a module as a portable artifact of one version.
///
/// The module must fit the version: see [`requirements`](super::requirements). Ops that are not VHLO's, such as the module
/// itself, are lowered by `native`.
pub(crate) struct Portable<N> {
    target: Version,
    format: u64,
    native: N,
    /// Many ops have the same attributes.
    records: FxHashMap<Attributes, OpRecord>,
}

/// An op's name, its inherent attributes and the dictionary of the others.
type Attributes = (OpName, SmallVec<[Option<AttrId>; 8]>, Option<AttrId>);

impl<N: Lowering> Portable<N> {
    /// A lowering to `target`.
    pub(crate) fn new(target: Version, native: N) -> Self {
        Self { target: target.release(), format: super::format_of(target), native, records: FxHashMap::default() }
    }
}

impl<N: Lowering> Lowering for Portable<N> {
    fn format(&self) -> u64 {
        self.format
    }

    fn rebuilds(&self) -> bool {
        true
    }

    fn ty(&mut self, encoder: &mut Encoder<'_>, ty: TypeId) -> Result<TypeEntry> {
        Ok(encoder.vhlo_ty(ty))
    }

    fn op(&mut self, encoder: &mut Encoder<'_>, op: OpId) -> Result<OpRecord> {
        let form = encoder.module.kind(op).and_then(|kind| OpForm::at(kind, self.target));
        let Some(form) = form else {
            return self.native.op(encoder, op);
        };
        let (module, data) = (encoder.module, encoder.module.op(op));
        let key = (data.name(), SmallVec::from_slice(module.properties(op)), data.attributes());
        if let Some(record) = self.records.get(&key) {
            return Ok(*record);
        }
        let record = self.record(encoder, op, form);
        let by_operand = form.attributes.iter().any(|attr| attr.source == Source::ZeroPadding);
        if !encoder.is_waiting() && !by_operand {
            self.records.insert(key, record);
        }
        Ok(record)
    }
}

impl<N> Portable<N> {
    fn record(&self, encoder: &mut Encoder<'_>, op: OpId, form: &'static OpForm) -> OpRecord {
        let mut lower = Lower { e: encoder, op, kind: form.kind, spec: form.kind.spec() };
        let values: SmallVec<[AttrEntry; 12]> = form.attributes.iter().map(|attr| lower.value(attr)).collect();
        let others = lower.others();
        let (attributes, properties) = if self.format >= 5 {
            (dictionary(encoder, others), properties(encoder, &values))
        } else {
            // Before format 5 all attributes stand in the dictionary.
            let mut all = others;
            for (attr, value) in form.attributes.iter().zip(values) {
                all.push((Name::Form(attr.name), value));
            }
            (dictionary(encoder, all), None)
        };
        let name = encoder.table.op_name("vhlo", form.name, true);
        let is_replaced = form.until.is_some_and(|next| next <= REFERENCE_WRITER);
        OpRecord { name, attributes, properties, replaced: is_replaced }
    }
}

/// The key of a dictionary entry.
#[derive(Copy, Clone)]
enum Name {
    Module(NameId),
    Form(&'static str),
}

type Entries = SmallVec<[(Name, AttrEntry); 8]>;

/// A builtin dictionary of these entries; none when there are none.
fn dictionary(e: &mut Encoder<'_>, mut entries: Entries) -> Option<AttrEntry> {
    if entries.is_empty() {
        return None;
    }
    let module = e.module;
    let text = |name: &Name| match name {
        Name::Module(name) => module.str(*name),
        Name::Form(name) => name,
    };
    entries.sort_by(|(a, _), (b, _)| text(a).cmp(text(b)));
    let mut pieces: SmallVec<[Piece; 16]> = SmallVec::new();
    pieces.push(Piece::Varint(entries.len() as u64));
    for (name, value) in entries {
        pieces.push(Piece::Attr(match name {
            Name::Module(name) => e.name(name),
            Name::Form(name) => e.string_attr(name.as_bytes()),
        }));
        pieces.push(Piece::Attr(value));
    }
    // The code of a builtin dictionary.
    Some(e.table.attr("builtin", 1, pieces))
}

fn properties(e: &mut Encoder<'_>, values: &[AttrEntry]) -> Option<PropertiesEntry> {
    match values {
        [] => None,
        // The op is asked for again once they are there.
        values if values.contains(&AttrEntry::PENDING) => None,
        values => Some(e.table.properties(values.iter().map(|value| Piece::Attr(*value)))),
    }
}

struct Lower<'e, 'm> {
    e: &'e mut Encoder<'m>,
    op: OpId,
    kind: OpKind,
    spec: &'static OpSpec,
}

impl Lower<'_, '_> {
    fn slot(&self, slot: usize) -> Option<AttrId> {
        let slots = self.e.module.properties(self.op);
        // `func.return` and `stablehlo.return` share a form; neither has attributes.
        slots.get(slot).copied().flatten()
    }

    /// Discardable attributes, and inherent ones that VHLO does not know.
    fn others(&mut self) -> Entries {
        let module = self.e.module;
        let mut others = Entries::new();
        if let Some(Attribute::Dictionary(entries)) = module.op(self.op).attributes().map(|attr| module.attr(attr)) {
            for (name, value) in entries {
                others.push((Name::Module(*name), self.e.vhlo_attr(*value)));
            }
        }
        let kind = module.kind(self.op).unwrap_or(self.kind);
        for name in history(kind.spec()).map_or(&[][..], |history| history.foreign) {
            let value = kind.spec().attribute_slot(name).and_then(|slot| self.slot(slot));
            if let Some(value) = value {
                others.push((Name::Form(name), self.e.vhlo_attr(value)));
            }
        }
        others
    }

    /// The value of an attribute of a form.
    fn value(&mut self, attr: &FormAttr) -> AttrEntry {
        match attr.source {
            Source::ZeroPadding => {
                let rank = self.lhs_rank();
                write::zero_pairs_attr(self.e, rank.saturating_sub(2))
            }
            Source::Slot(slot) => {
                let declared = &self.spec.attributes[slot];
                match self.slot(slot) {
                    Some(value) => self.whole(declared, value),
                    None => self.absent(declared),
                }
            }
            Source::Part(slot, part) => {
                let module = self.e.module;
                let fields = fields_of(self.spec, slot);
                let parts = self.slot(slot).and_then(|value| take_apart(module.attr(value), fields?));
                match parts.as_ref().map(|parts| &parts[part]) {
                    Some(Part::Int(value)) => write::int_attr(self.e, *value),
                    Some(Part::Dims(values)) => write::dims_attr(self.e, values),
                    Some(Part::Bool(value)) => write::bool_attr(self.e, *value),
                    Some(Part::Type(ty)) => {
                        let ty = self.e.vhlo_ty(*ty);
                        write::type_attr(self.e, ty)
                    }
                    None => self.absent_part(slot),
                }
            }
        }
    }

    fn lhs_rank(&self) -> usize {
        let module = self.e.module;
        let lhs = module.operands(self.op).first().map(|value| module.value_type(*value));
        lhs.and_then(|ty| module.rank(ty)).unwrap_or(0)
    }

    fn whole(&mut self, declared: &Attr, value: AttrId) -> AttrEntry {
        let module = self.e.module;
        match (module.attr(value), written(self.spec, declared.name)) {
            (Attribute::Integer { value, .. }, Some(Written::ApiVersion)) => {
                write::api_version_attr(self.e, u64::try_from(*value).unwrap_or(0))
            }
            (Attribute::Unit, _) if declared.kind == AttrKind::Unit => write::bool_attr(self.e, true),
            _ => self.e.vhlo_attr(value),
        }
    }

    // ---------------------------------------------------------------- what absence means

    fn absent_part(&mut self, slot: usize) -> AttrEntry {
        match self.spec.attributes[slot].kind {
            // All fields of an algorithm that is not given have the type `none` for a value.
            AttrKind::DotAlgorithm => write::none_attr(self.e),
            // No channel.
            _ => write::int_attr(self.e, 0),
        }
    }

    fn absent(&mut self, declared: &Attr) -> AttrEntry {
        let special = history(self.spec).and_then(|history| {
            let absent = history.absent.iter().find(|(name, _)| *name == declared.name)?;
            Some(absent.1)
        });
        if let Some(absent) = special {
            return self.absence(absent);
        }
        match declared.presence {
            Presence::Default(value) | Presence::Filled(value) => self.default_value(value),
            Presence::Optional | Presence::Required => self.usual_absence(declared.kind),
        }
    }

    fn default_value(&mut self, value: DefaultValue) -> AttrEntry {
        let e = &mut *self.e;
        match value {
            DefaultValue::Bool(value) => write::bool_attr(e, value),
            DefaultValue::I64(value) => write::int_attr(e, value),
            DefaultValue::I32(value) => write::int_attr(e, i64::from(value)),
            DefaultValue::EmptyString => write::string_attr(e, b""),
            DefaultValue::EmptyArray => write::array_attr(e, &[]),
            DefaultValue::EmptyDictionary => write::empty_dictionary(e),
            DefaultValue::DefaultAccuracy => {
                let zero = F64::new(0.0);
                let mode = ResultAccuracyMode::Default;
                write::accuracy_attr(e, &ResultAccuracy { atol: zero, rtol: zero, ulps: 0, mode })
            }
        }
    }

    fn absence(&mut self, absent: Absent) -> AttrEntry {
        match absent {
            Absent::EmptyString => write::string_attr(self.e, b""),
            Absent::I64(value) => write::int_attr(self.e, value),
            Absent::NoDims | Absent::Refused => write::dims_attr(self.e, &[]),
            Absent::Ones(rank) => {
                let n = self.window_rank(rank);
                write::dims_attr(self.e, &vec![1; n])
            }
            Absent::ZeroPairs(rank) => {
                let n = self.window_rank(rank);
                write::zero_pairs_attr(self.e, n)
            }
            Absent::Falses(rank) => {
                let n = self.window_rank(rank);
                write::bools_attr(self.e, &vec![false; n])
            }
            Absent::BackendConfig if self.has_typed_api() => write::empty_dictionary(self.e),
            Absent::BackendConfig => write::string_attr(self.e, b""),
            Absent::OriginalApi => write::api_version_attr(self.e, 1),
        }
    }

    fn has_typed_api(&self) -> bool {
        let module = self.e.module;
        module.property(self.op, "api_version").and_then(|attr| module.integer_attr(attr)) == Some(4)
    }

    fn window_rank(&self, rank: WindowRank) -> usize {
        let module: &Module = self.e.module;
        let property = |name| module.property(self.op, name).map(|attr| module.attr(attr));
        match rank {
            WindowRank::Spatial => match property("dimension_numbers") {
                Some(Attribute::ConvDimensionNumbers(numbers)) => numbers.input_spatial_dimensions.len(),
                _ => 0,
            },
            WindowRank::Dimensions => match property("window_dimensions") {
                Some(Attribute::DenseI64Array(sizes)) => sizes.len(),
                _ => 0,
            },
        }
    }

    fn usual_absence(&mut self, kind: AttrKind) -> AttrEntry {
        let e = &mut *self.e;
        match kind {
            AttrKind::Unit => write::bool_attr(e, false),
            AttrKind::String | AttrKind::StringOrDictionary => write::string_attr(e, b""),
            AttrKind::Enum(_) => write::enum_attr(e, ComparisonType::NoType.into()),
            AttrKind::EnumArray(_) => {
                let default = write::enum_attr(e, Precision::Default.into());
                write::array_attr(e, &[default, default])
            }
            AttrKind::I64Array | AttrKind::I64Elements => write::dims_attr(e, &[]),
            _ => write::array_attr(e, &[]),
        }
    }
}
