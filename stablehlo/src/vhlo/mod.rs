//! VHLO, the versioned twin of StableHLO: what portable artifacts are written in.
//!
//! VHLO has no representation of its own here. Its types and attributes are those of the [IR](crate::ir); how each is
//! encoded and which version brought it stands in `bytecode/dialects/vhlo.rs`. Its ops are forms of ours, one per version
//! that changed something, and declarations say what changed ([`history`]). Reading a form gives the op (`read`), writing
//! lowers the op to the form that the target knows (`lower`), and [`requirements`] says what no older version could hold.

mod artifact;
pub(crate) mod casts;
mod forms;
pub mod history;
mod lower;
mod parts;
pub(crate) mod read;
mod requirements;
mod version;

pub use artifact::{
    current_version, deserialize_portable_artifact, minimum_version, portable_artifact_version,
    serialize_portable_artifact, version_from_requirement,
};
pub use requirements::{Requirement, oldest_version, requirements};
pub use version::{CompatibilityRequirement, InvalidVersion, UnknownRequirement, Version};

/// The version of the bytecode format in which artifacts of `target` are written.
pub(crate) fn format_of(target: Version) -> u64 {
    match (target.major, target.minor) {
        (0, ..10) => 0,
        (0, ..12) => 1,
        (0, ..14) => 3,
        (0, 14) => 4,
        _ => 6,
    }
}
