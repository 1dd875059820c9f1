//! What is known about a block before it runs: the meaning of each op, and where values die.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use stablehlo::ir::{BlockId, Module, OpId, ValueId};
use stablehlo::ops::spec::Trait;

use super::Cx;
use crate::error::Result;
use crate::value::Values;

/// The meaning of an op.
pub type OpFn = fn(&Cx<'_>) -> Result<Values>;

/// One op of a block.
pub struct Step {
    pub op: OpId,
    /// Its meaning; none when the interpreter does not execute it.
    pub function: Option<OpFn>,
    /// Whether the meaning is applied to dequantized operands.
    pub in_expressed_types: bool,
    pub is_terminator: bool,
    /// Operands, each with whether its value dies here.
    pub operands: SmallVec<[(ValueId, bool); 4]>,
    /// Values that its regions used last.
    pub frees: Vec<ValueId>,
    /// Results that nobody uses.
    pub unused_results: SmallVec<[ValueId; 1]>,
}

/// One block.
pub struct BlockPlan {
    pub steps: Vec<Step>,
    pub unused_arguments: Vec<ValueId>,
}

/// Plans of the blocks that ran so far.
#[derive(Default)]
pub struct Plans(RefCell<FxHashMap<BlockId, Rc<BlockPlan>>>);

impl Plans {
    /// The plan of `block`, made the first time it is asked for.
    pub fn of(&self, module: &Module, block: BlockId) -> Rc<BlockPlan> {
        let known = self.0.borrow().get(&block).cloned();
        known.unwrap_or_else(|| {
            let plan = Rc::new(plan(module, block));
            self.0.borrow_mut().insert(block, Rc::clone(&plan));
            plan
        })
    }
}

fn plan(module: &Module, block: BlockId) -> BlockPlan {
    let block = module.block(block);
    // Values that belong to this block and have not been seen in use yet, going backwards.
    let mut unseen: FxHashSet<ValueId> = block.arguments.iter().copied().collect();
    unseen.extend(block.ops.iter().flat_map(|op| module.results(*op).iter()));
    let mut steps: Vec<Step> = block.ops.iter().rev().map(|op| step(module, *op, &mut unseen)).collect();
    steps.reverse();
    for step in &mut steps {
        step.unused_results = module.results(step.op).iter().filter(|result| unseen.contains(result)).collect();
    }
    let unused_arguments = block.arguments.iter().copied().filter(|argument| unseen.contains(argument)).collect();
    BlockPlan { steps, unused_arguments }
}

/// An op by itself: nothing is used after it, but all its operands may be.
pub fn alone(module: &Module, op: OpId) -> Step {
    step(module, op, &mut FxHashSet::default())
}

fn step(module: &Module, op: OpId, unseen: &mut FxHashSet<ValueId>) -> Step {
    let operands = module.operands(op);
    let inside: Vec<ValueId> = values_used_inside(module, op);
    let dying_inside: Vec<ValueId> = inside.iter().copied().filter(|value| unseen.contains(value)).collect();
    let dies = |value: &ValueId| {
        // A value that is used twice here, or that a region uses too, cannot be taken out.
        unseen.contains(value)
            && !inside.contains(value)
            && operands.iter().filter(|other| *other == value).count() == 1
    };
    let taken: SmallVec<[(ValueId, bool); 4]> = operands.iter().map(|value| (*value, dies(value))).collect();
    let mut frees = dying_inside;
    frees.extend(taken.iter().filter(|(value, dies)| !dies && unseen.contains(value)).map(|(value, _)| *value));
    for value in operands.iter().chain(&inside) {
        unseen.remove(value);
    }
    let kind = module.kind(op);
    Step {
        op,
        function: crate::ops::meaning(module, op),
        in_expressed_types: crate::ops::quantized::in_expressed_types(module, op),
        is_terminator: kind.is_some_and(|kind| kind.spec().has(Trait::Terminator)),
        operands: taken,
        frees,
        unused_results: SmallVec::new(),
    }
}

fn values_used_inside(module: &Module, op: OpId) -> Vec<ValueId> {
    let mut used = Vec::new();
    if !module.regions(op).is_empty() {
        module.walk(op, |inner| {
            if inner != op {
                used.extend_from_slice(module.operands(inner));
            }
        });
    }
    used.sort();
    used.dedup();
    used
}
