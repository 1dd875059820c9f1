//! `testdata/models`: a trained network and one step of its training, against what JAX computed.

use std::path::PathBuf;

use bytes::Bytes;
use interpreter::compare::{Rule, compare};
use interpreter::io::{npy, npz, weights};
use interpreter::{Config, Host, Tensor, Value, entry};
use stablehlo::syntax::parse::parse;
use stablehlo::verify::verify;

use crate::engine::run;

fn file(name: &str) -> Bytes {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/models/digits").join(name);
    std::fs::read(path).unwrap().into()
}

fn array(name: &str) -> Tensor {
    npy::read_all(&file(name), None).unwrap().remove(0)
}

fn results(model: &str, inputs: Vec<Tensor>) -> Vec<Tensor> {
    let text = String::from_utf8(file(model).into()).unwrap();
    let parsed = parse(model, &text);
    assert_eq!(parsed.diagnostics, []);
    let verified = verify(&parsed.module, &text).unwrap();
    let inputs = inputs.into_iter().map(Value::from).collect();
    let outcome = run(verified, entry(&parsed.module).unwrap(), inputs, &Config::default(), &mut Host::default());
    outcome.unwrap().results.into_iter().map(|value| value.into_tensor().unwrap()).collect()
}

fn assert_near(actual: &Tensor, expected: &Tensor, what: &str) {
    let report = compare(actual, expected, Rule { atol: 1e-5, rtol: 1e-5, ulp: 0 });
    assert!(report.passes(), "{what}: {report}");
}

#[test]
fn the_network_reads_digits() {
    let model_results = results("model.mlir", vec![array("images.npy")]);
    assert_near(&model_results[0], &array("probabilities.npy"), "probabilities");
    assert_eq!(model_results[1], array("digit.npy"));
}

#[test]
fn weights_as_arguments_give_the_same() {
    let weights_file = file("weights.safetensors");
    let names = weights::names(&weights_file).unwrap();
    let mut inputs: Vec<Tensor> = names.iter().map(|name| weights::read(&weights_file, name, None).unwrap()).collect();
    inputs.push(array("images.npy"));
    assert_eq!(results("model_args.mlir", inputs), results("model.mlir", vec![array("images.npy")]));
}

#[test]
fn one_step_of_training() {
    let archive = file("train_step.npz");
    let read = |name: String| npz::read(&archive, &name, None, 1 << 24).unwrap();
    let inputs = (0..18).map(|index| read(format!("in_{index}"))).collect();
    for (index, result) in results("train_step.mlir", inputs).iter().enumerate() {
        assert_near(result, &read(format!("out_{index}")), &format!("result {index}"));
    }
}
