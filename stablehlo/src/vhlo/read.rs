//! From a form of an op to the op: what older forms lack is filled in, fields are folded together, defaults left out.

use smallvec::SmallVec;

use super::forms::{OpForm, Source, fields_of, history};
use super::history::{Absent, Written};
use super::parts::{Part, PartKind, Parts, put_together};
use crate::bytecode::error::Error;
use crate::ir::{AttrId, Attribute, ComparisonType, DenseElements, Dims, EnumValue, Module, Precision, Type};
use crate::ops::OpKind;
use crate::ops::spec::{Attr, AttrKind, OpSpec, Presence};

/// What a versioned op name means.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct VersionedOp {
    /// The op; `return_v1` is [`OpKind::FuncReturn`] directly inside functions and [`OpKind::Return`] elsewhere, which the
    /// reader sees to.
    pub(crate) kind: OpKind,
    /// Names of its attributes in the order in which properties list them (alphabetical), all of them required.
    pub(crate) attributes: Box<[&'static str]>,
    form: &'static OpForm,
}

/// The op called `vhlo.NAME` (such as `add_v1`), if any version has it.
pub(crate) fn find(name: &str) -> Option<VersionedOp> {
    let form = OpForm::find(name)?;
    Some(VersionedOp { kind: form.kind, attributes: form.properties().collect(), form })
}

/// The inherent attributes of our op: one slot per declared attribute of `op.kind`.
///
/// `attributes` are the values in the order of `op.attributes`; one that is absent (only old files can leave one out) is
/// none. Upgrades to the newest version are part of this: what an older form lacks has its meaning of absence. Faults are
/// told as `vhlo/…` at `offset`.
pub(crate) fn properties(
    op: &VersionedOp,
    module: &mut Module,
    attributes: &[Option<AttrId>],
    offset: u64,
) -> Result<Slots, Error> {
    if let Some(missing) = op.attributes.iter().zip(attributes).find_map(|(name, attr)| attr.is_none().then_some(name))
    {
        let message = format!("`vhlo.{}` has no attribute `{missing}`", op.form.name);
        return Err(Error::new("vhlo/missing-attribute", offset, message));
    }
    let values: SmallVec<[AttrId; 12]> = attributes.iter().copied().flatten().collect();
    debug_assert_eq!(values.len(), op.attributes.len());
    Upgrade { module, form: op.form, spec: op.kind.spec(), values: &values, offset }.slots()
}

type Slots = SmallVec<[Option<AttrId>; 8]>;

/// Lists that are stored as one value for all are not written out beyond this length: no op has that many dimensions.
const LONGEST_SPLAT: usize = 1 << 8;

struct Upgrade<'m> {
    module: &'m mut Module,
    form: &'static OpForm,
    spec: &'static OpSpec,
    values: &'m [AttrId],
    offset: u64,
}

