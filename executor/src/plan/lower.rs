//! From a graph to steps and slots.

use std::borrow::Cow;
use std::sync::Arc;

use interpreter::Tensor;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use stablehlo::ops::OpKind;

use super::fuse::{Class, UnitId, Units, units};
use super::views::{View, Views, row_major, views};
use super::{Action, Home, Port, Slot, Step, elementwise};
use crate::graph::{Body, BodyId, Graph, Node, NodeKind, Ty, Unplanned, Val};
use crate::kernels::concatenate::Part;
use crate::kernels::fused::{Access, Input, Instr, Loop, Reg};
use crate::kernels::isa::Isa;
use crate::kernels::memory::SlotId;
use crate::kernels::reference::Reference;
use crate::kernels::strided_copy::{Materialize, StridedCopy};
use crate::kernels::{self};

/// What a function is lowered to.
pub struct Lowered {
    pub slots: Vec<Slot>,
    pub steps: Vec<Step>,
    pub inputs: Vec<Port>,
    pub outputs: Vec<Port>,
}

/// The state of lowering.
pub struct Lowering<'g, 'm> {
    pub(super) graph: &'g Graph<'m>,
    /// The instructions to use.
    pub isa: Isa,
    pub(super) slots: Vec<Slot>,
    pub(super) n_loops: usize,
    /// The loop in whose body steps are being made.
    pub(super) scope: Option<usize>,
}

fn port(ty: &Ty) -> Port {
    Port { element: ty.element, shape: ty.shape.clone() }
}

impl<'g, 'm> Lowering<'g, 'm> {
    /// Lowers the function that `graph` was made of.
    ///
    /// # Errors
    /// Functions that only the interpreter runs.
    pub fn function(graph: &'g Graph<'m>, isa: Isa, donations: &[Option<usize>]) -> Result<Lowered, Unplanned> {
        let mut this = Self { graph, isa, slots: Vec::new(), n_loops: 0, scope: None };
        let body = &graph.bodies[0];
        let results = body.results.iter().map(|value| body.ty(*value));
        let want: Vec<SlotId> =
            (0..).zip(results).map(|(index, ty)| this.slot(ty.bytes(), Home::Output(index))).collect();
        // A donated input stands where its result will be.
        let given = |input: usize| donations.iter().position(|donated| *donated == Some(input));
        let params: Vec<SlotId> = (0..)
            .zip(&body.params)
            .map(|(index, ty)| match given(index) {
                Some(result) => want[result],
                None => this.slot(ty.bytes(), Home::Input(index)),
            })
            .collect();
        let owned = params.iter().filter(|slot| want.contains(slot)).copied().collect();
        let (steps, landed) = this.body(0, params, &want, owned);
        let mut steps = steps;
        this.land(body, &mut steps, &landed, &want);
        Ok(Lowered {
            slots: this.slots,
            steps,
            inputs: body.params.iter().map(port).collect(),
            outputs: body.results.iter().map(|value| port(body.ty(*value))).collect(),
        })
    }

    pub(super) fn slot(&mut self, bytes: usize, home: Home) -> SlotId {
        self.slots.push(Slot { bytes, home, scope: self.scope });
        SlotId(self.slots.len() as u32 - 1)
    }

    pub(super) fn arena_slot(&mut self, bytes: usize) -> SlotId {
        self.slot(bytes, Home::Arena(0))
    }

