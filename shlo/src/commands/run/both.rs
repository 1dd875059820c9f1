//! `--check`: the same run on the other engine, and whether both give the same.

use std::fmt::Write;

use interpreter::compare::{Comparison, Rule, compare};
use interpreter::{Config, Host, Outcome, Value};
use serde_json::{Value as Json, json};
use stablehlo::element::ElementType;
use stablehlo::ir::Module;
use stablehlo::ops::OpKind;

use super::engine::Ready;
use super::{Arguments, show};
use crate::commands::load::Program;

/// How the engines compare.
pub struct Check {
    /// What the other engine could not do.
    failed: Option<String>,
    /// One for each result that is a tensor.
    results: Vec<Comparison>,
    /// Whether both printed and wrote out the same.
    same_effects: bool,
}

/// Runs `other` on the same inputs and compares with what the first engine gave.
pub fn check(
    section: &Program<'_>,
    other: &Ready<'_>,
    outcome: &Outcome,
    host: &Host,
    inputs: Vec<Value>,
    arguments: &Arguments,
    config: &Config,
) -> Check {
    let mut other_host = Host::default();
    let config = Config { strict: false, ..config.clone() };
    let second = match other.run(inputs, &config, &mut other_host, None) {
        Ok(outcome) => outcome,
        Err(error) => {
            let failed = Some(format!("the other engine fails: {} [{}]", error.message(), error.code()));
            return Check { failed, results: Vec::new(), same_effects: true };
        }
    };
    let is_exact = is_exact(&section.module);
    let rule = |element: ElementType| match arguments.tolerance.is_given() {
        false if is_exact => Rule::EXACT,
        _ => arguments.tolerance.rule(element),
    };
    let pairs = outcome.results.iter().zip(&second.results);
    let results = pairs.filter_map(|(first, second)| match (first, second) {
        (Value::Tensor(first), Value::Tensor(second)) => Some(compare(first, second, rule(first.element()))),
        _ => None,
    });
    let written = |host: &Host| host.outfeed.iter().map(|values| values.iter().map(show::describe).collect()).collect();
    let (ours, theirs): (Vec<Vec<String>>, Vec<Vec<String>>) = (written(host), written(&other_host));
    let same_effects = !is_exact || host.printed == other_host.printed && ours == theirs;
    Check { failed: None, results: results.collect(), same_effects }
}

impl Check {
    /// Whether there is no disagreement.
    pub fn agree(&self) -> bool {
        self.failed.is_none() && self.same_effects && self.results.iter().all(Comparison::passes)
    }

    /// Lines for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(failed) = &self.failed {
            let _ = writeln!(text, "check: {failed}");
        }
        if !self.same_effects {
            text.push_str("check: the engines print or write out different values\n");
        }
        for (index, comparison) in self.results.iter().enumerate() {
            let verdict = if comparison.passes() { "the engines agree" } else { "the engines DISAGREE" };
            let _ = writeln!(text, "check: result {index}: {verdict}: {comparison}");
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Json {
        json!({
            "agree": self.agree(),
            "failed": self.failed,
            "same_effects": self.same_effects,
            "comparisons": self.results.iter().map(show::comparison).collect::<Vec<_>>(),
        })
    }
}

/// Whether both engines give the same bits for a program: all of its ops move data, or compute element by element what is
/// rounded correctly. Sums may be in another order, and functions that are not algebraic differ in their last places.
fn is_exact(module: &Module) -> bool {
    use OpKind as K;
    let is_open = |kind: K| {
        matches!(
            kind,
            K::Atan2
                | K::BatchNormGrad
                | K::BatchNormInference
                | K::BatchNormTraining
                | K::Cbrt
                | K::Cholesky
                | K::Composite
                | K::Convolution
                | K::Cosine
                | K::CustomCall
                | K::DotGeneral
                | K::DynamicConv
                | K::Exponential
                | K::ExponentialMinusOne
                | K::Fft
                | K::Log
                | K::LogPlusOne
                | K::Logistic
                | K::Power
                | K::Reduce
                | K::ReduceWindow
                | K::Rsqrt
                | K::Scatter
                | K::SelectAndScatter
                | K::Sine
                | K::Sqrt
                | K::Tan
                | K::Tanh
                | K::TriangularSolve
        ) || kind.spec().name.starts_with("chlo.")
    };
    // An unknown op may be anything.
    let mut is_exact = true;
    for op in module.top_ops() {
        module.walk(*op, |op| is_exact &= module.kind(op).is_some_and(|kind| !is_open(kind)));
    }
    is_exact
}
