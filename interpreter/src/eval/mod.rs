//! Running a function of a verified module.
//!
//! Values live in a [`Frame`](frame::Frame) per call and are dropped at their last use, so that a model needs the memory of
//! what is alive and no more; an op whose operand dies may change it in place. Regions run in the frame around them,
//! because they see its values. Ops of one block run in the order of the program.
//!
//! Every way in which a program can misbehave (endless loops, deep recursion, huge tensors) ends in an
//! [`EvalError`] with the op at which it happened.

mod config;
mod cx;
mod frame;
mod place;
mod plan;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use stablehlo::ir::{BlockId, Module, OpId, TypeId, ValueId};
use stablehlo::verify::Verified;

pub use config::{Config, Host, Observer, Probe};
pub use cx::Cx;
pub(crate) use cx::one;
pub use plan::OpFn;

use crate::error::{ErrorKind, EvalError, Result};
use crate::memory::Memory;
use crate::value::{Value, Values};
use frame::Frame;
use plan::{BlockPlan, Plans};

/// What a run gives.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The function's results.
    pub results: Vec<Value>,
    /// Semantic points that the run reached, in order of the first time, when it was asked to be strict.
    pub touched: Vec<Touch>,
    /// Ops executed.
    pub n_steps: u64,
    /// Most bytes of tensor storage that were alive at once.
    pub peak_bytes: usize,
}

/// A point of [`semantics`](crate::semantics) at which implementations may differ, and the op that reached it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Touch {
    /// Id in [`semantics::POINTS`](crate::semantics::POINTS).
    pub point: &'static str,
    /// The op.
    pub op: OpId,
}

/// The state of one run.
pub struct Run<'r> {
    module: &'r Module,
    config: &'r Config,
    memory: Memory,
    host: RefCell<Host>,
    plans: Plans,
    functions: RefCell<FxHashMap<(OpId, String), OpId>>,
    n_steps: Cell<u64>,
    depth: Cell<usize>,
    deadline: Option<Instant>,
    touched: RefCell<(Vec<Touch>, FxHashSet<Touch>)>,
}

/// Runs `function` with `inputs`.
///
/// # Errors
/// See [`ErrorKind`]: inputs that do not fit the function, failed checks, ops that are not executed, and limits of
/// `config` that were reached.
pub fn run(
    module: Verified<'_>,
    function: OpId,
    inputs: Vec<Value>,
    config: &Config,
    host: &mut Host,
) -> Result<Outcome> {
    host.n_drawn = 0;
    let run = Run::new(module.module(), config, host);
    let results = run.check_inputs(function, &inputs).and_then(|()| run.call(function, inputs.into()));
    *host = run.host.take();
    Ok(Outcome {
        results: results?.into_vec(),
        touched: run.touched.into_inner().0,
        n_steps: run.n_steps.get(),
        peak_bytes: run.memory.peak(),
    })
}

/// Runs one op of a verified module on the values that it and its regions read, as a part of a run whose other parts
/// are done elsewhere: limits on steps and time begin anew, what `host` says of the run goes on.
///
/// # Errors
/// See [`run`].
pub fn run_op(
    module: Verified<'_>,
    op: OpId,
    operands: Vec<(ValueId, Value)>,
    config: &Config,
    host: &mut Host,
) -> Result<Vec<Value>> {
    let run = Run::new(module.module(), config, host);
    let frame = Frame::new(None);
    for (id, value) in operands {
        frame.set(id, value);
    }
    let results = run.results(&frame, &plan::alone(run.module, op));
    *host = run.host.take();
    let results = results?;
    run.check_results(op, &results, true).map_err(|error| run.at(error, op))?;
    Ok(results.into_vec())
}

/// Says that `error` happened at `op`, unless it names an op already.
pub fn at(module: &Module, error: EvalError, op: OpId) -> EvalError {
    error.at(op, module.name_span(op), || place::describe(module, op))
}

/// The function that a run begins with: `main`, else the only one of the module.
///
/// # Errors
/// `exec/no-entry` when there is no such function.
pub fn entry(module: &Module) -> Result<OpId> {
    if let Some(main) = module.function("main") {
        return Ok(main);
    }
    let is_function = |op: &&OpId| module.op_name(**op) == "func.func";
    let mut functions = module.top_ops().iter().filter(is_function);
    match (functions.next(), functions.next()) {
        (Some(only), None) => Ok(*only),
        (None, _) => Err(EvalError::invalid("exec/no-entry", "the module has no function")),
        _ => Err(EvalError::invalid(
            "exec/no-entry",
            "the module has several functions and none is called main; name one",
        )),
    }
}

