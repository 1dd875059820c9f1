//! The printer against what MLIR printed: `testdata/printer/*.txt`.
//!
//! The head of `printer-experiments.txt` explains the format. Where upstream's text cannot be read back, ours differs on purpose
//! ([`READABLE`]).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use stablehlo::diag::{Diagnostic, Severity};
use stablehlo::ir::{LineIndex, Module};
use stablehlo::syntax::{PrintOptions, parse, print};
use stablehlo::verify::{VerifyOptions, verify_with};

/// Programs for which upstream prints what it cannot read, and what stands in our text instead.
const READABLE: &[(&str, &str)] = &[
    // Python's interface to MLIR drops external resources; other tools and we keep them.
    ("E32", "\n  },\n  external_resources: {\n    foo: {\n      k1: true,\n      k2: \"str\","),
    ("E41", "stablehlo.dynamic_slice %arg0, sizes = [] :"),
    ("E43", "%0 = \"stablehlo.while\"(%arg0) ({"),
    ("E45", "stablehlo.custom_call @\"\"(%arg0) :"),
];

/// Rows of tables where we follow newer versions of MLIR, or upstream prints what it cannot read.
const DIFFERENT_ROWS: &[&str] = &[
    // Decimal numbers are rounded once.
    "1.1 : f80",
    "@\"\"",
    // The type has no sign and no zero.
    "-1.0 : f8E8M0FNU",
    "1.00000005960464477539063 : f32",
    // Our verifier checks zero points.
    "!quant.uniform<u8:f32, 1.0:-5>",
];

struct Program {
    id: String,
    flags: Vec<String>,
    input: String,
    output: String,
}

struct Table {
    name: String,
    rows: Vec<(String, String)>,
}

fn experiments() -> (Vec<Program>, Vec<Table>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/printer");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let text = read("printer-experiments.txt") + &read("more-experiments.txt");
    let mut programs = Vec::new();
    let mut tables = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix("@@ ") {
            let id = head.split(' ').next().unwrap().to_owned();
            let flags = head.rsplit_once('[').map_or("", |(_, flags)| flags.trim_end_matches(']'));
            let flags = flags.split(' ').map(str::to_owned).collect();
            let input: String = lines.by_ref().take_while(|line| *line != "@=").fold(String::new(), join);
            let output = lines.by_ref().take_while(|line| *line != "@.").fold(String::new(), join);
            programs.push(Program { id, flags, input, output });
        } else if let Some(name) = line.strip_prefix("@table ") {
            let rows = lines.by_ref().take_while(|line| *line != "@.");
            let rows = rows.filter_map(|row| row.split_once('\t'));
            let rows = rows.map(|(input, output)| (input.to_owned(), output.to_owned())).collect();
            tables.push(Table { name: name.to_owned(), rows });
        }
    }
    (programs, tables)
}

fn join(mut text: String, line: &str) -> String {
    writeln!(text, "{line}").unwrap();
    text
}

/// Parses and verifies.
fn check(text: &str, allow_unregistered: bool) -> Result<Module, Vec<Diagnostic>> {
    let parsed = parse("-", text);
    if parsed.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(parsed.diagnostics);
    }
    let options = VerifyOptions { allow_unregistered };
    verify_with(&parsed.module, text, options).map(|_| ())?;
    Ok(parsed.module)
}

fn options(flags: &[String]) -> PrintOptions {
    let has = |flag: &str| flags.iter().any(|other| other == flag);
    let elide = flags.iter().find_map(|flag| flag.strip_prefix("elide=")?.parse().ok());
    PrintOptions {
        generic: has("generic"),
        locations: has("debug"),
        local_scope: has("local"),
        elide_larger_than: elide,
        names_from_locations: has("nameloc"),
        ..PrintOptions::default()
    }
}

