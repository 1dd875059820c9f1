//! Which steps go over the same rows and are done together.
//!
//! The candidates are neighbours: folds of rows, and loops whose elements are those rows or one for each row. A step joins
//! when a row of it reads no other row of what the steps before it in the group have made.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Action, Home, Slot, Step};
use crate::kernels::fused::{Access, Loop};
use crate::kernels::isa::Isa;
use crate::kernels::memory::SlotId;
use crate::kernels::rows::{Part, Rows, RowsOf};

/// The fewest rows for which a group is made, so that all threads find work.
const MIN_ROWS: usize = 16;
/// The most bytes of a row: a few must fit the L2 cache.
const MAX_ROW: usize = 1 << 19;
/// The fewest bytes of a row that are worth being asked for ahead.
const MIN_STREAM: usize = 256;
/// The most steps of a group.
const MAX_PARTS: usize = 32;

/// Joins steps that go over the same rows, in all lists of steps.
pub fn join(steps: &mut Vec<Step>, slots: &[Slot], isa: Isa) {
    let mut uses = FxHashMap::default();
    count_uses(steps, &mut uses);
    join_in(steps, slots, &uses, isa);
}

/// How often every slot is named by steps.
pub(super) fn count_uses(steps: &[Step], uses: &mut FxHashMap<SlotId, usize>) {
    let mut named =
        |slots: &mut dyn Iterator<Item = SlotId>| slots.for_each(|slot| *uses.entry(slot).or_default() += 1);
    for step in steps {
        named(&mut step.reads.iter().chain(&step.writes).copied());
        match &step.action {
            Action::Branch { index, .. } => named(&mut std::iter::once(*index)),
            Action::While { pred, swaps, .. } => {
                named(&mut std::iter::once(*pred).chain(swaps.iter().flat_map(|(a, b)| [*a, *b])));
            }
            _ => {}
        }
    }
    for step in steps {
        match &step.action {
            Action::Branch { branches, .. } => branches.iter().for_each(|branch| count_uses(branch, uses)),
            Action::While { cond, body, .. } => {
                count_uses(cond, uses);
                count_uses(body, uses);
            }
            _ => {}
        }
    }
}

fn join_in(steps: &mut Vec<Step>, slots: &[Slot], uses: &FxHashMap<SlotId, usize>, isa: Isa) {
    for step in steps.iter_mut() {
        match &mut step.action {
            Action::Branch { branches, .. } => branches.iter_mut().for_each(|branch| join_in(branch, slots, uses, isa)),
            Action::While { cond, body, .. } => {
                join_in(cond, slots, uses, isa);
                join_in(body, slots, uses, isa);
            }
            _ => {}
        }
    }
    let mut from = 0;
    while let Some(fold) = (from..steps.len()).find(|at| fold_rows(&steps[*at]).is_some()) {
        let group = Group::around(steps, slots, from, fold);
        from = match group.filter(|group| group.is_worth_it(steps, slots)) {
            None => fold + 1,
            Some(group) => group.replace(steps, slots, uses, isa),
        };
    }
}

/// The number of rows that a step folds; none when it is no such step.
fn fold_rows(step: &Step) -> Option<usize> {
    let Action::Kernel(kernel) = &step.action else { return None };
    Some(kernel.by_rows()?.n_rows()).filter(|n| *n >= MIN_ROWS)
}

/// Steps that can be done together.
struct Group {
    n_rows: usize,
    /// Where they are.
    range: Range<usize>,
    /// Which steps of the range are parts; the others have nothing to do with them and go first.
    parts: Vec<usize>,
}

impl Group {
    /// The largest group around the fold of rows at `fold`, among the steps from `from` on.
    fn around(steps: &[Step], slots: &[Slot], from: usize, fold: usize) -> Option<Self> {
        let n_rows = fold_rows(&steps[fold])?;
        // Loops that come before: as many as can be with the fold.
        let mut begin = fold;
        while begin > from && fold - begin < MAX_PARTS && is_part(&steps[begin - 1], n_rows) {
            begin -= 1;
        }
        (begin..=fold).find_map(|begin| {
            let group = Self::from(steps, slots, begin, n_rows);
            group.parts.contains(&fold).then_some(group)
        })
    }

    /// The group that begins with the step at `begin`.
    fn from(steps: &[Step], slots: &[Slot], begin: usize, n_rows: usize) -> Self {
        let mut group = Self { n_rows, range: begin..begin, parts: Vec::new() };
        let mut end = begin;
        while end < steps.len() && group.parts.len() < MAX_PARTS {
            let step = &steps[end];
            let joins =
                is_part(step, n_rows) && group.is_near(steps, slots, step) && group.keeps_to_rows(steps, slots, step);
            if joins {
                group.parts.push(end);
                group.range.end = end + 1;
            } else if !group.can_go_first(steps, step) {
                break;
            }
            end += 1;
        }
        group
    }

