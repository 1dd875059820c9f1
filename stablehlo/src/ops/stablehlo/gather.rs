//! `gather`: slices of a tensor at computed places.

use super::dims::check_result_shapes;
use super::gather_rules::Parts;
use crate::ops::classes::{INTEGER_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Constraint, DefaultValue, Infer, Trait};
use crate::verify::{Cx, Fault, Inferred, Place};
use crate::vhlo::history::{Change, History, Step};

/// `gather` and `dynamic_gather` got batching dimensions together.
pub(super) const BATCHING_DIMS: &[Step] =
    &[Step::new(1, 1, &[Change::Attributes(&["operand_batching_dims", "start_indices_batching_dims"])])];

op! {
    /// Slices of a tensor at computed places.
    pub struct Gather = "stablehlo" "gather";
    operands {
        one I1 operand: TENSOR;
        one I2 start_indices: INTEGER_TENSOR;
    }
    attributes {
        required I3 dimension_numbers: GatherDims;
        required I9 slice_sizes: I64Array;
        default I10 indices_are_sorted: Bool = DefaultValue::Bool(false);
    }
    results {
        one result: TENSOR;
    }
    regions {}
    spec {
        summary: "Collects slices of `operand` that begin at `start_indices`",
        anchor: "gather",
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
    Constraint::rule("C6", "No dimension of operand is collapsed or batching twice.", |cx| {
        Parts::of(cx).collapsed_and_batching_distinct()
    }),
    Constraint::rule("C7", "collapsed_slice_dims are sorted.", |cx| Parts::of(cx).collapsed_sorted()),
    Constraint::rule("C8", "collapsed_slice_dims are dimensions of operand.", |cx| Parts::of(cx).collapsed_in_range()),
    Constraint::rule("C20", "slice_sizes has one entry per dimension of operand.", |cx| {
        Parts::of(cx).slice_sizes_length()
    }),
    Constraint::rule("C9", "Slices have at most one element in each collapsed dimension.", |cx| {
        Parts::of(cx).collapsed_slices_are_single()
    }),
    Constraint::rule("C10", "operand_batching_dims are sorted.", |cx| Parts::of(cx).batching_sorted()),
    Constraint::rule("C11", "operand_batching_dims are dimensions of operand.", |cx| Parts::of(cx).batching_in_range()),
    Constraint::rule("C12", "Slices have at most one element in each batching dimension.", |cx| {
        Parts::of(cx).batching_slices_are_single()
    }),
    Constraint::rule("C13", "start_indices_batching_dims do not repeat.", |cx| Parts::of(cx).indices_batching_unique()),
    Constraint::rule("C14", "start_indices_batching_dims are dimensions of start_indices.", |cx| {
        Parts::of(cx).indices_batching_in_range()
    }),
    Constraint::rule("C15", "index_vector_dim is not a batching dimension.", |cx| {
        Parts::of(cx).index_vector_dim_not_batching()
    }),
    Constraint::rule("C16", "operand and start_indices have the same number of batching dimensions.", |cx| {
        Parts::of(cx).batching_same_length()
    }),
    Constraint::rule("C17", "Corresponding batching dimensions have the same size.", |cx| {
        Parts::of(cx).batching_same_sizes()
    }),
    Constraint::rule("C18", "No dimension of operand is indexed twice, or both indexed and batching.", |cx| {
        Parts::of(cx).start_index_map_distinct()
    }),
    Constraint::rule("C19", "start_index_map names dimensions of operand.", |cx| {
        Parts::of(cx).start_index_map_in_range()
    }),
    Constraint::rule("C21", "Slices fit into operand.", |cx| Parts::of(cx).slice_sizes_fit()),
    Constraint::rule(
        "C22",
        "The result has the dimensions of start_indices without that of index vectors, with those of slices put in at \
         offset_dims.",
        |cx| check_result_shapes(cx, infer(cx)?),
    ),
    Constraint::rule("C23", "operand and result have the same element type.", |cx| {
        cx.same_element_type(&[Place::Operand(0), Place::Result(0)])
    }),
];

/// The gathered slices.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    Ok(Parts::of(cx).infer())
}
