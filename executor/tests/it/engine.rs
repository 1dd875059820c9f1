//! The executor in the place of the interpreter, for the programs that both run.

use std::sync::OnceLock;

use executor::{Executor, Isa, run_once};
use interpreter::{Config, EvalError, Host, Outcome, Tensor, Value};
use stablehlo::ir::OpId;
use stablehlo::syntax::parse;
use stablehlo::verify::{Verified, verify};

/// Functions that are not algebraic may be off by so many ulps more than the reference.
pub const MORE_ULPS: u64 = 2;

/// Whether ops that nothing reads are left out, and with them the errors that they would end in.
pub const DROPS_UNUSED: bool = true;

/// Vectors whose recommended result is that of the reference, while others are as good: two are about the order of a sum and
/// the type in which it is kept (the reference adds bf16 one by one, kernels add in f32 and round once), and one is a
/// transform whose small results are differences of large ones.
pub const FREE: &[&str] = &["dot_f32_sum", "reduce_add_bf16", "irfft_5"];

/// The executor that all tests share.
pub fn executor() -> &'static Executor {
    static EXECUTOR: OnceLock<Executor> = OnceLock::new();
    EXECUTOR.get_or_init(|| Executor::new(2))
}

/// As [`interpreter::run`], with the lowest and the highest vector instructions, which must end alike.
pub fn run(
    module: Verified<'_>,
    function: OpId,
    inputs: Vec<Value>,
    config: &Config,
    host: &mut Host,
) -> Result<Outcome, EvalError> {
    let once = |isa: Isa, host: &mut Host| {
        let done = run_once(module, function, inputs.clone(), executor(), isa, config, host);
        done.map(|done| done.outcome)
    };
    let baseline = once(Isa::Baseline, &mut Host::default());
    let best = once(Isa::best(), host);
    let code = |end: &Result<Outcome, EvalError>| end.as_ref().err().map(EvalError::code);
    assert_eq!(code(&baseline), code(&best));
    best
}

/// Runs the entry function of a text.
pub fn run_program(text: &str, inputs: &[Tensor], config: &Config, host: &mut Host) -> Result<Outcome, EvalError> {
    let parsed = parse("-", text);
    assert_eq!(parsed.diagnostics, []);
    let module = verify(&parsed.module, text).unwrap();
    let function = interpreter::entry(&parsed.module).unwrap();
    let inputs = inputs.iter().cloned().map(Value::Tensor).collect();
    let done = run_once(module, function, inputs, executor(), Isa::best(), config, host)?;
    assert_eq!(done.unplanned, None);
    Ok(done.outcome)
}
