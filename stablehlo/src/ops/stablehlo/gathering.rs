//! Collectives that move whole slices between processes: `all_gather`, `all_to_all`, `collective_broadcast`,
//! `collective_permute`.

use super::dims::{self, bounded, compatible, same_shape_except, size_at};
use super::{replica_groups, source_targets};
use crate::element::ElementType;
use crate::ir::{DYNAMIC, Shape, ValueId};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};
use crate::vhlo::history::{Change, History, Step};

op! {
    /// The operands of all processes of a group, one after the other.
    pub struct AllGather = "stablehlo" "all_gather";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 all_gather_dim: I64;
        required I3 replica_groups: ReplicaGroups;
        optional I4 channel_handle: ChannelHandle;
        optional I5 use_global_device_ids: Unit;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Concatenates the operands of all processes of a group along `all_gather_dim`",
        anchor: "all_gather",
        constraints: &[
            Constraint {
                label: "C1",
                text: "all_gather_dim is a dimension of every operand.",
                check: Check::Fn(all_gather_c1_dim),
            },
            Constraint { label: "C2", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint { label: "C3", text: replica_groups::SIZE, check: Check::Runtime(replica_groups::SIZE_WHY) },
            Constraint { label: "C4", text: replica_groups::RANGE, check: Check::Fn(replica_groups::contiguous_and_uniform) },
            Constraint { label: "C5", text: replica_groups::CHANNEL, check: Check::Fn(replica_groups::channel) },
            Constraint {
                label: "C6",
                text: "Each result has its operand's type, except that dimension all_gather_dim is as many times larger as there are processes in a group.",
                check: Check::Fn(all_gather_c6_results),
            },
        ],
        vhlo: History::USUAL.steps(&[Step::new(1, 5, &[Change::OperandList])]).declared(),
    }
}

op! {
    /// Every process sends a part to every other one of its group.
    pub struct AllToAll = "stablehlo" "all_to_all";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 split_dimension: I64;
        required I3 concat_dimension: I64;
        required I4 split_count: I64;
        required I5 replica_groups: ReplicaGroups;
        optional I6 channel_handle: ChannelHandle;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Splits the operands along `split_dimension`, exchanges the parts inside a group and concatenates them along `concat_dimension`",
        anchor: "all_to_all",
        constraints: &[
            Constraint {
                label: "C4",
                text: "split_count is positive.",
                check: Check::Fn(all_to_all_c4_count),
            },
            Constraint {
                label: "C1",
                text: "split_dimension is a dimension of every operand.",
                check: Check::Fn(all_to_all_c1_split),
            },
            Constraint {
                label: "C2",
                text: "The size of dimension split_dimension of every operand is a multiple of split_count.",
                check: Check::Fn(all_to_all_c2_divides),
            },
            Constraint {
                label: "C3",
                text: "concat_dimension is a dimension of every operand.",
                check: Check::Fn(all_to_all_c3_concat),
            },
            Constraint { label: "C5", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint {
                label: "C6",
                text: "Every replica, or every partition when there is a channel, belongs to a group.",
                check: Check::Runtime(replica_groups::SIZE_WHY),
            },
            Constraint { label: "C7", text: replica_groups::RANGE, check: Check::Fn(replica_groups::contiguous_and_uniform) },
            Constraint {
                label: "C8",
                text: "Every group has split_count processes.",
                check: Check::Fn(all_to_all_c8_group_size),
            },
            Constraint {
                label: "C9",
                text: "Each result has its operand's type, except that dimension split_dimension is split_count times smaller and dimension concat_dimension split_count times larger, if the two differ.",
                check: Check::Fn(all_to_all_c9_results),
            },
        ],
        infer: Infer::Fn(infer_all_to_all),
        vhlo: History::USUAL.steps(&[Step::new(1, 5, &[Change::OperandList])]).declared(),
    }
}

op! {
    /// One process's operands for all of its group.
    pub struct CollectiveBroadcast = "stablehlo" "collective_broadcast";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional I4 has_dynamic_root: Unit;
    }
    results { many results: TENSOR; }
    regions {}
    spec {
        summary: "Gives all processes of a group the operands of one of them",
        anchor: "collective_broadcast",
        constraints: &[
            Constraint { label: "C1", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint {
                label: "C2",
                text: "The ids are not negative and less than the number of replicas, or of partitions when there is a channel.",
                check: Check::Fn(replica_groups::not_negative),
            },
            Constraint {
                label: "C3",
                text: "Without has_dynamic_root there is at least one operand, and each result has its operand's type.",
                check: Check::Fn(broadcast_c3_static_root),
            },
            Constraint {
                label: "C4",
                text: "With has_dynamic_root there are at least two operands; the last one names a root for each of the others, as i32, and each result has its operand's type.",
                check: Check::Fn(broadcast_c4_dynamic_root),
            },
            Constraint {
                label: "C5",
                text: "There is one result per operand, not counting the last one with has_dynamic_root.",
                check: Check::With("C3"),
            },
            Constraint {
                label: "C6",
                text: "The roots are positions in a group: not negative and less than its size.",
                check: Check::Runtime("the roots are computed by the program"),
            },
        ],
        infer: Infer::Fn(infer_broadcast),
        vhlo: History::since(0, 16)
            .steps(&[Step::new(1, 20, &[Change::OperandList, Change::Attributes(&["has_dynamic_root"])])])
            .declared(),
    }
}