#[test]
fn programs_print_as_upstream_prints_them() {
    let (programs, _) = experiments();
    assert_eq!(programs.len(), 57 + 17);
    let inputs: BTreeMap<&str, &str> =
        programs.iter().map(|program| (program.id.as_str(), program.input.as_str())).collect();
    let mut failures = String::new();
    for program in &programs {
        let input = match program.input.strip_prefix("@in ") {
            Some(id) => inputs[id.trim()],
            None => &program.input,
        };
        let allow_unregistered = program.flags.iter().any(|flag| flag == "unreg");
        let found = check(input, allow_unregistered);
        let complaint = match (&found, program.output.strip_prefix("ERROR: ")) {
            // We read what upstream's printer writes.
            (Ok(_), Some(_)) if program.id == "E42" => None,
            (Ok(module), None) => compare(program, &print(module, options(&program.flags))),
            (Ok(_), Some(expected)) => Some(format!("accepted, but upstream says {expected}")),
            (Err(diagnostics), None) => Some(format!("rejected: {}", diagnostics[0].message)),
            (Err(diagnostics), Some(expected)) => compare_error(input, diagnostics, expected),
        };
        if let Some(complaint) = complaint {
            writeln!(failures, "==== {}\n{complaint}", program.id).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

fn compare(program: &Program, printed: &str) -> Option<String> {
    if let Some((_, part)) = READABLE.iter().find(|(id, _)| *id == program.id) {
        return (!printed.contains(part)).then(|| printed.to_owned());
    }
    let expected = match program.output.strip_suffix("<no newline at end>\n") {
        Some(expected) => expected,
        None => &program.output,
    };
    (printed != expected).then(|| format!("---- expected\n{expected}---- printed\n{printed}"))
}

/// Upstream's line and column.
fn compare_error(input: &str, diagnostics: &[Diagnostic], expected: &str) -> Option<String> {
    let lines = LineIndex::new(input.as_bytes());
    let found: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            let place = lines.line_column(diagnostic.span.start);
            format!("{}:{} {}", place.line, place.column, diagnostic.message)
        })
        .collect();
    let line = expected.split(':').next().unwrap();
    let fits = found.iter().any(|found| found.split(':').next() == Some(line));
    (!fits).then(|| format!("---- expected\n{expected}---- found\n{}", found.join("\n")))
}

#[test]
fn what_is_printed_reads_back_and_prints_the_same() {
    let (programs, _) = experiments();
    let mut failures = String::new();
    for program in programs.iter().filter(|program| !program.input.starts_with("@in ")) {
        let allow_unregistered = program.flags.iter().any(|flag| flag == "unreg");
        let Ok(module) = check(&program.input, allow_unregistered) else { continue };
        for flags in [vec![], vec!["generic"], vec!["debug"], vec!["debug", "local"], vec!["generic", "debug"]] {
            let flags: Vec<String> = flags.into_iter().map(str::to_owned).collect();
            let options = options(&flags);
            let once = print(&module, options);
            match check(&once, allow_unregistered) {
                Err(diagnostics) => {
                    writeln!(failures, "==== {} {flags:?}: {}\n{once}", program.id, diagnostics[0].message).unwrap();
                }
                Ok(again) => {
                    let twice = print(&again, options);
                    if once != twice {
                        writeln!(failures, "==== {} {flags:?}\n{once}---- then\n{twice}", program.id).unwrap();
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn attributes_and_types_print_as_upstream_prints_them() {
    let (_, tables) = experiments();
    assert_eq!(tables.len(), 8);
    let mut failures = String::new();
    for table in &tables {
        for (input, output) in &table.rows {
            if DIFFERENT_ROWS.contains(&input.as_str()) {
                continue;
            }
            let expected = if output == "=" { input } else { output };
            let text = format!("\"x.y\"() {{a = {input}}} : () -> ()");
            let found = match check(&text, true) {
                Ok(module) => {
                    let op = module.top_ops()[0];
                    match module.discardable(op, "a") {
                        Some(attr) => module.display_attr(attr).to_string(),
                        None => "nothing".to_owned(),
                    }
                }
                Err(diagnostics) => format!("! {}", diagnostics[0].message),
            };
            let fits = if expected.starts_with("! ") { found.starts_with("! ") } else { found == *expected };
            if !fits {
                writeln!(failures, "{}: {input}\n  expected {expected}\n  found    {found}", table.name).unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
