//! Diagnostics as data.
//!
//! A [`Diagnostic`] says what is wrong with stable code, message, labelled spans and help. How it looks (terminal, JSON,
//! SARIF, editor) is decided elsewhere.

pub mod codes;
pub mod hex;
pub mod origin;
pub mod render;
pub mod rules;

use crate::ir::Span;

/// How bad it is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Severity {
    Error,
    Warning,
    Remark,
    Note,
}

impl Severity {
    /// Lower-case word: `error`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
            Severity::Note => "note",
        }
    }
}

/// A complaint about a place in a source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code: a rule of the specification (`pad_c2`) or a short name by layer (`parse/expected-type`).
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, with the values found and expected.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Further places, each with what it has to do with the fault.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A place with a remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What about it.
    pub message: String,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: impl Into<String>, span: Span, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity: Severity::Error,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
        }
    }

    /// Adds a label.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Sets the help line.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
