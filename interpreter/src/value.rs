//! Values: what ops take and give.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::{EvalError, Result};
use crate::memory::Memory;
use crate::tensor::Tensor;

/// Values of operands or results.
pub type Values = SmallVec<[Value; 1]>;

/// A run-time value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A tensor; quantized tensors are held as their storage.
    Tensor(Tensor),
    /// A tuple.
    Tuple(Arc<[Value]>),
    /// A token: effects are executed in the order of the program, so it carries nothing.
    Token,
    /// What an asynchronous op will give. It is computed when the op starts.
    Future(Arc<[Value]>),
}

impl Value {
    /// The tensor.
    ///
    /// # Errors
    /// `exec/bug` when it is something else, which verified programs exclude.
    pub fn tensor(&self) -> Result<&Tensor> {
        match self {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(EvalError::bug(format!("a tensor is needed, not {}", other.kind()))),
        }
    }

    /// The tensor, taken out.
    ///
    /// # Errors
    /// As [`Value::tensor`].
    pub fn into_tensor(self) -> Result<Tensor> {
        match self {
            Value::Tensor(tensor) => Ok(tensor),
            other => Err(EvalError::bug(format!("a tensor is needed, not {}", other.kind()))),
        }
    }

    /// A word for the kind of value.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Tensor(_) => "a tensor",
            Value::Tuple(_) => "a tuple",
            Value::Token => "a token",
            Value::Future(_) => "a future",
        }
    }

    /// Counts the storage inside.
    pub(crate) fn count(&mut self, memory: &Memory) {
        // The parts of tuples and futures were counted when they were made.
        if let Value::Tensor(tensor) = self {
            memory.count(tensor);
        }
    }
}

impl From<Tensor> for Value {
    fn from(tensor: Tensor) -> Self {
        Value::Tensor(tensor)
    }
}
