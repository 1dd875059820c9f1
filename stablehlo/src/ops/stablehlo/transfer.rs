//! Values in and out: `infeed`, `outfeed`, `send` and `recv`.

use super::source_targets;
use crate::ir::{Attribute, Type};
use crate::ops::classes::ANY_TENSOR;
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, DefaultValue};
use crate::ops::value_classes::{STATIC_TENSOR_OR_TOKEN, TOKEN};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};
use crate::vhlo::history::{Change, History, Step};

/// `send` and `recv` got pairs of processes together.
const SOURCE_TARGET_PAIRS: &[Step] = &[Step::new(1, 12, &[Change::Attributes(&["source_target_pairs"])])];

op! {
    /// Values from the infeed.
    pub struct Infeed = "stablehlo" "infeed";
    operands { one I1 token: TOKEN; }
    attributes {
        filled I2 infeed_config: Str = DefaultValue::EmptyString;
        optional _ layout: Array;
    }
    results { many results: STATIC_TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Reads the next values from the infeed",
        anchor: "infeed",
        constraints: &[
            Constraint { label: "C1", text: "There is at least one result.", check: Check::Fn(some_result) },
            Constraint {
                label: "C2",
                text: "All results but the last are tensors.",
                check: Check::Fn(tensors_first),
            },
            Constraint { label: "C3", text: "The last result is a token.", check: Check::Fn(token_last) },
            Constraint {
                label: "X1",
                text: "layout, if written, has one array of integers per tensor among the results.",
                check: Check::Fn(infeed_x1_layout),
            },
        ],
    }
}

op! {
    /// Values into the outfeed.
    pub struct Outfeed = "stablehlo" "outfeed";
    operands { many I1 inputs: ANY_TENSOR; one I2 token: TOKEN; }
    attributes { filled I3 outfeed_config: Str = DefaultValue::EmptyString; }
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Writes `inputs` to the outfeed",
        anchor: "outfeed",
    }
}

const PAIRS_SHAPE: &str = "source_target_pairs has two columns: sources and targets.";
const PAIRS_SOURCES: &str = "No process is the source twice.";
const PAIRS_TARGETS: &str = "No process is the target twice.";
const PAIRS_RANGE: &str = "The numbers in source_target_pairs are replicas or partitions that exist: not negative and less than their number, which is known only when the program runs.";

op! {
    /// Values through a channel, this end.
    pub struct Send = "stablehlo" "send";
    operands { many I1 inputs: ANY_TENSOR; one I2 token: TOKEN; }
    attributes {
        required I3 channel_handle: ChannelHandle;
        default I5 is_host_transfer: Bool = DefaultValue::Bool(false);
        optional I6 source_target_pairs: I64Elements;
    }
    results { one result: TOKEN; }
    regions {}
    spec {
        summary: "Sends `inputs` to the channel of `channel_handle`",
        anchor: "send",
        constraints: &[
            Constraint { label: "C1", text: PAIRS_SHAPE, check: Check::Fn(source_targets::two_columns) },
            Constraint { label: "C2", text: PAIRS_SOURCES, check: Check::Fn(source_targets::sources_differ) },
            Constraint { label: "C3", text: PAIRS_TARGETS, check: Check::Fn(source_targets::targets_differ) },
            Constraint { label: "C4", text: PAIRS_RANGE, check: Check::Fn(source_targets::not_negative) },
            Constraint {
                label: "C5",
                text: "The channel's type is 2, from device to host, when is_host_transfer is true, and 1, from device to device, otherwise.",
                check: Check::Fn(send_c5_channel),
            },
        ],
        vhlo: History::USUAL.steps(SOURCE_TARGET_PAIRS).declared(),
    }
}

