//! Plans: what to do, step by step, and where every value stands.

mod after;
mod control;
mod donate;
mod elementwise;
mod explain;
mod folds;
mod fuse;
mod inputs;
mod lower;
mod once;
mod place;
mod rounds;
mod rows;
mod views;

use std::sync::Arc;

use bytes::Bytes;
use stablehlo::element::ElementType;
use stablehlo::ir::OpId;
use stablehlo::verify::Verified;

pub use explain::Left;
pub use views::{Strides, View, row_major};

pub(crate) use elementwise::step;
pub use lower::BodyLowering;
pub(crate) use lower::Lowering;
pub(crate) use views::is_view;

use crate::graph::{Dims, Unplanned, build};
use crate::kernels::Kernel;
use crate::kernels::fused::Loop;
use crate::kernels::isa::Isa;
use crate::kernels::jit::Rounds;
use crate::kernels::memory::{Buffer, SlotId};
use crate::kernels::reference::Reference;
use crate::kernels::rows::Rows;

/// Where a stored value stands.
#[derive(Clone, Debug)]
pub enum Home {
    /// In the arena, at a byte that is known when all steps are.
    Arena(usize),
    /// In the input of this number.
    Input(usize),
    /// In the result of this number.
    Output(usize),
    /// In the plan.
    Constant(Arc<[u8]>, Bytes),
    /// In what the plan keeps between runs, at a byte of it.
    Kept(usize),
}

/// A stored value.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Size in bytes.
    pub bytes: usize,
    /// Where it stands.
    pub home: Home,
    /// The loop in whose body it is made; none outside of loops.
    pub scope: Option<usize>,
}

impl Slot {
    /// Its bytes, if they stand in the plan.
    pub fn constant(&self) -> Option<&[u8]> {
        match &self.home {
            Home::Constant(owned, shared) if shared.is_empty() => Some(owned),
            Home::Constant(_, shared) => Some(shared),
            _ => None,
        }
    }
}

/// A step.
#[derive(Debug)]
pub struct Step {
    /// The op that it stands for, or one of them.
    pub op: OpId,
    /// What it does.
    pub action: Action,
    /// Slots that it reads.
    pub reads: Vec<SlotId>,
    /// Slots that it writes.
    pub writes: Vec<SlotId>,
}

/// What a step does.
#[derive(Debug)]
pub enum Action {
    /// A fused loop.
    Loop(Loop),
    /// A kernel.
    Kernel(Box<dyn Kernel>),
    /// Several of these, block of rows by block of rows.
    Rows(Rows),
    /// The interpreter.
    Reference(Reference),
    /// One of several lists of steps, by the number in a slot; out of range means the last.
    Branch {
        /// An i32, or an i1 that chooses the first list when it is true.
        index: SlotId,
        /// Whether `index` is an i1.
        is_pred: bool,
        /// The lists.
        branches: Vec<Vec<Step>>,
    },
    /// A loop.
    While {
        /// Its number among the plan's loops.
        id: usize,
        /// Steps that compute the condition.
        cond: Vec<Step>,
        /// The condition.
        pred: SlotId,
        /// Steps of one round.
        body: Vec<Step>,
        /// Slots that change places after each round: what was carried in, what is carried on.
        swaps: Vec<(SlotId, SlotId)>,
        /// What runs instead where the machine can.
        machine: Option<Rounds>,
    },
}

/// Type of an input or a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Port {
    /// Storage element type; none for tokens.
    pub element: Option<ElementType>,
    /// Sizes.
    pub shape: Dims,
}

impl Port {
    /// Bytes that its elements take.
    pub fn bytes(&self) -> usize {
        self.element.map_or(0, |element| self.shape.iter().product::<usize>() * element.byte_width())
    }
}

/// A program made ready.
#[derive(Debug)]
pub struct Plan<'m> {
    pub(crate) module: Verified<'m>,
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: Vec<Step>,
    /// What is made by the first run, for all runs.
    pub(crate) once: once::Once,
    pub(crate) arena: usize,
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
    /// For every result the input whose memory it has.
    pub(crate) donations: Vec<Option<usize>>,
    pub(crate) isa: Isa,
}

impl<'m> Plan<'m> {
    /// Plans `function` for the vector instructions `isa`.
    ///
    /// # Errors
    /// Programs that only the interpreter runs, with the reason.
    pub fn new(module: Verified<'m>, function: OpId, isa: Isa) -> Result<Self, Unplanned> {
        Self::with_donations(module, function, isa, Vec::new())
    }

    /// The same, honouring the marks `tf.aliasing_output` and `jax.buffer_donor` of inputs: results have the memory of inputs
    /// that are donated to them ([`Plan::donations`]), see [`Executor::run_donated`](crate::Executor::run_donated).
    ///
    /// # Errors
    /// As for [`Plan::new`].
    pub fn donating(module: Verified<'m>, function: OpId, isa: Isa) -> Result<Self, Unplanned> {
        Self::with_donations(module, function, isa, donate::donations(module.module(), function))
    }

    fn with_donations(
        module: Verified<'m>,
        function: OpId,
        isa: Isa,
        mut donations: Vec<Option<usize>>,
    ) -> Result<Self, Unplanned> {
        let graph = build(module, function)?;
        donations.resize(graph.bodies[0].results.len(), None);
        let lowered = Lowering::function(&graph, isa, &donations)?;
        let mut plan = Self {
            module,
            slots: lowered.slots,
            steps: lowered.steps,
            once: once::Once::default(),
            arena: 0,
            inputs: lowered.inputs,
            outputs: lowered.outputs,
            donations,
            isa,
        };
        folds::join(&mut plan.steps, &plan.slots, isa);
        rows::join(&mut plan.steps, &plan.slots, isa);
        rounds::compile(&mut plan.steps, &plan.slots, isa);
        after::join(&mut plan.steps, &plan.slots);
        plan.once = once::Once::new(&mut plan.steps, &mut plan.slots);
        plan.arena = place::assign(&mut plan.slots, &plan.steps);
        if plan.run_bytes() > isize::MAX as usize {
            return Err(Unplanned("more memory is needed than can be addressed".to_owned()));
        }
        Ok(plan)
    }

    /// Types of the inputs.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Types of the results.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// For every result the input that is donated to it: its memory is the result's.
    pub fn donations(&self) -> &[Option<usize>] {
        &self.donations
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The vector instructions that it uses.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// The module that it was made of.
    pub fn module(&self) -> Verified<'m> {
        self.module
    }

    /// Bytes that a run needs besides inputs, results and constants.
    pub fn arena_bytes(&self) -> usize {
        self.arena
    }

    /// Bytes that the plan keeps from the first run on: operands of products in the order in which kernels read them.
    pub fn kept_bytes(&self) -> usize {
        self.once.bytes
    }

    /// Bytes that a run needs besides inputs and constants.
    pub fn run_bytes(&self) -> usize {
        self.outputs.iter().map(Port::bytes).fold(self.arena + self.once.bytes, usize::saturating_add)
    }

    /// A buffer for each result, for [`Executor::run_into`](crate::Executor::run_into).
    pub fn output_buffers(&self) -> Vec<Buffer> {
        self.outputs.iter().map(|port| Buffer::new(port.bytes())).collect()
    }

    /// Bytes that a step reads and writes, each slot once.
    pub fn step_bytes(&self, step: &Step) -> usize {
        let mut slots: Vec<SlotId> = step.reads.iter().chain(&step.writes).copied().collect();
        slots.sort_unstable();
        slots.dedup();
        slots.iter().map(|slot| self.slots[slot.0 as usize].bytes).fold(0, usize::saturating_add)
    }
}
