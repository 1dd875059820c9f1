//! Locations, which are attributes in bytecode.

use super::attr_code as code;
use crate::bytecode::dialects::{Payload, list};
use crate::bytecode::error::Error;
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{self, AttrEntry, Encoder, Piece};
use crate::ir::{Attribute, FileRange, LocId, Location};

/// Reads a location with one of the codes of locations; none for other codes.
pub(super) fn read(code: u64, d: &mut Decoder<'_, '_>) -> Option<Result<Attribute, Stop>> {
    let location = match code {
        code::CALL_SITE => call_site(d),
        code::FILE_LINE_COLUMN => point(d),
        code::FUSED | code::FUSED_WITH_METADATA => fused(code == code::FUSED_WITH_METADATA, d),
        code::NAMED => named(d),
        code::UNKNOWN => Ok(Location::Unknown),
        code::FILE_RANGE => range(d),
        _ => return None,
    };
    let location = location.and_then(|location| d.complete().map(|()| location));
    Some(location.map(|location| Attribute::Location(d.module.intern_location(location))))
}

fn call_site(d: &mut Decoder<'_, '_>) -> Result<Location, Stop> {
    let callee = d.location("the callee's location")?;
    let caller = d.location("the caller's location")?;
    Ok(Location::CallSite { callee, caller })
}

fn fused(has_metadata: bool, d: &mut Decoder<'_, '_>) -> Result<Location, Stop> {
    let n = d.cursor.count("the number of parts of a fused location")?;
    let locations = (0..n).map(|_| d.location("a part of a fused location")).collect::<Result<_, _>>()?;
    let metadata = if has_metadata { Some(d.attr("the metadata of a fused location")?) } else { None };
    Ok(Location::Fused { metadata, locations })
}

fn named(d: &mut Decoder<'_, '_>) -> Result<Location, Stop> {
    let offset = d.cursor.offset();
    let name = d.attr("the name of a location")?;
    let child = d.location("the location under a name")?;
    d.complete()?;
    let Some(name) = d.module.string_bytes(name).map(Box::<[u8]>::from) else {
        return Err(Error::new("bytecode/expected-string", offset, "the name of a location is not a string").into());
    };
    d.charge(name.len())?;
    Ok(Location::Name { name, child })
}

fn point(d: &mut Decoder<'_, '_>) -> Result<Location, Stop> {
    let file = d.name_attr("the file of a location")?;
    let [line, column] = [d.small("the line of a location")?, d.small("the column of a location")?];
    Ok(Location::File(FileRange { file, line, column, end_line: line, end_column: column }))
}

/// Line, column, and where the range ends; what is left out is 0, or where the range begins.
fn range(d: &mut Decoder<'_, '_>) -> Result<Location, Stop> {
    let file = d.name_attr("the file of a location")?;
    let offset = d.cursor.offset();
    let n = d.cursor.count("the number of lines and columns")?;
    if n > 4 {
        let message = format!("a location has at most 4 lines and columns, found {n}");
        return Err(Error::new("bytecode/invalid-number", offset, message).into());
    }
    let mut numbers = [0u32; 4];
    for number in &mut numbers[..n] {
        *number = d.small("a line or column")?;
    }
    let [line, column, third, fourth] = numbers;
    let (end_line, end_column) = match n {
        4 => (third, fourth),
        3 => (line, third),
        _ => (line, column),
    };
    Ok(Location::File(FileRange { file, line, column, end_line, end_column }))
}

/// The entry of a location that is neither unknown nor a point in a file, which [`Encoder`] writes itself.
pub(in super::super) fn write_location(e: &mut Encoder<'_>, location: LocId) -> write::Result<AttrEntry> {
    let (code, payload): (u64, Payload) = match e.module.location(location) {
        Location::Unknown => return Ok(e.unknown_location()),
        Location::File(range) => (code::FILE_RANGE, write_range(e, range)),
        Location::Name { name, child } => {
            let pieces = [Piece::Attr(e.string_attr(name)), Piece::Attr(e.location(*child))];
            (code::NAMED, pieces.into_iter().collect())
        }
        Location::CallSite { callee, caller } => {
            let pieces = [callee, caller].map(|part| Piece::Attr(e.location(*part)));
            (code::CALL_SITE, pieces.into_iter().collect())
        }
        Location::Fused { metadata, locations } => {
            let mut payload = list(locations.iter().map(|part| Piece::Attr(e.location(*part))));
            payload.extend(metadata.map(|metadata| Piece::Attr(e.attr(metadata))));
            (if metadata.is_some() { code::FUSED_WITH_METADATA } else { code::FUSED }, payload)
        }
    };
    Ok(e.table.attr("builtin", code, payload))
}

/// The end's line goes without saying when it is the start's.
fn write_range(e: &mut Encoder<'_>, range: &FileRange) -> Payload {
    let file = Piece::Attr(e.name(range.file));
    let end_line = (range.end_line != range.line).then_some(range.end_line);
    let numbers = [range.line, range.column].into_iter().chain(end_line).chain([range.end_column]);
    let numbers: Payload = numbers.map(|number| Piece::Varint(u64::from(number))).collect();
    std::iter::once(file).chain(list(numbers.into_iter())).collect()
}
