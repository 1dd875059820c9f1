//! What can be wrong with bytecode.

use crate::diag::Diagnostic;
use crate::ir::Span;

/// Why bytes are not a module: data, to be shown as a [`Diagnostic`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}, at byte {offset}")]
pub struct Error {
    /// Stable code: `bytecode/truncated`.
    pub code: &'static str,
    /// What is wrong, with the values found and expected.
    pub message: String,
    /// Where in the file, in bytes from its start.
    pub offset: u64,
}

impl Error {
    /// An error at `offset`.
    pub fn new(code: &'static str, offset: u64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), offset }
    }

    /// Whether the bytes may be right and only this crate does not know them: a newer format, another dialect.
    pub fn is_unsupported(&self) -> bool {
        const CODES: [&str; 6] = [
            "bytecode/unknown-code",
            "bytecode/unknown-dialect",
            "bytecode/unknown-op",
            "bytecode/unknown-properties",
            "bytecode/unsupported",
            "bytecode/unsupported-version",
        ];
        CODES.contains(&self.code)
    }

    /// The error as a diagnostic about the byte it stands at.
    pub fn diagnostic(&self) -> Diagnostic {
        let at = u32::try_from(self.offset).unwrap_or(u32::MAX);
        Diagnostic::error(self.code, Span::new(at, at), self.to_string())
    }
}

/// A result of reading.
pub type Result<T> = std::result::Result<T, Error>;
