//! Running programs on the interpreter and here, on every level of vector instructions and one, two and eight threads, and
//! comparing what they give. The tests of all kernels stand on these functions.
#![allow(dead_code, reason = "not every kernel needs all of them")]

use std::sync::OnceLock;

use interpreter::compare::{Comparison, Rule, compare};
use interpreter::io::{generate, signature};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::ir::Literal;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

use crate::specialise::for_inputs;
use crate::{Executor, Isa, Plan};

/// How a program was planned, for the best instructions that there are.
pub struct Agreed {
    /// The plan in words.
    pub plan: String,
    /// Ops that were left to the interpreter.
    pub left: Vec<String>,
}

impl Agreed {
    /// Makes sure that no op was left to the interpreter.
    pub fn without_interpreter(self) -> Self {
        assert!(self.left.is_empty(), "left to the interpreter: {:?}\n{}", self.left, self.plan);
        self
    }

    /// Makes sure that the plan says this.
    pub fn with(self, words: &str) -> Self {
        assert!(self.plan.contains(words), "no `{words}` in\n{}", self.plan);
        self
    }
}

/// The program gives the same bits on both engines (any NaN is as good as another): on random numbers, on such of every
/// magnitude, and on NaNs, infinities and other numbers at which functions tend to be wrong.
pub fn agrees(mlir: &str, seed: u64) -> Agreed {
    for generator in [format!("large:seed={seed}"), "special".to_owned()] {
        agrees_on(mlir, &generated(mlir, seed, Some(&generator)), None);
    }
    agrees_on(mlir, &generated(mlir, seed, None), None)
}

/// The program gives the same within `rule` on random numbers in [−1, 1) and small integers.
pub fn agrees_within(mlir: &str, seed: u64, rule: Rule) -> Agreed {
    agrees_on(mlir, &generated(mlir, seed, None), Some(rule))
}

/// At most so many representable values between the results.
pub fn ulps(ulp: u64) -> Rule {
    Rule { ulp, ..Rule::EXACT }
}

/// The program gives the same on these inputs: within `rule`, or to the bit.
pub fn agrees_on(mlir: &str, inputs: &[Tensor], rule: Option<Rule>) -> Agreed {
    with_module(mlir, |module, function| {
        let values = inputs.iter().cloned().map(Value::Tensor).collect();
        let expected = interpreter::run(module, function, values, &Config::default(), &mut Host::default());
        let expected = expected.unwrap_or_else(|error| panic!("the interpreter: {error}\n{mlir}")).results;
        let literals: Vec<Literal> = inputs.iter().map(Literal::from).collect();
        let values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
        let shaped = for_inputs(module, function, &values);
        let module = shaped.as_ref().map_or(module, |shaped| verify(shaped, "").unwrap());
        let mut agreed = None;
        for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
            let plan = Plan::new(module, function, isa).unwrap_or_else(|why| panic!("not planned: {why}\n{mlir}"));
            let mut first: Option<Vec<Literal>> = None;
            for executor in executors() {
                let n_threads = executor.n_threads();
                let results = executor.run(&plan, &literals, &Config::default(), &mut Host::default());
                let results = results.unwrap_or_else(|error| panic!("{isa}: {error}\n{mlir}"));
                assert_eq!(results.len(), expected.len());
                for (index, (result, expected)) in results.iter().zip(&expected).enumerate() {
                    let (actual, expected) = (Tensor::from(result), expected.tensor().unwrap());
                    let found = compare(&actual, expected, rule.unwrap_or(Rule::EXACT));
                    let is_good = found.passes() && (rule.is_some() || found.n_zero_signs == 0);
                    assert!(is_good, "{}", explained(mlir, &plan, index, n_threads, &found));
                }
                if let Some(first) = &first {
                    let same = first.iter().zip(&results).all(|(a, b)| a.data() == b.data());
                    assert!(same, "{isa}: the result depends on the number of threads\n{mlir}\n{plan}");
                }
                first.get_or_insert(results);
            }
            let left =
                plan.left_to_interpreter().into_iter().map(|left| format!("{}: {}", left.name, left.why)).collect();
            agreed = Some(Agreed { plan: plan.to_string(), left });
        }
        agreed.expect("the baseline is always available")
    })
}