    fn writes<'s>(&self, steps: &'s [Step]) -> impl Iterator<Item = SlotId> + use<'s, '_> {
        self.parts.iter().flat_map(|at| &steps[*at].writes).copied()
    }

    /// Whether a row of `step` reads only its own row of what the group has made.
    fn keeps_to_rows(&self, steps: &[Step], slots: &[Slot], step: &Step) -> bool {
        let made: SmallVec<[SlotId; 8]> = self.writes(steps).filter(|slot| step.reads.contains(slot)).collect();
        let own = own_rows(step, self.n_rows, slots);
        let is_own = |slot: &SlotId| {
            own.iter().any(|rows| rows.slot == *slot && rows.bytes * self.n_rows == slots[slot.0 as usize].bytes)
        };
        made.iter().all(is_own) && !step.writes.iter().any(|slot| self.names(steps, *slot))
    }

    /// Whether a part reads or writes the slot.
    fn names(&self, steps: &[Step], slot: SlotId) -> bool {
        self.parts.iter().any(|at| steps[*at].reads.contains(&slot) || steps[*at].writes.contains(&slot))
    }

    /// Whether `step` has something to do with the group: it reads what that reads or has made.
    fn is_near(&self, steps: &[Step], slots: &[Slot], step: &Step) -> bool {
        let is_value = |slot: &SlotId| !matches!(slots[slot.0 as usize].home, Home::Constant(..));
        self.parts.is_empty() || step.reads.iter().filter(|slot| is_value(slot)).any(|slot| self.names(steps, *slot))
    }

    /// Whether the order of `step` and the group does not matter.
    fn can_go_first(&self, steps: &[Step], step: &Step) -> bool {
        let is_plain = matches!(step.action, Action::Loop(_) | Action::Kernel(_));
        let named = |slot: &SlotId| step.reads.contains(slot) || step.writes.contains(slot);
        let is_read = |slot: &SlotId| self.parts.iter().any(|at| steps[*at].reads.contains(slot));
        is_plain && self.writes(steps).all(|slot| !named(&slot)) && !step.writes.iter().any(is_read)
    }

    /// All bytes of a row.
    fn row(&self, steps: &[Step], slots: &[Slot]) -> usize {
        let mut rows: Vec<SlotId> =
            self.parts.iter().flat_map(|at| steps[*at].reads.iter().chain(&steps[*at].writes)).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows.iter().map(|slot| slots[slot.0 as usize].bytes / self.n_rows).fold(0, usize::saturating_add)
    }

    /// Whether something is read again while it is in the cache.
    fn is_worth_it(&self, steps: &[Step], slots: &[Slot]) -> bool {
        self.parts.len() > 1 && self.row(steps, slots) <= MAX_ROW
    }

    /// Replaces the steps by one; where to go on.
    fn replace(self, steps: &mut Vec<Step>, slots: &[Slot], uses: &FxHashMap<SlotId, usize>, isa: Isa) -> usize {
        let row = self.row(steps, slots);
        let (mut first, mut parts) = (Vec::new(), Vec::new());
        for (at, step) in (self.range.start..).zip(steps.drain(self.range.clone())) {
            if self.parts.contains(&at) { parts.push(step) } else { first.push(step) }
        }
        let mut named: FxHashMap<SlotId, usize> = FxHashMap::default();
        for slot in parts.iter().flat_map(|step| step.reads.iter().chain(&step.writes)) {
            *named.entry(*slot).or_default() += 1;
        }
        let is_local =
            |slot: &SlotId| matches!(slots[slot.0 as usize].home, Home::Arena(_)) && named.get(slot) == uses.get(slot);
        let writes = parts.iter().flat_map(|step| &step.writes).copied();
        let (locals, writes): (Vec<SlotId>, Vec<SlotId>) = writes.partition(|slot| is_local(slot));
        let made: Vec<SlotId> = locals.iter().chain(&writes).copied().collect();
        let mut reads: Vec<SlotId> =
            parts.iter().flat_map(|step| &step.reads).filter(|slot| !made.contains(slot)).copied().collect();
        reads.sort_unstable();
        reads.dedup();
        let locals: Vec<RowsOf> =
            locals.into_iter().map(|slot| RowsOf { slot, bytes: slots[slot.0 as usize].bytes / self.n_rows }).collect();
        let op = parts[parts.len() - 1].op;
        let mut streams: Vec<RowsOf> = parts.iter().flat_map(|step| own_rows(step, self.n_rows, slots)).collect();
        streams.retain(|rows| reads.contains(&rows.slot) && rows.bytes >= MIN_STREAM);
        streams.sort_unstable_by_key(|rows| rows.slot);
        streams.dedup();
        let parts = parts.into_iter().filter_map(|step| match step.action {
            Action::Loop(mut fused) => {
                let row = fused.n / self.n_rows;
                // What is read again at once must not go past the caches.
                let is_local = |slot: &SlotId| locals.iter().any(|local| local.slot == *slot);
                if fused.outputs.iter().any(|(_, slot, width)| fused.is_streamed(*width) && is_local(slot)) {
                    fused.is_cached = true;
                    fused.compile(isa, |slot| slots[slot.0 as usize].constant());
                }
                Some(Part::Loop(Box::new(fused), row))
            }
            Action::Kernel(mut kernel) => {
                if step.writes.iter().any(|slot| named.get(slot).is_some_and(|n| *n > 1)) {
                    kernel.keep();
                }
                Some(Part::Kernel(kernel))
            }
            _ => None,
        });
        let rows = Rows::new(self.n_rows, parts.collect(), &locals, streams, row);
        let at = self.range.start + first.len();
        first.push(Step { op, action: Action::Rows(rows), reads, writes });
        steps.splice(self.range.start..self.range.start, first);
        at + 1
    }
}

