//! Running plans.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use interpreter::{Config, ErrorKind, EvalError, Host, Tensor, Value};
use stablehlo::ir::{Literal, OpId};
use stablehlo::verify::Verified;

use crate::graph::Unplanned;
use crate::kernels::isa::Isa;
use crate::kernels::jit::Rounds;
use crate::kernels::memory::{Buffer, Memory, SlotId};
use crate::kernels::pool::Pool;
use crate::plan::{Action, Home, Plan, Port, Step};
use crate::program::Program;
use crate::storage::{Recycled, Storage};

/// Threads and memory for running plans; may be shared by threads, whose runs then take turns at the pool.
#[derive(Debug)]
pub struct Executor {
    pool: Pool,
    /// Memory that no run is using, kept because touching fresh memory is slow.
    storage: Arc<Storage>,
}

/// What an engine gave, and how.
#[derive(Debug)]
pub struct Outcome {
    /// What the interpreter's run gives. Strict points are not noticed, and steps are those of the plan.
    pub outcome: interpreter::Outcome,
    /// Why the program as a whole was left to the interpreter.
    pub unplanned: Option<Unplanned>,
}

/// Looks on while a plan runs.
pub trait Watch {
    /// `step` is about to be done.
    fn begin(&mut self, plan: &Plan<'_>, step: &Step);
    /// `step` has been done; steps that have steps inside end after those.
    fn end(&mut self, plan: &Plan<'_>, step: &Step);
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
    Program::new(module, function, isa).run_values(executor, inputs, config, host)
}

impl Executor {
    /// An executor with `n_threads` threads, the caller's among them.
    pub fn new(n_threads: usize) -> Self {
        Self { pool: Pool::new(n_threads.max(1)), storage: Arc::default() }
    }

    /// How many threads there are.
    pub fn n_threads(&self) -> usize {
        self.pool.n_threads()
    }

    /// Runs a plan on the storage of its inputs; the storage of its results.
    ///
    /// Inputs are used in place where they are aligned to their elements. The memory of results goes back to this executor
    /// when they are dropped.
    ///
    /// # Errors
    /// Inputs of the wrong number or type, limits of `config`, and what the interpreter says of ops that are left to it.
    pub fn run(
        &self,
        plan: &Plan<'_>,
        inputs: &[Literal],
        config: &Config,
        host: &mut Host,
    ) -> Result<Vec<Literal>, EvalError> {
        let inputs = bytes_of(plan, inputs.iter().map(Some), false)?;
        let outputs = self.outputs(plan, config, &inputs)?;
        self.execute(plan, &inputs, &addresses(&outputs), config, host, None)?;
        plan.outputs.iter().zip(outputs).map(|(port, bytes)| literal(port, bytes)).collect()
    }

    /// Runs a plan into buffers of the caller, one for each result and each of the result's size, such as
    /// [`Plan::output_buffers`] makes.
    ///
    /// # Errors
    /// As for [`Executor::run`], and `exec/output-size`; after an error the buffers hold anything.
    pub fn run_into(
        &self,
        plan: &Plan<'_>,
        inputs: &[Literal],
        outputs: &mut [Buffer],
        config: &Config,
        host: &mut Host,
    ) -> Result<(), EvalError> {
        let inputs: Vec<Option<Literal>> = inputs.iter().cloned().map(Some).collect();
        self.run_donated(plan, &inputs, outputs, config, host)
    }

    /// Runs a plan into buffers of the caller, as [`Executor::run_into`] does; an input that is donated to a result may be
    /// left out, and its elements then stand in the buffer of that result.
    ///
    /// # Errors
    /// As for [`Executor::run_into`]; an input that is not donated must be there.
    pub fn run_donated(
        &self,
        plan: &Plan<'_>,
        inputs: &[Option<Literal>],
        outputs: &mut [Buffer],
        config: &Config,
        host: &mut Host,
    ) -> Result<(), EvalError> {
        let inputs = bytes_of(plan, inputs.iter().map(Option::as_ref), true)?;
        if outputs.len() != plan.outputs.len() {
            let message = format!("the function has {} results, got {} buffers", plan.outputs.len(), outputs.len());
            return Err(EvalError::invalid("exec/output-size", message));
        }
        for (index, (port, buffer)) in plan.outputs.iter().zip(&*outputs).enumerate() {
            let (wanted, found) = (port.bytes(), buffer.bytes().len());
            if wanted != found {
                let message = format!("result {index} takes {wanted} bytes, its buffer has {found}");
                return Err(EvalError::invalid("exec/output-size", message));
            }
        }
        for (result, input) in donated(plan) {
            if !inputs[input].is_empty() {
                outputs[result].bytes_mut().copy_from_slice(&inputs[input]);
            }
        }
        let addresses: Vec<*mut u8> = outputs.iter().map(Buffer::as_ptr).collect();
        self.execute(plan, &inputs, &addresses, config, host, None).map(drop)
    }

    /// Runs a plan as [`interpreter::run`] runs a function; `watch` is shown every step.
    ///
    /// # Errors
    /// As for [`Executor::run`].
    pub fn run_values(
        &self,
        plan: &Plan<'_>,
        inputs: Vec<Value>,
        config: &Config,
        host: &mut Host,
        watch: Option<&mut dyn Watch>,
    ) -> Result<interpreter::Outcome, EvalError> {
        let literals = inputs.into_iter().map(|value| match value {
            Value::Token => Ok(None),
            value => value.tensor().map(|tensor| Some(Literal::from(tensor))),
        });
        let literals = literals.collect::<Result<Vec<Option<Literal>>, EvalError>>()?;
        let inputs = bytes_of(plan, literals.iter().map(Option::as_ref), false)?;
        let outputs = self.outputs(plan, config, &inputs)?;
        let n_steps = self.execute(plan, &inputs, &addresses(&outputs), config, host, watch)?;
        let results = plan.outputs.iter().zip(outputs).map(|(port, bytes)| match port.element {
            None => Ok(Value::Token),
            Some(_) => literal(port, bytes).map(|literal| Value::Tensor(Tensor::from(&literal))),
        });
        let results = results.collect::<Result<_, EvalError>>()?;
        Ok(interpreter::Outcome { results, touched: Vec::new(), n_steps, peak_bytes: plan.run_bytes() })
    }

    /// Gives memory that no run is using back to the system.
    pub fn trim(&self) {
        self.storage.trim();
    }

    /// Memory for the results, if the limit allows what the run will need. Inputs that are donated are copied to where their
    /// results will be: these here are somebody else's.
    fn outputs(&self, plan: &Plan<'_>, config: &Config, inputs: &[Bytes]) -> Result<Vec<Recycled>, EvalError> {
        check_memory(plan, config)?;
        let outputs = plan.outputs.iter().map(|port| self.storage.take(port.bytes()));
        let mut outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        for (result, input) in donated(plan) {
            outputs[result].bytes_mut().copy_from_slice(&inputs[input]);
        }
        Ok(outputs)
    }

    /// Runs the steps; how many there were.
    fn execute(
        &self,
        plan: &Plan<'_>,
        inputs: &[Bytes],
        outputs: &[*mut u8],
        config: &Config,
        host: &mut Host,
        watch: Option<&mut dyn Watch>,
    ) -> Result<u64, EvalError> {
        check_memory(plan, config)?;
        let arena = self.storage.take(plan.arena)?;
        let Some(kept) = plan.once.memory(&plan.slots, &self.pool) else {
            let message = format!("there is no memory for the {} bytes that a plan keeps", plan.kept_bytes());
            return Err(EvalError::resource("exec/memory-limit", message));
        };
        let memory = Memory::new(plan.slots.iter().map(|slot| {
            let at = match &slot.home {
                Home::Arena(at) => arena.as_ptr().wrapping_add(*at),
                Home::Kept(at) => kept.wrapping_add(*at),
                Home::Input(index) => inputs[*index].as_ptr().cast_mut(),
                Home::Output(index) => outputs[*index],
                Home::Constant(owned, shared) if shared.is_empty() => owned.as_ptr().cast_mut(),
                Home::Constant(_, shared) => shared.as_ptr().cast_mut(),
            };
            (at, slot.bytes)
        }));
        host.n_drawn = 0;
        let deadline = config.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        // What is left to the interpreter has the rest of the memory.
        let left = Config { max_bytes: config.max_bytes.saturating_sub(plan.run_bytes()), ..config.clone() };
        let cancel = config.cancel.as_deref();
        let mut run = Run { plan, memory, pool: &self.pool, left, cancel, deadline, host, watch, n_steps: 0 };
        run.steps(&plan.steps)?;
        Ok(run.n_steps)
    }
}

/// Results and the inputs that are donated to them.
fn donated<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = (usize, usize)> + 'p {
    plan.donations.iter().enumerate().filter_map(|(result, input)| input.map(|input| (result, input)))
}

fn addresses(buffers: &[Recycled]) -> Vec<*mut u8> {
    buffers.iter().map(Recycled::as_ptr).collect()
}

fn check_memory(plan: &Plan<'_>, config: &Config) -> Result<(), EvalError> {
    let (needed, limit) = (plan.run_bytes(), config.max_bytes);
    if needed > limit {
        let message = format!("{needed} bytes are needed, and the memory limit is {limit} bytes");
        return Err(EvalError::resource("exec/memory-limit", message));
    }
    Ok(())
}

fn literal(port: &Port, bytes: Recycled) -> Result<Literal, EvalError> {
    let element = port.element.ok_or_else(|| EvalError::unsupported("tokens have no literals"))?;
    let literal = Literal::new(element, port.shape.to_vec(), Bytes::from_owner(bytes));
    literal.ok_or_else(|| EvalError::bug("a result has the size of its type"))
}

/// The bytes of the inputs, aligned and in full; a token has none, nor has a donated input that `may_miss`.
fn bytes_of<'l>(
    plan: &Plan<'_>,
    inputs: impl ExactSizeIterator<Item = Option<&'l Literal>>,
    may_miss: bool,
) -> Result<Vec<Bytes>, EvalError> {
    if inputs.len() != plan.inputs.len() {
        let message = format!("the function takes {} inputs, got {}", plan.inputs.len(), inputs.len());
        return Err(EvalError::invalid("exec/input-count", message));
    }
    let bytes = |(index, (port, literal)): (usize, (&Port, Option<&Literal>))| {
        if may_miss && literal.is_none() && plan.donations.contains(&Some(index)) {
            return Ok(Bytes::new());
        }
        let found = literal.map(Literal::element);
        if port.element != found || literal.is_some_and(|literal| port.shape[..] != *literal.shape()) {
            let found = found.map_or("a token".to_owned(), |element| element.to_string());
            let shape = literal.map(Literal::shape).unwrap_or_default();
            let message = format!("input {index} is {found} {shape:?}, the program says otherwise");
            return Err(EvalError::invalid("exec/input-type", message));
        }
        let Some(literal) = literal else { return Ok(Bytes::new()) };
        let data = literal.data();
        if literal.is_splat() && literal.len() != 1 {
            return Ok(Bytes::from_owner(Buffer::of(&data.repeat(literal.len()))));
        }
        let aligned = data.as_ptr().addr().is_multiple_of(literal.element().byte_width().min(8));
        Ok(if aligned { data.clone() } else { Bytes::from_owner(Buffer::of(data)) })
    };
    plan.inputs.iter().zip(inputs).enumerate().map(bytes).collect()
}

