//! Replica groups: which processes work together, as a table of ids or as axes of a mesh.

use crate::ir::Attribute;
use crate::verify::{Cx, Fault, Integers, Place, Verdict, ensure};

/// No grid of processes is larger.
pub(super) const MOST: usize = 1 << 22;

const NAME: &str = "replica_groups";

/// Rows of process ids; rows of unequal length are filled up with -1.
pub(super) struct Table {
    ids: Vec<i64>,
    /// How many groups there are.
    pub(super) groups: i64,
    /// How many ids each row has.
    pub(super) size: i64,
}

pub(super) const UNIQUE: &str = "No process belongs to two groups, or to one twice.";
pub(super) const SIZE: &str =
    "Every process belongs to a group: there are as many ids as replicas, or as processes with use_global_device_ids.";
pub(super) const SIZE_WHY: &str = "the number of processes is known only when the program runs";
pub(super) const RANGE: &str = "The ids are 0, 1, 2 and so on without a gap.";
pub(super) const CHANNEL: &str = "use_global_device_ids needs a channel whose handle is positive.";

/// A complaint about the attribute `name` as an input, before any rule of the op.
pub(super) fn input_fault(cx: &Cx<'_>, name: &'static str, message: String) -> Fault {
    let fault = Fault::new(message).at(Place::Attr(name));
    match cx.module.kind(cx.op).and_then(|kind| kind.spec().attribute_code(name)) {
        Some(code) => fault.code(code),
        None => fault,
    }
}

fn fault(message: impl Into<String>) -> Fault {
    Fault::new(message).at(Place::Attr(NAME))
}

/// Reads the table; none when the groups are given by axes of a mesh.
pub(super) fn table(cx: &Cx<'_>) -> Result<Option<Table>, Fault> {
    let Some(attr) = cx.module.property(cx.op, NAME) else {
        return Ok(None);
    };
    if let Attribute::ReplicaGroupMeshAxes { mesh, .. } = cx.module.attr(attr) {
        let missing = cx.module.flat_symbol(*mesh).filter(|symbol| cx.symbol(symbol).is_none());
        return match missing {
            None => Ok(None),
            Some(symbol) => {
                Err(fault(format!("{NAME} names the mesh `@{symbol}`, which is not defined")).code("symbol/undefined"))
            }
        };
    }
    let Some(integers) = Integers::of(cx.module, attr) else {
        return Ok(None);
    };
    let [groups, size] = *integers.shape else {
        let message =
            format!("{NAME} must have 2 dimensions, groups and their processes, got {}", integers.shape.len());
        return Err(input_fault(cx, NAME, message));
    };
    let ids = integers.to_vec(MOST).ok_or_else(|| fault(format!("{NAME} has more than {MOST} entries")))?;
    Ok(Some(Table { ids, groups, size }))
}

/// No id occurs twice; -1 only fills up rows of unequal length.
pub(super) fn unique(cx: &Cx<'_>) -> Verdict {
    let Some(table) = table(cx)? else {
        return Ok(());
    };
    let mut seen = rustc_hash::FxHashSet::default();
    match table.ids.iter().find(|id| **id != -1 && !seen.insert(**id)) {
        None => Ok(()),
        Some(id) => Err(fault(format!("process {id} occurs twice in {NAME}"))),
    }
}

/// There is no gap among the ids, and all groups have one size: no row is filled up.
pub(super) fn contiguous_and_uniform(cx: &Cx<'_>) -> Verdict {
    let filled = table(cx)?.is_some_and(|table| table.ids.contains(&-1));
    ensure(!filled, || fault(format!("all groups of {NAME} must have the same size, got the process -1")))?;
    contiguous(cx)
}

/// There is no gap among the ids.
pub(super) fn contiguous(cx: &Cx<'_>) -> Verdict {
    let Some(table) = table(cx)? else {
        return Ok(());
    };
    let ids: rustc_hash::FxHashSet<i64> = table.ids.iter().copied().filter(|id| *id != -1).collect();
    let wanted = 0..ids.len() as i64;
    match wanted.clone().find(|id| !ids.contains(id)) {
        None => Ok(()),
        Some(missing) => {
            let message =
                format!("{NAME} must hold every process from 0 to {}, but {missing} is missing", wanted.end - 1);
            Err(fault(message))
        }
    }
}

/// Ids are not negative, not even to fill up rows.
pub(super) fn not_negative(cx: &Cx<'_>) -> Verdict {
    let Some(table) = table(cx)? else {
        return Ok(());
    };
    match table.ids.iter().find(|id| **id < 0) {
        None => Ok(()),
        Some(id) => Err(fault(format!("the processes in {NAME} must not be negative, got {id}"))),
    }
}

/// Global device ids need a channel, and processes.
pub(super) fn channel(cx: &Cx<'_>) -> Verdict {
    if cx.module.property(cx.op, "use_global_device_ids").is_none() {
        return Ok(());
    }
    let handle = cx.module.property(cx.op, "channel_handle").map(|attr| cx.module.attr(attr));
    let handle = match handle {
        Some(Attribute::ChannelHandle { handle, .. }) => *handle,
        _ => 0,
    };
    ensure(handle > 0, || {
        Fault::new(format!("use_global_device_ids needs a channel with a positive handle, got {handle}"))
            .at(Place::Attr("channel_handle"))
    })?;
    let empty = table(cx)?.is_some_and(|table| table.ids.is_empty());
    ensure(!empty, || fault(format!("{NAME} must not be empty with use_global_device_ids")))
}
