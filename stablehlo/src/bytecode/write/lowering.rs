//! What a module's ops are written as.

use super::encoder::{Encoder, Result};
use super::table::{AttrEntry, OpNameEntry, PropertiesEntry, TypeEntry};
use crate::ir::{OpId, TypeId};

/// An op as it will be written; its operands, regions, successors and location are the module's own.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct OpRecord {
    /// Its name, from [`Table::op_name`](super::Table::op_name); worth keeping per kind of op.
    pub(crate) name: OpNameEntry,
    /// The dictionary: discardable attributes, before format 5 all of them; a builtin DictionaryAttr, none when empty.
    pub(crate) attributes: Option<AttrEntry>,
    /// From format 5: the properties of ops that have any, from [`Table::properties`](super::Table::properties).
    pub(crate) properties: Option<PropertiesEntry>,
    /// The op was replaced when it was lowered to an older version than its own: its uses come in another order.
    pub(crate) replaced: bool,
}

/// A way of writing modules: as MLIR bytecode of their own dialects, or as a portable artifact.
pub(crate) trait Lowering {
    /// The format version of the file, which decides where attributes stand.
    fn format(&self) -> u64;
    /// Whether all ops are made anew, outermost first, when the module is lowered; else they are as the text made them:
    /// innermost first. This decides in which order uses are listed.
    fn rebuilds(&self) -> bool;
    /// The type as an entry of the table; called once per type that values have. It may be pending, see [`Encoder`].
    fn ty(&mut self, encoder: &mut Encoder<'_>, ty: TypeId) -> Result<TypeEntry>;
    /// The op, without its regions. It is asked again while entries that it refers to are pending.
    fn op(&mut self, encoder: &mut Encoder<'_>, op: OpId) -> Result<OpRecord>;
}
