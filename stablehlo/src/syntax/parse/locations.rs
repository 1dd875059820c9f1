//! Locations.

use rustc_hash::FxHashSet;

use super::error::{PResult, expected, fault, fault_with_help};
use super::lexical::{self, Input, accept, accept_keyword, accept_suffix_id, peek, separated_until, skip};
use super::{Parser, keyword, punct};
use crate::diag::Diagnostic;
use crate::ir::{AttrId, Attribute, BlockId, FileRange, LocId, Location, OpId, Span};

/// A `loc(…)` behind an op or an argument.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub enum TrailingLocation<'s> {
    /// Not written.
    #[default]
    None,
    /// Known now.
    Known(LocId),
    /// `loc(#alias)` with an alias that is not defined yet.
    Alias {
        /// Its name without `#`.
        name: &'s [u8],
        /// Where.
        span: Span,
    },
}

/// A location that is set at the end of the text.
pub(super) struct Deferred<'s> {
    place: DeferredPlace,
    name: &'s [u8],
    span: Span,
}

enum DeferredPlace {
    Op(OpId),
    Argument(BlockId, usize),
}

impl<'s> Parser<'s> {
    /// trailing-location: `('loc' '(' (alias | location-inst) ')')?`
    #[inline]
    pub fn trailing_location(&mut self, i: Input<'s>) -> PResult<'s, TrailingLocation<'s>> {
        if peek(i) != b'l' {
            return Ok((i, TrailingLocation::None));
        }
        let Some(rest) = accept_keyword(i, "loc").filter(|rest| peek(rest) == b'(') else {
            return Ok((i, TrailingLocation::None));
        };
        let (inner, ()) = punct!(rest, "(")?;
        let at = skip(inner);
        if at.first() == Some(&b'#')
            && let Some((after, name)) = accept_suffix_id(at, b'#')
            && !name.contains(&b'.')
            && !self.attribute_aliases.contains_key(name)
        {
            let span = self.span(at, after);
            let (after, ()) = punct!(after, ")")?;
            return Ok((after, TrailingLocation::Alias { name, span }));
        }
        let (rest, location) = self.location(i)?;
        Ok((rest, TrailingLocation::Known(location)))
    }

