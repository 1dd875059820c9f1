//! The rules that ops declare, against the specification's labels and against the golden files that show each rule.
//!
//! A golden file is `rules/<dialect>/<mnemonic>.mlir`. Its sections, split by lines `// -----`, begin with
//! `// <code>: accept` or `// <code>: reject`; the faulty line of a rejected one follows a line
//! `// expected-error@+1 {{[<code>] part of the message}}`.

use std::collections::{BTreeMap, BTreeSet};

use stablehlo::ops::OpKind;
use stablehlo::ops::spec::{Check, Infer, OpSpec};
use stablehlo::syntax::{self, Split};
use stablehlo::verify::Cx;
use stablehlo::verify::expected::{compare, expectations};

use crate::diagnostics;

/// One section of a golden file.
struct Section<'a> {
    code: &'a str,
    accept: bool,
    text: &'a str,
    /// Number of the section's first line in the file, from 1.
    line: usize,
}

/// The sections of a golden file, or what is wrong with one.
fn sections(golden: &str) -> Result<Vec<Section<'_>>, String> {
    let mut sections = Vec::new();
    for range in syntax::sections(golden, Split::MarkerLines) {
        let line = golden[..range.start].lines().count() + 1;
        let text = &golden[range];
        let Some(first) = text.trim_start().lines().next() else {
            continue;
        };
        let head = first.trim_end().strip_prefix("// ").and_then(|head| head.rsplit_once(": "));
        let (code, accept) = match head {
            Some((code, "accept")) => (code, true),
            Some((code, "reject")) => (code, false),
            _ => {
                return Err(format!("line {line}: expected `// <code>: accept` or `// <code>: reject`, got {first:?}"));
            }
        };
        sections.push(Section { code, accept, text, line });
    }
    Ok(sections)
}

/// What is wrong with a section, if anything.
fn check(section: &Section<'_>) -> Option<String> {
    let found = diagnostics(section.text);
    let expected = expectations(section.text);
    let shown = || found.iter().map(|one| format!("[{}] {}", one.code, one.message)).collect::<Vec<_>>();
    if section.accept {
        return (!found.is_empty() || !expected.is_empty()).then(|| format!("expected nothing, got {:?}", shown()));
    }
    let prefix = format!("[{}]", section.code);
    let labelled = !expected.is_empty() && expected.iter().all(|one| one.text.starts_with(&prefix));
    let met = found.len() == expected.len() && compare(section.text, &found).is_empty();
    (!labelled || !met).then(|| {
        let expected: Vec<_> = expected.iter().map(|one| (one.line, one.text.as_str())).collect();
        format!("expected {expected:?}, got {:?}", shown())
    })
}

/// What the file of an op is called.
fn file(spec: &OpSpec) -> String {
    format!("rules/{}/{}.mlir", spec.dialect, spec.mnemonic)
}

#[test]
fn golden_sections_are_accepted_and_rejected_as_they_say() {
    let mut failures = Vec::new();
    for kind in OpKind::ALL {
        let spec = kind.spec();
        let sections = sections(spec.examples).unwrap_or_else(|fault| panic!("{}: {fault}", file(spec)));
        for section in sections {
            if let Some(failure) = check(&section) {
                failures.push(format!("{}:{}: {}: {failure}", file(spec), section.line, section.code));
            }
        }
    }
    assert!(failures.is_empty(), "{} sections fail:\n{}", failures.len(), failures.join("\n"));
}

