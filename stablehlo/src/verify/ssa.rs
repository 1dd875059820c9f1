//! Dominance: every use of a value must come after its definition, in a place that sees it.
//!
//! Inside a block, order is a comparison of two numbers that the walk gave out; a use in a nested region counts as a use by
//! the op around that region. Only regions of several blocks need a dominator tree, which is computed when first asked for.

use rustc_hash::FxHashMap;

use super::order::Order;
use crate::ir::{BlockId, Module, OpId, RegionId, ValueDef, ValueId};
use crate::ops::spec::Trait;

/// Why a use is wrong.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Misuse {
    /// The definition comes after the use, or on another path.
    NotDominated,
    /// The definition is in a region that the use does not stand in.
    OutOfScope,
    /// An op that sees nothing from outside stands between the use and the definition.
    Isolated(OpId),
}

/// Answers questions of dominance about one module.
pub(super) struct Dominance<'m> {
    module: &'m Module,
    order: &'m Order,
    trees: FxHashMap<RegionId, Tree>,
}

/// The immediate dominators of the blocks that can be reached, by their numbers in reverse postorder.
struct Tree {
    number: FxHashMap<BlockId, usize>,
    idom: Vec<usize>,
}

impl<'m> Dominance<'m> {
    pub(super) fn new(module: &'m Module, order: &'m Order) -> Self {
        Self { module, order, trees: FxHashMap::default() }
    }

    /// Checks one use of `value` by `op`.
    pub(super) fn check(&mut self, op: OpId, value: ValueId) -> Result<(), Misuse> {
        let (def_block, def_op) = match self.module.definition(value) {
            ValueDef::Result { op, .. } => match self.module.op(op).parent() {
                Some(block) if self.order.contains(op) => (block, Some(op)),
                _ => return Err(Misuse::OutOfScope),
            },
            ValueDef::Argument { block, .. } => (block, None),
        };
        let Some(use_block) = self.module.op(op).parent() else {
            return Err(Misuse::OutOfScope);
        };
        if use_block == def_block {
            return self.in_block(def_block, def_op, op);
        }
        self.in_other_block(def_block, def_op, op, use_block)
    }

    /// Definition and use stand in one block.
    fn in_block(&self, block: BlockId, def: Option<OpId>, user: OpId) -> Result<(), Misuse> {
        match def {
            None => Ok(()),
            Some(def) if self.order.position(def) < self.order.position(user) => Ok(()),
            Some(_) if self.is_graph(block) => Ok(()),
            Some(_) => Err(Misuse::NotDominated),
        }
    }

    fn in_other_block(
        &mut self,
        def_block: BlockId,
        def: Option<OpId>,
        user: OpId,
        use_block: BlockId,
    ) -> Result<(), Misuse> {
        let def_region = self.module.block(def_block).parent();
        let (mut user, mut use_block) = (user, use_block);
        let mut isolated = None;
        while self.module.block(use_block).parent() != def_region {
            let Some(around) = self.module.region_parent(self.module.block(use_block).parent()) else {
                return Err(Misuse::OutOfScope);
            };
            if self.module.kind(around).is_some_and(|kind| kind.spec().has(Trait::IsolatedFromAbove)) {
                isolated.get_or_insert(around);
            }
            let Some(block) = self.module.op(around).parent() else {
                return Err(Misuse::OutOfScope);
            };
            (user, use_block) = (around, block);
        }
        if let Some(isolated) = isolated {
            return Err(Misuse::Isolated(isolated));
        }
        if use_block == def_block {
            return match def {
                // An op's own results are not visible in its regions, except in graphs.
                Some(def) if def == user && !self.is_graph(def_block) => Err(Misuse::NotDominated),
                _ => self.in_block(def_block, def, user),
            };
        }
        if self.is_graph(def_block) || self.tree(def_region).dominates(def_block, use_block) {
            return Ok(());
        }
        Err(Misuse::NotDominated)
    }

    /// Whether `block` belongs to a graph region; ops of unknown dialects may have such.
    fn is_graph(&self, block: BlockId) -> bool {
        match self.module.region_parent(self.module.block(block).parent()) {
            Some(op) => self.module.kind(op).is_none_or(|kind| kind.spec().has(Trait::GraphRegions)),
            None => false,
        }
    }

    /// Whether control can reach `block`; nothing that stands elsewhere is checked.
    pub(super) fn is_reachable(&mut self, block: BlockId) -> bool {
        let region = self.module.block(block).parent();
        self.module.blocks(region).first() == Some(&block) || self.tree(region).number.contains_key(&block)
    }

    fn tree(&mut self, region: RegionId) -> &Tree {
        let module = self.module;
        self.trees.entry(region).or_insert_with(|| Tree::new(module, region))
    }
}

impl Tree {
    fn new(module: &Module, region: RegionId) -> Self {
        let order = reverse_postorder(module, region);
        let number: FxHashMap<BlockId, usize> = order.iter().enumerate().map(|(at, block)| (*block, at)).collect();
        let mut predecessors = vec![Vec::new(); order.len()];
        for (at, block) in order.iter().enumerate() {
            for next in successors(module, *block) {
                if let Some(next) = number.get(next) {
                    predecessors[*next].push(at);
                }
            }
        }
        // Cooper, Harvey and Kennedy: repeat until the tree does not change; reverse postorder makes that few rounds.
        let mut idom: Vec<usize> = vec![usize::MAX; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..order.len() {
                let known = predecessors[at].iter().copied().filter(|from| idom[*from] != usize::MAX);
                let Some(new) = known.reduce(|a, b| meet(&idom, a, b)) else {
                    continue;
                };
                if idom[at] != new {
                    idom[at] = new;
                    changed = true;
                }
            }
        }
        Self { number, idom }
    }

    /// Whether every path to `b` goes through `a`; blocks that cannot be reached are dominated by all.
    fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let Some(&b) = self.number.get(&b) else {
            return true;
        };
        let Some(&a) = self.number.get(&a) else {
            return false;
        };
        let mut at = b;
        while at > a {
            at = self.idom[at];
        }
        at == a
    }
}

/// The nearest common dominator of two blocks.
fn meet(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a];
        }
        while b > a {
            b = idom[b];
        }
    }
    a
}

fn successors(module: &Module, block: BlockId) -> &[BlockId] {
    module.terminator(block).map_or(&[], |op| module.successors(op))
}

fn reverse_postorder(module: &Module, region: RegionId) -> Vec<BlockId> {
    let Some(&entry) = module.blocks(region).first() else {
        return Vec::new();
    };
    let mut seen = rustc_hash::FxHashSet::default();
    let mut done = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen.insert(entry);
    while let Some((block, next)) = stack.pop() {
        match successors(module, block).get(next) {
            None => done.push(block),
            Some(&successor) => {
                stack.push((block, next + 1));
                if module.block(successor).parent() == region && seen.insert(successor) {
                    stack.push((successor, 0));
                }
            }
        }
    }
    done.reverse();
    done
}
