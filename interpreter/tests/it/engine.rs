//! What executes the programs of these tests.

pub use interpreter::run;

/// Ulps by which results may differ more than the data say: none for the reference.
pub const MORE_ULPS: u64 = 0;

/// Whether ops that nothing reads are left out, and with them the errors that they would end in.
pub const DROPS_UNUSED: bool = false;

/// Vectors whose recommended result is that of the reference, while others are as good: none for the reference.
pub const FREE: &[&str] = &[];
