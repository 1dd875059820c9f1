//! The reference interpreter: what every StableHLO op means, exactly and reproducibly.

pub mod element;
pub mod semantics;
