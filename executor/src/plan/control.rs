//! Steps that have lists of steps inside: branches and loops.

use rustc_hash::FxHashSet;
use stablehlo::ops::OpKind;

use super::lower::BodyLowering;
use super::{Action, Step};
use crate::graph::{Node, Val};
use crate::kernels::memory::SlotId;

impl BodyLowering<'_, '_, '_> {
    pub(super) fn branch(&mut self, index: u32, node: &Node, kind: OpKind) {
        let pred = self.dense(node.operands[0]);
        let captures: Vec<SlotId> = node.operands[1..].iter().map(|value| self.dense(*value)).collect();
        let want: Vec<SlotId> =
            (0..node.types.len()).map(|result| self.output(Val::Node(index, result as u16))).collect();
        let branches = node.bodies.iter().map(|body| {
            let (mut steps, landed) = self.lowering.body(*body, captures.clone(), &want, FxHashSet::default());
            self.lowering.land(&self.lowering.graph.bodies[*body], &mut steps, &landed, &want);
            steps
        });
        let branches = branches.collect();
        let reads = std::iter::once(pred).chain(captures).collect();
        let action = Action::Branch { index: pred, is_pred: kind == OpKind::If, branches };
        self.steps.push(Step { op: node.op, action, reads, writes: want });
    }

    pub(super) fn while_loop(&mut self, index: u32, node: &Node) {
        let n = node.own_operands().len();
        let carried: Vec<SlotId> = (0..n)
            .map(|at| {
                let result = Val::Node(index, at as u16);
                // Places are exchanged; a donated one must stay what it is.
                let operand = self.views.of(node.operands[at]).root;
                let is_donated = self.slots.get(&operand).is_some_and(|slot| self.donated.contains_key(slot));
                if !is_donated && let Some(slot) = self.reuse(node, at, result) {
                    return slot;
                }
                let initial = self.dense(node.operands[at]);
                // Swapping places needs slots of the arena; a wanted result is copied at the end.
                let slot = self.lowering.arena_slot(self.ty(result).bytes());
                self.owned.insert(slot);
                self.slots.insert(result, slot);
                let copy = self.lowering.copy(self.body, initial, slot);
                self.steps.push(copy);
                slot
            })
            .collect();
        let captures: Vec<SlotId> = node.operands[n..].iter().map(|value| self.dense(*value)).collect();
        let next: Vec<SlotId> = carried
            .iter()
            .map(|slot| {
                let bytes = self.lowering.slots[slot.0 as usize].bytes;
                self.lowering.arena_slot(bytes)
            })
            .collect();
        let id = self.lowering.n_loops;
        self.lowering.n_loops += 1;
        let around = self.lowering.scope.replace(id);
        let params: Vec<SlotId> = carried.iter().chain(&captures).copied().collect();
        let (cond, pred) = self.lowering.body(node.bodies[0], params.clone(), &Vec::new(), FxHashSet::default());
        let owned = carried.iter().copied().collect();
        let (mut body, landed) = self.lowering.body(node.bodies[1], params, &next, owned);
        let mut swaps = Vec::new();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for at in 0..n {
            if landed[at] == next[at] {
                swaps.push((carried[at], next[at]));
            } else if landed[at] != carried[at] {
                // A value that stands elsewhere, such as another carried one.
                from.push(landed[at]);
                to.push(next[at]);
                swaps.push((carried[at], next[at]));
            }
        }
        let graph = self.lowering.graph;
        self.lowering.land(&graph.bodies[node.bodies[1]], &mut body, &from, &to);
        self.lowering.scope = around;
        let reads = carried.iter().chain(&captures).copied().collect();
        let action = Action::While { id, cond, pred: pred[0], body, swaps, machine: None };
        self.steps.push(Step { op: node.op, action, reads, writes: carried });
    }
}
