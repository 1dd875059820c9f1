//! Tests of the crate as its users see it.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod parser;
mod printer;
mod printer_laws;
mod rules;
mod verify;
