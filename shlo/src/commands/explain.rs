//! `shlo explain`.

use clap::Args;

use crate::exit::{Exit, Failure};

/// Flags of `shlo explain`.
#[derive(Args, Debug)]
pub struct Arguments {}

/// Does it.
///
/// # Errors
/// For now always.
pub fn run(_arguments: &Arguments) -> Result<Exit, Failure> {
    Err(Failure::new(Exit::Unsupported, "this command is not there yet"))
}
