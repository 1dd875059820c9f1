//! The executor gives what the interpreter gives: the same bits, on every level of vector instructions.

use interpreter::compare::{Rule, compare};
use interpreter::io::{generate, signature};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

use crate::programs::{Choices, program};

/// Makes a program of `bytes` and runs it on both engines.
///
/// # Panics
/// When the program is not valid, or the engines disagree.
pub fn run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let generator = ["rand:seed=", "large:seed=", "special"][choices.below(3)];
    let n_threads = 1 + choices.below(2);
    let text = program(&mut choices);
    let parsed = parse("-", &text);
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let module = verify(&parsed.module, &text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let function = interpreter::entry(&parsed.module).expect("there is one function");
    let arguments = signature::arguments(&parsed.module, function).expect("arguments are tensors");
    let inputs = (0..).zip(&arguments).map(|(index, argument)| {
        let shape: Vec<usize> = argument.shape.iter().flatten().copied().collect();
        let text = if generator == "special" { generator.to_owned() } else { format!("{generator}{index}") };
        let made = generate::generate(&text, argument.element, &shape, 1 << 24);
        Value::Tensor(made.expect("the generator has a name").expect("the tensor is small"))
    });
    let inputs: Vec<Value> = inputs.collect();
    let config = Config { max_steps: 1_000_000, max_bytes: 1 << 28, ..Config::default() };
    let expected = interpreter::run(module, function, inputs.clone(), &config, &mut Host::default());
    let executor = executor::Executor::new(n_threads);
    for isa in executor::Isa::ALL.iter().filter(|isa| isa.is_available()) {
        let mut host = Host::default();
        let found = executor::run_once(module, function, inputs.clone(), &executor, *isa, &config, &mut host);
        match (&expected, found) {
            (Err(_), _) => {}
            (Ok(_), Err(error)) => panic!("{isa}: {error}\n{text}"),
            (Ok(expected), Ok(found)) => {
                for (a, b) in found.outcome.results.iter().zip(&expected.results) {
                    same(a.tensor().expect("a tensor"), b.tensor().expect("a tensor"), &format!("{isa}\n{text}"));
                }
            }
        }
    }
}

fn same(found: &Tensor, expected: &Tensor, about: &str) {
    let report = compare(found, expected, Rule::EXACT);
    assert!(report.passes() && report.n_zero_signs == 0, "{report}\n{about}");
}

#[cfg(test)]
mod tests {
    #[test]
    fn smoke() {
        let mut state = 1u64;
        for _ in 0..400 {
            let mut bytes = [0u8; 320];
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 56) as u8;
            }
            super::run(&bytes);
        }
    }
}
