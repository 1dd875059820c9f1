//! The ops of a module in the order in which they stand.

use crate::arena::SideMap;
use crate::ir::{Module, OpId};

/// All ops that belong to a module, outermost first, and where each comes.
///
/// Two ops of one block stand in the order of their positions.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) ops: Vec<OpId>,
    positions: SideMap<OpId, u32>,
}

const ABSENT: u32 = u32::MAX;

impl Order {
    pub(super) fn new(module: &Module) -> Self {
        let mut ops = Vec::with_capacity(module.n_ops());
        let mut positions = SideMap::new(ABSENT);
        module.walk(module.top(), |op| {
            positions.set(op, ops.len() as u32);
            ops.push(op);
        });
        Self { ops, positions }
    }

    /// Whether `op` stands in the module.
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.positions[op] != ABSENT
    }

    /// Where `op` comes.
    pub(super) fn position(&self, op: OpId) -> u32 {
        self.positions[op]
    }
}
