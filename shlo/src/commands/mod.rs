//! One file for each command: its flags and what it prints.

pub mod bench;
pub mod compat;
pub mod convert;
pub mod explain;
pub mod fmt;
pub mod inspect;
pub mod load;
pub mod run;
pub mod target;
pub mod verify;
pub mod version;

use crate::cli::Command;
use crate::exit::{Exit, Failure};

/// Does what was asked.
///
/// # Errors
/// When the job could not be done; findings are no errors.
pub fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Convert(arguments) => convert::run(&arguments),
        Command::Compat(arguments) => compat::run(&arguments),
        Command::Inspect(arguments) => inspect::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Version(arguments) => version::run(arguments),
    }
}
