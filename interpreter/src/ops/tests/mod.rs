//! Ops on programs in text. Expected values are arithmetic by hand or what XLA and jaxlib's evaluator gave, as each test
//! says.

mod contractions;
mod linear_algebra;
mod random;
mod reductions;
mod sorting;