struct Run<'r, 'm, 'w> {
    plan: &'r Plan<'m>,
    memory: Memory,
    pool: &'r Pool,
    /// Limits for what is left to the interpreter.
    left: Config,
    cancel: Option<&'r AtomicBool>,
    deadline: Option<Instant>,
    host: &'r mut Host,
    watch: Option<&'w mut dyn Watch>,
    n_steps: u64,
}

impl Run<'_, '_, '_> {
    fn steps(&mut self, steps: &[Step]) -> Result<(), EvalError> {
        for step in steps {
            self.check_limits(step.op)?;
            if let Some(watch) = &mut self.watch {
                watch.begin(self.plan, step);
            }
            match &step.action {
                Action::Loop(fused) => fused.run(&self.memory, self.pool),
                Action::Kernel(kernel) => kernel.run(&self.memory, self.pool),
                Action::Rows(rows) => rows.run(&self.memory, self.pool),
                Action::Reference(reference) => {
                    reference.run(self.plan.module, &self.memory, &self.left, self.host)?;
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
                Action::While { cond, pred, body, swaps, machine, .. } => {
                    let is_done = match machine {
                        Some(machine) => self.fast_rounds(step.op, machine, cond.len(), body.len())?,
                        None => false,
                    };
                    if !is_done {
                        self.rounds(step.op, cond, *pred, body, swaps)?;
                    }
                }
            }
            if let Some(watch) = &mut self.watch {
                watch.end(self.plan, step);
            }
        }
        Ok(())
    }

    /// Rounds in machine code, as many as the limit on steps allows; whether the loop has ended.
    fn fast_rounds(&mut self, op: OpId, machine: &Rounds, n_cond: usize, n_body: usize) -> Result<bool, EvalError> {
        /// Rounds after which limits of time are looked at.
        const ROUNDS: u64 = 4096;
        let (last, round) = (1 + n_cond as u64, (1 + n_cond + n_body) as u64);
        loop {
            let rounds = (self.left.max_steps.saturating_sub(last) / round).min(ROUNDS);
            if rounds == 0 {
                return Ok(false);
            }
            let (n, is_done) = machine.run(&self.memory, rounds);
            // The step that is counted here is the loop's own of the first round, or of the last.
            self.check_limits(op)?;
            let n_steps = n * round + if is_done { last } else { 0 } - 1;
            self.left.max_steps -= n_steps;
            self.n_steps += n_steps;
            if is_done {
                return Ok(true);
            }
        }
    }

    fn rounds(
        &mut self,
        op: OpId,
        cond: &[Step],
        pred: SlotId,
        body: &[Step],
        swaps: &[(SlotId, SlotId)],
    ) -> Result<(), EvalError> {
        loop {
            // Neither part need have a step.
            self.check_limits(op)?;
            self.steps(cond)?;
            if self.memory.bytes(pred)[0] == 0 {
                return Ok(());
            }
            self.steps(body)?;
            for (carried, next) in swaps {
                self.memory.swap(*carried, *next);
            }
        }
    }

    /// Counts a step, unless a limit forbids it.
    fn check_limits(&mut self, op: OpId) -> Result<(), EvalError> {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            let error = EvalError::new(ErrorKind::Interrupted, "exec/interrupted", "the run was interrupted");
            return Err(self.at(error, op));
        }
        if let Some(deadline) = self.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return Err(self.at(EvalError::resource("exec/time-limit", "the time limit is reached"), op));
            }
            self.left.time_limit = Some(left);
        }
        if self.left.max_steps == 0 {
            let message = format!("the limit of {} steps is reached", self.n_steps);
            return Err(self.at(EvalError::resource("exec/step-limit", message), op));
        }
        self.left.max_steps -= 1;
        self.n_steps += 1;
        Ok(())
    }

    fn at(&self, error: EvalError, op: OpId) -> EvalError {
        interpreter::eval::at(self.plan.module.module(), error, op)
    }
}