fn explained(mlir: &str, plan: &Plan<'_>, index: usize, n_threads: usize, found: &Comparison) -> String {
    format!("result {index} on {n_threads} threads: {found}\n{mlir}\n{plan}")
}

/// Values for the program's arguments: from a generator of [`interpreter::io::generate`], or random numbers. Special
/// values are strewn among random ones, so that operands do not all have the same at the same place.
pub fn generated(mlir: &str, seed: u64, generator: Option<&str>) -> Vec<Tensor> {
    with_module(mlir, |module, function| {
        let arguments = signature::arguments(module.module(), function).unwrap();
        let argument = |(index, argument): (usize, &interpreter::io::inputs::Argument)| {
            let shape: Vec<usize> = argument.shape.iter().map(|size| size.expect("tests have sizes")).collect();
            let make = |text: &str| generate::generate(text, argument.element, &shape, 1 << 30).unwrap().unwrap();
            let seed = seed.wrapping_mul(1000).wrapping_add(index as u64);
            let random = make(&format!("rand:seed={seed}"));
            match generator {
                None => random,
                Some("special") => strewn(&random, &make("special"), seed),
                Some(generator) => make(&generator.replace("seed=", &format!("seed={index}"))),
            }
        };
        arguments.iter().enumerate().map(argument).collect()
    })
}

/// The numbers of one tensor, some of another among them.
fn strewn(ground: &Tensor, seeds: &Tensor, seed: u64) -> Tensor {
    let width = ground.element().byte_width();
    let mut bytes = Vec::with_capacity(ground.len() * width);
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for index in 0..ground.len() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (state >> 33) as usize;
        match random % 2 {
            0 => bytes.extend_from_slice(seeds.element_bytes((random / 2) % seeds.len())),
            _ => bytes.extend_from_slice(ground.element_bytes(index)),
        }
    }
    Tensor::new(ground.element(), ground.shape(), bytes).unwrap()
}

/// Executors of one and two threads, made once.
fn executors() -> &'static [Executor] {
    static EXECUTORS: OnceLock<[Executor; 3]> = OnceLock::new();
    EXECUTORS.get_or_init(|| [1, 2, 8].map(Executor::new))
}

/// Parses and verifies a program, and looks at its entry.
pub fn with_module<R>(mlir: &str, f: impl FnOnce(stablehlo::verify::Verified<'_>, stablehlo::ir::OpId) -> R) -> R {
    let parsed = parse("test.mlir", mlir);
    assert!(parsed.diagnostics.is_empty(), "{:#?}\n{mlir}", parsed.diagnostics);
    let verified = verify(&parsed.module, mlir).unwrap_or_else(|faults| panic!("{faults:#?}\n{mlir}"));
    let function = interpreter::entry(&parsed.module).unwrap();
    f(verified, function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fused_loop_agrees() {
        let program = |ty: &str| {
            format!(
                "func.func @main(%a: tensor<5x300x{ty}>, %b: tensor<300x{ty}>) -> tensor<5x300x{ty}> {{
                   %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<300x{ty}>) -> tensor<5x300x{ty}>
                   %1 = stablehlo.multiply %a, %0 : tensor<5x300x{ty}>
                   %2 = stablehlo.maximum %1, %a : tensor<5x300x{ty}>
                   return %2 : tensor<5x300x{ty}>
                 }}"
            )
        };
        for ty in ["f32", "bf16", "i8", "ui32", "f64", "complex<f32>", "i1"] {
            agrees(&program(ty), 1).without_interpreter().with("loop");
        }
    }

    #[test]
    #[should_panic(expected = "left to the interpreter")]
    fn what_is_left_is_noticed() {
        let program = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
            %0 = stablehlo.reduce_precision %a, format = e3m3 : tensor<2xf32>
            return %0 : tensor<2xf32>
          }";
        agrees(program, 1).without_interpreter();
    }
}
