//! Ops of dialects that this crate does not know.

use super::Printer;
use crate::ir::OpId;

impl Printer<'_> {
    /// Writes an opaque op in the form in which it was read, if that was not the generic one.
    pub(super) fn foreign_form(&mut self, _op: OpId) -> bool {
        false
    }
}
