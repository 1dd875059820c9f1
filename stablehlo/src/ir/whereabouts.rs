//! Where the source of an op stands, in words.

use super::{LocId, Location, Module};

/// How many parts of a location are looked at: parts are shared, so that a short text can make more of them than there is
/// time for.
const MAX_PARTS: usize = 64;

impl Module {
    /// The first file position and the names around it, `jit(f)/add (model.py:12:3)`; none when the location has neither.
    pub fn describe_location(&self, location: LocId) -> Option<String> {
        self.describe_part(location, &mut MAX_PARTS.clone())
    }

    fn describe_part(&self, location: LocId, left: &mut usize) -> Option<String> {
        *left = left.checked_sub(1)?;
        let mut next = |location: &LocId| self.describe_part(*location, left);
        match self.location(location) {
            Location::Unknown => None,
            Location::File(range) => Some(format!("{}:{}:{}", self.str(range.file), range.line, range.column)),
            Location::Name { name, child } => {
                let name = String::from_utf8_lossy(name);
                Some(match next(child) {
                    Some(child) => format!("{name} ({child})"),
                    None => name.into_owned(),
                })
            }
            Location::CallSite { callee, caller } => [callee, caller].into_iter().find_map(next),
            Location::Fused { locations, .. } => locations.iter().find_map(next),
        }
    }
}
