//! Strict runs: where a result depends on a choice that the specification leaves open.

use serde_json::Value as Json;

use crate::harness::{End, run_text};

/// Programs about strict points that no vector reaches and then ends with results.
const WITHOUT_VECTOR: &[(&str, &str)] = &[
    (
        "compare-complex-order",
        "func.func @main() -> tensor<i1> {
           %x = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
           %r = stablehlo.compare LT, %x, %x : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
           return %r : tensor<i1>
         }",
    ),
    (
        "rng-uniform-bounds",
        "func.func @main() -> tensor<2xf32> {
           %a = stablehlo.constant dense<1.0> : tensor<f32>
           %n = stablehlo.constant dense<2> : tensor<1xi64>
           %r = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
           return %r : tensor<2xf32>
         }",
    ),
    (
        "scatter-promises",
        "func.func @main() -> tensor<4xi32> {
           %x = stablehlo.constant dense<0> : tensor<4xi32>
           %i = stablehlo.constant dense<[[2], [1]]> : tensor<2x1xi64>
           %u = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
           %r = \"stablehlo.scatter\"(%x, %i, %u) <{indices_are_sorted = true, scatter_dimension_numbers =
               #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             stablehlo.return %b : tensor<i32>
           }) : (tensor<4xi32>, tensor<2x1xi64>, tensor<2xi32>) -> tensor<4xi32>
           return %r : tensor<4xi32>
         }",
    ),
    (
        "select-and-scatter-empty-window",
        "func.func @main() -> tensor<1xi32> {
           %x = stablehlo.constant dense<7> : tensor<1xi32>
           %s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
           %z = stablehlo.constant dense<0> : tensor<i32>
           %r = \"stablehlo.select_and_scatter\"(%x, %s, %z) <{window_dimensions = array<i64: 1>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %p : tensor<i1>
           }, {
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %c = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %c : tensor<i32>
           }) : (tensor<1xi32>, tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
           return %r : tensor<1xi32>
         }",
    ),
];

#[test]
fn strict_runs_notice_the_points_that_the_programs_are_about() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/semantics.jsonl");
    let vectors = std::fs::read_to_string(path).unwrap();
    let mut touched = Vec::new();
    for line in vectors.lines() {
        let vector: Json = serde_json::from_str(line).unwrap();
        let id = vector["id"].as_str().unwrap();
        if let End::Results(_, points) = run_text(id, vector["program"].as_str().unwrap()) {
            touched.extend(points.into_iter().map(|point| (point, id.to_owned())));
        }
    }
    let own = |wanted: &str| {
        let found = WITHOUT_VECTOR.iter().find(|(id, _)| *id == wanted);
        found.is_some_and(|(id, program)| match run_text(id, program) {
            End::Results(_, points) => points.contains(id),
            _ => false,
        })
    };
    let mut missed = Vec::new();
    for point in interpreter::semantics::POINTS.iter().filter(|point| point.strict) {
        let is_listed = |id: &str| point.vectors.iter().any(|vector| matches(vector, id));
        if !touched.iter().any(|(id, vector)| *id == point.id && is_listed(vector)) && !own(point.id) {
            missed.push(point.id);
        }
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
    // Programs about nothing that is open do not complain.
    for quiet in ["max_f32", "sign_f32", "shift_in_range", "rem_sign_i32", "clamp_nan", "is_finite_f32"] {
        let found: Vec<_> = touched.iter().filter(|(_, vector)| vector == quiet).collect();
        assert!(found.is_empty(), "{quiet}: {found:?}");
    }
}

/// Whether a name matches a pattern in which `*` stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.starts_with(start) && name.ends_with(end) && name.len() >= start.len() + end.len(),
    }
}
