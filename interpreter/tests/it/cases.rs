//! `testdata/cases`: small programs after public bug reports.

use std::path::PathBuf;

use interpreter::io::mlir;

use crate::harness::{End, Tolerance, first_difference, run_text, show};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/cases")
}

#[test]
fn programs_from_bug_reports_give_the_expected_values() {
    let index = std::fs::read_to_string(folder().join("INDEX.tsv")).unwrap();
    let mut failures = Vec::new();
    let mut n_run = 0;
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, "run", _, expected, compare, ..] = fields[..] else { continue };
        n_run += 1;
        let text = std::fs::read_to_string(folder().join(file)).unwrap();
        match run_text(file, &text) {
            End::Rejected(why) => failures.push(format!("{file}: rejected, {why}")),
            End::Failed(error) => failures.push(format!("{file}: {error}")),
            End::Results(results, _) => {
                let expected: Vec<_> = expected.split(" | ").map(|text| mlir::parse(text).unwrap()).collect();
                if results.len() != expected.len() {
                    failures.push(format!("{file}: {} results, not {}", results.len(), expected.len()));
                    continue;
                }
                for ((actual, expected), rule) in results.iter().zip(&expected).zip(compare.split(" | ")) {
                    let tolerance = match rule {
                        "bits" => Tolerance::Bits,
                        "any NaN" => Tolerance::AnyNan,
                        "either zero" => Tolerance::EitherZero,
                        other => panic!("{file}: unknown rule {other}"),
                    };
                    if first_difference(actual, expected, |_| tolerance).is_some() {
                        failures.push(format!("{file}: got {}, expected {}", show(actual), show(expected)));
                    }
                }
            }
        }
    }
    assert!(n_run > 20);
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
