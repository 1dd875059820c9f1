//! The builtin dialect.

mod attributes;
mod elements;
mod locations;
mod types;

pub(crate) use attributes::{array, dictionary_of, write_dictionary, write_i32_array, write_symbol};
pub(super) use attributes::{float as read_float, integer as read_integer, read_attr, write_attr};
pub(crate) use elements::{dense_blob, stored, write_dense};
pub(super) use locations::write_location;
pub(super) use types::{
    complex as read_complex, element as read_element, ranked_tensor as read_tensor, read_type, shape as read_shape,
    write_type,
};

/// Codes of attributes.
mod attr_code {
    pub(super) const ARRAY: u64 = 0;
    pub(super) const DICTIONARY: u64 = 1;
    pub(super) const STRING: u64 = 2;
    pub(super) const TYPED_STRING: u64 = 3;
    pub(super) const FLAT_SYMBOL: u64 = 4;
    pub(super) const SYMBOL: u64 = 5;
    pub(super) const TYPE: u64 = 6;
    pub(super) const UNIT: u64 = 7;
    pub(super) const INTEGER: u64 = 8;
    pub(super) const FLOAT: u64 = 9;
    pub(super) const CALL_SITE: u64 = 10;
    pub(super) const FILE_LINE_COLUMN: u64 = 11;
    pub(super) const FUSED: u64 = 12;
    pub(super) const FUSED_WITH_METADATA: u64 = 13;
    pub(super) const NAMED: u64 = 14;
    pub(super) const UNKNOWN: u64 = 15;
    pub(super) const DENSE_RESOURCE: u64 = 16;
    pub(super) const DENSE_ARRAY: u64 = 17;
    pub(super) const DENSE: u64 = 18;
    pub(super) const DENSE_STRINGS: u64 = 19;
    pub(super) const SPARSE: u64 = 20;
    pub(super) const DISTINCT: u64 = 21;
    pub(super) const FILE_RANGE: u64 = 22;
}

/// Codes of types; floating-point types stand in a table of their own.
mod type_code {
    pub(super) const INTEGER: u64 = 0;
    pub(super) const INDEX: u64 = 1;
    pub(super) const FUNCTION: u64 = 2;
    pub(super) const COMPLEX: u64 = 9;
    pub(super) const MEMREF: u64 = 10;
    pub(super) const MEMREF_IN_SPACE: u64 = 11;
    pub(super) const NONE: u64 = 12;
    pub(super) const TENSOR: u64 = 13;
    pub(super) const ENCODED_TENSOR: u64 = 14;
    pub(super) const TUPLE: u64 = 15;
    pub(super) const UNRANKED_MEMREF: u64 = 16;
    pub(super) const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
    pub(super) const UNRANKED_TENSOR: u64 = 18;
    pub(super) const VECTOR: u64 = 19;
    pub(super) const SCALABLE_VECTOR: u64 = 20;
}