impl Upgrade<'_> {
    fn slots(&mut self) -> Result<Slots, Error> {
        let mut slots: Slots = SmallVec::from_elem(None, self.spec.attributes.len());
        // The slots that this form has anything of, each once.
        let mut done = None;
        for (index, attr) in self.form.attributes.iter().enumerate() {
            match attr.source {
                Source::ZeroPadding => {}
                Source::Slot(slot) => slots[slot] = self.whole(slot, self.values[index])?,
                Source::Part(slot, _) if slots[slot].is_some() || done == Some(slot) => {}
                Source::Part(slot, _) => {
                    slots[slot] = self.folded(slot)?;
                    done = Some(slot);
                }
            }
        }
        self.drop_layouts(&mut slots);
        Ok(slots)
    }

    fn invalid(&self, name: &str, attr: AttrId, wanted: &str) -> Error {
        let found = self.module.display_attr(attr);
        let message = format!("attribute `{name}` of `vhlo.{}` must be {wanted}, got `{found}`", self.form.name);
        Error::new("vhlo/invalid-attribute", self.offset, message)
    }

    // ---------------------------------------------------------------- attributes with fields

    /// The attribute in `slot` made of its fields; none when they say that there is none.
    fn folded(&mut self, slot: usize) -> Result<Option<AttrId>, Error> {
        let (attr, Some(fields)) = (&self.spec.attributes[slot], fields_of(self.spec, slot)) else {
            return Ok(None);
        };
        let mut parts: SmallVec<[Option<Part>; 9]> = SmallVec::new();
        for (number, (name, kind)) in fields.iter().enumerate() {
            let value = self.form.attributes.iter().position(|attr| attr.source == Source::Part(slot, number));
            parts.push(match value.map(|at| self.values[at]) {
                Some(value) if attr.kind == AttrKind::DotAlgorithm && self.is_none_type(value) => None,
                Some(value) => Some(self.part(name, *kind, value)?),
                None if *kind == PartKind::Dims => Some(Part::Dims(Dims::new())),
                None => None,
            });
        }
        if parts.iter().all(Option::is_none) {
            return Ok(None);
        }
        let whole: Option<Parts> = parts.into_iter().collect();
        let Some(whole) = whole else {
            let message = format!("`vhlo.{}` has some fields of `{}`, but not all", self.form.name, attr.name);
            return Err(Error::new("vhlo/invalid-attribute", self.offset, message));
        };
        if attr.kind == AttrKind::ChannelHandle && attr.presence == Presence::Optional && whole[0] == Part::Int(0) {
            return Ok(None);
        }
        let whole = put_together(attr.kind, whole).expect("the parts were read by the kinds of the fields");
        Ok(Some(self.module.intern_attr(whole)))
    }

    fn is_none_type(&self, attr: AttrId) -> bool {
        matches!(self.module.attr(attr), Attribute::Type(ty) if matches!(self.module.ty(*ty), Type::None))
    }

    fn part(&self, name: &str, kind: PartKind, attr: AttrId) -> Result<Part, Error> {
        let invalid = |wanted: &str| self.invalid(name, attr, wanted);
        Ok(match kind {
            PartKind::Int => Part::Int(self.module.integer_attr(attr).ok_or_else(|| invalid("a 64-bit integer"))?),
            PartKind::Dims => Part::Dims(self.i64s(attr).ok_or_else(|| invalid("a short list of i64"))?),
            PartKind::Type => match self.module.attr(attr) {
                Attribute::Type(ty) => Part::Type(*ty),
                _ => return Err(invalid("a type")),
            },
            PartKind::Bool => Part::Bool(self.bool(attr).ok_or_else(|| invalid("a boolean"))?),
        })
    }

    fn bool(&self, attr: AttrId) -> Option<bool> {
        match self.module.attr(attr) {
            Attribute::Integer { value, ty } if matches!(self.module.ty(*ty), Type::Integer { width: 1, .. }) => {
                Some(*value != 0)
            }
            _ => None,
        }
    }

    // ---------------------------------------------------------------- attributes written whole

    /// The attribute in `slot`; none when its value is what absence means.
    fn whole(&mut self, slot: usize, value: AttrId) -> Result<Option<AttrId>, Error> {
        let attr = &self.spec.attributes[slot];
        if self.is_absence(attr, value) {
            return Ok(None);
        }
        self.native(attr, value)
    }

    /// The value as StableHLO has it.
    fn native(&mut self, attr: &Attr, value: AttrId) -> Result<Option<AttrId>, Error> {
        let native = match (attr.kind, self.module.attr(value)) {
            (AttrKind::I64Array, Attribute::DenseElements(_)) => {
                let list = self.i64s(value).ok_or_else(|| self.invalid(attr.name, value, "a short list of i64"))?;
                Attribute::DenseI64Array(list)
            }
            (AttrKind::BoolArray, Attribute::DenseElements(_)) => {
                let list = self.bools(value).ok_or_else(|| self.invalid(attr.name, value, "a short list of i1"))?;
                Attribute::DenseBoolArray(list)
            }
            (AttrKind::Symbol, Attribute::String { .. }) => self.symbol(attr.name, value)?,
            (AttrKind::SymbolArray, Attribute::Array(values)) => {
                let values = values.clone();
                let mut symbols = Vec::with_capacity(values.len());
                for value in values {
                    let symbol = self.symbol(attr.name, value)?;
                    symbols.push(self.module.intern_attr(symbol));
                }
                Attribute::Array(symbols.into())
            }
            (AttrKind::Unit, _) if self.bool(value) == Some(true) => Attribute::Unit,
            (AttrKind::Unit, _) if self.bool(value) == Some(false) => return Ok(None),
            _ => return Ok(Some(value)),
        };
        Ok(Some(self.module.intern_attr(native)))
    }

    fn symbol(&mut self, name: &str, value: AttrId) -> Result<Attribute, Error> {
        let Some(symbol) = self.module.string_attr(value).map(str::to_owned) else {
            return Err(self.invalid(name, value, "the name of a symbol"));
        };
        Ok(Attribute::SymbolRef { root: self.module.name(&symbol), nested: Box::default() })
    }

    /// Whether the value is what VHLO writes for an attribute that StableHLO leaves out.
    fn is_absence(&self, attr: &Attr, value: AttrId) -> bool {
        let special = history(self.spec).and_then(|history| {
            let absent = history.absent.iter().find(|(name, _)| *name == attr.name)?;
            Some(absent.1)
        });
        if let Some(absent) = special {
            return self.means_absence(absent, value);
        }
        match attr.presence {
            Presence::Default(default) => default.is(self.module, value),
            Presence::Optional => self.is_usual_absence(attr.kind, value),
            // Ops that always have the attribute get it again; so does the module then.
            Presence::Required | Presence::Filled(_) => false,
        }
    }

    fn means_absence(&self, absent: Absent, value: AttrId) -> bool {
        match (absent, self.module.attr(value)) {
            (Absent::EmptyString | Absent::BackendConfig, Attribute::String { value, .. }) => value.is_empty(),
            (Absent::BackendConfig, Attribute::Dictionary(entries)) => entries.is_empty(),
            (Absent::I64(wanted), Attribute::Integer { value, .. }) => *value == i128::from(wanted),
            (Absent::OriginalApi, Attribute::Integer { value, .. }) => *value == 1,
            (Absent::NoDims, Attribute::DenseElements(elements)) => elements.data.is_empty(),
            (Absent::Ones(_), Attribute::DenseElements(elements)) => is_splat_of(elements, &1i64.to_le_bytes()),
            (Absent::ZeroPairs(_), Attribute::DenseElements(elements)) => is_splat_of(elements, &[0; 8]),
            (Absent::Falses(_), Attribute::DenseElements(elements)) => is_splat_of(elements, &[0]),
            _ => false,
        }
    }

    fn is_usual_absence(&self, kind: AttrKind, value: AttrId) -> bool {
        match (kind, self.module.attr(value)) {
            // Layouts go together, see `drop_layouts`.
            (AttrKind::LayoutArray, _) => false,
            (AttrKind::EnumArray(_), Attribute::Array(values)) => values.iter().all(|value| {
                matches!(self.module.attr(*value), Attribute::Enum(EnumValue::Precision(Precision::Default)))
            }),
            (_, Attribute::Array(values)) => values.is_empty(),
            (AttrKind::Enum(_), Attribute::Enum(EnumValue::ComparisonType(value))) => *value == ComparisonType::NoType,
            (AttrKind::String, Attribute::String { value, .. }) => value.is_empty(),
            (AttrKind::I64Array | AttrKind::I64Elements, Attribute::DenseElements(elements)) => {
                elements.data.is_empty()
            }
            _ => false,
        }
    }

    /// Layouts of operands and of results are left out when there are neither.
    fn drop_layouts(&self, slots: &mut [Option<AttrId>]) {
        let is_layout = |slot: &usize| self.spec.attributes[*slot].kind == AttrKind::LayoutArray;
        let layouts = || (0..slots.len()).filter(is_layout);
        let is_empty = |slot: usize| {
            slots[slot]
                .is_none_or(|attr| matches!(self.module.attr(attr), Attribute::Array(values) if values.is_empty()))
        };
        if layouts().all(is_empty) {
            let layouts: SmallVec<[usize; 2]> = layouts().collect();
            layouts.into_iter().for_each(|slot| slots[slot] = None);
        }
    }

    // ---------------------------------------------------------------- lists

    /// Short lists of elements of `width` bytes, which are of integer type `iN`.
    fn elements(&self, attr: AttrId, bits: u32) -> Option<(&DenseElements, usize)> {
        let Attribute::DenseElements(elements) = self.module.attr(attr) else {
            return None;
        };
        let element = self.module.element_type(elements.ty)?;
        let fits = matches!(self.module.ty(element), Type::Integer { width, .. } if *width == bits);
        let n = self
            .module
            .shape(elements.ty)?
            .iter()
            .try_fold(1usize, |n, size| n.checked_mul(usize::try_from(*size).ok()?))?;
        (fits && (!elements.splat || n <= LONGEST_SPLAT)).then_some((elements, n))
    }

    fn i64s(&self, attr: AttrId) -> Option<Dims> {
        let (elements, n) = self.elements(attr, 64)?;
        let (values, _) = elements.data.as_chunks::<8>();
        let values = values.iter().map(|bytes| i64::from_le_bytes(*bytes));
        Some(if elements.splat { values.cycle().take(n).collect() } else { values.collect() })
    }

    fn bools(&self, attr: AttrId) -> Option<SmallVec<[bool; 8]>> {
        let (elements, n) = self.elements(attr, 1)?;
        let values = elements.data.iter().map(|byte| *byte != 0);
        Some(if elements.splat { values.cycle().take(n).collect() } else { values.collect() })
    }
}

/// Whether all elements, of which there is at least one, are this one.
fn is_splat_of(elements: &DenseElements, wanted: &[u8]) -> bool {
    elements.splat && elements.data.as_ref() == wanted
}

/// Whether an attribute is written as a word of an enumeration that StableHLO does not have.
pub(crate) fn written(spec: &'static OpSpec, name: &str) -> Option<Written> {
    history(spec)?.written.iter().find(|(written, _)| *written == name).map(|(_, how)| *how)
}