    /// Lowers a body whose parameters stand in `params`; the results that can are written to `want`. Says for every result
    /// where it stands. Slots of `owned` may be overwritten once their parameter is not needed any more.
    pub(super) fn body(
        &mut self,
        id: BodyId,
        params: Vec<SlotId>,
        want: &Vec<SlotId>,
        owned: FxHashSet<SlotId>,
    ) -> (Vec<Step>, Vec<SlotId>) {
        let graph = self.graph;
        let body = &graph.bodies[id];
        let views = views(graph, body);
        let units = units(graph, body, &views);
        let mut lowerer = BodyLowering {
            body,
            stored: stored(body, &views, &units),
            readers: readers(body, &views, &units),
            views,
            units,
            slots: FxHashMap::default(),
            dense: FxHashMap::default(),
            want: FxHashMap::default(),
            donated: FxHashMap::default(),
            reading: FxHashSet::default(),
            owned,
            steps: Vec::new(),
            why: None,
            lowering: self,
        };
        for (index, slot) in (0u32..).zip(&params) {
            lowerer.slots.insert(Val::Param(index), *slot);
            if want.contains(slot) {
                lowerer.donated.insert(*slot, Val::Param(index));
            }
        }
        for (value, slot) in body.results.iter().zip(want) {
            let view = lowerer.views.of(*value);
            if matches!(view.root, Val::Node(..)) && view.is_identity(body.ty(view.root).len()) {
                lowerer.want.entry(view.root).or_insert(*slot);
            }
        }
        for unit in lowerer.units.order.clone() {
            lowerer.unit(unit);
        }
        let wanted = want.iter().copied().map(Some).chain(std::iter::repeat(None));
        let landed = body.results.iter().zip(wanted).map(|(value, want)| lowerer.result(*value, want)).collect();
        (lowerer.steps, landed)
    }

    /// Copies results that stand elsewhere to where they are wanted.
    pub(super) fn land(&mut self, body: &Body, steps: &mut Vec<Step>, landed: &[SlotId], want: &[SlotId]) {
        // A copy must not overwrite what a later one reads: such values are saved first.
        let mut from = landed.to_vec();
        for index in 0..from.len() {
            let clobbered = (0..index).any(|before| from[before] != want[before] && want[before] == from[index]);
            if clobbered && from[index] != want[index] {
                let saved = self.arena_slot(self.slots[from[index].0 as usize].bytes);
                steps.insert(steps.len(), self.copy(body, from[index], saved));
                from[index] = saved;
            }
        }
        for (from, to) in from.iter().zip(want) {
            if from != to {
                steps.push(self.copy(body, *from, *to));
            }
        }
    }

    /// A step that copies a slot.
    pub(super) fn copy(&self, body: &Body, from: SlotId, to: SlotId) -> Step {
        let op = body.nodes.first().map_or(self.graph.module.top(), |node| node.op);
        let bytes = self.slots[from.0 as usize].bytes;
        Step {
            op,
            action: Action::Kernel(Box::new(kernels::Copy { from, to, bytes })),
            reads: vec![from],
            writes: vec![to],
        }
    }
}

/// Which nodes' results must be stored: all that are read otherwise than from a register of the same loop.
fn stored(body: &Body, views: &Views, units: &Units) -> Vec<bool> {
    let mut stored = vec![false; body.nodes.len()];
    for (index, node) in body.nodes.iter().enumerate() {
        if units.unit[index].is_none() {
            continue;
        }
        for operand in &node.operands {
            let view = views.of(*operand);
            let Val::Node(root, _) = view.root else { continue };
            let same_loop = units.classes[index] == Class::Elementwise
                && units.unit[root as usize] == units.unit[index]
                && view.is_identity(body.ty(view.root).len());
            stored[root as usize] |= !same_loop;
        }
    }
    for result in &body.results {
        if let Val::Node(root, _) = views.of(*result).root {
            stored[root as usize] = true;
        }
    }
    stored
}

/// How many units (and results) read each value that is stored.
fn readers(body: &Body, views: &Views, units: &Units) -> FxHashMap<Val, usize> {
    let mut readers: FxHashMap<Val, usize> = FxHashMap::default();
    for members in &units.members {
        for root in roots(body, views, members) {
            *readers.entry(root).or_default() += 1;
        }
    }
    for result in &body.results {
        *readers.entry(views.of(*result).root).or_default() += 1;
    }
    readers
}

/// The values that the nodes read, each once.
fn roots(body: &Body, views: &Views, members: &[u32]) -> FxHashSet<Val> {
    let operands = members.iter().flat_map(|index| &body.nodes[*index as usize].operands);
    operands.map(|operand| views.of(*operand).root).collect()
}

