//! Machine code for fused loops on machines with AVX-512.
//!
//! A loop whose types and ops are all covered becomes one function, made when the plan is: `program.rs` is the list of vector
//! instructions, `lanes.rs`, `typed.rs`, `ops.rs` and `convert.rs` write it down from the loop's steps (with the formulas of
//! `vector_math`), `emit.rs` chooses registers, `asm.rs` encodes, `machine.rs` puts the loop around it and runs it. Where
//! memory must not become executable, and for what is not covered, the loop's step functions run as before.

#[cfg(target_arch = "x86_64")]
mod asm;
#[cfg(target_arch = "x86_64")]
mod convert;
#[cfg(target_arch = "x86_64")]
mod emit;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod machine;
#[cfg(target_arch = "x86_64")]
mod ops;
#[cfg(target_arch = "x86_64")]
mod program;
#[cfg(target_arch = "x86_64")]
mod rounds;
#[cfg(test)]
mod rounds_tests;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod typed;
mod works;

#[cfg(not(target_arch = "x86_64"))]
mod absent;
#[cfg(not(target_arch = "x86_64"))]
pub use absent::{Machine, Rounds};
#[cfg(target_arch = "x86_64")]
pub use machine::Machine;
#[cfg(target_arch = "x86_64")]
pub use rounds::Rounds;
pub use works::{While, Work};
