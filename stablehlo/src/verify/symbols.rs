//! Symbols: which op a name like `@main` stands for.

use rustc_hash::FxHashMap;

use crate::ir::{Module, OpId, OpName};
use crate::ops::spec::Trait;

/// All symbols of a module, by symbol table and name.
#[derive(Clone, Debug, Default)]
pub struct Symbols<'m> {
    ops: FxHashMap<(OpId, &'m [u8]), OpId>,
}

impl<'m> Symbols<'m> {
    /// Enters `op` under its `sym_name`; gives back the op that had the name before, which then keeps it.
    pub(super) fn enter(&mut self, table: OpId, name: &'m [u8], op: OpId) -> Option<OpId> {
        match self.ops.entry((table, name)) {
            std::collections::hash_map::Entry::Occupied(entry) => Some(*entry.get()),
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(op);
                None
            }
        }
    }

    /// The op called `name` in `table`.
    pub fn get(&self, table: OpId, name: &[u8]) -> Option<OpId> {
        self.ops.get(&(table, name)).copied()
    }
}

/// The name that `op` gives itself: its `sym_name`.
pub(super) fn symbol_name(module: &Module, op: OpId) -> Option<&[u8]> {
    let attr = match module.op(op).name() {
        OpName::Known(kind) if kind.spec().has(Trait::Symbol) => module.property(op, "sym_name"),
        OpName::Known(_) => None,
        OpName::Opaque(_) => module.property(op, "sym_name").or_else(|| module.discardable(op, "sym_name")),
    };
    module.string_bytes(attr?)
}

/// Whether `op` is a symbol table.
pub(super) fn is_symbol_table(module: &Module, op: OpId) -> bool {
    module.kind(op).is_some_and(|kind| kind.spec().has(Trait::SymbolTable))
}

/// The nearest symbol table around `op`.
pub(super) fn symbol_table_around(module: &Module, op: OpId) -> Option<OpId> {
    let mut at = module.parent_op(op)?;
    while !is_symbol_table(module, at) {
        at = module.parent_op(at)?;
    }
    Some(at)
}

/// Looks for a symbol op by op.
pub(super) fn search_symbol(module: &Module, table: OpId, name: &[u8]) -> Option<OpId> {
    let body = module.entry_block(table, 0)?;
    module.block(body).ops.iter().copied().find(|op| symbol_name(module, *op) == Some(name))
}
