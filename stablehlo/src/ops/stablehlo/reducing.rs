//! Collectives that compute: `all_reduce`, `reduce_scatter`, `collective_reduce` and the old `cross-replica-sum`.

use super::computation::{Reduction, accumulator_elements, check_reducer};
use super::dims::{self, check_result_shapes, same_shape_except, same_sizes, show, size_at};
use super::gathering::{check_roots, split_roots};
use super::replica_groups;
use crate::ir::{DYNAMIC, ValueId};
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Numerics, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_elements, ensure};
use crate::vhlo::history::{Change, EQUAL_ELEMENT_TYPES, History, Step};

const COMPUTATION: &str =
    "computation takes two tensor<E> and returns one, where the operands' element type is E or can be promoted to E.";

op! {
    /// A reduction over the processes of a group, everywhere.
    pub struct AllReduce = "stablehlo" "all_reduce";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional I4 use_global_device_ids: Unit;
    }
    results { many results: TENSOR; }
    regions { one I5 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and gives every process the result",
        anchor: "all_reduce",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint { label: "C1", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint { label: "C2", text: replica_groups::SIZE, check: Check::Runtime(replica_groups::SIZE_WHY) },
            Constraint { label: "C3", text: replica_groups::RANGE, check: Check::Fn(replica_groups::contiguous) },
            Constraint { label: "C4", text: replica_groups::CHANNEL, check: Check::Fn(replica_groups::channel) },
            Constraint { label: "C5", text: COMPUTATION, check: Check::Fn(check_computation) },
            Constraint {
                label: "C6",
                text: "There is one result per operand, of the same shape.",
                check: Check::Fn(same_shapes),
            },
            Constraint {
                label: "C7",
                text: "The results have the element type that computation returns.",
                check: Check::Fn(accumulated_elements),
            },
        ],
        infer: Infer::Fn(infer_reduction),
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL.steps(&[Step::new(1, 5, &[Change::OperandList])]).demands(EQUAL_ELEMENT_TYPES).declared(),
    }
}

op! {
    /// A reduction over the processes of a group, split among them.
    pub struct ReduceScatter = "stablehlo" "reduce_scatter";
    operands { one I1 operand: TENSOR; }
    attributes {
        required I2 scatter_dimension: I64;
        required I3 replica_groups: ReplicaGroups;
        optional I4 channel_handle: ChannelHandle;
        optional I5 use_global_device_ids: Unit;
    }
    results { one result: TENSOR; }
    regions { one I6 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and splits the result among them along `scatter_dimension`",
        anchor: "reduce_scatter",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint {
                label: "C2",
                text: "scatter_dimension is a dimension of the operand.",
                check: Check::Fn(scatter_c2_dim),
            },
            Constraint { label: "C3", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint { label: "C4", text: replica_groups::SIZE, check: Check::Runtime(replica_groups::SIZE_WHY) },
            Constraint { label: "C5", text: replica_groups::RANGE, check: Check::Fn(replica_groups::contiguous_and_uniform) },
            Constraint { label: "C6", text: replica_groups::CHANNEL, check: Check::Fn(replica_groups::channel) },
            Constraint { label: "C7", text: COMPUTATION, check: Check::Fn(check_computation) },
            Constraint {
                label: "C1",
                text: "The size of dimension scatter_dimension of the operand is a multiple of the number of processes in a group.",
                check: Check::Fn(scatter_c1_divides),
            },
            Constraint {
                label: "C8",
                text: "The result has the operand's shape, except that dimension scatter_dimension is as many times smaller as there are processes in a group.",
                check: Check::Fn(scatter_c8_shape),
            },
            Constraint {
                label: "C9",
                text: "The result has the element type that computation returns.",
                check: Check::Fn(accumulated_elements),
            },
        ],
        numerics: Numerics::Accumulation,
        vhlo: History::USUAL.demands(EQUAL_ELEMENT_TYPES).declared(),
    }
}

op! {
    /// A reduction over the processes of a group, at one of them.
    pub struct CollectiveReduce = "stablehlo" "collective_reduce";
    operands { many I1 operands: TENSOR; }
    attributes {
        required I2 replica_groups: ReplicaGroups;
        optional I3 channel_handle: ChannelHandle;
        optional _ use_global_device_ids: Unit;
        optional I4 has_dynamic_root: Unit;
    }
    results { many results: TENSOR; }
    regions { one I5 computation; }
    spec {
        summary: "Reduces the operands of all processes of a group with `computation` and gives the result to one of them",
        anchor: "collective_reduce",
        traits: &[Trait::SingleBlock],
        constraints: &[
            Constraint { label: "C1", text: replica_groups::UNIQUE, check: Check::Fn(replica_groups::unique) },
            Constraint {
                label: "C2",
                text: "The ids are not negative and less than the number of replicas, or of partitions when there is a channel.",
                check: Check::Fn(replica_groups::contiguous),
            },
            Constraint { label: "X1", text: replica_groups::CHANNEL, check: Check::Fn(replica_groups::channel) },
            Constraint {
                label: "C3",
                text: "Each operand has a result of its shape; with has_dynamic_root the last operand has none and names a root for each of the others, as i32.",
                check: Check::Fn(collective_c3_shapes),
            },
            Constraint { label: "C4", text: COMPUTATION, check: Check::Fn(check_computation) },
            Constraint {
                label: "X2",
                text: "The results have the element type that computation returns.",
                check: Check::Fn(accumulated_elements),
            },
        ],
        infer: Infer::Fn(infer_reduction),
        numerics: Numerics::Accumulation,
        vhlo: History::since(1, 19).declared(),
    }
}