/// Rules for types and attributes wherever they occur.
#[test]
fn golden_sections_of_types() {
    let failures: Vec<String> = sections(stablehlo::diag::rules::TYPE_EXAMPLES)
        .unwrap()
        .iter()
        .filter_map(|section| Some(format!("rules/types.mlir:{}: {}: {}", section.line, section.code, check(section)?)))
        .collect();
    assert!(failures.is_empty(), "{} sections fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_checked_rule_is_shown_accepting_and_rejecting() {
    let mut missing = Vec::new();
    for kind in OpKind::ALL {
        let spec = kind.spec();
        let shown: BTreeSet<(String, bool)> =
            sections(spec.examples).unwrap_or_default().iter().map(|s| (s.code.to_owned(), s.accept)).collect();
        for constraint in spec.constraints {
            let code = match constraint.check {
                Check::Fn(_) => spec.rule_code(constraint.label),
                // The complaint carries the label of the input or rule that the check belongs to.
                Check::With(other) => spec.rule_code(other),
                Check::Class(name) => spec.rule_code(label_of(spec, name)),
                Check::Runtime(_) => continue,
            };
            for (accept, word) in [(true, "accept"), (false, "reject")] {
                if !shown.contains(&(code.clone(), accept)) {
                    missing.push(format!("{}: {code}: {word}", file(spec)));
                }
            }
        }
    }
    missing.dedup();
    assert!(missing.is_empty(), "{} sections are missing:\n{}", missing.len(), missing.join("\n"));
}

/// Inference is for tools that make ops: where a program is valid, it gives types that admit the written ones.
#[test]
fn inferred_types_admit_those_of_valid_programs() {
    let (mut met, mut failures) = (BTreeSet::new(), Vec::new());
    for kind in OpKind::ALL {
        for section in sections(kind.spec().examples).unwrap_or_default().iter().filter(|section| section.accept) {
            let module = syntax::parse("rules.mlir", section.text).module;
            module.walk(module.top(), |op| {
                let Some(spec) = module.kind(op).map(OpKind::spec) else { return };
                let Infer::Fn(infer) = spec.infer else { return };
                met.insert(spec.name);
                let cx = Cx::new(&module, op);
                if let Err(fault) = infer(&cx).and_then(|types| cx.check_results(&types)) {
                    failures.push(format!("{}: {}: {}", section.code, spec.name, fault.message()));
                }
            });
        }
    }
    assert!(failures.is_empty(), "{} ops infer something else:\n{}", failures.len(), failures.join("\n"));
    let inferring = OpKind::ALL.iter().map(|kind| kind.spec()).filter(|spec| matches!(spec.infer, Infer::Fn(_)));
    let never: Vec<&str> = inferring.map(|spec| spec.name).filter(|name| !met.contains(name)).collect();
    assert!(never.is_empty(), "no valid program shows what these infer: {never:?}");
}

/// The label of a declared input.
fn label_of(spec: &OpSpec, name: &str) -> &'static str {
    let operands = spec.operands.iter().map(|operand| (operand.name, operand.label));
    let attributes = spec.attributes.iter().map(|attribute| (attribute.name, attribute.label));
    let regions = spec.regions.iter().map(|region| (region.name, region.label));
    let label = operands.chain(attributes).chain(regions).find(|(input, _)| *input == name);
    label.unwrap_or_else(|| panic!("{} has no input `{name}`", spec.name)).1
}

/// The labels of the specification by op, from `testdata/spec_labels.tsv`.
fn specification() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut ops: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for row in include_str!("../../testdata/spec_labels.tsv").lines() {
        let (op, label) = row.split_once('\t').expect("rows are op and label");
        ops.entry(op).or_default().insert(label);
    }
    ops
}

#[test]
fn labels_are_those_of_the_specification() {
    let specification = specification();
    let mut differences = Vec::new();
    let mut declared = BTreeSet::new();
    for kind in OpKind::ALL {
        let spec = kind.spec();
        if spec.dialect != "stablehlo" || spec.anchor.is_empty() {
            continue;
        }
        declared.insert(spec.mnemonic);
        let empty = BTreeSet::new();
        let wanted = specification.get(spec.mnemonic).unwrap_or(&empty);
        // Rules of our own, for what upstream checks and the specification leaves out, are called `X1`, `X2` …
        let own = spec.constraints.iter().filter(|constraint| constraint.label.starts_with('X')).count();
        let rules = spec.constraints.iter().map(|constraint| constraint.label);
        let rules: BTreeSet<&str> = rules.filter(|label| !label.starts_with('X')).collect();
        let wanted_rules: BTreeSet<&str> = wanted.iter().copied().filter(|label| label.starts_with('C')).collect();
        for label in rules.symmetric_difference(&wanted_rules) {
            let where_ = if rules.contains(label) { "only declared" } else { "only in the specification" };
            differences.push(format!("{}: {label}: {where_}", spec.mnemonic));
        }
        // Several inputs of the specification can be one attribute, which then carries the first one's label.
        let inputs = spec.operands.iter().map(|operand| operand.label);
        let inputs = inputs.chain(spec.attributes.iter().map(|attribute| attribute.label));
        for label in inputs.chain(spec.regions.iter().map(|region| region.label)) {
            if !label.is_empty() && !wanted.contains(label) {
                differences.push(format!("{}: {label}: only declared", spec.mnemonic));
            }
        }
        if spec.constraints.len() != rules.len() + own {
            differences.push(format!("{}: a label is declared twice", spec.mnemonic));
        }
    }
    for op in specification.keys().filter(|op| !declared.contains(*op)) {
        differences.push(format!("{op}: not declared"));
    }
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn texts_and_summaries_are_sentences() {
    for kind in OpKind::ALL {
        let spec = kind.spec();
        assert!(!spec.summary.is_empty() && !spec.summary.ends_with('.'), "summary of {}", spec.name);
        for constraint in spec.constraints {
            assert!(
                constraint.text.trim_end_matches(')').ends_with('.'),
                "{}: the text of {} is a sentence",
                spec.name,
                constraint.label
            );
        }
    }
}
