//! Pretty forms of dialects that are kept opaque.

use super::error::PResult;
use super::functions::unknown_custom_form;
use super::lexical::Input;
use super::{OpState, Parser};
use crate::ir::OpName;

impl<'s> Parser<'s> {
    /// An op in a pretty form that the registry does not know; `i` stands behind its name.
    pub(super) fn foreign_operation(
        &mut self,
        i: Input<'s>,
        name_at: Input<'s>,
        written: &str,
        _state: &mut OpState<'s>,
    ) -> PResult<'s, OpName> {
        let _ = i;
        if let Some((dialect, mnemonic)) = written.split_once('.')
            && super::operations::is_registered_dialect(dialect)
        {
            return Err(self.unknown_operation(name_at, dialect, mnemonic));
        }
        let tried = (!written.contains('.') && !self.default_dialect.is_empty())
            .then(|| format!("{}.{written}", self.default_dialect));
        Err(unknown_custom_form(name_at, written, tried))
    }
}

/// The body of an opaque attribute as it is kept.
pub(super) fn normalize_body(_dialect: &str, body: Box<str>) -> Box<str> {
    body
}