op! {
    /// A sum over replicas.
    pub struct CrossReplicaSum = "stablehlo" "cross-replica-sum";
    operands { one _ operand: TENSOR; }
    attributes { required _ replica_groups: I64Elements; }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Sums `operand` over the replicas of a group",
        traits: &[Trait::Pure],
        constraints: &[Constraint {
            label: "X1",
            text: "The result has the operand's type.",
            check: Check::Fn(sum_x1_result),
        }],
        numerics: Numerics::Accumulation,
        deprecated: Some("write `stablehlo.all_reduce` with an addition instead"),
    }
}

/// The operands with data.
fn data<'m>(cx: &Cx<'m>) -> &'m [ValueId] {
    split_roots(cx.module.operands(cx.op), cx.module.property(cx.op, "has_dynamic_root").is_some()).0
}

fn check_computation(cx: &Cx<'_>) -> Verdict {
    let mut last = None;
    for operand in data(cx) {
        let element = cx.element_type(*operand);
        // Operands of one element type need one look only.
        if last.replace(element) == Some(element) {
            continue;
        }
        check_reducer(
            cx,
            &Reduction {
                name: "computation",
                region: 0,
                inputs: &[cx.ty(*operand)],
                init_values: &[cx.ty(*operand)],
                elementwise: true,
                allowed_sizes: &[],
            },
        )?;
    }
    Ok(())
}

/// One result per operand, of the operand's shape.
fn same_shapes(cx: &Cx<'_>) -> Verdict {
    check_result_shapes(cx, infer_reduction(cx)?)
}

/// The results have the computation's element type.
fn accumulated_elements(cx: &Cx<'_>) -> Verdict {
    let Some(wanted) = accumulator_elements(cx, 0)?.first().copied() else {
        return Ok(());
    };
    for (index, result) in cx.module.results(cx.op).iter().enumerate() {
        let found = cx.element_type(result);
        ensure(compatible_elements(cx.module, wanted, found), || {
            let message = format!("the result must have element type {}, got {}", cx.show(wanted), cx.show(found));
            Fault::new(message).at(Place::Result(index))
        })?;
    }
    Ok(())
}

fn infer_reduction(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let element = accumulator_elements(cx, 0)?.first().copied();
    Ok(data(cx).iter().map(|operand| cx.with_element(Inferred::Type(cx.ty(*operand)), element)).collect())
}

fn collective_c3_shapes(cx: &Cx<'_>) -> Verdict {
    if cx.module.property(cx.op, "has_dynamic_root").is_some() {
        check_roots(cx)?;
    } else {
        ensure(!cx.module.operands(cx.op).is_empty(), || Fault::new("expected at least one operand, got none"))?;
    }
    let (found, wanted) = (cx.module.results(cx.op).len(), data(cx).len());
    ensure(found == wanted, || {
        Fault::new(format!("expected one result per operand with data, {wanted}, got {found}"))
    })?;
    for (index, (operand, result)) in data(cx).iter().zip(cx.module.results(cx.op).iter()).enumerate() {
        let (from, to) = (cx.shape(*operand), cx.shape(result));
        ensure(same_sizes(from, to), || {
            Fault::new(format!("operand and result must have the same shape, got {} and {}", show(from), show(to)))
                .at(Place::Result(index))
        })?;
    }
    Ok(())
}

fn scatter_c2_dim(cx: &Cx<'_>) -> Verdict {
    let op = ReduceScatter::new(cx.module, cx.op);
    let (dim, rank) = (op.scatter_dimension(), cx.rank(op.operand()));
    dims::dimension("scatter_dimension", dim, rank, "the operand")
        .map_err(|fault| fault.label(Place::Operand(0), format!("has rank {rank}")))
}

fn scatter_c1_divides(cx: &Cx<'_>) -> Verdict {
    let op = ReduceScatter::new(cx.module, cx.op);
    let dim = op.scatter_dimension();
    let (whole, part) = (size_at(cx.shape(op.operand()), dim), size_at(cx.shape(op.result()), dim));
    for (size, place, name) in [(whole, Place::Operand(0), "operand"), (part, Place::Result(0), "result")] {
        ensure(size != 0, || Fault::new(format!("the size of dimension {dim} of the {name} must not be 0")).at(place))?;
    }
    ensure(whole == DYNAMIC || part == DYNAMIC || whole % part == 0, || {
        let message = format!("dimension {dim} of the operand must be a multiple of the result's {part}, got {whole}");
        Fault::new(message).at(Place::Operand(0)).label(Place::Result(0), format!("has size {part} there"))
    })
}

fn scatter_c8_shape(cx: &Cx<'_>) -> Verdict {
    let op = ReduceScatter::new(cx.module, cx.op);
    let (from, to) = (cx.shape(op.operand()), cx.shape(op.result()));
    same_shape_except(from, to, op.scatter_dimension()).map_err(|fault| fault.at(Place::Result(0)))
}

fn sum_x1_result(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_types()
}
