//! VHLO, the versioned twin of StableHLO: what portable artifacts are written in.

mod version;

pub use version::{CompatibilityRequirement, InvalidVersion, Version};
