//! Whole programs, from the data in `testdata/`.

#![allow(clippy::unwrap_used, clippy::allow_attributes, reason = "a test that cannot go on fails")]

mod cases;
mod engine;
mod harness;
mod models;
mod programs;
mod strict;
mod vectors;
