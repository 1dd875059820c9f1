//! Running plans.

use std::sync::Mutex;

use bytes::Bytes;
use interpreter::{Config, EvalError, Host, Tensor, Value};
use stablehlo::ir::{Literal, OpId};
use stablehlo::verify::Verified;

use crate::graph::Unplanned;
use crate::kernels::isa::Isa;

use crate::kernels::memory::{Buffer, Memory};
use crate::kernels::pool::Pool;
use crate::plan::{Action, Home, Plan, Step};

/// Threads and memory for running plans; may be shared by threads, whose runs then take turns at the pool.
#[derive(Debug)]
pub struct Executor {
    pool: Pool,
    /// Arenas that no run is using, kept because touching fresh memory is slow.
    arenas: Mutex<Vec<Buffer>>,
}

/// What an engine gave, and how.
#[derive(Debug)]
pub struct Outcome {
    /// What the interpreter's run gives.
    pub outcome: interpreter::Outcome,
    /// Why the program as a whole was left to the interpreter.
    pub unplanned: Option<Unplanned>,
}

/// Plans and runs `function` once; a program that cannot be planned runs on the interpreter.
///
/// # Errors
/// As for [`interpreter::run`].
pub fn run_once(
    module: Verified<'_>,
    function: OpId,
    inputs: Vec<Value>,
    executor: &Executor,
    isa: Isa,
    config: &Config,
    host: &mut Host,
) -> Result<Outcome, EvalError> {
    let plan = match Plan::new(module, function, isa) {
        Ok(plan) => plan,
        Err(unplanned) => {
            let outcome = interpreter::run(module, function, inputs, config, host)?;
            return Ok(Outcome { outcome, unplanned: Some(unplanned) });
        }
    };
    let literals = inputs.iter().map(|value| value.tensor().map(Literal::from)).collect::<Result<Vec<_>, _>>()?;
    let results = executor.run(&plan, &literals, config, host)?;
    let results = results.into_iter().map(|literal| Value::Tensor(Tensor::from(&literal))).collect();
    let outcome = interpreter::Outcome { results, touched: Vec::new(), n_steps: 0, peak_bytes: plan.arena_bytes() };
    Ok(Outcome { outcome, unplanned: None })
}

/// How many idle arenas are kept.
const MAX_IDLE: usize = 4;

impl Executor {
    /// An executor with `n_threads` threads, the caller's among them.
    pub fn new(n_threads: usize) -> Self {
        Self { pool: Pool::new(n_threads.max(1)), arenas: Mutex::new(Vec::new()) }
    }

    /// How many threads there are.
    pub fn n_threads(&self) -> usize {
        self.pool.n_threads()
    }

    /// Runs a plan on the storage of its inputs; the storage of its results.
    ///
    /// Inputs are used in place where they are aligned to their elements.
    ///
    /// # Errors
    /// Inputs of the wrong number or size, limits of `config`, and what the interpreter says of ops that are left to it.
    pub fn run(
        &self,
        plan: &Plan<'_>,
        inputs: &[Literal],
        config: &Config,
        host: &mut Host,
    ) -> Result<Vec<Literal>, EvalError> {
        let inputs = self.check(plan, inputs)?;
        let outputs: Vec<Buffer> = plan
            .slots
            .iter()
            .filter_map(|slot| matches!(slot.home, Home::Output(_)).then(|| Buffer::new(slot.bytes)))
            .collect();
        let arena = self.arena(plan.arena);
        let memory = Memory::new(plan.slots.iter().map(|slot| {
            let at = match &slot.home {
                Home::Arena(at) => arena.as_ptr().wrapping_add(*at),
                Home::Input(index) => inputs[*index].as_ptr().cast_mut(),
                Home::Output(index) => outputs[*index].as_ptr(),
                Home::Constant(owned, shared) if shared.is_empty() => owned.as_ptr().cast_mut(),
                Home::Constant(_, shared) => shared.as_ptr().cast_mut(),
            };
            (at, slot.bytes)
        }));
        let mut run = Run { plan, memory, pool: &self.pool, config, host, n_rounds: 0 };
        let done = run.steps(&plan.steps);
        self.keep(arena);
        done?;
        let literals = plan.outputs.iter().zip(outputs).map(|(port, buffer)| {
            let element = port.element.ok_or_else(|| EvalError::unsupported("tokens as results"))?;
            let literal = Literal::new(element, port.shape.to_vec(), Bytes::from_owner(buffer));
            literal.ok_or_else(|| EvalError::bug("a result has the size of its type"))
        });
        literals.collect()
    }