op! {
    /// Values through a channel, the other end.
    pub struct Recv = "stablehlo" "recv";
    operands { one I1 token: TOKEN; }
    attributes {
        required I2 channel_handle: ChannelHandle;
        default I4 is_host_transfer: Bool = DefaultValue::Bool(false);
        optional I5 source_target_pairs: I64Elements;
    }
    results { many results: STATIC_TENSOR_OR_TOKEN; }
    regions {}
    spec {
        summary: "Receives values from the channel of `channel_handle`",
        anchor: "recv",
        constraints: &[
            Constraint { label: "C1", text: PAIRS_SHAPE, check: Check::Fn(source_targets::two_columns) },
            Constraint { label: "C2", text: PAIRS_SOURCES, check: Check::Fn(source_targets::sources_differ) },
            Constraint { label: "C3", text: PAIRS_TARGETS, check: Check::Fn(source_targets::targets_differ) },
            Constraint { label: "C4", text: PAIRS_RANGE, check: Check::Fn(source_targets::not_negative) },
            Constraint {
                label: "C5",
                text: "The channel's type is 3, from host to device, when is_host_transfer is true, and 1, from device to device, otherwise. (The specification writes device to host here, which no tool does.)",
                check: Check::Fn(recv_c5_channel),
            },
            Constraint { label: "X1", text: "There is at least one result.", check: Check::Fn(some_result) },
            Constraint {
                label: "X2",
                text: "All results but the last are tensors.",
                check: Check::Fn(tensors_first),
            },
            Constraint { label: "X3", text: "The last result is a token.", check: Check::Fn(token_last) },
        ],
        vhlo: History::USUAL.steps(SOURCE_TARGET_PAIRS).declared(),
    }
}

fn some_result(cx: &Cx<'_>) -> Verdict {
    ensure(!cx.module.results(cx.op).is_empty(), || Fault::new("expected at least one result, got none"))
}

fn tensors_first(cx: &Cx<'_>) -> Verdict {
    let results = cx.module.results(cx.op);
    let tensors = results.iter().take(results.len().saturating_sub(1));
    match tensors.enumerate().find(|(_, result)| cx.module.tensor(cx.ty(*result)).is_none()) {
        None => Ok(()),
        Some((index, result)) => {
            let message =
                format!("all results but the last must be tensors, got {} as result #{index}", cx.show(cx.ty(result)));
            Err(Fault::new(message).at(Place::Result(index)))
        }
    }
}

fn token_last(cx: &Cx<'_>) -> Verdict {
    let Some((index, last)) = cx.module.results(cx.op).iter().enumerate().next_back() else {
        return Ok(());
    };
    ensure(matches!(cx.module.ty(cx.ty(last)), Type::Token), || {
        Fault::new(format!("the last result must be a token, got {}", cx.show(cx.ty(last)))).at(Place::Result(index))
    })
}

fn infeed_x1_layout(cx: &Cx<'_>) -> Verdict {
    let op = Infeed::new(cx.module, cx.op);
    let Some(layout) = op.layout() else {
        return Ok(());
    };
    let fault = |message: String| Fault::new(message).at(Place::Attr("layout"));
    let n_tensors = op.results().len().saturating_sub(1);
    ensure(layout.len() == n_tensors, || {
        fault(format!("layout must have one entry per tensor among the results, {n_tensors}, got {}", layout.len()))
    })?;
    for attr in layout {
        let Attribute::Array(entries) = cx.module.attr(*attr) else {
            return Err(fault(format!("layout must hold arrays, got {}", cx.module.display_attr(*attr))));
        };
        for entry in entries {
            ensure(matches!(cx.module.attr(*entry), Attribute::Integer { .. }), || {
                fault(format!("the arrays in layout must hold integers, got {}", cx.module.display_attr(*entry)))
            })?;
        }
    }
    Ok(())
}

fn send_c5_channel(cx: &Cx<'_>) -> Verdict {
    let op = Send::new(cx.module, cx.op);
    check_channel(op.channel_handle().1, op.is_host_transfer().unwrap_or(false), (2, "device to host"))
}

fn recv_c5_channel(cx: &Cx<'_>) -> Verdict {
    let op = Recv::new(cx.module, cx.op);
    check_channel(op.channel_handle().1, op.is_host_transfer().unwrap_or(false), (3, "host to device"))
}

fn check_channel(found: i64, is_host_transfer: bool, host: (i64, &str)) -> Verdict {
    let (wanted, words) = if is_host_transfer { host } else { (1, "device to device") };
    ensure(found == wanted, || {
        let message = format!(
            "the channel's type must be {wanted} ({words}) when is_host_transfer is {is_host_transfer}, got {found}"
        );
        Fault::new(message).at(Place::Attr("channel_handle"))
    })
}
