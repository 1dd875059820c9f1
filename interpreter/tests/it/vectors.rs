//! `testdata/semantics.jsonl`: the programs behind `semantics`, with what they must give.

use interpreter::Tensor;
use interpreter::element::ElementType;
use interpreter::io::iree::parse_type;
use serde_json::Value as Json;

use crate::engine::{FREE, MORE_ULPS};
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
    if FREE.contains(&id) {
        return Ok(());
    }
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
        ulps => {
            Tolerance::Ulps(ulps.strip_prefix("ulp").and_then(|ulps| ulps.parse::<u64>().ok()).unwrap() + MORE_ULPS)
        }
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
