//! The CHLO dialect: only its comparison words have an encoding.

use super::{stablehlo, unknown_code};
use crate::bytecode::read::{Decoder, Stop};
use crate::bytecode::write::{AttrEntry, Encoder, Piece};
use crate::ir::{AttrId, Attribute, EnumKind};

/// Enumerations by their codes.
const ENUMS: [(EnumKind, u64); 2] = [(EnumKind::ChloComparisonDirection, 0), (EnumKind::ChloComparisonType, 1)];

/// Reads an attribute.
pub(super) fn read_attr(code: u64, d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    match ENUMS.iter().find(|(_, number)| *number == code) {
        Some((kind, _)) => Ok(stablehlo::read_enum(*kind, d)?),
        None => Err(unknown_code("chlo", "attribute", code, d).into()),
    }
}

/// The form of an attribute; none when it has no encoding, or is another dialect's.
pub(super) fn write_attr(e: &mut Encoder<'_>, attr: AttrId) -> Option<AttrEntry> {
    let Attribute::Enum(value) = e.module.attr(attr) else { return None };
    let (_, code) = ENUMS.iter().find(|(kind, _)| *kind == value.kind())?;
    Some(e.table.attr("chlo", *code, [Piece::Varint(u64::from(value.number()))]))
}
