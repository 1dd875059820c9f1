//! Where an op stands, in words.

use stablehlo::ir::{LocId, Location, Module, OpId, Span};

/// The op's name in the source text, where MLIR's tools point.
pub fn span(module: &Module, op: OpId) -> Span {
    let source = module.source(op);
    let length = u32::try_from(module.op_name(op).len()).unwrap_or(0);
    Span::new(source.name, source.name.saturating_add(length).min(source.end))
}

/// `stablehlo.add`, with the location that the program itself gives it.
pub fn describe(module: &Module, op: OpId) -> String {
    let name = module.op_name(op);
    match module.op(op).location().and_then(|location| of_location(module, location, &mut 64)) {
        Some(place) => format!("{name}, {place}"),
        None => name.to_owned(),
    }
}

/// The first file position or name in a location, of which no more than `left` parts are looked at: parts are shared, so
/// that a short text can make more of them than there is time for.
fn of_location(module: &Module, location: LocId, left: &mut usize) -> Option<String> {
    *left = left.checked_sub(1)?;
    let mut next = |location: &LocId| of_location(module, *location, left);
    match module.location(location) {
        Location::Unknown => None,
        Location::File(range) => Some(format!("{}:{}:{}", module.str(range.file), range.line, range.column)),
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
