//! Shardy's attributes, which the exports of JAX contain.
//!
//! This crate keeps the dialect opaque: what is encoded is read as the text that it stands for,
//! `#sdy.sharding<@mesh, [{"a"}, {}]>`, and such text is taken apart to be encoded. Text of another form is written as it is.

mod read;
mod write;

pub(super) use read::read_attr;
pub(super) use write::write_attr;

/// Codes of attributes.
mod code {
    pub(super) const MANUAL_AXES: u64 = 0;
    pub(super) const MESH_AXIS: u64 = 1;
    pub(super) const MESH: u64 = 2;
    pub(super) const SUB_AXIS_INFO: u64 = 3;
    pub(super) const AXIS_REF: u64 = 4;
    pub(super) const DIMENSION_SHARDING: u64 = 5;
    pub(super) const SHARDING: u64 = 6;
    pub(super) const SHARDING_PER_VALUE: u64 = 7;
    pub(super) const DIM_MAPPING: u64 = 8;
    pub(super) const TENSOR_MAPPING: u64 = 9;
    pub(super) const OP_SHARDING_RULE: u64 = 10;
    pub(super) const AXIS_REF_LIST: u64 = 11;
    pub(super) const LIST_OF_AXIS_REF_LISTS: u64 = 12;
    pub(super) const ALL_TO_ALL_PARAM: u64 = 13;
    pub(super) const ALL_TO_ALL_PARAM_LIST: u64 = 14;
    /// With unreduced axes.
    pub(super) const SHARDING_2: u64 = 15;
    /// The shardings have unreduced axes.
    pub(super) const SHARDING_PER_VALUE_2: u64 = 16;
    /// With unreduced axes and how they are reduced.
    pub(super) const SHARDING_3: u64 = 17;
}

/// Words for the ways of reducing, by their numbers; the first is not written.
const REDUCTIONS: [&str; 3] = ["", "max", "min"];

/// Kinds of factors of a sharding rule, in order.
const FACTOR_KINDS: [&str; 4] = ["reduction", "need_replication", "permutation", "blocked_propagation"];
