//! Where in the text the parts of an op stand.

use super::fault::Place;
use crate::ir::{Module, OpId, Span};
use crate::syntax::locate;

/// Finds places in the text that a module was read from.
pub(super) struct Places<'a> {
    module: &'a Module,
    text: &'a str,
}

impl<'a> Places<'a> {
    pub(super) fn new(module: &'a Module, text: &'a str) -> Self {
        Self { module, text }
    }

    /// The op's name: where MLIR says that an op is.
    pub(super) fn name(&self, op: OpId) -> Span {
        self.of(op, Place::Op)
    }

    /// Where a part of `op` stands; the op's name when that is not known.
    pub(super) fn of(&self, op: OpId, place: Place) -> Span {
        let start = self.module.source(op).name;
        let part = || locate(self.module, self.text, op, place);
        part().or_else(|| locate(self.module, self.text, op, Place::Op)).unwrap_or(Span::new(start, start))
    }

    /// Whether two spans begin on one line.
    pub(super) fn same_line(&self, a: Span, b: Span) -> bool {
        let lines = &self.module.lines;
        lines.line_column(a.start).line == lines.line_column(b.start).line
    }
}
