//! Programs that do more than compute results: they print, read and write, draw random numbers, and check.

use interpreter::{Config, Host, Tensor, Value};

use crate::engine::run_program;

fn both(text: &str, inputs: &[Tensor], host: impl Fn() -> Host) -> (Host, Vec<Value>) {
    let (mut here, mut there) = (host(), host());
    let outcome = run_program(text, inputs, &Config::default(), &mut here).unwrap();
    let parsed = stablehlo::syntax::parse("-", text);
    let module = stablehlo::verify::verify(&parsed.module, text).unwrap();
    let function = interpreter::entry(&parsed.module).unwrap();
    let values = inputs.iter().cloned().map(Value::Tensor).collect();
    let expected = interpreter::run(module, function, values, &Config::default(), &mut there).unwrap();
    assert_eq!(tensors(&outcome.results), tensors(&expected.results));
    assert_eq!(here.printed, there.printed);
    assert_eq!(here.outfeed.len(), there.outfeed.len());
    for (here, there) in here.outfeed.iter().zip(&there.outfeed) {
        assert_eq!(tensors(here), tensors(there));
    }
    (here, outcome.results)
}

fn tensors(values: &[Value]) -> Vec<Option<Tensor>> {
    values.iter().map(|value| value.tensor().ok().cloned()).collect()
}

#[test]
fn infeed_and_outfeed_in_the_order_of_the_program() {
    let text = "func.func @main(%n: tensor<i32>) -> (tensor<2xf32>, !stablehlo.token) {
      %t = stablehlo.create_token : !stablehlo.token
      %a:2 = \"stablehlo.infeed\"(%t) <{infeed_config = \"\"}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
      %b:2 = \"stablehlo.infeed\"(%a#1) <{infeed_config = \"\"}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
      %c = stablehlo.subtract %a#0, %b#0 : tensor<2xf32>
      %u = \"stablehlo.outfeed\"(%c, %b#1) <{outfeed_config = \"\"}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
      %v = \"stablehlo.outfeed\"(%a#0, %u) <{outfeed_config = \"\"}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
      return %c, %v : tensor<2xf32>, !stablehlo.token
    }";
    let fed = || {
        let mut host = Host::default();
        for values in [[5.0f32, 7.0], [1.0, 2.0]] {
            host.infeed.push_back(vec![Value::Tensor(Tensor::from_vec(&[2], &values).unwrap())]);
        }
        host
    };
    let (host, results) = both(text, &[Tensor::scalar(0i32)], fed);
    assert_eq!(results[0].tensor().unwrap().to_vec::<f32>(), [4.0, 5.0]);
    assert_eq!(host.outfeed.len(), 2);
    assert!(host.infeed.is_empty());
}

#[test]
fn what_is_printed_comes_in_order_also_out_of_loops_and_branches() {
    let text = "func.func @main(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %y = stablehlo.add %x, %x : tensor<f32>
      interpreter.print %y : tensor<f32>
      %r:2 = stablehlo.while(%i = %zero, %z = %y) : tensor<i32>, tensor<f32>
       cond {
        %c = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        interpreter.print %i : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %w = stablehlo.multiply %z, %z : tensor<f32>
        stablehlo.return %j, %w : tensor<i32>, tensor<f32>
      }
      %q = \"stablehlo.if\"(%p) ({
        interpreter.print %r#1 : tensor<f32>
        stablehlo.return %x : tensor<f32>
      }, {
        stablehlo.return %y : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      interpreter.print %x : tensor<f32>
      %s = stablehlo.add %q, %y : tensor<f32>
      return %s : tensor<f32>
    }";
    for p in [true, false] {
        let (host, _) = both(text, &[Tensor::scalar(1.5f32), Tensor::scalar(p)], Host::default);
        assert_eq!(host.printed.len(), if p { 6 } else { 5 });
    }
}

#[test]
fn random_numbers_are_those_of_the_reference() {
    let text = "func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
      %a = stablehlo.constant dense<0.0> : tensor<f32>
      %b = stablehlo.constant dense<1.0> : tensor<f32>
      %n = stablehlo.constant dense<3> : tensor<1xi64>
      %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      %1 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      return %0, %1 : tensor<3xf32>, tensor<3xf32>
    }";
    let (_, results) = both(text, &[], Host::default);
    assert_ne!(results[0].tensor().unwrap(), results[1].tensor().unwrap());
}
