//! Whole programs. Those of the interpreter's tests are run from its files, on this crate's engine.

#![allow(clippy::unwrap_used, clippy::allow_attributes, reason = "a test that cannot go on fails")]

#[path = "../../../interpreter/tests/it/cases.rs"]
mod cases;
mod effects;
mod engine;
#[expect(dead_code, reason = "strict points are the interpreter's")]
#[path = "../../../interpreter/tests/it/harness.rs"]
mod harness;
mod limits;
#[path = "../../../interpreter/tests/it/models.rs"]
mod models;
#[path = "../../../interpreter/tests/it/programs.rs"]
mod programs;
#[path = "../../../interpreter/tests/it/vectors.rs"]
mod vectors;
