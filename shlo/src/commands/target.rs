//! Versions of StableHLO as the command line names them.

use stablehlo::vhlo::{CompatibilityRequirement, Version, current_version, minimum_version, version_from_requirement};

/// Reads `1.9.0`, or how old readers may be: `current`, `week4`, `week12`, `max`.
///
/// # Errors
/// For anything else, and for versions that artifacts cannot have.
pub fn parse(text: &str) -> Result<Version, String> {
    if let Ok(requirement) = text.parse::<CompatibilityRequirement>() {
        return Ok(version_from_requirement(requirement));
    }
    let version: Version = text.parse().map_err(|error| format!("{error}, or current, week4, week12 or max"))?;
    let (oldest, newest) = (minimum_version(), current_version());
    match (oldest..=newest).contains(&version) {
        true => Ok(version),
        false => Err(format!("versions from {oldest} to {newest} are known here")),
    }
}

/// The words for versions and what they mean today, for help texts.
pub const WORDS: [(&str, CompatibilityRequirement); 4] = [
    ("current", CompatibilityRequirement::None),
    ("week4", CompatibilityRequirement::Week4),
    ("week12", CompatibilityRequirement::Week12),
    ("max", CompatibilityRequirement::Max),
];
