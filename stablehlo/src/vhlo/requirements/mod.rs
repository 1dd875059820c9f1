//! What a module needs of readers: the version that each of its parts asks for.
//!
//! A module can be written for a version exactly when no requirement is newer. Both the refusal to write an artifact and the
//! answer to "how old may readers be" are made of this list.

mod needs;
mod words;

use rustc_hash::FxHashMap;

use super::Version;
use super::forms::{Source, fields_of, forms, history};
use super::history::{Absent, Change, History};
use super::parts::{Fields, Part, take_apart};
use crate::bytecode::dialects::vhlo::codes;
use crate::diag::Diagnostic;
use crate::ir::{
    AttrId, Attribute, BlockId, DenseElements, Module, OpId, OpName, ResultAccuracyMode, Type, ValueDef, ValueId,
};
use crate::ops::OpKind;
use needs::{Culprit, Need};
use words::{at_attribute, describe_attr, describe_type, place_of};

/// Something that needs a certain version, or that no version has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Requirement {
    /// The oldest version that has it; none when no version does.
    pub version: Option<Version>,
    /// What it is, as the text would call it: `f8E4M3`, `stablehlo.tan`.
    pub what: String,
    /// The op that it was met at first.
    pub op: OpId,
    /// Where at the op: `argument 0 of @main`.
    pub place: String,
    /// At how many further places the same thing was met.
    pub more: usize,
}

impl Requirement {
    /// Whether artifacts of version `target` can hold it.
    pub fn allows(&self, target: Version) -> bool {
        self.version.is_some_and(|version| version <= target.release())
    }

    /// The refusal to write it for `target`.
    pub fn diagnostic(&self, module: &Module, target: Version) -> Diagnostic {
        let span = module.name_span(self.op);
        let more = match self.more {
            0 => String::new(),
            1 => ", and at one more place".to_owned(),
            n => format!(", and at {n} more places"),
        };
        let (what, place) = (&self.what, &self.place);
        match self.version {
            Some(version) => {
                let message = format!("{what} needs {version}, target is {target}, at {place}{more}");
                Diagnostic::error("vhlo/needs-newer-version", span, message)
                    .with_help(format!("target {version} or newer"))
            }
            None => {
                let message = format!("no version of StableHLO's portable artifacts has {what}, at {place}{more}");
                Diagnostic::error("vhlo/not-portable", span, message)
            }
        }
    }
}

/// The oldest version that a module with these requirements can be written for; none when there is none.
pub fn oldest_version(requirements: &[Requirement]) -> Option<Version> {
    requirements.iter().try_fold(Version::MINIMUM, |oldest, requirement| Some(oldest.max(requirement.version?)))
}

/// Everything in the module that some version cannot hold, in the order of the text; what every version has is not listed.
///
/// The same thing at many places is listed once.
pub fn requirements(module: &Module) -> Vec<Requirement> {
    let mut collector = Collector {
        module,
        types: vec![None; module.type_ids().count()],
        attrs: vec![None; module.attr_ids().count()],
        found: FxHashMap::default(),
        list: Vec::new(),
    };
    module.walk(module.top(), |op| collector.op(op));
    collector.list
}

/// Why something is listed: places with the same reason are one entry.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Reason {
    Part(Culprit),
    /// The form of this number of an op, by the step to it; 0 for the op itself.
    Form(OpKind, usize, &'static str),
    Demand(OpKind, Version),
    Op(OpName),
}

struct Collector<'m> {
    module: &'m Module,
    types: Vec<Option<Need>>,
    attrs: Vec<Option<Need>>,
    found: FxHashMap<Reason, usize>,
    list: Vec<Requirement>,
}

