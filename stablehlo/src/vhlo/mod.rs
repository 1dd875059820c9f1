//! VHLO, the versioned twin of StableHLO: what portable artifacts are written in.

pub(crate) mod read;
mod version;

pub use version::{CompatibilityRequirement, InvalidVersion, Version};
