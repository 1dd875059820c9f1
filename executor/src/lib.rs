//! The SIMD executor: programs as fast as the machine allows.
//!
//! A function with concrete shapes becomes a [`Plan`], which an [`Executor`] runs any number of times. What an op means is
//! the interpreter's business; this crate is checked against it.

pub mod graph;
pub mod kernels;
pub mod plan;
mod run;

pub use kernels::isa::Isa;
pub use plan::{Plan, Port};
pub use run::{Executor, Outcome, run_once};