    /// location: `'loc' '(' location-inst ')'`
    pub fn location(&mut self, i: Input<'s>) -> PResult<'s, LocId> {
        let (i, ()) = keyword!(i, "loc")?;
        let (i, ()) = punct!(i, "(")?;
        let (i, location) = self.location_inst(i)?;
        let (i, ()) = punct!(i, ")")?;
        Ok((i, location))
    }

    /// location-inst: `alias | unknown | callsite | fused | file-line-col | name`
    fn location_inst(&mut self, i: Input<'s>) -> PResult<'s, LocId> {
        self.nested(i, |parser, i| {
            let at = skip(i);
            match at.first().copied().unwrap_or(0) {
                b'#' => parser.location_alias(at),
                b'"' => parser.name_or_file_location(at),
                _ => {
                    if let Some(rest) = accept_keyword(at, "unknown") {
                        return Ok((rest, parser.module.intern_location(Location::Unknown)));
                    }
                    if let Some(rest) = accept_keyword(at, "callsite") {
                        return parser.call_site_location(rest);
                    }
                    if let Some(rest) = accept_keyword(at, "fused") {
                        return parser.fused_location(rest);
                    }
                    Err(expected(at, "parse/expected-location", "a location"))
                }
            }
        })
    }

    fn location_alias(&mut self, at: Input<'s>) -> PResult<'s, LocId> {
        let (rest, attr) = self.attribute(at)?;
        match self.location_of(attr) {
            Some(location) => Ok((rest, location)),
            None => Err(fault(at, "parse/expected-location", "expected the alias of a location")),
        }
    }

    fn location_of(&self, attr: AttrId) -> Option<LocId> {
        match self.module.attr(attr) {
            Attribute::Location(location) => Some(*location),
            _ => None,
        }
    }

    /// `"file":line:column`, `"file":line`, `"file":l:c to l:c`, `"name"`, `"name"(location)`
    fn name_or_file_location(&mut self, at: Input<'s>) -> PResult<'s, LocId> {
        let (i, text) = lexical::string_literal(at)?;
        if let Some(rest) = accept(i, ":") {
            let file = if text.is_empty() { self.module.name("-") } else { self.name_of_bytes(at, &text)? };
            return self.file_range(rest, file);
        }
        let (i, child) = match accept(i, "(") {
            None => (i, self.module.intern_location(Location::Unknown)),
            Some(rest) => {
                let (rest, child) = self.location_inst(rest)?;
                let (rest, ()) = punct!(rest, ")")?;
                (rest, child)
            }
        };
        let location = Location::Name { name: text.into_owned().into(), child };
        Ok((i, self.module.intern_location(location)))
    }

    /// `line (':' column)? ('to' (line ':')? … )?` behind the file's name.
    fn file_range(&mut self, i: Input<'s>, file: crate::ir::NameId) -> PResult<'s, LocId> {
        let (mut i, line) = line_number(i)?;
        let mut column = 0;
        if let Some(rest) = accept(i, ":") {
            (i, column) = line_number(rest)?;
        }
        let mut range = FileRange { file, line, column, end_line: line, end_column: column };
        if let Some(rest) = accept_keyword(i, "to") {
            i = match accept(rest, ":") {
                Some(rest) => rest,
                None => {
                    let (rest, line) = line_number(rest)?;
                    range.end_line = line;
                    punct!(rest, ":")?.0
                }
            };
            (i, range.end_column) = line_number(i)?;
        }
        Ok((i, self.module.intern_location(Location::File(range))))
    }

    /// `'(' callee 'at' caller ')'`
    fn call_site_location(&mut self, i: Input<'s>) -> PResult<'s, LocId> {
        let (i, ()) = punct!(i, "(")?;
        let (i, callee) = self.location_inst(i)?;
        let (i, ()) = keyword!(i, "at")?;
        let (i, caller) = self.location_inst(i)?;
        let (i, ()) = punct!(i, ")")?;
        Ok((i, self.module.intern_location(Location::CallSite { callee, caller })))
    }

    /// `('<' metadata '>')? '[' (location (',' location)*)? ']'`, simplified as MLIR does: unknown and repeated parts vanish,
    /// and without metadata one part stands for itself.
    fn fused_location(&mut self, i: Input<'s>) -> PResult<'s, LocId> {
        let (mut i, mut metadata) = (i, None);
        if let Some(rest) = accept(i, "<") {
            let (rest, attr) = self.attribute(rest)?;
            metadata = Some(attr);
            (i, ()) = punct!(rest, ">")?;
        }
        (i, ()) = punct!(i, "[")?;
        let unknown = self.module.intern_location(Location::Unknown);
        let mut parts = Vec::new();
        let mut seen = FxHashSet::default();
        let (i, ()) = separated_until(i, "]", "`]`", |i| {
            let (i, part) = self.location_inst(i)?;
            self.flatten_fused(part, metadata, unknown, &mut seen, &mut parts);
            Ok((i, ()))
        })?;
        let location = match (metadata, parts.as_slice()) {
            (None, []) => unknown,
            (None, [only]) => *only,
            (Some(_), []) => self.module.intern_location(Location::Fused { metadata, locations: [unknown].into() }),
            _ => self.module.intern_location(Location::Fused { metadata, locations: parts.into() }),
        };
        Ok((i, location))
    }

    /// Adds a part of a fused location; the parts of a fused location with the same metadata become parts themselves (unless
    /// they are so many that a chain of such locations would take memory beyond measure).
    fn flatten_fused(
        &self,
        part: LocId,
        metadata: Option<AttrId>,
        unknown: LocId,
        seen: &mut FxHashSet<LocId>,
        parts: &mut Vec<LocId>,
    ) {
        let inner = match self.module.location(part) {
            Location::Fused { metadata: its, locations } if *its == metadata && locations.len() <= MAX_FLATTENED => {
                &locations[..]
            }
            _ => std::slice::from_ref(&part),
        };
        for part in inner {
            if *part != unknown && seen.insert(*part) {
                parts.push(*part);
            }
        }
    }

    /// Gives an op the location that was read behind it.
    pub fn set_op_location(&mut self, op: OpId, location: TrailingLocation<'s>) {
        match location {
            TrailingLocation::None => {}
            TrailingLocation::Known(location) => self.module.set_location(op, Some(location)),
            TrailingLocation::Alias { name, span } => {
                self.deferred_locations.push(Deferred { place: DeferredPlace::Op(op), name, span });
            }
        }
    }

    /// Gives a block argument the location that was read behind it.
    pub fn set_argument_location(&mut self, block: BlockId, index: usize, location: TrailingLocation<'s>) {
        match location {
            TrailingLocation::None => {}
            TrailingLocation::Known(location) => self.module.set_argument_location(block, index, Some(location)),
            TrailingLocation::Alias { name, span } => {
                self.deferred_locations.push(Deferred { place: DeferredPlace::Argument(block, index), name, span });
            }
        }
    }

    /// Looks up the aliases that were used before their definition.
    pub(super) fn patch_deferred_locations(&mut self) {
        for Deferred { place, name, span } in std::mem::take(&mut self.deferred_locations) {
            let Some(attr) = self.attribute_aliases.get(name).copied() else {
                let message = "operation location alias was never defined".to_owned();
                self.report(Diagnostic::error("parse/undefined-alias", span, message));
                continue;
            };
            let Some(location) = self.location_of(attr) else {
                let message = "expected location, but found another attribute".to_owned();
                self.report(Diagnostic::error("parse/expected-location", span, message));
                continue;
            };
            match place {
                DeferredPlace::Op(op) => self.module.set_location(op, Some(location)),
                DeferredPlace::Argument(block, index) => {
                    self.module.set_argument_location(block, index, Some(location));
                }
            }
        }
    }
}

/// Fused locations with more parts than this stay parts of others as they are.
const MAX_FLATTENED: usize = 1024;

fn line_number(i: Input<'_>) -> PResult<'_, u32> {
    let at = skip(i);
    let Some((rest, lexical::Number::Integer(text))) = lexical::accept_number(at) else {
        return Err(expected(at, "parse/expected-integer", "a line or column number"));
    };
    match lexical::integer_value(text).and_then(|value| u32::try_from(value).ok()) {
        Some(number) => Ok((rest, number)),
        None => {
            let message = "line or column number does not fit 32 bits";
            Err(fault_with_help(at, "parse/integer-range", message, "use a smaller number"))
        }
    }
}
