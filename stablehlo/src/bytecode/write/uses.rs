//! Orders of uses.
//!
//! MLIR keeps the uses of a value in a list, latest first, and files say where the list differs from the order that reading
//! the file makes: descending by op and operand. No meaning hangs on it; it is written because MLIR writes it.

use rustc_hash::FxHashMap;

use super::bytes::{push_flagged, push_varint};
use super::plan::Plan;
use crate::arena::Entity;
use crate::ir::{Module, OpId, ValueDef, ValueId};
use crate::ops::spec::Trait;

/// The lists that differ, by value: for each use, descending by op and operand, its place in the list.
pub(super) type UseOrders = FxHashMap<ValueId, Vec<u32>>;

/// A use of a value.
#[derive(Copy, Clone, Debug)]
struct Use {
    /// The op's number, outermost first.
    op: u32,
    operand: u32,
    /// When the use came to be; later ones stand before it.
    made: u32,
    replaced: bool,
}

/// Finds the lists of uses that are not in the order that a reader makes.
///
/// `rebuilds`: the ops were made anew outermost first, and then some were replaced. Otherwise they were made as the text is
/// read: those inside an op before it.
pub(super) fn use_orders(module: &Module, plan: &Plan, rebuilds: bool) -> UseOrders {
    let needed = if rebuilds { !plan.replaced.is_empty() } else { may_differ(module, plan) };
    if !needed {
        return UseOrders::default();
    }
    let order = creation_order(module, rebuilds);
    let uses = Uses::collect(module, plan, &order);
    let mut orders = UseOrders::default();
    for index in 0..module.n_values() {
        let value = ValueId::from_index(index);
        let uses = uses.of(value);
        if uses.len() < 2 {
            continue;
        }
        let list =
            if rebuilds { rebuilt_list(module, plan, value, uses) } else { parsed_list(module, &order, value, uses) };
        // Where in the list the use stands that comes at each place of the reader's order.
        let mut places: Vec<u32> = (0..list.len() as u32).collect();
        places.sort_by_key(|at| {
            let found = list[*at as usize];
            std::cmp::Reverse((found.op, found.operand))
        });
        if !places.is_sorted() {
            orders.insert(value, places);
        }
    }
    orders
}

/// Whether some op inside of another could use a value before that other op does, or before it is defined.
fn may_differ(module: &Module, plan: &Plan) -> bool {
    let sees_outside = |op: OpId| !module.regions(op).is_empty() && !plan.isolated[op.index()];
    module.region_ids().any(|region| {
        let Some(owner) = module.region_parent(region) else {
            return false;
        };
        if sees_outside(owner) && !module.operands(owner).is_empty() {
            return true;
        }
        let is_ordered = module.kind(owner).is_some_and(|kind| !kind.spec().has(Trait::GraphRegions));
        let blocks = module.blocks(region);
        let mut ops = blocks.iter().flat_map(|block| &module.block(*block).ops).copied();
        (blocks.len() > 1 || !is_ordered)
            && ops.clone().any(|op| !module.results(op).is_empty())
            && ops.any(|op| !module.operands(op).is_empty() || sees_outside(op))
    })
}

/// When ops are made, and their numbers from outermost to innermost.
struct Creation {
    /// By op.
    number: Vec<u32>,
    made: Vec<u32>,
    /// All ops by number.
    ops: Vec<OpId>,
}

fn creation_order(module: &Module, rebuilds: bool) -> Creation {
    let mut creation = Creation {
        number: vec![0; module.n_ops()],
        made: vec![0; module.n_ops()],
        ops: Vec::with_capacity(module.n_ops()),
    };
    let mut clock = 0;
    // `true`: the op's regions have been visited.
    let mut stack = vec![(module.top(), false)];
    while let Some((op, left)) = stack.pop() {
        if left {
            creation.made[op.index()] = clock;
            clock += 1;
            continue;
        }
        creation.number[op.index()] = creation.ops.len() as u32;
        creation.ops.push(op);
        let from_text = !rebuilds && module.source(op).end > 0;
        if module.regions(op).is_empty() || !from_text {
            creation.made[op.index()] = clock;
            clock += 1;
        } else {
            stack.push((op, true));
        }
        for region in module.regions(op).iter().rev() {
            for block in module.blocks(*region).iter().rev() {
                stack.extend(module.block(*block).ops.iter().rev().map(|op| (*op, false)));
            }
        }
    }
    creation
}