impl Collector<'_> {
    fn add(
        &mut self,
        reason: Reason,
        version: Option<Version>,
        op: OpId,
        what: impl FnOnce(&Module) -> String,
        place: impl FnOnce(&Module) -> String,
    ) {
        if version.is_some_and(|version| version <= Version::MINIMUM) {
            return;
        }
        match self.found.get(&reason) {
            Some(index) => self.list[*index].more += 1,
            None => {
                self.found.insert(reason, self.list.len());
                let (what, place) = (what(self.module), place(self.module));
                self.list.push(Requirement { version, what, op, place, more: 0 });
            }
        }
    }

    fn need(&mut self, need: Need, op: OpId, place: impl FnOnce(&Module) -> String) {
        let (version, part) = match need {
            Need::Nothing => return,
            Need::Version(version, part) => (Some(version), part),
            Need::Never(part) => (None, part),
        };
        let what = |module: &Module| match part {
            Culprit::Type(ty) => describe_type(module, ty, version.is_some()),
            Culprit::Attr(attr) => describe_attr(module, attr, version.is_some()),
        };
        self.add(Reason::Part(part), version, op, what, place);
    }

    // ---------------------------------------------------------------- ops

    fn op(&mut self, op: OpId) {
        let module = self.module;
        let name = module.op(op).name();
        let place = move |module: &Module| place_of(module, op);
        let Some((kind, history)) = versioned(module, op) else {
            self.foreign(op, name);
            return;
        };
        let what = |module: &Module| format!("`{}`", module.op_name(op));
        self.add(Reason::Form(kind, 0, ""), Some(history.since), op, what, place);
        self.steps(op, kind, history);
        for demand in history.demands {
            if !(demand.holds)(module, op) {
                let what = |module: &Module| format!("`{}` with {}", module.op_name(op), demand.unless);
                self.add(Reason::Demand(kind, demand.since), Some(demand.since), op, what, place);
            }
        }
        self.attributes(op, kind, history);
        for (index, value) in module.operands(op).iter().enumerate() {
            let need = self.ty(module.value_type(*value));
            self.need(need, op, |module| format!("operand {index} of {}", place_of(module, op)));
            if is_rewritten(module, *value) && versioned_value(module, *value) == Some(false) {
                let reason = module.defining_op(*value).unwrap_or(op);
                self.mixed(reason, op);
            }
        }
        for (index, value) in module.results(op).iter().enumerate() {
            let need = self.ty(module.value_type(value));
            self.need(need, op, |module| format!("result {index} of {}", place_of(module, op)));
        }
        // Versions of block arguments' types are not looked at: they show at what uses them.
        for (block, index) in arguments(module, op) {
            let need = self.ty(module.value_type(module.block(block).arguments[index])).only_never();
            self.need(need, op, |module| format!("argument {index} of a region of {}", place_of(module, op)));
        }
    }

    /// An op that is not written as VHLO: it stays as it is, if no value goes between it and those that are.
    fn foreign(&mut self, op: OpId, name: OpName) {
        let module = self.module;
        let is_func = module.op_name(op).starts_with("func.");
        let is_cast = module.kind(op) == Some(OpKind::UnrealizedConversionCast);
        let takes_versioned =
            |value: &ValueId| is_rewritten(module, *value) && versioned_value(module, *value) == Some(true);
        if is_func || is_cast || module.operands(op).iter().any(takes_versioned) {
            let what = |module: &Module| format!("`{}`", module.op_name(op));
            self.add(Reason::Op(name), None, op, what, |module| place_of(module, op));
        }
    }

    /// `op` gives a value to `user`, which is written as VHLO.
    fn mixed(&mut self, op: OpId, user: OpId) {
        let what = |module: &Module| format!("`{}`", module.op_name(op));
        let place = |module: &Module| place_of(module, user);
        self.add(Reason::Op(self.module.op(op).name()), None, op, what, place);
    }

    /// What the op uses of newer forms.
    fn steps(&mut self, op: OpId, kind: OpKind, history: &'static History) {
        let module = self.module;
        let place = move |module: &Module| place_of(module, op);
        for (number, step) in history.steps.iter().enumerate() {
            for change in step.changes {
                let what = match change {
                    Change::Attributes(names) => {
                        for name in *names {
                            if !is_neutral(module, op, kind, name) {
                                let reason = Reason::Form(kind, number + 1, name);
                                let what = |module: &Module| format!("`{name}` of `{}`", module.op_name(op));
                                self.add(reason, Some(step.since), op, what, place);
                            }
                        }
                        continue;
                    }
                    Change::OperandList if module.operands(op).len() == 1 => continue,
                    Change::OperandList => "operands other than one",
                    Change::Regions if module.regions(op).is_empty() => continue,
                    Change::Regions => "regions",
                    Change::PaddingOperand if has_rank(module, op) => continue,
                    Change::PaddingOperand => "an operand without rank",
                };
                let describe = |module: &Module| format!("`{}` with {what}", module.op_name(op));
                self.add(Reason::Form(kind, number + 1, what), Some(step.since), op, describe, place);
            }
        }
    }

    fn attributes(&mut self, op: OpId, kind: OpKind, history: &'static History) {
        let module = self.module;
        let spec = kind.spec();
        let newer = |name: &str| {
            let steps = history.steps.iter().flat_map(|step| step.changes);
            steps.into_iter().any(|change| matches!(change, Change::Attributes(names) if names.contains(&name)))
        };
        for (slot, value) in module.properties(op).iter().enumerate() {
            let attr = &spec.attributes[slot];
            let Some(value) = *value else {
                if history.absent.contains(&(attr.name, Absent::Refused)) {
                    let what = |module: &Module| format!("`{}` without `{}`", module.op_name(op), attr.name);
                    self.add(Reason::Form(kind, 0, attr.name), None, op, what, |module| place_of(module, op));
                }
                continue;
            };
            let need = match fields_of(spec, slot) {
                Some(fields) => self.fields(value, fields),
                // An attribute that an older form leaves out asks for nothing more than the newer form.
                None if newer(attr.name) && is_neutral(module, op, kind, attr.name) => self.attr(value).only_never(),
                // A unit is written as a truth value.
                None if is_unit(module, value) && !history.foreign.contains(&attr.name) => Need::Nothing,
                None => self.attr(value),
            };
            self.need(need, op, |module| at_attribute(module, op, attr.name, need));
        }
        if let Some(Attribute::Dictionary(entries)) = module.op(op).attributes().map(|attr| module.attr(attr)) {
            for (name, value) in entries {
                let need = self.attr(*value);
                self.need(need, op, |module| at_attribute(module, op, module.str(*name), need));
            }
        }
    }

    /// Fields are numbers, lists of numbers, truth values and types.
    fn fields(&mut self, value: AttrId, fields: Fields) -> Need {
        let Some(parts) = take_apart(self.module.attr(value), fields) else {
            return Need::Never(Culprit::Attr(value));
        };
        parts.iter().fold(Need::Nothing, |need, part| match part {
            Part::Type(ty) => need.and(self.ty(*ty)),
            Part::Int(_) | Part::Dims(_) | Part::Bool(_) => need,
        })
    }
}

