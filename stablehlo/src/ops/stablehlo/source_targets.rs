//! `source_target_pairs`: who sends to whom.

use super::replica_groups::{MOST, input_fault};
use crate::verify::{Cx, Fault, Integers, Place, Verdict, ensure};

const NAME: &str = "source_target_pairs";

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(message).at(Place::Attr(NAME))
}

/// Numbers and shape.
type Table<'m> = (Vec<i64>, &'m [i64]);

/// The numbers of the table, row after row; none when the attribute is absent or the table is empty.
fn pairs<'m>(cx: &Cx<'m>) -> Result<Option<Table<'m>>, Fault> {
    let Some(integers) = cx.module.property(cx.op, NAME).and_then(|attr| Integers::of(cx.module, attr)) else {
        return Ok(None);
    };
    let numbers = integers.to_vec(MOST).ok_or_else(|| fault(format!("{NAME} has more than {MOST} entries")))?;
    Ok((!numbers.is_empty()).then_some((numbers, integers.shape)))
}

/// The table has two columns.
pub(super) fn two_columns(cx: &Cx<'_>) -> Verdict {
    let Some((_, shape)) = pairs(cx)? else {
        return Ok(());
    };
    ensure(shape.len() == 2, || input_fault(cx, NAME, format!("{NAME} must have 2 dimensions, got {}", shape.len())))?;
    ensure(shape[1] == 2, || fault(format!("{NAME} must have shape [N, 2], got {}", super::dims::show(shape))))
}

/// No source twice.
pub(super) fn sources_differ(cx: &Cx<'_>) -> Verdict {
    column_differs(cx, 0, "source")
}

/// No target twice.
pub(super) fn targets_differ(cx: &Cx<'_>) -> Verdict {
    column_differs(cx, 1, "target")
}

fn column_differs(cx: &Cx<'_>, column: usize, what: &str) -> Verdict {
    let Some((numbers, _)) = pairs(cx)? else {
        return Ok(());
    };
    let mut seen = rustc_hash::FxHashSet::default();
    match numbers.iter().skip(column).step_by(2).find(|id| !seen.insert(**id)) {
        None => Ok(()),
        Some(id) => Err(fault(format!("process {id} is a {what} twice in {NAME}"))),
    }
}

/// No number is negative.
pub(super) fn not_negative(cx: &Cx<'_>) -> Verdict {
    let Some((numbers, _)) = pairs(cx)? else {
        return Ok(());
    };
    match numbers.iter().find(|id| **id < 0) {
        None => Ok(()),
        Some(id) => Err(fault(format!("the processes in {NAME} must not be negative, got {id}"))),
    }
}