impl<'r> Run<'r> {
    fn new(module: &'r Module, config: &'r Config, host: &mut Host) -> Self {
        Self {
            module,
            config,
            memory: Memory::new(config.max_bytes),
            host: RefCell::new(std::mem::take(host)),
            plans: Plans::default(),
            functions: RefCell::default(),
            n_steps: Cell::new(0),
            depth: Cell::new(0),
            deadline: config.time_limit.and_then(|limit| Instant::now().checked_add(limit)),
            touched: RefCell::default(),
        }
    }

    fn check_inputs(&self, function: OpId, inputs: &[Value]) -> Result<()> {
        let Some(body) = self.module.entry_block(function, 0) else {
            let message = format!("function {} has no body", self.function_name(function));
            return Err(EvalError::invalid("exec/no-body", message));
        };
        let arguments = &self.module.block(body).arguments;
        if arguments.len() != inputs.len() {
            let name = self.function_name(function);
            let message = format!("function {name} takes {} inputs, got {}", arguments.len(), inputs.len());
            return Err(EvalError::invalid("exec/input-count", message));
        }
        for (index, (argument, input)) in arguments.iter().zip(inputs).enumerate() {
            if let Some(fault) = self.type_fault(input, self.module.value_type(*argument), true) {
                return Err(EvalError::invalid("exec/input-type", format!("input {index} {fault}")));
            }
        }
        Ok(())
    }

    fn function_name(&self, function: OpId) -> String {
        let name = self.module.property(function, "sym_name").and_then(|attr| self.module.string_attr(attr));
        format!("@{}", name.unwrap_or("?"))
    }

    /// The function that `name` means at `op`: the one of that name in the module around it.
    fn function(&self, op: OpId, name: &str) -> Result<OpId> {
        let mut around = op;
        while let Some(parent) = self.module.parent_op(around) {
            around = parent;
            if self.module.op_name(around) == "builtin.module" {
                break;
            }
        }
        if let Some(found) = self.functions.borrow().get(&(around, name.to_owned())) {
            return Ok(*found);
        }
        let Some(found) = self.module.function_in(around, name) else {
            return Err(EvalError::bug(format!("there is no function @{name}")));
        };
        self.functions.borrow_mut().insert((around, name.to_owned()), found);
        Ok(found)
    }

    /// Calls a function.
    fn call(&self, function: OpId, inputs: Values) -> Result<Values> {
        let Some(body) = self.module.entry_block(function, 0) else {
            let message = format!("function {} has no body", self.function_name(function));
            return Err(EvalError::unsupported(message));
        };
        self.run_block(&Frame::new(None), body, inputs)
            .map_err(|error| error.called_from(&self.function_name(function)))
    }

    /// Runs a block with these arguments; the values its terminator gives.
    fn run_block(&self, frame: &Frame, block: BlockId, arguments: Values) -> Result<Values> {
        let plan = self.plans.of(self.module, block);
        self.enter()?;
        for (argument, value) in self.module.block(block).arguments.iter().zip(arguments) {
            if !plan.unused_arguments.contains(argument) {
                frame.set(*argument, value);
            }
        }
        let results = self.run_ops(frame, &plan);
        self.depth.set(self.depth.get() - 1);
        results
    }

    fn enter(&self) -> Result<()> {
        let depth = self.depth.get() + 1;
        if depth > self.config.max_depth {
            let message = format!("calls and regions are nested deeper than {}", self.config.max_depth);
            return Err(EvalError::resource("exec/depth-limit", message));
        }
        self.depth.set(depth);
        Ok(())
    }

    fn run_ops(&self, frame: &Frame, plan: &Rc<BlockPlan>) -> Result<Values> {
        for step in &plan.steps {
            self.tick(1).map_err(|error| self.at(error, step.op))?;
            if step.is_terminator {
                return self.operands(frame, step);
            }
            let results = self.results(frame, step)?;
            self.finish(frame, step, results).map_err(|error| self.at(error, step.op))?;
        }
        Ok(Values::new())
    }

    fn operands(&self, frame: &Frame, step: &plan::Step) -> Result<Values> {
        step.operands.iter().map(|(value, dies)| frame.get(*value, *dies)).collect()
    }

