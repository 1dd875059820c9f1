//! Versions of VHLO, the versioned dialect that portable artifacts are written in.

use std::fmt;
use std::str::FromStr;

/// A version of StableHLO as portable artifacts count it: `1.17.0`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// Incompatible changes.
    pub major: u32,
    /// New ops, types and attributes.
    pub minor: u32,
    /// Anything else; the legality of ops does not depend on it.
    pub patch: u32,
}

impl Version {
    /// The oldest version that artifacts may have.
    pub const MINIMUM: Version = Version::new(0, 9, 0);
    /// The newest version that this crate reads and writes.
    pub const CURRENT: Version = Version::new(1, 20, 0);

    /// `major.minor.patch`
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// The version without its patch number: what decides whether an op, type or attribute exists.
    #[must_use]
    pub const fn release(self) -> Self {
        Self { patch: 0, ..self }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Why a text is not a [`Version`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a version is three numbers with dots between them, such as 1.9.0; got {0:?}")]
pub struct InvalidVersion(String);

impl FromStr for Version {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| part.parse().ok()).flatten()
        };
        let mut parts = text.split('.').map(number);
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Self { major, minor, patch }),
            _ => Err(InvalidVersion(text.to_owned())),
        }
    }
}

/// How long ago a reader may have been built that must still understand an artifact.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CompatibilityRequirement {
    /// No older reader: the current version.
    None,
    /// Readers of the last four weeks.
    Week4,
    /// Readers of the last twelve weeks.
    Week12,
    /// Every reader that there ever was.
    Max,
}

impl CompatibilityRequirement {
    /// The newest version that fulfils the requirement.
    pub const fn version(self) -> Version {
        match self {
            CompatibilityRequirement::None => Version::CURRENT,
            CompatibilityRequirement::Week4 => Version::new(1, 18, 0),
            CompatibilityRequirement::Week12 => Version::new(1, 16, 2),
            CompatibilityRequirement::Max => Version::MINIMUM,
        }
    }
}

impl FromStr for CompatibilityRequirement {
    type Err = UnknownRequirement;

    fn from_str(text: &str) -> Result<Self, UnknownRequirement> {
        Ok(match text {
            "current" => CompatibilityRequirement::None,
            "week4" => CompatibilityRequirement::Week4,
            "week12" => CompatibilityRequirement::Week12,
            "max" => CompatibilityRequirement::Max,
            _ => return Err(UnknownRequirement(text.to_owned())),
        })
    }
}

/// Why a text is not a [`CompatibilityRequirement`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("how old readers may be is one of current, week4, week12 and max; got {0:?}")]
pub struct UnknownRequirement(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        assert_eq!("1.9.0".parse(), Ok(Version::new(1, 9, 0)));
        assert_eq!("0.17.12".parse(), Ok(Version::new(0, 17, 12)));
        for wrong in ["", "1", "1.9", "1.9.", "1.9.0.0", "v1.9.0", "1.9.0 ", "+1.9.0", "1.-9.0", "99999999999.0.0"] {
            assert!(wrong.parse::<Version>().is_err(), "{wrong}");
        }
        assert!(Version::new(1, 10, 0) > Version::new(1, 9, 7));
        assert_eq!(Version::new(1, 16, 2).release(), Version::new(1, 16, 0));
    }
    #[test]
    fn requirements_are_words() {
        assert_eq!("current".parse(), Ok(CompatibilityRequirement::None));
        assert_eq!("max".parse::<CompatibilityRequirement>().unwrap().version(), Version::MINIMUM);
        assert!("week5".parse::<CompatibilityRequirement>().is_err());
    }
}
