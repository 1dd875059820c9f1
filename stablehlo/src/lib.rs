//! StableHLO: the intermediate representation, the op registry, the text form, the verifier and diagnostics.

pub mod element;
