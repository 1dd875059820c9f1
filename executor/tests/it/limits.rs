//! Limits on time, steps and memory, and ends from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use interpreter::{Config, ErrorKind, EvalError, Host};

use crate::engine::run_program;

/// Counts for ever.
const ENDLESS: &str = "func.func @main() -> tensor<i64> {
  %0 = stablehlo.constant dense<0> : tensor<i64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.while(%i = %0) : tensor<i64>
   cond {
    %3 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.add %i, %1 : tensor<i64>
    stablehlo.return %3 : tensor<i64>
  }
  return %2 : tensor<i64>
}";

fn ends(text: &str, config: &Config) -> EvalError {
    run_program(text, &[], config, &mut Host::default()).unwrap_err()
}

#[test]
fn time_and_steps() {
    let start = Instant::now();
    let error = ends(ENDLESS, &Config { time_limit: Some(Duration::from_millis(50)), ..Config::default() });
    assert_eq!((error.code(), error.kind()), ("exec/time-limit", ErrorKind::Resource));
    assert!(start.elapsed() < Duration::from_secs(20));
    let error = ends(ENDLESS, &Config { max_steps: 1000, ..Config::default() });
    assert_eq!(error.code(), "exec/step-limit");
    assert!(error.op().is_some());
}

#[test]
fn a_loop_without_a_step_ends_too() {
    let text = "func.func @main(%a: tensor<i1>) -> tensor<i1> {
      %0 = stablehlo.while(%i = %a) : tensor<i1>
       cond { stablehlo.return %i : tensor<i1> } do { stablehlo.return %i : tensor<i1> }
      return %0 : tensor<i1>
    }";
    let config = Config { max_steps: 1000, ..Config::default() };
    let input = interpreter::Tensor::scalar(true);
    let error = run_program(text, &[input], &config, &mut Host::default()).unwrap_err();
    assert_eq!(error.code(), "exec/step-limit");
}

#[test]
fn an_end_from_outside() {
    let cancel = Arc::new(AtomicBool::new(false));
    let config = Config { cancel: Some(Arc::clone(&cancel)), ..Config::default() };
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        cancel.store(true, Ordering::Relaxed);
    });
    let error = ends(ENDLESS, &config);
    stopper.join().unwrap();
    assert_eq!((error.code(), error.kind()), ("exec/interrupted", ErrorKind::Interrupted));
}

#[test]
fn memory_is_refused_before_it_is_taken() {
    // 2^40 bytes of a result, and 2^62 bytes three times in between.
    let result = "func.func @main() -> tensor<1099511627776xi8> {
      %0 = stablehlo.iota dim = 0 : tensor<1099511627776xi8>
      return %0 : tensor<1099511627776xi8>
    }";
    let between = "func.func @main() -> tensor<4611686018427387904xi8> {
      %0 = stablehlo.iota dim = 0 : tensor<4611686018427387904xi8>
      %1 = stablehlo.add %0, %0 : tensor<4611686018427387904xi8>
      %2 = stablehlo.reverse %1, dims = [0] : tensor<4611686018427387904xi8>
      %3 = stablehlo.add %2, %1 : tensor<4611686018427387904xi8>
      return %3 : tensor<4611686018427387904xi8>
    }";
    for text in [result, between] {
        let parsed = stablehlo::syntax::parse("-", text);
        let module = stablehlo::verify::verify(&parsed.module, text).unwrap();
        let function = interpreter::entry(&parsed.module).unwrap();
        let mut host = Host::default();
        let error = crate::engine::run(module, function, vec![], &Config::default(), &mut host).unwrap_err();
        assert_eq!((error.code(), error.kind()), ("exec/memory-limit", ErrorKind::Resource));
    }
}

#[test]
fn the_limit_counts_results_and_what_is_in_between() {
    let text = "func.func @main(%a: tensor<1024xf32>) -> tensor<1024xf32> {
      %0 = stablehlo.add %a, %a : tensor<1024xf32>
      return %0 : tensor<1024xf32>
    }";
    let numbers: Vec<f32> = (0u16..1024).map(f32::from).collect();
    let input = [interpreter::Tensor::from_vec(&[1024], &numbers).unwrap()];
    let run = |max_bytes| run_program(text, &input, &Config { max_bytes, ..Config::default() }, &mut Host::default());
    assert_eq!(run(4096).unwrap().peak_bytes, 4096);
    assert_eq!(run(4095).unwrap_err().code(), "exec/memory-limit");
}
