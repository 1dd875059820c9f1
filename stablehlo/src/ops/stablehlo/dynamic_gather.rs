//! `dynamic_gather`: `gather` with slice sizes that are computed.

use super::dims::check_result_shapes;
use super::gather::BATCHING_DIMS;
use super::gather_rules::Parts;
use crate::ops::classes::{INTEGER_TENSOR, STATIC_INTEGER_VECTOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, DefaultValue, Infer, Trait};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict};
use crate::vhlo::history::History;

op! {
    /// `gather` with slice sizes that are computed.
    pub struct DynamicGather = "stablehlo" "dynamic_gather";
    operands {
        one I1 operand: TENSOR;
        one I2 start_indices: INTEGER_TENSOR;
        one I3 slice_sizes: STATIC_INTEGER_VECTOR;
    }
    attributes {
        required I4 dimension_numbers: GatherDims;
        default I8 indices_are_sorted: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: TENSOR;
    }
    regions {}
    spec {
        summary: "Collects slices of `operand` that begin at `start_indices`; their sizes are an operand",
        anchor: "dynamic_gather",
        traits: &[Trait::Pure],
        constraints: RULES,
        infer: Infer::Fn(infer),
        vhlo: History::USUAL.steps(BATCHING_DIMS).declared(),
    }
}

/// All rules, in the order in which they are checked.
const RULES: &[Constraint] = &[
    Constraint::rule("C1", "Each dimension of operand is an offset, a collapsed or a batching dimension.", |cx| {
        Parts::of(cx).rank_is_covered()
    }),
    Constraint::rule("C2", "index_vector_dim is a dimension of start_indices or the one after its last.", |cx| {
        Parts::of(cx).index_vector_dim_in_range()
    }),
    Constraint::rule("C3", "start_index_map has one entry per element of an index vector.", |cx| {
        Parts::of(cx).start_index_map_length()
    }),
    Constraint::rule("C4", "offset_dims ascend.", |cx| Parts::of(cx).offset_dims_ascend()),
    Constraint::rule("C5", "offset_dims are dimensions of the result.", |cx| Parts::of(cx).offset_dims_in_range()),
    Constraint::rule("C7", "collapsed_slice_dims are dimensions of operand.", |cx| Parts::of(cx).collapsed_in_range()),
    Constraint::rule(
        "C6",
        "collapsed_slice_dims ascend and are no batching dimensions, which must match on both sides as in gather.",
        c6_collapsed_and_batching,
    ),
    Constraint::rule("C11", "slice_sizes has one entry per dimension of operand.", |cx| {
        Parts::of(cx).slice_sizes_length()
    }),
    Constraint::rule("C8", "Known slices have at most one element in each collapsed dimension.", |cx| {
        Parts::of(cx).collapsed_slices_are_single()
    }),
    Constraint::rule("C9", "No dimension of operand is indexed twice.", |cx| Parts::of(cx).start_index_map_distinct()),
    Constraint::rule("C10", "start_index_map names dimensions of operand.", |cx| {
        Parts::of(cx).start_index_map_in_range()
    }),
    Constraint::rule("C12", "Known slices fit into operand.", |cx| Parts::of(cx).slice_sizes_fit()),
    Constraint::rule(
        "C13",
        "The result has the dimensions of start_indices without that of index vectors, with those of slices put in at \
         offset_dims.",
        |cx| check_result_shapes(cx, infer(cx)?),
    ),
    Constraint::rule("C14", "operand and result have the same element type.", |cx| {
        cx.same_element_type(&[Place::Operand(0), Place::Result(0)])
    }),
];

/// The specification's section knows no batching dimensions, the attribute and upstream do; their rules are those of
/// `gather`.
fn c6_collapsed_and_batching(cx: &Cx<'_>) -> Verdict {
    let parts = Parts::of(cx);
    parts.collapsed_and_batching_distinct()?;
    parts.collapsed_sorted()?;
    parts.batching_sorted()?;
    parts.batching_in_range()?;
    parts.batching_slices_are_single()?;
    parts.indices_batching_unique()?;
    parts.indices_batching_in_range()?;
    parts.index_vector_dim_not_batching()?;
    parts.batching_same_length()?;
    parts.batching_same_sizes()
}

/// The gathered slices; sizes that come from unknown slice sizes are dynamic.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(Parts::of(cx).infer())
}
