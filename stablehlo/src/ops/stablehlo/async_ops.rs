//! `async_start` and `async_done`.

use super::computation::Computation;
use super::control_flow::show_types;
use crate::ir::Type;
use crate::ops::OpKind;
use crate::ops::classes::TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Trait};
use crate::ops::value_classes::FUTURE;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, compatible_types, ensure};
use crate::vhlo::history::History;

op! {
    /// The beginning of an op that runs beside others.
    pub struct AsyncStart = "stablehlo" "async_start";
    operands { many I1 operands: TENSOR; }
    attributes {}
    results { one result: FUTURE; }
    regions { one I2 body; }
    spec {
        summary: "Starts the op in `body` and gives a future for its results",
        anchor: "async_start",
        traits: &[Trait::SingleBlock, Trait::IsolatedFromAbove],
        constraints: &[
            Constraint {
                label: "C1",
                text: "body holds one op and the return of its one result.",
                check: Check::Fn(c1_one_op),
            },
            Constraint {
                label: "C2",
                text: "The op in body is a collective (all_gather, all_reduce, all_to_all, collective_broadcast, collective_permute, collective_reduce, reduce_scatter) or a slice (slice, dynamic_slice, dynamic_update_slice).",
                check: Check::Fn(c2_collective_or_slice),
            },
            Constraint {
                label: "C3",
                text: "body takes values of exactly the operands' types.",
                check: Check::Fn(c3_arguments),
            },
            Constraint {
                label: "C4",
                text: "The result is a future of what body returns.",
                check: Check::Fn(c4_future),
            },
        ],
        vhlo: History::since(1, 15).declared(),
    }
}

op! {
    /// The end of an op that runs beside others.
    pub struct AsyncDone = "stablehlo" "async_done";
    operands { one I1 operand: FUTURE; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Waits for the op behind the future `operand` and gives its result",
        anchor: "async_done",
        constraints: &[Constraint {
            label: "C1",
            text: "The operand is a future of one value, and the result has that value's type.",
            check: Check::Fn(done_c1_result),
        }],
        infer: Infer::Fn(infer_done),
        vhlo: History::since(1, 15).declared(),
    }
}

fn c1_one_op(cx: &Cx<'_>) -> Verdict {
    let n_ops = cx.module.entry_block(cx.op, 0).map_or(0, |block| cx.module.block(block).ops.len());
    ensure(n_ops == 2, || {
        Fault::new(format!("body must hold one op and a return, got {n_ops} ops")).at(Place::Region(0))
    })?;
    let returned = Computation::of(cx, 0)?.returned.len();
    ensure(returned == 1, || Fault::new(format!("body must return one value, got {returned}")).at(Place::Region(0)))
}

fn c2_collective_or_slice(cx: &Cx<'_>) -> Verdict {
    let block = cx.module.entry_block(cx.op, 0);
    let Some(op) = block.and_then(|block| cx.module.block(block).ops.first().copied()) else {
        return Ok(());
    };
    let allowed = matches!(
        cx.module.kind(op),
        Some(
            OpKind::AllGather
                | OpKind::AllReduce
                | OpKind::AllToAll
                | OpKind::CollectiveBroadcast
                | OpKind::CollectivePermute
                | OpKind::CollectiveReduce
                | OpKind::ReduceScatter
                | OpKind::Slice
                | OpKind::DynamicSlice
                | OpKind::DynamicUpdateSlice
        )
    );
    ensure(allowed, || {
        Fault::new(format!("the op in body must be a collective or a slice, got `{}`", cx.module.op_name(op)))
            .label(Place::Other(op), "this op")
    })
}

fn c3_arguments(cx: &Cx<'_>) -> Verdict {
    let arguments = Computation::of(cx, 0)?.arguments;
    let operands = cx.operand_types();
    ensure(arguments == operands, || {
        let (wanted, found) = (show_types(cx, &operands), show_types(cx, &arguments));
        Fault::new(format!("the arguments of body must have the types of the operands, {wanted}, got {found}"))
            .at(Place::Region(0))
    })
}

fn c4_future(cx: &Cx<'_>) -> Verdict {
    let returned = Computation::of(cx, 0)?.returned;
    let result = cx.ty(AsyncStart::new(cx.module, cx.op).result());
    let Type::Future(types) = cx.module.ty(result) else {
        return Ok(());
    };
    ensure(**types == *returned, || {
        let (wanted, found) = (cx.show_types(&returned), cx.show(result));
        let message = format!("the result must have type !stablehlo.future<{wanted}>, got {found}");
        Fault::new(message).at(Place::Result(0))
    })
}

fn done_c1_result(cx: &Cx<'_>) -> Verdict {
    let inferred = infer_done(cx)?;
    if let [Inferred::Type(wanted)] = inferred[..] {
        let found = cx.ty(AsyncDone::new(cx.module, cx.op).result());
        ensure(compatible_types(cx.module, wanted, found), || {
            Fault::new(format!("the result must have type {}, got {}", cx.show(wanted), cx.show(found)))
                .at(Place::Result(0))
                .label(Place::Operand(0), "this future decides")
        })?;
    }
    Ok(())
}

fn infer_done(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let operand = cx.ty(AsyncDone::new(cx.module, cx.op).operand());
    match cx.module.ty(operand) {
        Type::Future(types) if types.len() == 1 => Ok(vec![Inferred::Type(types[0])]),
        _ => Err(Fault::new(format!("the operand must be a future of one value, got {}", cx.show(operand)))
            .at(Place::Operand(0))),
    }
}