/// Whether a step can be done for some of `n_rows` rows alone.
fn is_part(step: &Step, n_rows: usize) -> bool {
    match &step.action {
        Action::Loop(fused) => fused.n > 0 && fused.n.is_multiple_of(n_rows),
        Action::Kernel(kernel) => kernel.by_rows().is_some_and(|kernel| kernel.n_rows() == n_rows),
        _ => false,
    }
}

/// Slots of which a row of the step reads its own part only.
pub(super) fn own_rows(step: &Step, n_rows: usize, slots: &[Slot]) -> SmallVec<[RowsOf; 2]> {
    match &step.action {
        Action::Kernel(kernel) => kernel.by_rows().map(|kernel| kernel.own()).unwrap_or_default(),
        Action::Loop(fused) => {
            let own = |slot: &SlotId| {
                let bytes = slots[slot.0 as usize].bytes / n_rows;
                reads_own_rows(fused, *slot, n_rows, bytes).then_some(RowsOf { slot: *slot, bytes })
            };
            step.reads.iter().filter_map(own).collect()
        }
        _ => SmallVec::new(),
    }
}

/// Whether row `r` of the loop reads no other than row `r` of the slot, whose rows have `row` bytes.
fn reads_own_rows(fused: &Loop, slot: SlotId, n_rows: usize, row: usize) -> bool {
    let mut inputs =
        fused.inputs.iter().filter(|input| !matches!(input.access, Access::Iota { .. }) && input.slot == slot);
    inputs.all(|input| match &input.access {
        Access::Linear { offset } => *offset == 0 && fused.n / n_rows * input.width == row,
        Access::Splat { .. } | Access::Iota { .. } => false,
        Access::Strided(strided) => stays_in_row(&strided.dims, strided.offset, input.width, n_rows, row),
    })
}

/// Whether the leading dimensions are the rows and the others stay inside of one.
fn stays_in_row(dims: &[(usize, isize)], offset: isize, width: usize, n_rows: usize, row: usize) -> bool {
    let mut left = n_rows;
    let (mut lowest, mut highest) = (offset, offset);
    for (size, stride) in dims {
        let mut size = *size;
        if left > 1 {
            if left.is_multiple_of(size) {
                left /= size;
                if *stride != (row * left) as isize {
                    return false;
                }
                continue;
            }
            // One dimension that is the rest of the rows and more.
            if !size.is_multiple_of(left) {
                return false;
            }
            size /= left;
            if stride * size as isize != row as isize {
                return false;
            }
            left = 1;
        }
        let reach = (size as isize - 1) * stride;
        (lowest, highest) = (lowest + reach.min(0), highest + reach.max(0));
    }
    left == 1 && lowest >= 0 && highest + width as isize <= row as isize
}

#[cfg(test)]
mod tests {
    use super::stays_in_row;

    #[test]
    fn rows_are_told_from_what_crosses_them() {
        // 6 rows of 5 numbers of 4 bytes.
        let stays = |dims: &[(usize, isize)], offset| stays_in_row(dims, offset, 4, 6, 20);
        assert!(stays(&[(6, 20), (5, 4)], 0));
        assert!(stays(&[(30, 4)], 0));
        // Rows in two dimensions, and a part of each row backwards.
        assert!(stays(&[(2, 60), (3, 20), (3, -4)], 12));
        assert!(!stays(&[(2, 60), (3, 20), (3, -4)], 4));
        // One column, repeated.
        assert!(stays(&[(6, 20), (7, 0)], 16));
        assert!(!stays(&[(6, 20), (7, 0)], 20));
        // A transpose, rows in another order, all rows alike.
        assert!(!stays(&[(5, 4), (6, 20)], 0));
        assert!(!stays(&[(3, 20), (2, 60), (5, 4)], 0));
        assert!(!stays(&[(6, 0), (5, 4)], 0));
    }
}
