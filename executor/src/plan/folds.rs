//! Which folds of rows are done by the loop that computes the rows.

use rustc_hash::FxHashMap;

use super::rows::{count_uses, own_rows};
use super::{Action, Home, Slot, Step};
use crate::kernels::fold_loop::FoldLoop;
use crate::kernels::isa::Isa;
use crate::kernels::memory::SlotId;

/// Joins loops with folds of what they compute, in all lists of steps. What nobody else reads is not stored any more.
pub fn join(steps: &mut Vec<Step>, slots: &[Slot], isa: Isa) {
    let mut uses = FxHashMap::default();
    count_uses(steps, &mut uses);
    join_in(steps, slots, &uses, isa);
}

fn join_in(steps: &mut Vec<Step>, slots: &[Slot], uses: &FxHashMap<SlotId, usize>, isa: Isa) {
    let mut at = 0;
    while at < steps.len() {
        match &mut steps[at].action {
            Action::Branch { branches, .. } => branches.iter_mut().for_each(|branch| join_in(branch, slots, uses, isa)),
            Action::While { cond, body, .. } => {
                join_in(cond, slots, uses, isa);
                join_in(body, slots, uses, isa);
            }
            _ => {}
        }
        match joined(steps, at, slots, uses, isa) {
            None => at += 1,
            Some((maker, step)) => {
                steps[maker] = step;
                steps.remove(at);
            }
        }
    }
}

/// What the fold at `at` and the loop before it are together, and where that is.
fn joined(
    steps: &[Step],
    at: usize,
    slots: &[Slot],
    uses: &FxHashMap<SlotId, usize>,
    isa: Isa,
) -> Option<(usize, Step)> {
    let Action::Kernel(kernel) = &steps[at].action else { return None };
    let fold = kernel.row_fold()?;
    let maker = steps[..at].iter().rposition(|step| step.writes.contains(&fold.from))?;
    let Action::Loop(fused) = &steps[maker].action else { return None };
    let mut made = fused.outputs.iter().filter(|(_, slot, _)| *slot == fold.from);
    let ((reg, slot, width), None) = (*made.next()?, made.next()) else { return None };
    if fused.n * width != slots[slot.0 as usize].bytes {
        return None;
    }
    // The fold is done earlier than it was: what it reads must be there, and its result must disturb nobody.
    let between = &steps[maker..at];
    let is_disturbed = between.iter().any(|step| {
        step.writes.contains(&fold.init.0) || step.writes.contains(&fold.out) || step.reads.contains(&fold.out)
    });
    if is_disturbed {
        return None;
    }
    let mut fused = fused.clone();
    let own = own_rows(&steps[maker], fold.n_rows, slots);
    // Nobody after the loop names the rows but the fold; the loop may have made them where its operand stood.
    let named = |step: &Step| step.reads.iter().chain(&step.writes).filter(|named| **named == slot).count();
    let until_made: usize = steps[..=maker].iter().map(named).sum();
    let is_local = matches!(slots[slot.0 as usize].home, Home::Arena(_)) && uses.get(&slot) == Some(&(until_made + 1));
    let mut writes = steps[maker].writes.clone();
    if is_local {
        fused.outputs.retain(|(_, output, _)| *output != slot);
        writes.retain(|output| *output != slot);
    }
    writes.push(fold.out);
    let mut reads = steps[maker].reads.clone();
    reads.push(fold.init.0);
    let kernel = FoldLoop::new(fused, reg, fold, own, isa, |slot| slots[slot.0 as usize].constant())?;
    Some((maker, Step { op: steps[at].op, action: Action::Kernel(Box::new(kernel)), reads, writes }))
}
