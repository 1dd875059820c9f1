//! The forms of all ops, derived from their declarations.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Version;
use super::history::{Change, History, Step, Vhlo};
use super::parts::{Fields, fields};
use crate::ops::OpKind;
use crate::ops::spec::OpSpec;

/// A form of an op, such as `vhlo.gather_v2`.
#[derive(PartialEq, Debug)]
pub(crate) struct OpForm {
    /// The op that it is a form of. `return_v1` belongs to `stablehlo.return` here, though it ends functions too.
    pub(crate) kind: OpKind,
    /// `gather_v2`; made once and kept for as long as the program runs.
    pub(crate) name: &'static str,
    /// The version that brought it.
    pub(crate) since: Version,
    /// The version that brought the next form.
    pub(crate) until: Option<Version>,
    /// Its attributes as properties hold them: by name.
    pub(crate) attributes: Vec<FormAttr>,
}

/// An attribute of a form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct FormAttr {
    /// Its name in VHLO.
    pub(crate) name: &'static str,
    /// What it comes from.
    pub(crate) source: Source,
}

/// What an attribute of a form comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The whole attribute in this slot of the op's declaration.
    Slot(usize),
    /// One field of the attribute in this slot.
    Part(usize, usize),
    /// Zeros for padding: see [`Change::PaddingOperand`].
    ZeroPadding,
}

impl OpForm {
    /// The form called `mnemonic`, which includes the version.
    pub(crate) fn find(mnemonic: &str) -> Option<&'static OpForm> {
        let (kind, form) = *FORMS.by_name.get(mnemonic)?;
        forms(kind).get(form)
    }

    /// The form that `target` writes `kind` in; none when the version does not know the op or VHLO has no such op.
    pub(crate) fn at(kind: OpKind, target: Version) -> Option<&'static OpForm> {
        forms(kind).iter().rev().find(|form| form.since <= target)
    }

    /// Names of the properties in the order of files.
    pub(crate) fn properties(&self) -> impl ExactSizeIterator<Item = &'static str> + '_ {
        self.attributes.iter().map(|attr| attr.name)
    }
}

/// All forms of an op, oldest first; none for ops that VHLO does not know.
pub(crate) fn forms(kind: OpKind) -> &'static [OpForm] {
    FORMS.of.get(kind as usize).map_or(&[], Vec::as_slice)
}

/// The history of an op that VHLO knows.
pub(crate) fn history(spec: &'static OpSpec) -> Option<&'static History> {
    match &spec.vhlo {
        Vhlo::History(history) => Some(history),
        Vhlo::Usual if spec.dialect == "stablehlo" => Some(&History::USUAL),
        Vhlo::Usual => None,
    }
}

struct Forms {
    of: Vec<Vec<OpForm>>,
    by_name: FxHashMap<&'static str, (OpKind, usize)>,
}

static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let mut forms = Forms { of: Vec::with_capacity(OpKind::ALL.len()), by_name: FxHashMap::default() };
    for kind in OpKind::ALL {
        forms.of.push(history(kind.spec()).map_or_else(Vec::new, |history| derive(*kind, history)));
    }
    for kind in OpKind::ALL {
        // `return_v1` is found as `stablehlo.return`; what stands around it tells whether it is `func.return`.
        if *kind == OpKind::FuncReturn {
            continue;
        }
        for (number, form) in forms.of[*kind as usize].iter().enumerate() {
            forms.by_name.insert(form.name, (*kind, number));
        }
    }
    forms
});

/// The fields that the attribute in `slot` is written as; none when it is written whole.
pub(crate) fn fields_of(spec: &'static OpSpec, slot: usize) -> Option<Fields> {
    spec.attributes.get(slot).and_then(|attr| fields(attr.kind, attr.presence))
}