/// All uses, those of a value together.
struct Uses {
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    fn collect(module: &Module, plan: &Plan, creation: &Creation) -> Self {
        let mut starts = vec![0u32; module.n_values() + 2];
        for op in &creation.ops {
            for operand in module.operands(*op) {
                starts[operand.index() + 2] += 1;
            }
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let total = starts.last().copied().unwrap_or(0) as usize;
        let mut uses = vec![Use { op: 0, operand: 0, made: 0, replaced: false }; total];
        for op in &creation.ops {
            let replaced = plan.replaced.contains(op);
            let (number, made) = (creation.number[op.index()], creation.made[op.index()]);
            for (index, operand) in module.operands(*op).iter().enumerate() {
                let at = &mut starts[operand.index() + 1];
                uses[*at as usize] = Use { op: number, operand: index as u32, made, replaced };
                *at += 1;
            }
        }
        Self { starts, uses }
    }

    fn of(&self, value: ValueId) -> &[Use] {
        let at = value.index();
        &self.uses[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The list of a value that was read from text: latest use first. A use before the definition stands for a value that is
/// not there yet; when that one is replaced by the definition, its uses are taken over from the front, which turns them.
fn parsed_list(module: &Module, creation: &Creation, value: ValueId, uses: &[Use]) -> Vec<Use> {
    let defined = match module.definition(value) {
        ValueDef::Result { op, .. } => Some(creation.made[op.index()]),
        ValueDef::Argument { .. } => None,
    };
    let is_early = |found: &Use| defined.is_some_and(|defined| found.made <= defined);
    let (mut early, mut list): (Vec<Use>, Vec<Use>) = uses.iter().partition(|found| is_early(found));
    list.sort_by_key(|found| std::cmp::Reverse((found.made, found.operand)));
    early.sort_by_key(|found| (found.made, found.operand));
    list.extend(early);
    list
}

/// The list of a value after ops were replaced by older forms: the new ops' uses come first, later ones before earlier ones;
/// the list of a replaced op's result is turned when the new op's result takes it over.
fn rebuilt_list(module: &Module, plan: &Plan, value: ValueId, uses: &[Use]) -> Vec<Use> {
    let mut list = uses.to_vec();
    list.sort_by_key(|found| std::cmp::Reverse((found.replaced, found.op, found.operand)));
    if let ValueDef::Result { op, .. } = module.definition(value)
        && plan.replaced.contains(&op)
    {
        list.reverse();
    }
    list
}

/// Writes the orders of the uses of `values`: the results of an op, or the arguments of a block. Says whether there are any.
pub(super) fn push_use_orders(
    out: &mut Vec<u8>,
    orders: &UseOrders,
    values: impl ExactSizeIterator<Item = ValueId>,
) -> bool {
    let n_values = values.len();
    let found: Vec<(u32, &Vec<u32>)> =
        values.enumerate().filter_map(|(index, value)| Some((index as u32, orders.get(&value)?))).collect();
    if found.is_empty() {
        return false;
    }
    if n_values != 1 {
        push_varint(out, found.len() as u64);
    }
    for (index, order) in found {
        if n_values != 1 {
            push_varint(out, u64::from(index));
        }
        let displaced = || order.iter().enumerate().filter(|(at, place)| *at != **place as usize);
        let n_displaced = displaced().count();
        if n_displaced < order.len() / 2 {
            push_flagged(out, 2 * n_displaced as u64, true);
            for (at, place) in displaced() {
                push_varint(out, u64::from(*place));
                push_varint(out, at as u64);
            }
        } else {
            push_flagged(out, order.len() as u64, false);
            for place in order {
                push_varint(out, u64::from(*place));
            }
        }
    }
    true
}
