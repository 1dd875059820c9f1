//! StableHLO: the intermediate representation, the op registry, the text form, bytecode, the verifier and diagnostics.

pub mod arena;
pub mod bytecode;
pub mod diag;
pub mod element;
pub mod ir;
pub mod ops;
pub mod syntax;
pub mod verify;
pub mod vhlo;