    /// The bytes of the inputs, aligned.
    fn check(&self, plan: &Plan<'_>, inputs: &[Literal]) -> Result<Vec<Bytes>, EvalError> {
        if inputs.len() != plan.inputs.len() {
            let message = format!("the function takes {} inputs, got {}", plan.inputs.len(), inputs.len());
            return Err(EvalError::invalid("exec/input-count", message));
        }
        let check = |(index, (port, literal)): (usize, (&crate::plan::Port, &Literal))| {
            if port.element != Some(literal.element()) || port.shape[..] != *literal.shape() {
                let message =
                    format!("input {index} is {} {:?}, the program says otherwise", literal.element(), literal.shape());
                return Err(EvalError::invalid("exec/input-type", message));
            }
            let width = literal.element().byte_width();
            let data = literal.data();
            if literal.is_splat() && literal.len() != 1 {
                return Ok(Bytes::from_owner(Buffer::of(&data.repeat(literal.len()))));
            }
            let aligned = data.as_ptr().addr().is_multiple_of(width.min(8));
            Ok(if aligned { data.clone() } else { Bytes::from_owner(Buffer::of(data)) })
        };
        plan.inputs.iter().zip(inputs).enumerate().map(check).collect()
    }

    fn arena(&self, bytes: usize) -> Buffer {
        let mut arenas = self.arenas.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let fits = arenas.iter().position(|arena| arena.bytes().len() >= bytes);
        fits.map(|at| arenas.swap_remove(at)).unwrap_or_else(|| Buffer::new(bytes))
    }

    fn keep(&self, arena: Buffer) {
        let mut arenas = self.arenas.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        arenas.push(arena);
        if arenas.len() > MAX_IDLE {
            arenas.remove(0);
        }
    }
}

struct Run<'r, 'm> {
    plan: &'r Plan<'m>,
    memory: Memory,
    pool: &'r Pool,
    config: &'r Config,
    host: &'r mut Host,
    n_rounds: u64,
}

impl Run<'_, '_> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), EvalError> {
        for step in steps {
            match &step.action {
                Action::Loop(fused) => fused.run(&self.memory, self.pool),
                Action::Kernel(kernel) => kernel.run(&self.memory, self.pool),
                Action::Reference(reference) => {
                    reference.run(self.plan.module, &self.memory, self.config, self.host)?
                }
                Action::Branch { index, is_pred, branches } => {
                    let bytes = self.memory.bytes(*index);
                    let chosen = match is_pred {
                        true => usize::from(bytes[0] == 0),
                        false => {
                            let index = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                            usize::try_from(index).unwrap_or(usize::MAX).min(branches.len() - 1)
                        }
                    };
                    self.steps(&branches[chosen])?;
                }
                Action::While { cond, pred, body, swaps, .. } => self.rounds(step.op, cond, *pred, body, swaps)?,
            }
        }
        Ok(())
    }

    fn rounds(
        &mut self,
        op: OpId,
        cond: &[Step],
        pred: crate::kernels::memory::SlotId,
        body: &[Step],
        swaps: &[(crate::kernels::memory::SlotId, crate::kernels::memory::SlotId)],
    ) -> Result<(), EvalError> {
        loop {
            self.steps(cond)?;
            if self.memory.bytes(pred)[0] == 0 {
                return Ok(());
            }
            self.steps(body)?;
            for (carried, next) in swaps {
                self.memory.swap(*carried, *next);
            }
            self.n_rounds += 1;
            if self.n_rounds.is_multiple_of(1024) {
                self.check_limits(op)?;
            }
        }
    }

    fn check_limits(&self, _op: OpId) -> Result<(), EvalError> {
        let config = self.config;
        if config.cancel.as_ref().is_some_and(|cancel| cancel.load(std::sync::atomic::Ordering::Relaxed)) {
            return Err(EvalError::new(
                interpreter::ErrorKind::Interrupted,
                "exec/interrupted",
                "the run was interrupted",
            ));
        }
        if self.n_rounds > config.max_steps {
            let message = format!("the limit of {} steps is reached", config.max_steps);
            return Err(EvalError::resource("exec/step-limit", message));
        }
        Ok(())
    }
}
