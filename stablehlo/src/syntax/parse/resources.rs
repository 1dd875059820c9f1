//! The resource section `{-# … #-}`.

use std::borrow::Cow;

use super::attributes::accept_bool;
use super::error::{Checked, PResult, expected, fault};
use super::hex::hex_string;
use super::lexical::{self, Input, peek, separated_until, skip};
use super::{Parser, punct};
use crate::ir::{Blob, ExternalResource, NameId, Resource};

impl<'s> Parser<'s> {
    /// file-metadata-dictionary: `'{-#' (entry (',' entry)*)? '#-}'`
    pub(super) fn file_metadata_dictionary(&mut self, i: Input<'s>) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, "{-#")?;
        separated_until(i, "#-}", "`#-}`", |at| {
            let at = skip(at);
            let (rest, key) = lexical::bare_id(at)?;
            let (rest, ()) = punct!(rest, ":")?;
            match key {
                b"dialect_resources" => self.resource_groups(rest, Self::dialect_resource_group),
                b"external_resources" => self.resource_groups(rest, Self::external_resource_group),
                _ => {
                    let message = format!("unknown key `{}` in file metadata dictionary", String::from_utf8_lossy(key));
                    Err(fault(at, "parse/unknown-field", message))
                }
            }
        })
    }

    /// `'{' (key ':' group (',' key ':' group)*)? '}'`
    fn resource_groups(
        &mut self,
        i: Input<'s>,
        group: impl Fn(&mut Self, Input<'s>, NameId, Input<'s>) -> PResult<'s, ()>,
    ) -> PResult<'s, ()> {
        self.entries(i, |parser, i| {
            let at = skip(i);
            let (i, name) = parser.resource_key(i)?;
            let (i, ()) = punct!(i, ":")?;
            group(parser, i, name, at)
        })
    }

    fn entries(
        &mut self,
        i: Input<'s>,
        mut entry: impl FnMut(&mut Self, Input<'s>) -> PResult<'s, ()>,
    ) -> PResult<'s, ()> {
        let (i, ()) = punct!(i, "{")?;
        separated_until(i, "}", "`}`", |i| entry(self, i))
    }

    /// Blobs of a dialect; only `builtin` has some.
    fn dialect_resource_group(&mut self, i: Input<'s>, dialect: NameId, at: Input<'s>) -> PResult<'s, ()> {
        if self.module.str(dialect) != "builtin" {
            let message = format!("dialect `{}` has no resources here", self.module.str(dialect));
            return Err(fault(at, "parse/unknown-dialect", message));
        }
        self.entries(i, |parser, i| {
            let (i, key) = parser.resource_key(i)?;
            let (i, ()) = punct!(i, ":")?;
            let (i, resource) = blob(i)?;
            parser.module.resources.insert(key, resource);
            Ok((i, ()))
        })
    }

    fn external_resource_group(&mut self, i: Input<'s>, group: NameId, _at: Input<'s>) -> PResult<'s, ()> {
        self.module.external_resources.entry(group).or_default();
        self.entries(i, |parser, i| {
            let (i, key) = parser.resource_key(i)?;
            let (i, ()) = punct!(i, ":")?;
            let (i, value) = external_resource(i)?;
            if let Some(group) = parser.module.external_resources.get_mut(&group) {
                group.insert(key, value);
            }
            Ok((i, ()))
        })
    }

    /// A key, bare or quoted.
    pub(super) fn resource_key(&mut self, i: Input<'s>) -> PResult<'s, NameId> {
        let at = skip(i);
        let (rest, key) = match lexical::accept_word(at) {
            Some((rest, word)) => (rest, Cow::Borrowed(word)),
            None => match lexical::accept_string(at)? {
                Some(read) => read,
                None => return Err(expected(at, "parse/expected-keyword", "a key")),
            },
        };
        Ok((rest, self.name_of_bytes(at, &key)?))
    }
}

/// `"0x…"`: four bytes of alignment, little-endian, then the data.
fn blob(i: Input<'_>) -> PResult<'_, Resource> {
    let at = skip(i);
    if peek(at) != b'"' {
        return Err(expected(at, "parse/expected-string", "a hexadecimal blob"));
    }
    let (rest, bytes) = hex_string(at)?;
    Ok((rest, resource(at, bytes)?))
}

fn resource<'s>(at: Input<'s>, bytes: Vec<u8>) -> Checked<'s, Resource> {
    const CODE: &str = "parse/invalid-blob";
    let Some(alignment) = bytes.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)) else {
        return Err(fault(at, CODE, "expected hex string blob to encode its alignment in the first 4 bytes"));
    };
    if alignment != 0 && !alignment.is_power_of_two() {
        let message = format!("expected hex string blob to have an alignment of a power of two, got {alignment}");
        return Err(fault(at, CODE, message));
    }
    let data = bytes::Bytes::from(bytes).slice(4..);
    Ok(Resource { alignment, data: Blob::new(data) })
}

fn external_resource(i: Input<'_>) -> PResult<'_, ExternalResource> {
    let at = skip(i);
    if let Some((rest, value)) = accept_bool(at) {
        return Ok((rest, ExternalResource::Bool(value)));
    }
    if at.starts_with(b"\"0x")
        && let Ok((rest, bytes)) = hex_string(at)
    {
        return Ok((rest, ExternalResource::Blob(resource(at, bytes)?)));
    }
    let (rest, text) = lexical::string_literal(at)?;
    Ok((rest, ExternalResource::String(text.into_owned().into())))
}
