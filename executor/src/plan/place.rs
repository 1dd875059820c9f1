//! Places in the arena: slots that are not needed at the same time may stand at the same place.

use rustc_hash::FxHashMap;

use super::{Action, Home, Slot, Step};
use crate::kernels::memory::{ALIGN, SlotId};

/// An access: when, and inside which loop.
struct Access {
    slot: SlotId,
    at: usize,
    scope: Option<usize>,
}

#[derive(Default)]
struct Timeline {
    now: usize,
    accesses: Vec<Access>,
    /// Slots that exchange their places.
    swaps: Vec<(SlotId, SlotId)>,
    /// For each loop when it begins and ends, and the loop around it.
    loops: FxHashMap<usize, (usize, usize, Option<usize>)>,
}

impl Timeline {
    fn access(&mut self, slots: impl IntoIterator<Item = SlotId>, scope: Option<usize>) {
        let at = self.now;
        self.accesses.extend(slots.into_iter().map(|slot| Access { slot, at, scope }));
    }

    fn steps(&mut self, steps: &[Step], scope: Option<usize>) {
        for step in steps {
            self.now += 1;
            self.access(step.reads.iter().chain(&step.writes).copied(), scope);
            match &step.action {
                Action::Branch { branches, .. } => branches.iter().for_each(|branch| self.steps(branch, scope)),
                Action::While { id, cond, pred, body, swaps, .. } => {
                    let begin = self.now;
                    let inside = Some(*id);
                    self.steps(cond, inside);
                    self.now += 1;
                    self.access([*pred], inside);
                    self.steps(body, inside);
                    self.now += 1;
                    self.access(swaps.iter().flat_map(|(a, b)| [*a, *b]), scope);
                    self.swaps.extend_from_slice(swaps);
                    self.loops.insert(*id, (begin, self.now, scope));
                }
                _ => {}
            }
            // Results of regions are written while the op lasts.
            self.access(step.writes.iter().copied(), scope);
        }
    }
}

/// Slots that exchange their places need both for as long as either of them is needed.
fn unite(spans: &mut [Option<(usize, usize)>], swaps: &[(SlotId, SlotId)]) {
    let mut changed = true;
    while changed {
        changed = false;
        for (a, b) in swaps {
            let (a, b) = (a.0 as usize, b.0 as usize);
            let both = match (spans[a], spans[b]) {
                (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
                (one, None) | (None, one) => one,
            };
            changed |= spans[a] != both || spans[b] != both;
            (spans[a], spans[b]) = (both, both);
        }
    }
}

/// Gives every slot of the arena its place; the size of the arena.
pub fn assign(slots: &mut [Slot], steps: &[Step]) -> usize {
    let mut timeline = Timeline::default();
    timeline.steps(steps, None);
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; slots.len()];
    for access in &timeline.accesses {
        let (mut from, mut to) = (access.at, access.at);
        // What comes from outside of a loop is needed while the loop lasts.
        let mut scope = access.scope;
        while scope != slots[access.slot.0 as usize].scope
            && let Some((begin, end, around)) = scope.and_then(|id| timeline.loops.get(&id))
        {
            (from, to) = (from.min(*begin), to.max(*end));
            scope = *around;
        }
        let span = spans[access.slot.0 as usize].get_or_insert((from, to));
        *span = (span.0.min(from), span.1.max(to));
    }
    unite(&mut spans, &timeline.swaps);
    let mut wanted: Vec<(usize, usize, usize)> = (0..slots.len())
        .filter(|slot| matches!(slots[*slot].home, Home::Arena(_)))
        .filter_map(|slot| spans[slot].map(|(from, to)| (from, to, slot)))
        .collect();
    wanted.sort_unstable();
    // Live slots by place: (begin, end, last use).
    let mut live: Vec<(usize, usize, usize)> = Vec::new();
    let mut size = 0;
    for (from, to, slot) in wanted {
        live.retain(|(_, _, last)| *last >= from);
        let bytes = slots[slot].bytes.next_multiple_of(ALIGN);
        // The smallest gap that is large enough.
        let (mut best, mut best_gap, mut begin, mut at_index) = (None, usize::MAX, 0, 0);
        for (index, (start, end, _)) in live.iter().enumerate() {
            let gap = start - begin;
            if gap >= bytes && gap < best_gap {
                (best, best_gap, at_index) = (Some(begin), gap, index);
            }
            begin = *end;
        }
        let place = best.unwrap_or(begin);
        let index = if best.is_some() { at_index } else { live.len() };
        // What does not fit into the address space is noticed at the end.
        let end = place.saturating_add(bytes);
        live.insert(index, (place, end, to));
        slots[slot].home = Home::Arena(place);
        size = size.max(end);
    }
    size
}
