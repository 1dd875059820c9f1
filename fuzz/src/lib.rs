//! Fuzz targets: one module per target with a `run` that must come back, whatever bytes it gets.
//!
//! `libfuzzer/` wraps each in three lines for coverage-guided fuzzing; the smoke tests here run each on mutated seeds in
//! the ordinary test run. An input that once failed belongs to `regressions/`.

pub mod bytecode;
pub mod engines;
pub mod notation;
pub mod parse;
pub mod programs;
pub mod verify_run;

#[cfg(test)]
mod mutate;
#[cfg(test)]
mod seeds;
