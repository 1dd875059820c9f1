//! Why a run ended without results.

use std::borrow::Cow;
use std::fmt;

use stablehlo::ir::{OpId, Span};

/// What kind of end a run came to; commands turn it into their exit code.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ErrorKind {
    /// The inputs, or the values that the program computed, do not allow an op to go on.
    Invalid,
    /// A `check` op found a difference.
    Check,
    /// The interpreter does not execute the op.
    Unsupported,
    /// A limit on memory, steps, time or depth was reached.
    Resource,
    /// The run was asked to stop.
    Interrupted,
}

/// An error of evaluation, as data.
#[derive(Clone, PartialEq, Debug)]
pub struct EvalError(Box<Inner>);

#[derive(Clone, PartialEq, Debug)]
struct Inner {
    kind: ErrorKind,
    code: &'static str,
    message: Cow<'static, str>,
    op: Option<OpId>,
    span: Span,
    location: String,
    calls: Vec<String>,
}

/// What evaluation gives.
pub type Result<T, E = EvalError> = std::result::Result<T, E>;

impl EvalError {
    /// An error of this kind. Codes begin with `exec/`.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner {
            kind,
            code,
            message: message.into(),
            op: None,
            span: Span::default(),
            location: String::new(),
            calls: Vec::new(),
        }))
    }

    /// Values that do not allow an op to go on.
    pub fn invalid(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Invalid, code, message)
    }

    /// Something that the interpreter does not execute.
    pub fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Unsupported, "exec/unsupported", message)
    }

    /// A limit that was reached.
    pub fn resource(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Resource, code, message)
    }

    /// A state that verification should have made impossible.
    pub fn bug(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Invalid, "exec/bug", message)
    }

    /// Says at which op it happened, unless an op further inside is named already.
    #[must_use]
    pub(crate) fn at(mut self, op: OpId, span: Span, location: impl FnOnce() -> String) -> Self {
        if self.0.op.is_none() {
            self.0.op = Some(op);
            self.0.span = span;
            self.0.location = location();
        }
        self
    }

    /// Adds a function that was being called, innermost first.
    #[must_use]
    pub(crate) fn called_from(mut self, function: &str) -> Self {
        // A deep recursion is not worth more lines than a person reads.
        if self.0.calls.len() < 16 {
            self.0.calls.push(function.to_owned());
        }
        self
    }

    /// What kind of end it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Stable code, `exec/…`.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// What happened, with the values found and expected.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The op at which it happened.
    pub fn op(&self) -> Option<OpId> {
        self.0.op
    }

    /// The op's place in the source text.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// The op as a person finds it again: its name and, if the program has it, its location.
    pub fn location(&self) -> &str {
        &self.0.location
    }

    /// Functions that were being called, innermost first (at most 16).
    pub fn calls(&self) -> &[String] {
        &self.0.calls
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.0.code, self.0.message)?;
        if !self.0.location.is_empty() {
            write!(f, " (at {})", self.0.location)?;
        }
        Ok(())
    }
}

impl std::error::Error for EvalError {}
