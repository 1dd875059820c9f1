//! What executes programs: flags, the environment, and one way to run a function on either engine.

use std::fmt::Write;

use clap::{Args, ValueEnum};
use executor::{Executor, Isa, Plan, Watch};
use interpreter::{Config, EvalError, Host, Outcome, Value};
use stablehlo::ir::{Module, OpId};
use stablehlo::verify::Verified;

use crate::exit::Failure;

/// The environment variable that chooses vector instructions.
const ISA: &str = "SHLO_ISA";

/// Flags about the executor.
#[derive(Args, Clone, Copy, Debug)]
pub struct SimdArgs {
    /// Threads of the simd engine; by default as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// What executes programs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// The reference interpreter: the specification's results, the same bits everywhere
    Reference,
    /// The SIMD executor: fast
    Simd,
}

impl Engine {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Reference => "reference",
            Engine::Simd => "simd",
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Engine::Reference => Engine::Simd,
            Engine::Simd => Engine::Reference,
        }
    }
}

/// The vector instructions to use: the best that there are, or those that `SHLO_ISA` names.
///
/// # Errors
/// When it names none, or some that this machine does not have.
pub fn isa() -> Result<Isa, Failure> {
    let Some(name) = std::env::var_os(ISA).filter(|name| !name.is_empty()) else { return Ok(Isa::best()) };
    let name = name.to_string_lossy();
    let isa: Isa = name.parse().map_err(|error| Failure::usage(format!("{ISA}: {error}")))?;
    if !isa.is_available() {
        return Err(Failure::usage(format!("{ISA}: this machine does not have {isa}; it has {}", Isa::best())));
    }
    Ok(isa)
}

/// A program with sizes that are not known as it is for these inputs; none when it has none, when the engine needs none or
/// when they do not follow from those of the inputs.
pub fn specialised(engine: Engine, module: Verified<'_>, function: OpId, inputs: &[Value]) -> Option<Module> {
    (engine == Engine::Simd).then(|| executor::specialise::for_inputs(module, function, inputs))?
}

/// A function on an engine, ready to run any number of times.
pub enum Ready<'m> {
    /// On the interpreter.
    Reference(Verified<'m>, OpId),
    /// On the executor.
    Planned(Box<Plan<'m>>, OpId, Executor),
    /// On the interpreter, because the executor cannot plan the program, for this reason.
    Unplanned(Verified<'m>, OpId, String),
}

impl<'m> Ready<'m> {
    /// Makes `function` ready.
    ///
    /// # Errors
    /// When `SHLO_ISA` is wrong.
    pub fn new(engine: Engine, simd: SimdArgs, module: Verified<'m>, function: OpId) -> Result<Self, Failure> {
        if engine == Engine::Reference {
            return Ok(Ready::Reference(module, function));
        }
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let n_threads = simd.threads.map_or_else(processors, usize::from);
        Ok(match Plan::new(module, function, isa()?) {
            Ok(plan) => Ready::Planned(Box::new(plan), function, Executor::new(n_threads)),
            Err(why) => Ready::Unplanned(module, function, why.to_string()),
        })
    }

    /// Runs it once.
    ///
    /// # Errors
    /// Those of the engine.
    pub fn run(
        &self,
        inputs: Vec<Value>,
        config: &Config,
        host: &mut Host,
        watch: Option<&mut dyn Watch>,
    ) -> Result<Outcome, EvalError> {
        match self {
            Ready::Reference(module, function) | Ready::Unplanned(module, function, _) => {
                interpreter::run(*module, *function, inputs, config, host)
            }
            // The interpreter may do with less memory: large values of one element repeated are cheap there.
            Ready::Planned(plan, function, _) if plan.run_bytes() > config.max_bytes => {
                interpreter::run(plan.module(), *function, inputs, config, host)
            }
            Ready::Planned(plan, _, executor) => executor.run_values(plan, inputs, config, host, watch),
        }
    }

    /// The plan, and what is left to the interpreter and why, in words.
    pub fn explain(&self) -> String {
        let (plan, executor) = match self {
            Ready::Reference(..) => return "The reference interpreter executes the ops one by one.\n".to_owned(),
            Ready::Unplanned(_, _, why) => {
                return format!("The whole program is left to the interpreter: {why}.\n");
            }
            Ready::Planned(plan, _, executor) => (plan, executor),
        };
        let mut text = format!("{plan}");
        let _ = writeln!(
            text,
            "{} threads; a run takes {} bytes besides inputs and constants",
            executor.n_threads(),
            plan.run_bytes()
        );
        let left = plan.left_to_interpreter();
        let _ = match left.is_empty() {
            true => writeln!(text, "no op is left to the interpreter"),
            false => writeln!(text, "left to the interpreter:"),
        };
        for op in left {
            let _ = writeln!(text, "  {} ({}x): {}", op.name, op.count, op.why);
        }
        text
    }
}