/// The forms that follow from a history: the newest has all attributes, older ones lack what steps added.
fn derive(kind: OpKind, history: &'static History) -> Vec<OpForm> {
    let spec = kind.spec();
    let newest = all_attributes(spec, history);
    let since = std::iter::once(history.since).chain(history.steps.iter().map(|step| step.since));
    since
        .enumerate()
        .map(|(number, since)| {
            let missing = &history.steps[number..];
            let mut attributes: Vec<_> = newest.iter().copied().filter(|attr| !added(missing, attr.name)).collect();
            let changes = missing.iter().flat_map(|step| step.changes);
            if changes.into_iter().any(|change| *change == Change::PaddingOperand) {
                attributes.push(FormAttr { name: "padding", source: Source::ZeroPadding });
            }
            attributes.sort_by_key(|attr| attr.name);
            let name = Box::leak(format!("{}_v{}", spec.mnemonic, number + 1).into_boxed_str());
            OpForm { kind, name, since, until: missing.first().map(|step| step.since), attributes }
        })
        .collect()
}

fn added(steps: &[Step], name: &str) -> bool {
    steps
        .iter()
        .flat_map(|step| step.changes)
        .any(|change| matches!(change, Change::Attributes(names) if names.contains(&name)))
}

fn all_attributes(spec: &'static OpSpec, history: &'static History) -> Vec<FormAttr> {
    let mut all = Vec::new();
    for (slot, attr) in spec.attributes.iter().enumerate() {
        if history.foreign.contains(&attr.name) {
            continue;
        }
        match fields(attr.kind, attr.presence) {
            None => all.push(FormAttr { name: attr.name, source: Source::Slot(slot) }),
            Some(fields) => {
                let part = |(part, (name, _)): (usize, &(&'static str, _))| FormAttr {
                    name,
                    source: Source::Part(slot, part),
                };
                all.extend(fields.iter().enumerate().map(part));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Every versioned op of the table: its versions and the names of its attributes in order.
    ///
    /// The table lists what upstream's dialect declares; it was made from its sources and checked on its files.
    #[test]
    fn forms_are_those_of_the_table() {
        let table = include_str!("../../testdata/vhlo/vhlo_ops.tsv");
        let mut wanted = BTreeMap::new();
        for line in table.lines().skip(1) {
            let cells: Vec<_> = line.split('\t').collect();
            let names: Vec<_> = cells[4].split(' ').filter(|name| *name != "-").collect();
            wanted.insert(cells[0].to_owned(), (cells[1].to_owned(), cells[2].to_owned(), names.join(" ")));
        }
        let mut found = BTreeMap::new();
        for kind in OpKind::ALL {
            for form in forms(*kind) {
                // The table names the last version that had the form.
                let until = form.until.map_or_else(
                    || "current".to_owned(),
                    |next| match next.minor {
                        0 => format!("{next}"),
                        minor => Version::new(next.major, minor - 1, 0).to_string(),
                    },
                );
                let names: Vec<_> = form.properties().collect();
                found.insert(form.name.to_owned(), (form.since.to_string(), until, names.join(" ")));
            }
        }
        for (name, wanted) in &wanted {
            assert_eq!(found.get(name), Some(wanted), "{name}");
        }
        assert_eq!(found.len(), wanted.len());
    }

    #[test]
    fn forms_are_found_by_name_and_by_version() {
        assert_eq!(OpForm::find("gather_v2").map(|form| form.kind), Some(OpKind::Gather));
        assert_eq!(OpForm::find("return_v1").map(|form| form.kind), Some(OpKind::Return));
        assert!(OpForm::find("gather_v3").is_none());
        let at =
            |kind, version: (u32, u32)| OpForm::at(kind, Version::new(version.0, version.1, 0)).map(|form| form.name);
        assert_eq!(at(OpKind::Gather, (1, 0)), Some("gather_v1"));
        assert_eq!(at(OpKind::Gather, (1, 1)), Some("gather_v2"));
        assert_eq!(at(OpKind::Tan, (1, 3)), None);
        assert_eq!(at(OpKind::FuncReturn, (0, 9)), Some("return_v1"));
        assert_eq!(at(OpKind::CallIndirect, (1, 20)), None);
    }
}
