//! Parse, verify and run on both engines on tiny limits: every program ends in results or in an error.

use std::time::Duration;

use interpreter::{Config, Host, Tensor, Value};
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

/// Runs `bytes` as a program, its arguments all zero.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse("-", &text);
    if !parsed.diagnostics.is_empty() {
        return;
    }
    let Ok(verified) = verify(&parsed.module, &text) else { return };
    let module = verified.module();
    let Ok(function) = interpreter::entry(module) else { return };
    let Some(inputs) = zeros(module, function) else { return };
    let config = Config {
        max_steps: 20_000,
        max_bytes: 16 << 20,
        max_depth: 32,
        time_limit: Some(Duration::from_millis(500)),
        strict: true,
        ..Config::default()
    };
    let _ = interpreter::run(verified, function, inputs.clone(), &config, &mut Host::default());
    let (executor, isa) = (executor::Executor::new(1), executor::Isa::best());
    let _ = executor::run_once(verified, function, inputs, &executor, isa, &config, &mut Host::default());
}

/// Zeros for the arguments of a function, unknown sizes taken as 2; none when one is not a small tensor.
fn zeros(module: &stablehlo::ir::Module, function: stablehlo::ir::OpId) -> Option<Vec<Value>> {
    let Some(block) = module.entry_block(function, 0) else { return Some(Vec::new()) };
    let argument = |value: &stablehlo::ir::ValueId| {
        let ty = module.value_type(*value);
        let element = module.storage_element(ty)?;
        let shape = module.shape(ty)?.iter().map(|size| usize::try_from(*size).unwrap_or(2)).collect::<Vec<_>>();
        Tensor::splat(element, &shape, vec![0; element.byte_width()]).map(Value::Tensor)
    };
    module.block(block).arguments.iter().map(argument).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn smoke() {
        crate::seeds::smoke(super::run);
    }
}
