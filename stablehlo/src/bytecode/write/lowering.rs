//! What a module's ops are written as.

use smallvec::SmallVec;

use super::table::{AttrEntry, Piece, Table, TypeEntry};
use crate::diag::Diagnostic;
use crate::ir::{Module, OpId, TypeId, ValueId};

/// An op as it will be written; its regions, successors and location are the module's own.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OpRecord {
    /// Namespace of the written op.
    pub(crate) dialect: &'static str,
    /// Name inside it: `add_v1`. (Ops of unknown dialects leave it and `dialect` to the writer.)
    pub(crate) mnemonic: &'static str,
    /// Operands.
    pub(crate) operands: SmallVec<[ValueId; 4]>,
    /// The dictionary: discardable attributes, before format 5 all of them; a builtin DictionaryAttr, none when empty.
    pub(crate) attributes: Option<AttrEntry>,
    /// From format 5: the properties of ops that have any; references first to last in the order of writing.
    pub(crate) properties: Option<SmallVec<[Piece; 6]>>,
    /// The op was replaced when it was lowered to an older version than its own: its uses come in another order.
    pub(crate) replaced: bool,
}

/// A way of writing modules: as MLIR bytecode of their own dialects, or as a portable artifact.
pub(crate) trait Lowering {
    /// The format version of the file, which decides where attributes stand.
    fn format(&self) -> u64;
    /// The type as an entry of the table.
    fn ty(&mut self, table: &mut Table, module: &Module, ty: TypeId) -> Result<TypeEntry, Box<Diagnostic>>;
    /// The op, without its regions.
    fn op(&mut self, table: &mut Table, module: &Module, op: OpId) -> Result<OpRecord, Box<Diagnostic>>;
}
