//! StableHLO: the intermediate representation, the op registry, the text form, the verifier and diagnostics.

pub mod arena;
pub mod diag;
pub mod element;
pub mod ir;
pub mod ops;
pub mod syntax;
pub mod verify;
