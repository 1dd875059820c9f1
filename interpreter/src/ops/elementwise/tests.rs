//! Expected values are IEEE arithmetic by hand.

use crate::error::ErrorKind;
use crate::eval::Config;
use crate::ops::testing::Program;
use crate::tensor::Tensor;

fn f32s(values: &[f32]) -> Tensor {
    Tensor::from_vec(&[values.len()], values).unwrap()
}

#[test]
fn add_adds_and_splats_stay_splats() {
    let mut program = Program::new();
    let (a, b) = (program.input(f32s(&[1.0, 2.0, 3.0])), program.input(Tensor::full(&[3], 0.5f32)));
    let ty = program.ty(&[3], "f32");
    let sum = program.op("stablehlo.add", &[a, b], &[], ty);
    assert_eq!(program.run(sum).unwrap().to_vec::<f32>(), [1.5, 2.5, 3.5]);

    let mut program = Program::new();
    let huge = program.input(Tensor::full(&[1 << 31, 4], 2.0f32));
    let ty = program.ty(&[1 << 31, 4], "f32");
    let sum = program.op("stablehlo.add", &[huge, huge], &[], ty);
    let sum = program.run(sum).unwrap();
    assert_eq!((sum.splat_value::<f32>(), sum.n_stored_bytes()), (Some(4.0), 4));
}

#[test]
fn wrong_shape_at_run_time_is_an_error_at_the_op() {
    let mut program = Program::new();
    let ty = program.ty(&[stablehlo::ir::DYNAMIC], "f32");
    let (a, b) = (program.input_of_type(f32s(&[1.0, 2.0]), ty), program.input_of_type(f32s(&[1.0]), ty));
    let sum = program.op("stablehlo.add", &[a, b], &[], ty);
    let op = program.module.defining_op(sum);
    let error = program.run(sum).unwrap_err();
    assert_eq!((error.code(), error.kind(), error.op()), ("exec/shape-mismatch", ErrorKind::Invalid, op));
    assert_eq!(error.location(), "stablehlo.add");
    assert_eq!(error.calls(), ["@main"]);
}

#[test]
fn materialising_beyond_the_memory_limit_is_an_error() {
    let mut program = Program::new();
    let huge = program.input(Tensor::full(&[1 << 20], 2.0f32));
    let ty = program.ty(&[(1 << 20) + 1], "f32");
    let zero = program.input(Tensor::scalar(0f32));
    let (none, one) = (program.i64s(&[0]), program.i64s(&[1]));
    let attrs = [("edge_padding_low", one), ("edge_padding_high", none), ("interior_padding", none)];
    let padded = program.op("stablehlo.pad", &[huge, zero], &attrs, ty);
    let config = Config { max_bytes: 1 << 22, ..Config::default() };
    let error = program.outcome(padded, &config).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("exec/memory-limit", ErrorKind::Resource));
}