/// The state of lowering one body.
pub struct BodyLowering<'l, 'g, 'm> {
    pub(super) lowering: &'l mut Lowering<'g, 'm>,
    pub(super) body: &'g Body,
    pub(super) views: Views,
    pub(super) units: Units,
    pub(super) stored: Vec<bool>,
    pub(super) readers: FxHashMap<Val, usize>,
    /// Where values stand.
    pub(super) slots: FxHashMap<Val, SlotId>,
    /// Where views that had to be written out stand.
    pub(super) dense: FxHashMap<Val, SlotId>,
    /// Where results should stand.
    pub(super) want: FxHashMap<Val, SlotId>,
    /// Slots of donated inputs, which results will have, and what stands there now.
    pub(super) donated: FxHashMap<SlotId, Val>,
    /// What the unit that is being lowered reads.
    pub(super) reading: FxHashSet<Val>,
    /// Slots that may be overwritten when nobody reads them any more.
    pub(super) owned: FxHashSet<SlotId>,
    pub(super) steps: Vec<Step>,
    /// Why there is no kernel for the node that is being lowered.
    pub(super) why: Option<Cow<'static, str>>,
}

impl<'g, 'm> BodyLowering<'_, 'g, 'm> {
    /// The module's graph.
    pub fn graph(&self) -> &'g Graph<'m> {
        self.lowering.graph
    }

    /// The instructions to use.
    pub fn isa(&self) -> Isa {
        self.lowering.isa
    }

    /// The type of a value.
    pub fn ty(&self, value: Val) -> &'g Ty {
        self.body.ty(value)
    }

    /// The constant that a value is, looking through views of splats.
    pub fn constant(&self, value: Val) -> Option<&'g stablehlo::ir::Literal> {
        self.body.constant(value)
    }

    /// Leaves the node to the interpreter, and says why.
    pub fn decline<T>(&mut self, why: impl Into<Cow<'static, str>>) -> Option<T> {
        self.why = Some(why.into());
        None
    }

    /// The one element that a value is made of, if it is known.
    pub fn splat(&self, value: Val) -> Option<&'g stablehlo::ir::Literal> {
        self.body.constant(self.views.of(value).root).filter(|literal| literal.is_splat() || literal.len() == 1)
    }

    pub(super) fn width(&self, value: Val) -> usize {
        self.ty(value).element.map_or(0, |element| element.byte_width())
    }

    /// A value as elements of a slot by strides.
    pub fn view(&mut self, value: Val) -> (SlotId, View) {
        let view = self.views.of(value).clone();
        (self.root(view.root), view)
    }

    /// The slot of a value whose elements stand one after the other; it is written out if need be.
    pub fn dense(&mut self, value: Val) -> SlotId {
        let view = self.views.of(value).clone();
        let root_len = match self.body.constant(view.root) {
            Some(literal) if literal.is_splat() => 1,
            _ => self.ty(view.root).len(),
        };
        if view.is_identity(root_len) {
            return self.root(view.root);
        }
        if let Some(slot) = self.dense.get(&value) {
            return *slot;
        }
        let slot = self.lowering.arena_slot(self.ty(value).bytes());
        self.write_out(value, slot);
        slot
    }

    /// Writes a view to a slot, element after element.
    fn write_out(&mut self, value: Val, slot: SlotId) {
        let view = self.views.of(value).clone();
        let op = self.body.node(value).or(self.body.node(view.root)).map_or(self.graph().module.top(), |node| node.op);
        let width = self.width(value);
        let input = self.input_in_place(value);
        if let Access::Iota { .. } = input.access {
            self.copy_loop(op, input, view.len(), slot, width);
        } else {
            let copy = StridedCopy::new(&view.shape, &view.strides, &row_major(&view.shape), width, self.isa());
            let offset = view.offset * width as isize;
            let kernel = Materialize { copy, from: input.slot, offset, to: slot };
            let action = Action::Kernel(Box::new(kernel));
            self.steps.push(Step { op, action, reads: vec![input.slot], writes: vec![slot] });
        }
        self.dense.insert(value, slot);
    }

    /// The slot of a result of the body: `want` if it must be written out anyway.
    fn result(&mut self, value: Val, want: Option<SlotId>) -> SlotId {
        let view = self.views.of(value);
        let is_known = view.is_identity(self.ty(view.root).len()) || self.dense.contains_key(&value);
        match want {
            Some(slot) if !is_known && self.ty(value).element.is_some() && !self.donated.contains_key(&slot) => {
                self.write_out(value, slot);
                slot
            }
            _ => self.dense(value),
        }
    }

    /// A loop that only stores its one input.
    pub(super) fn copy_loop(&mut self, op: stablehlo::ir::OpId, input: Input, n: usize, slot: SlotId, width: usize) {
        let reads = if matches!(input.access, Access::Iota { .. }) { vec![] } else { vec![input.slot] };
        let f = kernels::elementwise::copy_of_width(width);
        let code = vec![Instr { f, op: None, name: "copy", out: 1, args: [0; 3] }];
        let mut fused = Loop::new(n, vec![input], code);
        fused.outputs = vec![(1, slot, width)];
        fused.assign_tiles(&[width, width]);
        self.steps.push(Step { op, action: Action::Loop(fused), reads, writes: vec![slot] });
    }

    /// The slot of a value that is not a view.
    pub(super) fn root(&mut self, root: Val) -> SlotId {
        if let Some(slot) = self.slots.get(&root) {
            return *slot;
        }
        let Val::Node(index, _) = root else { unreachable!("parameters have slots") };
        let node = &self.body.nodes[index as usize];
        let slot = match (&node.kind, self.units.classes[index as usize]) {
            (NodeKind::Constant(literal), _) => {
                let data = literal.data().clone();
                let element = literal.element().byte_width();
                // Kernels want their elements aligned; data in a file need not be.
                let aligned = data.as_ptr().addr().is_multiple_of(element.min(8));
                let (owned, data) =
                    if aligned { (Arc::from([]), data) } else { (Arc::from(&data[..]), bytes::Bytes::new()) };
                self.lowering.slot(literal.data().len(), Home::Constant(owned, data))
            }
            (_, Class::Iota) => {
                let slot = self.lowering.arena_slot(node.types[0].bytes());
                let view = View::whole(root, &node.types[0].shape);
                let input = self.iota(&view);
                let n = node.types[0].len();
                if let Some(input) = input {
                    let width = input.width;
                    self.copy_loop(node.op, input, n, slot, width);
                }
                slot
            }
            _ => self.lowering.arena_slot(self.ty(root).bytes()),
        };
        self.slots.insert(root, slot);
        slot
    }

    /// The slot that a result of a node is to be written to.
    pub fn output(&mut self, value: Val) -> SlotId {
        if let Some(slot) = self.slots.get(&value) {
            return *slot;
        }
        let slot = match self.want.get(&value) {
            Some(slot) if self.may_overwrite(*slot) => {
                let slot = *slot;
                self.occupy(slot, value);
                slot
            }
            _ => {
                let slot = self.lowering.arena_slot(self.ty(value).bytes());
                self.owned.insert(slot);
                slot
            }
        };
        self.slots.insert(value, slot);
        slot
    }

    /// A slot for what a kernel needs while it runs; the kernel must name it among those that it writes.
    pub fn scratch(&mut self, bytes: usize) -> SlotId {
        self.lowering.arena_slot(bytes)
    }

    /// Adds a step before the one that is being planned, for `node`.
    pub fn first(&mut self, node: &Node, (kernel, reads, writes): kernels::Planned) {
        self.steps.push(Step { op: node.op, action: Action::Kernel(kernel), reads, writes });
    }

    /// The slot of an operand for a result that replaces it: its own if nothing else of the node and nobody after it reads
    /// it. (The unit that is being lowered has been counted as a reader already.)
    pub fn reuse(&mut self, node: &Node, operand: usize, result: Val) -> Option<SlotId> {
        let view = self.views.of(node.operands[operand]);
        let root = view.root;
        if node.operands.iter().filter(|value| self.views.of(**value).root == root).count() != 1 {
            return None;
        }
        if !view.is_identity(self.ty(root).len()) || self.readers.get(&root).is_some_and(|n| *n > 0) {
            return None;
        }
        let slot = *self.slots.get(&root)?;
        let is_elsewhere = self.want.get(&result).is_some_and(|want| *want != slot && !self.is_carried(slot, result));
        if !self.owned.contains(&slot) || is_elsewhere {
            return None;
        }
        self.occupy(slot, result);
        self.slots.insert(result, slot);
        Some(slot)
    }

    /// The slot of a result that begins as an operand and is then changed, and the copy that is needed when the operand's
    /// own slot cannot be it.
    pub fn in_place(&mut self, node: &Node, operand: usize, result: Val) -> (SlotId, Option<Part>) {
        let width = self.width(result);
        // Slots of views are written out by need; a whole value may turn into the result.
        self.view(node.operands[operand]);
        if let Some(slot) = self.reuse(node, operand, result) {
            return (slot, None);
        }
        let (from, view) = self.view(node.operands[operand]);
        let to = self.output(result);
        let copy = StridedCopy::new(&view.shape, &view.strides, &row_major(&view.shape), width, self.isa());
        (to, Some(Part { copy, from, from_offset: view.offset * width as isize, to_offset: 0 }))
    }

    /// Whether `slot` is where the loop around carries the value that `result` becomes.
    fn is_carried(&self, slot: SlotId, result: Val) -> bool {
        let place = self.body.results.iter().position(|value| self.views.of(*value).root == result);
        place.is_some_and(|index| self.slots.get(&Val::Param(index as u32)) == Some(&slot))
    }

    fn unit(&mut self, unit: UnitId) {
        let members = self.units.members[unit].clone();
        let Some(first) = members.first() else { return };
        self.reading = roots(self.body, &self.views, &members);
        for root in self.reading.clone() {
            if let Some(n) = self.readers.get_mut(&root) {
                *n -= 1;
            }
        }
        match self.units.classes[*first as usize] {
            Class::Elementwise => self.cluster(&members),
            _ => self.whole(*first),
        }
    }

    /// One loop for the nodes of a cluster.
    fn cluster(&mut self, members: &[u32]) {
        let unit = self.units.unit[members[0] as usize];
        let mut regs: FxHashMap<Val, Reg> = FxHashMap::default();
        let mut loaded: Vec<(View, Reg)> = Vec::new();
        let (mut inputs, mut widths) = (Vec::new(), Vec::new());
        // Registers of inputs come first.
        for index in members {
            for operand in &self.body.nodes[*index as usize].operands {
                let view = self.views.of(*operand);
                let root_unit = match view.root {
                    Val::Node(root, _) => self.units.unit[root as usize],
                    Val::Param(_) => None,
                };
                if root_unit == unit && root_unit.is_some() || loaded.iter().any(|(other, _)| other == view) {
                    continue;
                }
                loaded.push((view.clone(), inputs.len() as Reg));
                let input = self.input(*operand);
                widths.push(input.width);
                inputs.push(input);
            }
        }
        let (mut code, mut stored) = (Vec::<Instr>::new(), Vec::new());
        let n = self.body.nodes[members[0] as usize].types[0].len();
        for index in members {
            let node = &self.body.nodes[*index as usize];
            let value = Val::Node(*index, 0);
            let out = widths.len() as Reg;
            let mut args: SmallVec<[Reg; 3]> = SmallVec::new();
            for operand in &node.operands {
                let view = self.views.of(*operand);
                let reg = loaded.iter().find(|(other, _)| other == view).map(|(_, reg)| *reg);
                args.extend(reg.or_else(|| regs.get(&view.root).copied()));
            }
            let arg = |at: usize| args.get(at).or(args.first()).copied().unwrap_or(0);
            let name = match node.kind {
                NodeKind::Op(kind) => kind.spec().mnemonic,
                NodeKind::Constant(_) => "constant",
            };
            let Some(f) = elementwise::step(self.graph(), node, self.isa()) else { continue };
            let op = elementwise::operation(self.graph(), node);
            code.push(Instr { f, op, name, out, args: [arg(0), arg(1), arg(2)] });
            widths.push(self.width(value));
            regs.insert(value, out);
            if self.stored[*index as usize] {
                stored.push((out, value));
            }
        }
        let outputs = stored.into_iter().map(|(out, value)| {
            let later = code.iter().skip_while(|instr| instr.out != out).skip(1);
            let read_later = later.flat_map(|instr| instr.args).filter_map(|reg| inputs.get(usize::from(reg)));
            self.overwrite_in_loop(&inputs, read_later, value, self.width(value));
            (out, self.output(value), self.width(value))
        });
        let outputs: Vec<_> = outputs.collect();
        let mut reads: Vec<SlotId> = inputs
            .iter()
            .filter(|input| !matches!(input.access, Access::Iota { .. }))
            .map(|input| input.slot)
            .collect();
        reads.dedup();
        let writes = outputs.iter().map(|(_, slot, _)| *slot).collect();
        let mut fused = Loop::new(n, inputs, code);
        fused.outputs = outputs;
        fused.assign_tiles(&widths);
        fused.compile(self.isa(), |slot| self.lowering.slots[slot.0 as usize].constant());
        let op = self.body.nodes[members[members.len() - 1] as usize].op;
        self.steps.push(Step { op, action: Action::Loop(fused), reads, writes });
    }

    fn whole(&mut self, index: u32) {
        let node = &self.body.nodes[index as usize];
        let NodeKind::Op(kind) = node.kind else { return };
        match kind {
            OpKind::While => self.while_loop(index, node),
            OpKind::If | OpKind::Case => self.branch(index, node, kind),
            _ => {
                self.why = None;
                if let Some((kernel, reads, writes)) = kernels::plan(self, index, node, kind) {
                    self.steps.push(Step { op: node.op, action: Action::Kernel(kernel), reads, writes });
                } else {
                    self.reference(index, node);
                }
            }
        }
    }

    /// Leaves a node to the interpreter.
    fn reference(&mut self, index: u32, node: &Node) {
        let module = self.graph().module;
        let own = module.operands(node.op).iter().copied();
        let names: Vec<_> = own.chain(node.captures.iter().copied()).collect();
        let operands: Vec<_> = names
            .into_iter()
            .zip(&node.operands)
            .map(|(name, value)| (name, self.dense(*value), port(self.ty(*value))))
            .collect();
        let results: Vec<SlotId> =
            (0..node.types.len()).map(|result| self.output(Val::Node(index, result as u16))).collect();
        let reads = operands.iter().map(|(_, slot, _)| *slot).collect();
        let constants = node.constants.iter().map(|(name, literal)| (*name, Tensor::from(literal))).collect();
        let why = self.reason(node);
        let reference = Reference { op: node.op, operands, constants, results: results.clone(), why };
        self.steps.push(Step { op: node.op, action: Action::Reference(reference), reads, writes: results });
    }

    /// Why a node is left to the interpreter.
    fn reason(&mut self, node: &Node) -> Cow<'static, str> {
        let module = self.graph().module;
        let values = module.operands(node.op).iter().copied().chain(module.results(node.op).iter());
        if values.map(|value| module.value_type(value)).any(|ty| module.quantized(ty).is_some()) {
            return "it computes with quantized types".into();
        }
        self.why.take().unwrap_or_else(|| {
            "there is no kernel for it, or none that covers these types, shapes and attributes".into()
        })
    }
}