    /// What an op gives.
    fn results(&self, frame: &Frame, step: &plan::Step) -> Result<Values> {
        let operands = self.operands(frame, step)?;
        let Some(function) = step.function else {
            let name = self.module.op_name(step.op);
            let error = EvalError::unsupported(format!("the interpreter does not execute {name}"));
            return Err(self.at(error, step.op));
        };
        let cx = Cx::new(self, frame, step.op, operands);
        if self.config.strict {
            crate::ops::notice(&cx).map_err(|error| self.at(error, step.op))?;
        }
        let results = match step.in_expressed_types {
            true => crate::ops::quantized::through_expressed_types(&cx, function),
            false => function(&cx),
        };
        results.map_err(|error| self.at(error, step.op))
    }

    /// Checks an op's results and puts them into the frame; drops what died.
    fn finish(&self, frame: &Frame, step: &plan::Step, mut results: Values) -> Result<()> {
        let declared = self.module.results(step.op);
        if declared.len() != results.len() {
            return Err(EvalError::bug(format!("{} results instead of {}", results.len(), declared.len())));
        }
        self.check_results(step.op, &results, !frame.is_lifted())?;
        results.iter_mut().for_each(|value| value.count(&self.memory));
        if let Some(observer) = &mut self.host.borrow_mut().observer {
            observer.op_done(self.module, step.op, &results);
        }
        for (result, value) in declared.iter().zip(results) {
            if !step.unused_results.contains(&result) {
                frame.set(result, value);
            }
        }
        for value in &step.frees {
            frame.free(*value);
        }
        Ok(())
    }

    /// Makes sure that results have the types, and if asked the shapes, that the program says.
    fn check_results(&self, op: OpId, results: &[Value], with_shape: bool) -> Result<()> {
        for (index, (result, value)) in self.module.results(op).iter().zip(results).enumerate() {
            if let Some(fault) = self.type_fault(value, self.module.value_type(result), with_shape) {
                return Err(EvalError::invalid("exec/shape-mismatch", format!("result {index} {fault}")));
            }
        }
        Ok(())
    }

    /// What is wrong with a value of a static type, if anything.
    fn type_fault(&self, value: &Value, ty: TypeId, with_shape: bool) -> Option<String> {
        let Value::Tensor(tensor) = value else {
            return None;
        };
        let Some(shape) = self.module.shape(ty) else {
            return Some("is a tensor where the program has another type".into());
        };
        let element = self.module.storage_element(ty)?;
        if element != tensor.element() {
            return Some(format!("has element type {}, the program says {element}", tensor.element()));
        }
        let fits = |(size, declared): (&usize, &i64)| *declared < 0 || i64::try_from(*size) == Ok(*declared);
        if with_shape && !(shape.len() == tensor.rank() && tensor.shape().iter().zip(shape).all(fits)) {
            let declared: Vec<String> =
                shape.iter().map(|size| if *size < 0 { "?".into() } else { size.to_string() }).collect();
            return Some(format!("has shape {:?}, the program says [{}]", tensor.shape(), declared.join(", ")));
        }
        None
    }

    fn at(&self, error: EvalError, op: OpId) -> EvalError {
        at(self.module, error, op)
    }

    /// Counts work: ops, or elements that are computed one by one.
    fn tick(&self, n: u64) -> Result<()> {
        const EVERY: u64 = 256;
        let before = self.n_steps.get();
        let after = before.saturating_add(n);
        self.n_steps.set(after);
        if after > self.config.max_steps {
            let message = format!("the limit of {} steps is reached", self.config.max_steps);
            return Err(EvalError::resource("exec/step-limit", message));
        }
        if before / EVERY != after / EVERY { self.check_time() } else { Ok(()) }
    }

    fn check_time(&self) -> Result<()> {
        if self.config.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(EvalError::new(ErrorKind::Interrupted, "exec/interrupted", "the run was interrupted"));
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(EvalError::resource("exec/time-limit", "the time limit is reached"));
        }
        Ok(())
    }

    fn touch(&self, point: &'static str, op: OpId) {
        debug_assert!(
            crate::semantics::point(point).is_some_and(|point| point.strict),
            "{point} is not a strict point"
        );
        let touch = Touch { point, op };
        let (order, seen) = &mut *self.touched.borrow_mut();
        if seen.insert(touch) {
            order.push(touch);
        }
    }
}

/// A value that a verified program has at this place.
fn missing(value: ValueId) -> EvalError {
    EvalError::bug(format!("value {value} is not there"))
}