/// The op's kind and history, if it is written as VHLO.
fn versioned(module: &Module, op: OpId) -> Option<(OpKind, &'static History)> {
    let kind = module.kind(op)?;
    Some((kind, history(kind.spec())?))
}

/// Whether a value is defined by an op that is written as VHLO or is an argument of its regions.
fn versioned_value(module: &Module, value: ValueId) -> Option<bool> {
    let op = match module.definition(value) {
        ValueDef::Result { op, .. } => op,
        ValueDef::Argument { block, .. } => module.region_parent(module.block(block).parent())?,
    };
    Some(module.kind(op).is_some_and(|kind| !forms(kind).is_empty()))
}

/// Whether the type of a value is another one in VHLO.
fn is_rewritten(module: &Module, value: ValueId) -> bool {
    let ty = module.value_type(value);
    !matches!(module.ty(ty), Type::Opaque { .. }) || codes::type_of(module, ty).is_some()
}

fn arguments(module: &Module, op: OpId) -> impl Iterator<Item = (BlockId, usize)> + '_ {
    let blocks = module.regions(op).iter().flat_map(|region| module.blocks(*region)).copied();
    blocks.flat_map(|block| (0..module.block(block).arguments.len()).map(move |index| (block, index)))
}

fn is_unit(module: &Module, attr: AttrId) -> bool {
    matches!(module.attr(attr), Attribute::Unit)
}

fn has_rank(module: &Module, op: OpId) -> bool {
    module.operands(op).first().is_some_and(|lhs| module.tensor(module.value_type(*lhs)).is_some())
}

/// Whether the attribute that VHLO calls `name` has the value that older forms, which lack it, mean.
fn is_neutral(module: &Module, op: OpId, kind: OpKind, name: &str) -> bool {
    let Some(form) = forms(kind).last() else {
        return true;
    };
    let Some(attr) = form.attributes.iter().find(|attr| attr.name == name) else {
        return true;
    };
    match attr.source {
        Source::ZeroPadding => true,
        Source::Slot(slot) => match module.properties(op).get(slot).copied().flatten() {
            None => true,
            Some(value) => is_neutral_value(module.attr(value)),
        },
        Source::Part(slot, part) => match module.properties(op).get(slot).copied().flatten() {
            None => true,
            Some(value) => {
                let parts = fields_of(kind.spec(), slot).and_then(|fields| take_apart(module.attr(value), fields));
                matches!(parts.as_ref().map(|parts| &parts[part]), Some(Part::Dims(dims)) if dims.is_empty())
            }
        },
    }
}

fn is_neutral_value(value: &Attribute) -> bool {
    match value {
        Attribute::Array(values) => values.is_empty(),
        Attribute::DenseElements(DenseElements { data, .. }) => data.is_empty(),
        Attribute::DenseI64Array(values) => values.is_empty(),
        Attribute::ResultAccuracy(accuracy) => {
            accuracy.mode == ResultAccuracyMode::Default
                && accuracy.ulps == 0
                && accuracy.atol.get() == 0.0
                && accuracy.rtol.get() == 0.0
        }
        Attribute::Integer { value, .. } => *value == 0,
        _ => false,
    }
}
