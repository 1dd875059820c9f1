//! The reference interpreter: what every StableHLO op means, exactly and reproducibly.
//!
//! [`run`] executes a function of a verified module on [`Value`]s. [`ops`] has the meaning of each op, on [`Tensor`]s and
//! in the specification's words; [`element`] the arithmetic of the element types; [`semantics`] what the
//! specification leaves open and what is chosen here. [`io`] reads and writes tensors.

pub mod compare;
pub mod element;
pub mod error;
pub mod eval;
pub mod io;
pub mod memory;
pub mod ops;
pub mod semantics;
pub mod tensor;
pub mod value;

pub use error::{ErrorKind, EvalError};
pub use eval::{Config, Host, Observer, Outcome, entry, run};
pub use tensor::Tensor;
pub use value::Value;
