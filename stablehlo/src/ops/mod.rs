//! The op registry: one declaration per op, and everything that is known about ops by name.

pub mod access;
pub mod attr_classes;
pub mod classes;
mod declare;
pub(crate) mod fill;
mod registry;
pub mod spec;
pub mod value_classes;

pub mod builtin;
pub mod check;
pub mod chlo;
pub mod func;
pub mod interpreter;
pub mod stablehlo;

pub(crate) use declare::op;
pub(crate) use registry::is_registered_dialect;
pub use registry::{OpKind, find};
