//! `shlo`, the StableHLO toolkit: argument parsing and presentation, nothing else.

mod cli;
mod codes;
mod commands;
mod exit;
mod output;
mod report;
mod source;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::{Exit, Failure};

/// Stack of the threads that do the work. Nothing recurses without bound, but deeply nested programs need room.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let arguments = match cli::Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version texts are no errors; clap knows where each belongs.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Success };
            let _ = error.print();
            return exit.into();
        }
    };
    guarded(move || commands::run(arguments.command))
}

/// Does a job on a thread of its own; a panic inside is a bug and ends with a message, not with a dump.
fn guarded(job: impl FnOnce() -> Result<Exit, Failure> + Send + 'static) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let payload = panic.payload();
        let message = payload.downcast_ref::<&str>().copied();
        let message = message.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        output::say(format!("shlo: internal error{place}: {message}\nThis is a bug of shlo; please report it."));
    }));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(job);
    let ended = match worker {
        Ok(worker) => worker.join(),
        Err(error) => Ok(Err(Failure::new(Exit::Resource, format!("cannot start a thread: {error}")))),
    };
    match ended {
        Ok(Ok(exit)) => exit.into(),
        Ok(Err(failure)) => {
            if !failure.message.is_empty() {
                output::say(format!("shlo: error: {failure}"));
            }
            failure.exit.into()
        }
        Err(_panic) => Exit::Internal.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_70() {
        assert_eq!(guarded(|| panic!("on purpose")), Exit::Internal.into());
        assert_eq!(guarded(|| Ok(Exit::Finding)), ExitCode::from(1));
        assert_eq!(guarded(|| Err(Failure::usage("wrong"))), ExitCode::from(2));
    }
}
