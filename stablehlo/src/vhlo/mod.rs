//! VHLO, the versioned twin of StableHLO: what portable artifacts are written in.
//!
//! VHLO has no representation of its own here. Its types and attributes are those of the [IR](crate::ir); how each is
//! encoded and which version brought it stands in `bytecode/dialects/vhlo.rs`. Its ops are forms of ours, one per version
//! that changed something, and declarations say what changed ([`history`]). Reading a form gives the op (`read`).

mod forms;
pub mod history;
mod parts;
pub(crate) mod read;
mod version;

pub(crate) use forms::OpForm;
pub use version::{CompatibilityRequirement, InvalidVersion, Version};
