//! What can be wrong with a value that is read.

use std::fmt;

use stablehlo::element::ElementType;

/// Why a tensor could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError {
    code: &'static str,
    message: String,
}

impl InputError {
    /// A fault with a stable code, `input/…`, and what was found and expected.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// `input/too-large`: a tensor that would take more than is allowed.
    pub(super) fn too_large(element: ElementType, shape: &[usize]) -> Self {
        Self::new("input/too-large", format!("a tensor of shape {shape:?} and type {element} is too large"))
    }

    /// Stable code, `input/…`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says in front which file or argument it is about.
    #[must_use]
    pub fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.message)
    }
}

impl std::error::Error for InputError {}

/// What reading gives.
pub type Result<T, E = InputError> = std::result::Result<T, E>;
