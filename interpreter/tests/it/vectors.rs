//! `testdata/semantics.jsonl`: the programs behind `semantics`, with what they must give.

use interpreter::Tensor;
use interpreter::element::ElementType;
use interpreter::io::iree::parse_type;
use serde_json::Value as Json;

use crate::harness::{End, Tolerance, first_difference, from_hex, run_text, show};

#[test]
fn programs_behind_the_semantics_give_the_recommended_values() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/semantics.jsonl");
    let vectors = std::fs::read_to_string(path).unwrap();
    let mut failures = Vec::new();
    let mut n_run = 0;
    for line in vectors.lines() {
        let vector: Json = serde_json::from_str(line).unwrap();
        n_run += 1;
        if let Err(why) = check(&vector) {
            failures.push(format!("{}: {why}", vector["id"].as_str().unwrap()));
        }
    }
    assert!(n_run > 500);
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn check(vector: &Json) -> Result<(), String> {
    let id = vector["id"].as_str().unwrap();
    let end = run_text(id, vector["program"].as_str().unwrap());
    let results = match (end, vector["recommended"].as_str()) {
        (End::Rejected(_), Some("error")) => return Ok(()),
        (End::Failed(_), Some("error")) => return Ok(()),
        (End::Results(..), Some("error")) => return Err("must be an error".into()),
        (End::Rejected(why), _) => return Err(format!("rejected, {why}")),
        (End::Failed(error), _) => return Err(error.to_string()),
        // Random numbers: that there is a result of the right type has been checked.
        (End::Results(..), Some(_)) => return Ok(()),
        (End::Results(results, _), None) => results,
    };
    let expected = vector["recommended"].as_array().unwrap();
    if expected.len() != results.len() {
        return Err(format!("{} results, not {}", results.len(), expected.len()));
    }
    let tolerance = match vector["compare"].as_str().unwrap() {
        "bits" => Tolerance::Bits,
        "bits, any NaN" | "non-monoid" => Tolerance::AnyNan,
        "order-free" => Tolerance::Norm(64.0, 0.0),
        // Real and imaginary parts come as two results; the size of the number is that of the larger part.
        "norm8" => Tolerance::Norm(8.0, 0.0),
        ulps => Tolerance::Ulps(ulps.strip_prefix("ulp").and_then(|ulps| ulps.parse().ok()).unwrap()),
    };
    for ((result, expected), ty) in results.iter().zip(expected).zip(vector["types"].as_array().unwrap()) {
        let ty = ty.as_str().unwrap();
        let (element, shape) = parse_type(&plain_type(ty)).ok_or(format!("type {ty}"))?;
        // Of quantized results the data give the number of elements, not the shape.
        let shape = if ty.contains("!quant") { result.shape().into() } else { shape };
        let expected = from_hex(element, &shape, expected.as_str().unwrap()).ok_or("bad hexadecimal")?;
        if (result.element(), result.shape()) != (element, &shape[..]) {
            return Err(format!("result has type {result:?}, expected {ty}"));
        }
        if let Some(index) = first_difference(result, &expected, |index| with_size(tolerance, &results, index)) {
            return Err(format!("at {index}: got {}, expected {}", show(result), show(&expected)));
        }
    }
    Ok(())
}

/// Normwise tolerance relative to the largest of the results' parts at that place.
fn with_size(tolerance: Tolerance, results: &[Tensor], index: usize) -> Tolerance {
    let Tolerance::Norm(eps, _) = tolerance else {
        return tolerance;
    };
    let part = |result: &Tensor| match result.element() {
        ElementType::F32 => f64::from(result.get::<f32>(index)).abs(),
        ElementType::F64 => result.get::<f64>(index).abs(),
        _ => 0.0,
    };
    Tolerance::Norm(eps, results.iter().map(part).filter(|size| size.is_finite()).fold(0.0, f64::max))
}

/// `2x3xf32` of `tensor<2x3xf32>` or `2 x 3 x f32`; a quantized type by its storage.
fn plain_type(ty: &str) -> String {
    let inside = ty.strip_prefix("tensor<").and_then(|ty| ty.strip_suffix('>')).unwrap_or(ty).replace(' ', "");
    match inside.split_once("!quant.uniform<") {
        Some((sizes, quantized)) => format!("{sizes}{}", quantized.split([':', '<']).next().unwrap()),
        None => inside,
    }
}

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
