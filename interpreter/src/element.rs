//! Element arithmetic.
