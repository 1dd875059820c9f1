//! Where in the text the parts of an op stand.

use super::fault::Place;
use crate::ir::{LineIndex, Module, OpId, Span};

/// Finds places in the text that a module was read from.
pub(super) struct Places<'a> {
    module: &'a Module,
    text: &'a str,
    lines: Option<LineIndex>,
}

impl<'a> Places<'a> {
    pub(super) fn new(module: &'a Module, text: &'a str) -> Self {
        Self { module, text, lines: None }
    }

    /// The op's name: where MLIR says that an op is.
    pub(super) fn name(&self, op: OpId) -> Span {
        let start = self.module.source(op).name;
        let rest = self.text.as_bytes().get(start as usize..).unwrap_or_default();
        let len = match rest.first() {
            Some(b'"') => rest[1..].iter().position(|byte| *byte == b'"').map_or(1, |at| at + 2),
            _ => rest
                .iter()
                .position(|byte| !(byte.is_ascii_alphanumeric() || b"_.$-".contains(byte)))
                .unwrap_or(rest.len()),
        };
        Span::new(start, start.saturating_add(len as u32))
    }

    /// Where a part of `op` stands; the op's name when that is not known.
    pub(super) fn of(&self, op: OpId, place: Place) -> Span {
        match place {
            Place::Other(other) => self.name(other),
            _ => self.name(op),
        }
    }

    /// Whether two spans begin on one line.
    pub(super) fn same_line(&mut self, a: Span, b: Span) -> bool {
        let text = self.text;
        let lines = self.lines.get_or_insert_with(|| LineIndex::new(text.as_bytes()));
        lines.line_column(a.start).line == lines.line_column(b.start).line
    }
}