op! {
    /// Operands handed on from source to target processes.
    pub struct CollectivePermute = "stablehlo" "collective_permute";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 source_target_pairs: I64Elements;
        optional I3 channel_handle: ChannelHandle;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sends `operand` from each source process to its target; processes that receive nothing get zeros",
        anchor: "collective_permute",
        constraints: &[
            Constraint {
                label: "C1",
                text: "source_target_pairs has two columns: sources and targets.",
                check: Check::Fn(source_targets::two_columns),
            },
            Constraint {
                label: "C2",
                text: "No process is the source twice.",
                check: Check::Fn(source_targets::sources_differ),
            },
            Constraint {
                label: "C3",
                text: "No process is the target twice.",
                check: Check::Fn(source_targets::targets_differ),
            },
            Constraint {
                label: "C4",
                text: "The processes are not negative and less than the number of replicas, or of partitions when there is a channel.",
                check: Check::Fn(source_targets::not_negative),
            },
            Constraint {
                label: "C5",
                text: "The result has the operand's type.",
                check: Check::Fn(permute_c5_result),
            },
        ],
        infer: Infer::Fn(infer_permute),
    }
}

/// Passes when `dim` is a dimension of every operand.
fn is_dimension(cx: &Cx<'_>, name: &'static str, dim: i64) -> Verdict {
    for (index, operand) in cx.module.operands(cx.op).iter().enumerate() {
        let rank = cx.rank(*operand);
        dims::dimension(name, dim, rank, format_args!("operand #{index}"))
            .map_err(|fault| fault.label(Place::Operand(index), format!("has rank {rank}")))?;
    }
    Ok(())
}

/// Passes when there is one result per operand, of the same element type.
fn pairs_with_results(cx: &Cx<'_>, operands: &[ValueId]) -> Verdict {
    let results = cx.module.results(cx.op);
    ensure(operands.len() == results.len(), || {
        Fault::new(format!("expected one result per operand, {}, got {}", operands.len(), results.len()))
    })?;
    for index in 0..operands.len() {
        cx.same_element_type(&[Place::Operand(index), Place::Result(index)])?;
    }
    Ok(())
}

fn all_gather_c1_dim(cx: &Cx<'_>) -> Verdict {
    is_dimension(cx, "all_gather_dim", AllGather::new(cx.module, cx.op).all_gather_dim())
}

fn all_gather_c6_results(cx: &Cx<'_>) -> Verdict {
    let op = AllGather::new(cx.module, cx.op);
    pairs_with_results(cx, op.operands())?;
    let dim = op.all_gather_dim();
    for (index, (operand, result)) in op.operands().iter().zip(op.results()).enumerate() {
        let (from, to) = (cx.shape(*operand), cx.shape(result));
        let place = Place::Result(index);
        same_shape_except(from, to, dim).map_err(|fault| fault.at(place))?;
        let (part, whole) = (size_at(from, dim), size_at(to, dim));
        ensure(part != 0, || {
            Fault::new(format!("the size of dimension {dim} of operand #{index} must not be 0"))
                .at(Place::Operand(index))
        })?;
        ensure(part == DYNAMIC || whole == DYNAMIC || whole % part == 0, || {
            let message =
                format!("dimension {dim} of the result must be a multiple of the operand's {part}, got {whole}");
            Fault::new(message).at(place)
        })?;
    }
    Ok(())
}

fn all_to_all_c1_split(cx: &Cx<'_>) -> Verdict {
    is_dimension(cx, "split_dimension", AllToAll::new(cx.module, cx.op).split_dimension())
}

fn all_to_all_c2_divides(cx: &Cx<'_>) -> Verdict {
    let op = AllToAll::new(cx.module, cx.op);
    for (index, operand) in op.operands().iter().enumerate() {
        let size = size_at(cx.shape(*operand), op.split_dimension());
        ensure(size == DYNAMIC || size % op.split_count() == 0, || {
            let (dim, count) = (op.split_dimension(), op.split_count());
            let message = format!("the size of dimension {dim} must be a multiple of split_count {count}, got {size}");
            Fault::new(message).at(Place::Operand(index)).label(Place::Attr("split_count"), "must divide the size")
        })?;
    }
    Ok(())
}

fn all_to_all_c3_concat(cx: &Cx<'_>) -> Verdict {
    is_dimension(cx, "concat_dimension", AllToAll::new(cx.module, cx.op).concat_dimension())
}

