//! Loops of few elements get machine code.

use super::{Action, Slot, Step};
use crate::kernels::isa::Isa;
use crate::kernels::jit::{Rounds, While, Work};
use crate::kernels::memory::SlotId;

/// Makes machine code of every `while` for which it can be done.
pub fn compile(steps: &mut [Step], slots: &[Slot], isa: Isa) {
    for step in steps {
        match &mut step.action {
            Action::Branch { branches, .. } => branches.iter_mut().for_each(|branch| compile(branch, slots, isa)),
            Action::While { cond, pred, body, swaps, machine, .. } => {
                *machine = whole(cond, *pred, body, swaps, slots, isa);
                if machine.is_none() {
                    compile(body, slots, isa);
                }
            }
            _ => {}
        }
    }
}

fn whole(
    cond: &[Step],
    pred: SlotId,
    body: &[Step],
    swaps: &[(SlotId, SlotId)],
    slots: &[Slot],
    isa: Isa,
) -> Option<Rounds> {
    let of = While { cond: works(cond)?, pred, body: works(body)?, swaps };
    let constant = |slot: SlotId| slots[slot.0 as usize].constant();
    Rounds::new(&of, isa, constant, |slot| slots[slot.0 as usize].bytes)
}

fn works(steps: &[Step]) -> Option<Vec<Work<'_>>> {
    steps.iter().map(work).collect()
}

fn work(step: &Step) -> Option<Work<'_>> {
    match &step.action {
        Action::Loop(fused) => Some(Work::Loop(fused)),
        Action::Kernel(kernel) => Work::of(&**kernel),
        _ => None,
    }
}
