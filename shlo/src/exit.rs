//! How a command ends: the one table of exit codes, and failures that stop a command.

use std::fmt;
use std::process::ExitCode;

/// The exit codes of all commands. When several things went wrong, the largest code wins.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Done, nothing to complain about.
    Success = 0,
    /// The job was done and found something: an invalid program, a failed check, a file that would be reformatted.
    Finding = 1,
    /// The command line is wrong.
    Usage = 2,
    /// An input could not be read, or is invalid where another question was asked.
    Input = 3,
    /// An op, type, format or feature that this tool does not implement.
    Unsupported = 4,
    /// A limit on time, steps or memory was reached.
    Resource = 5,
    /// A bug of this tool.
    Internal = 70,
    /// Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command stopped before its job was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// How the process ends.
    pub exit: Exit,
    /// What the user is told, without final period; empty when everything has been said already.
    pub message: String,
}

impl Failure {
    /// A failure with a message.
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into() }
    }

    /// Says which file it is about, unless everything has been said.
    #[must_use]
    pub fn about(mut self, file: &str) -> Self {
        if !self.message.is_empty() {
            self.message = format!("{file}: {}", self.message);
        }
        self
    }

    /// A wrong command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// An end that has been explained already.
    pub fn silent(exit: Exit) -> Self {
        Self::new(exit, "")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
