//! What each version of the format brought.

/// The newest version.
pub(crate) const NEWEST: u64 = 6;

/// Dialects have versions.
pub(crate) const DIALECT_VERSIONS: u64 = 1;
/// Regions that see no values from outside are sections.
pub(crate) const ISOLATED_SECTIONS: u64 = 2;
/// The orders of uses are written.
pub(crate) const USE_ORDERS: u64 = 3;
/// Block arguments leave out locations that say nothing.
pub(crate) const UNKNOWN_LOCATIONS_LEFT_OUT: u64 = 4;
/// The number of op names stands before them.
pub(crate) const OP_NAME_COUNT: u64 = 4;
/// Inherent attributes have a section of their own.
pub(crate) const PROPERTIES: u64 = 5;
/// Sizes of segments are arrays of mostly zeros instead of attributes.
pub(crate) const SPARSE_SEGMENTS: u64 = 6;
