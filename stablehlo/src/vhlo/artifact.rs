//! Portable artifacts: files that readers of other versions understand.

use bytes::Bytes;

use super::lower::Portable;
use super::requirements::requirements;
use super::{CompatibilityRequirement, Version, format_of};
use crate::bytecode::dialects;
use crate::bytecode::error::Error;
use crate::bytecode::write::{self, AttrEntry, Encoded, Encoder, Encodings};
use crate::diag::Diagnostic;
use crate::ir::{LocId, Location, Module, Span};

/// What the producer of an artifact is called, before the version.
const PRODUCER: &str = "StableHLO_v";

/// The newest version that this crate reads and writes.
pub fn current_version() -> Version {
    Version::CURRENT
}

/// The oldest version that artifacts may have.
pub fn minimum_version() -> Version {
    Version::MINIMUM
}

/// The newest version that all readers understand which `requirement` asks for.
pub fn version_from_requirement(requirement: CompatibilityRequirement) -> Version {
    requirement.version()
}

/// Writes a module as a portable artifact that readers of version `target` and all later ones understand.
///
/// The module should be valid. Patch numbers are kept in the artifact and otherwise mean nothing. Readers before 1.9.0 do
/// not know ranges in locations (`"f":1:2 to 1:5`): for them only the beginning is written.
///
/// # Errors
/// `vhlo/target` for versions that there are none of; `vhlo/needs-newer-version` for each thing that came after `target`,
/// with its place; `vhlo/not-portable` for what no artifact can hold.
pub fn serialize_portable_artifact(module: &Module, target: Version) -> Result<Encoded, Vec<Diagnostic>> {
    check_target(target)?;
    let requirements = requirements(module);
    let refusals = requirements.iter().filter(|requirement| !requirement.allows(target));
    let refusals: Vec<Diagnostic> = refusals.map(|requirement| requirement.diagnostic(module, target)).collect();
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let native = match target {
        Version { major: 0, .. } | Version { major: 1, minor: ..9, .. } => {
            Encodings { location: points_only, ..dialects::NATIVE }
        }
        _ => dialects::NATIVE,
    };
    let encoder = Encoder::new(module, native, dialects::vhlo::ENCODINGS);
    let mut lowering = Portable::new(target, write::native(format_of(target)));
    write::write_with(encoder, &mut lowering, &format!("{PRODUCER}{target}"), false)
}

fn check_target(target: Version) -> Result<(), Vec<Diagnostic>> {
    let (oldest, newest) = (Version::MINIMUM, Version::CURRENT);
    if (oldest..=newest).contains(&target) {
        return Ok(());
    }
    let message = format!("artifacts have a version from {oldest} to {newest}, got {target}");
    Err(vec![Diagnostic::error("vhlo/target", Span::default(), message)])
}

/// Locations as readers before 1.9.0 know them.
fn points_only(encoder: &mut Encoder<'_>, location: LocId) -> write::Result<AttrEntry> {
    match encoder.module.location(location) {
        Location::File(range) => {
            let file = encoder.name(range.file);
            Ok(encoder.table.place(file, range.line, range.column))
        }
        _ => (dialects::NATIVE.location)(encoder, location),
    }
}

/// Reads a portable artifact, and the version that it was written for, if it says so.
///
/// Any version up to [`current_version`] is understood; the ops are upgraded to what they are called today. `source_name`
/// is what diagnostics call the file. Large constants share `bytes`. The module is not verified.
///
/// # Errors
/// See [`bytecode::read`](crate::bytecode::read).
pub fn deserialize_portable_artifact(bytes: Bytes, source_name: &str) -> Result<(Module, Option<Version>), Error> {
    let version = portable_artifact_version(&bytes);
    Ok((crate::bytecode::read(bytes, source_name)?, version))
}

/// The version that a portable artifact says it was written for; none for other bytes.
pub fn portable_artifact_version(bytes: &[u8]) -> Option<Version> {
    // Magic number, format version, then the producer up to a NUL.
    let header = bytes.strip_prefix(b"ML\xefR")?;
    let header = &header[..memchr::memchr(0, header)?];
    let at = memchr::memmem::find(header, PRODUCER.as_bytes())?;
    std::str::from_utf8(&header[at + PRODUCER.len()..]).ok()?.parse().ok()
}
