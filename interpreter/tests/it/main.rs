//! Whole programs, from the data in `testdata/`.

mod cases;
mod harness;
mod programs;
mod vectors;
