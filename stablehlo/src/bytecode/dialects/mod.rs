//! How the attributes and types of each dialect are encoded: one file per dialect, reading and writing side by side.

use super::error::Error;
use super::read::{Decoder, Stop};
use crate::ir::{Attribute, Type};

/// Reads the payload of an attribute that `dialect` encodes as `code`.
pub(crate) fn read_attr(dialect: &str, code: u64, d: &mut Decoder<'_, '_>) -> Result<Attribute, Stop> {
    // One arm per dialect: "builtin" => builtin::read_attr(code, d)
    Err(unknown_dialect(dialect, "attribute", code, d))
}

/// Reads the payload of a type that `dialect` encodes as `code`.
pub(crate) fn read_type(dialect: &str, code: u64, d: &mut Decoder<'_, '_>) -> Result<Type, Stop> {
    Err(unknown_dialect(dialect, "type", code, d))
}

fn unknown_dialect(dialect: &str, kind: &str, code: u64, d: &Decoder<'_, '_>) -> Stop {
    let message = format!("{kind} {code} of dialect `{dialect}`: the encodings of this dialect are not known here");
    d.cursor.error("bytecode/unknown-dialect", message).into()
}

/// The complaint about a code that `dialect` does not have.
pub(crate) fn unknown_code(dialect: &str, kind: &str, code: u64, d: &Decoder<'_, '_>) -> Error {
    d.cursor.error("bytecode/unknown-code", format!("dialect `{dialect}` has no {kind} with code {code}"))
}