fn all_to_all_c4_count(cx: &Cx<'_>) -> Verdict {
    let count = AllToAll::new(cx.module, cx.op).split_count();
    ensure(count > 0, || {
        Fault::new(format!("split_count must be positive, got {count}")).at(Place::Attr("split_count"))
    })
}

fn all_to_all_c8_group_size(cx: &Cx<'_>) -> Verdict {
    let count = AllToAll::new(cx.module, cx.op).split_count();
    let Some(table) = replica_groups::table(cx)? else {
        return Ok(());
    };
    ensure(table.groups > 0 && table.size == count, || {
        let found = if table.groups == 0 { "no group".to_owned() } else { table.size.to_string() };
        Fault::new(format!("every group must have split_count {count} processes, got {found}"))
            .at(Place::Attr("replica_groups"))
    })
}

fn all_to_all_c9_results(cx: &Cx<'_>) -> Verdict {
    pairs_with_results(cx, cx.module.operands(cx.op))?;
    cx.check_results(&infer_all_to_all(cx)?)
}

fn infer_all_to_all(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = AllToAll::new(cx.module, cx.op);
    let count = op.split_count();
    let change = |sizes: &mut Shape| {
        let (Ok(split), Ok(concat)) = (usize::try_from(op.split_dimension()), usize::try_from(op.concat_dimension()))
        else {
            return;
        };
        if let Some(size) = sizes.get_mut(split).filter(|size| **size != DYNAMIC && count > 0) {
            *size /= count;
        }
        if let Some(size) = sizes.get_mut(concat).filter(|size| **size != DYNAMIC) {
            *size = size.saturating_mul(count);
        }
    };
    let infer = |operand: &ValueId| {
        let mut shape = Shape::from_slice(cx.shape(*operand));
        let mut bounds = Shape::from_slice(cx.bounds(*operand));
        change(&mut shape);
        change(&mut bounds);
        bounded(shape, bounds, Some(cx.element_type(*operand)))
    };
    Ok(op.operands().iter().map(infer).collect())
}

/// The operands that hold data, and the roots.
pub(super) fn split_roots(operands: &[ValueId], has_dynamic_root: bool) -> (&[ValueId], Option<ValueId>) {
    match operands.split_last() {
        Some((last, data)) if has_dynamic_root => (data, Some(*last)),
        _ => (operands, None),
    }
}

/// Passes when the last operand names a root for each other operand.
pub(super) fn check_roots(cx: &Cx<'_>) -> Verdict {
    let operands = cx.module.operands(cx.op);
    ensure(operands.len() >= 2, || {
        let found = operands.len();
        Fault::new(format!("has_dynamic_root needs at least two operands, data and their roots, got {found}"))
    })?;
    let (data, Some(roots)) = split_roots(operands, true) else {
        return Ok(());
    };
    let ty = cx.ty(roots);
    let place = Place::Operand(data.len());
    let is_vector = cx.module.element(ty) == Some(ElementType::I32) && cx.rank(roots) == 1;
    let wanted = data.len() as i64;
    ensure(is_vector && compatible(size_at(cx.shape(roots), 0), wanted), || {
        Fault::new(format!("the last operand must be tensor<{wanted}xi32>, one root per operand, got {}", cx.show(ty)))
            .at(place)
    })
}

fn broadcast_c3_static_root(cx: &Cx<'_>) -> Verdict {
    let op = CollectiveBroadcast::new(cx.module, cx.op);
    if op.has_dynamic_root().is_some() {
        return Ok(());
    }
    ensure(!op.operands().is_empty(), || Fault::new("expected at least one operand, got none"))?;
    check_broadcast_results(cx)
}

fn broadcast_c4_dynamic_root(cx: &Cx<'_>) -> Verdict {
    if CollectiveBroadcast::new(cx.module, cx.op).has_dynamic_root().is_none() {
        return Ok(());
    }
    check_roots(cx)?;
    check_broadcast_results(cx)
}

fn check_broadcast_results(cx: &Cx<'_>) -> Verdict {
    let inferred = infer_broadcast(cx)?;
    let found = cx.module.results(cx.op).len();
    ensure(found == inferred.len(), || {
        Fault::new(format!("expected one result per operand with data, {}, got {found}", inferred.len()))
            .code("collective_broadcast_c5")
    })?;
    cx.check_results(&inferred)
}

fn infer_broadcast(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = CollectiveBroadcast::new(cx.module, cx.op);
    let (data, _) = split_roots(op.operands(), op.has_dynamic_root().is_some());
    Ok(data.iter().map(|operand| Inferred::Type(cx.ty(*operand))).collect())
}

fn permute_c5_result(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Result(0)])?;
    cx.check_results(&infer_permute(cx)?)
}

fn infer_permute(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(vec![Inferred::Type(cx.ty(CollectivePermute::new(cx.module, cx.op).operand()))])
}
