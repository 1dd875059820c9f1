//! Results of a run as text and as JSON.

use interpreter::compare::{Comparison, Worst};
use interpreter::{EvalError, Host, Outcome, Tensor, Value, io};
use serde_json::{Value as Json, json};

use crate::commands::load::Sheet;

/// How many elements of a tensor are printed.
const SHOWN: usize = 256;

pub fn describe(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) if tensor.len() <= SHOWN || tensor.splat_bytes().is_some() => io::mlir::print(tensor),
        Value::Tensor(tensor) => {
            let some: Vec<String> = (0..8).map(|index| io::mlir::print_element(tensor, index)).collect();
            format!("{}: {}, … ({} elements)", io::mlir::type_of(tensor), some.join(", "), tensor.len())
        }
        Value::Tuple(parts) => format!("({})", parts.iter().map(describe).collect::<Vec<_>>().join(", ")),
        Value::Token => "a token".to_owned(),
        Value::Future(_) => "a future".to_owned(),
    }
}

/// Bytes of a value when every element is written out.
pub fn size(value: &Value) -> usize {
    match value {
        Value::Tensor(tensor) => tensor.len().saturating_mul(tensor.element().byte_width()),
        Value::Tuple(parts) | Value::Future(parts) => parts.iter().map(size).fold(0, usize::saturating_add),
        Value::Token => 0,
    }
}

/// The document of a run that ended well; `sheet` is there when something was touched.
pub fn succeeded(
    sheet: Option<&Sheet<'_, '_>>,
    outcome: &Outcome,
    host: &Host,
    comparisons: Option<&[Option<Comparison>]>,
) -> Json {
    let touched = sheet.map(|sheet| touched(sheet, outcome)).unwrap_or_default();
    let mut document = json!({
        "schema": 1,
        "results": outcome.results.iter().map(value_json).collect::<Vec<_>>(),
        "touched": touched,
        "printed": host.printed,
        "steps": outcome.n_steps,
        "peak_bytes": outcome.peak_bytes,
    });
    if let Some(comparisons) = comparisons {
        document["comparisons"] = comparisons.iter().map(|one| one.as_ref().map(comparison)).collect();
    }
    document
}

fn touched(sheet: &Sheet<'_, '_>, outcome: &Outcome) -> Vec<Json> {
    let lines = sheet.lines();
    let one = |touch: &interpreter::eval::Touch| {
        let at = lines.line_column(sheet.span(touch.op).start);
        json!({ "point": touch.point, "op": sheet.module().op_name(touch.op), "line": at.line, "column": at.column })
    };
    outcome.touched.iter().map(one).collect()
}

/// The document of a run that did not come to its end.
pub fn failed(sheet: &Sheet<'_, '_>, error: &EvalError, host: &Host) -> Json {
    let span = error.op().map(|op| sheet.span(op)).unwrap_or_default();
    let at = sheet.lines().line_column(span.start);
    json!({
        "schema": 1,
        "results": null,
        "error": {
            "code": error.code(),
            "message": error.message(),
            "line": at.line,
            "column": at.column,
            "location": error.location(),
            "calls": error.calls(),
        },
        "printed": host.printed,
    })
}

fn value_json(value: &Value) -> Json {
    match value {
        Value::Tensor(tensor) => json!({ "type": io::mlir::type_of(tensor), "hex": hex(tensor) }),
        Value::Tuple(parts) | Value::Future(parts) => {
            json!({ "parts": parts.iter().map(value_json).collect::<Vec<_>>() })
        }
        Value::Token => json!({ "type": "!stablehlo.token", "hex": "" }),
    }
}

/// All elements in row-major order, each as its ⌈bits/8⌉ bytes, little-endian.
fn hex(tensor: &Tensor) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(tensor.len() * tensor.element().byte_width() * 2);
    let repeat = if tensor.splat_bytes().is_some() { tensor.len() } else { 1 };
    for byte in std::iter::repeat_n(tensor.data(), repeat).flatten() {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// A comparison with all its measures; numbers that JSON does not have are null.
pub fn comparison(comparison: &Comparison) -> Json {
    let worst = |worst: Worst<f64>| json!({ "value": worst.value, "index": worst.index });
    let mismatch = |mismatch: &interpreter::compare::Mismatch| json!({ "index": mismatch.index, "actual": mismatch.actual, "expected": mismatch.expected });
    json!({
        "passes": comparison.passes(),
        "incomparable": comparison.incomparable,
        "elements": comparison.n_elements,
        "mismatches": comparison.n_mismatches,
        "first_mismatches": comparison.mismatches.iter().map(mismatch).collect::<Vec<_>>(),
        "max_abs": worst(comparison.max_abs),
        "max_rel": worst(comparison.max_rel),
        "max_ulp": { "value": comparison.max_ulp.value, "index": comparison.max_ulp.index },
        "cosine": comparison.cosine,
        "nan_on_one_side": comparison.n_nan,
        "infinite_on_one_side": comparison.n_infinite,
        "zeros_of_other_sign": comparison.n_zero_signs,
    })
}
