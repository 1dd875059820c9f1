//! Attributes that ops did not always have.
//!
//! Properties of ops in bytecode of their own dialects have no version: a file holds exactly the attributes that the release
//! of StableHLO knew which wrote it.

use crate::ops::OpKind;
use crate::vhlo::Version;
use crate::vhlo::history::{Change, Vhlo};

/// Attributes younger than their ops in dialects of which portable artifacts have no record, and the version of the release
/// that had them first.
const OTHERS: &[(OpKind, &str, Version)] = &[(OpKind::TopK, "is_stable", Version::new(1, 20, 0))];

/// Attributes that a kind of op did not always have, from the oldest to the youngest, and the versions that brought them.
pub(super) fn younger_attributes(kind: OpKind) -> impl Iterator<Item = (&'static str, Version)> {
    let steps = match kind.spec().vhlo {
        Vhlo::History(history) => history.steps,
        Vhlo::Usual => &[],
    };
    let names = |change: &'static Change| match change {
        Change::Attributes(names) => *names,
        _ => &[],
    };
    let changes =
        steps.iter().flat_map(move |step| step.changes.iter().flat_map(names).map(|name| (*name, step.since)));
    let others = OTHERS.iter().filter(move |(other, ..)| *other == kind).map(|(_, name, since)| (*name, *since));
    changes.chain(others)
}
