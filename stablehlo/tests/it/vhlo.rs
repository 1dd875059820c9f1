//! Portable artifacts: which version can hold what, what older versions are told, and that writing loses nothing.

use stablehlo::diag::Diagnostic;
use stablehlo::ir::Module;
use stablehlo::ops::OpKind;
use stablehlo::syntax::{self, PrintOptions, Split, print};
use stablehlo::vhlo::{
    self, CompatibilityRequirement, Version, deserialize_portable_artifact, oldest_version, requirements,
    serialize_portable_artifact,
};

const OLDEST: &str = include_str!("../../testdata/vhlo/oldest.mlir");

fn parse(text: &str) -> Module {
    let parsed = syntax::parse("-", text);
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    parsed.module
}

/// Programs and the oldest version that they can be written for.
fn programs() -> impl Iterator<Item = (&'static str, Option<Version>)> {
    syntax::sections(OLDEST, Split::MarkerLines).into_iter().map(|range| {
        // A section begins behind the marker, at the end of its line.
        let text = OLDEST[range].trim_start_matches('\n');
        let oldest = text.lines().find_map(|line| line.strip_prefix("// oldest: ")).unwrap();
        (text, oldest.parse().ok())
    })
}

fn name(text: &str) -> &str {
    text.split_once('@').unwrap().1.split('(').next().unwrap()
}

fn written(module: &Module, target: Version) -> Result<bytes::Bytes, Vec<Diagnostic>> {
    serialize_portable_artifact(module, target).map(|encoded| encoded.into_bytes())
}

/// The module in generic form.
fn shown(module: &Module) -> String {
    print(module, PrintOptions { generic: true, ..PrintOptions::default() })
}

fn releases() -> Vec<Version> {
    let zero = (9..=20).map(|minor| Version::new(0, minor, 0));
    zero.chain((0..=20).map(|minor| Version::new(1, minor, 0))).collect()
}

#[test]
fn every_program_is_written_from_its_oldest_version_on_and_refused_before() {
    for (text, oldest) in programs() {
        let module = parse(text);
        assert_eq!(oldest_version(&requirements(&module)), oldest, "{}", name(text));
        for target in releases() {
            let accepted = written(&module, target).is_ok();
            assert_eq!(accepted, oldest.is_some_and(|oldest| target >= oldest), "{} for {target}", name(text));
        }
    }
}

#[test]
fn what_is_written_for_any_version_reads_back_the_same() {
    for (text, oldest) in programs() {
        let module = parse(text);
        for target in releases().into_iter().filter(|target| oldest.is_some_and(|oldest| *target >= oldest)) {
            let artifact = written(&module, target).unwrap();
            let (read, version) = deserialize_portable_artifact(artifact, "artifact").unwrap();
            assert_eq!(version, Some(target));
            // What artifacts cannot tell apart: a default and its absence; among discardable attributes, a symbol and its
            // name, a list and a tensor.
            let accuracy = "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>";
            let expected = shown(&module)
                .replace(&format!("<{{result_accuracy = {accuracy}}}> "), "")
                .replace("c = @d", "c = \"d\"")
                .replace("test.f = array<i64: 1>", "test.f = dense<1> : tensor<1xi64>");
            assert_eq!(shown(&read), expected, "{} for {target}", name(text));
        }
    }
}

#[test]
fn artifacts_are_those_of_jaxlib_to_the_byte() {
    for line in include_str!("../../testdata/vhlo/artifacts.tsv").lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        let [function, target, hex] = cells[..] else { panic!("{line}") };
        let (text, _) = programs().find(|(text, _)| name(text) == function).unwrap();
        let digits = hex.as_bytes().chunks(2).map(|digits| std::str::from_utf8(digits).unwrap());
        let wanted: Vec<u8> = digits.map(|digits| u8::from_str_radix(digits, 16).unwrap()).collect();
        let found = written(&parse(text), target.parse().unwrap()).unwrap();
        assert!(found == wanted, "{function} for {target}: {} bytes, expected {}", found.len(), wanted.len());
    }
}

/// The valid programs of the rules' golden files, in which every op occurs.
fn valid_programs() -> Vec<String> {
    let mut texts = Vec::new();
    for kind in OpKind::ALL.iter().filter(|kind| kind.spec().dialect == "stablehlo") {
        let golden = kind.spec().examples;
        for range in syntax::sections(golden, Split::MarkerLines) {
            let text = &golden[range];
            if text.trim_start().lines().next().is_some_and(|head| head.ends_with(": accept")) {
                texts.push(text.to_owned());
            }
        }
    }
    texts
}

#[test]
fn every_op_survives_the_newest_and_the_oldest_version_that_holds_it() {
    let mut n_written = 0;
    for text in valid_programs() {
        let module = parse(&text);
        let Some(oldest) = oldest_version(&requirements(&module)) else { continue };
        for target in [oldest, Version::CURRENT] {
            let artifact = written(&module, target).unwrap();
            let (read, _) = deserialize_portable_artifact(artifact.clone(), "artifact").unwrap();
            // Defaults that were written out are gone, so that only what comes back the second time can be compared.
            let again = written(&read, target).unwrap();
            assert_eq!(requirements(&read).len(), requirements(&module).len(), "{text}");
            let (second, _) = deserialize_portable_artifact(again, "artifact").unwrap();
            assert_eq!(shown(&read), shown(&second), "{text}");
            stablehlo::verify::verify(&read, "").unwrap_or_else(|complaints| panic!("{complaints:?}\n{text}"));
            n_written += 1;
        }
    }
    assert!(n_written > 500, "{n_written}");
}

fn refusal(text: &str, target: (u32, u32)) -> Vec<(String, String)> {
    let target = Version::new(target.0, target.1, 0);
    let complaints = written(&parse(text), target).expect_err("the program is too new");
    complaints.into_iter().map(|complaint| (complaint.code, complaint.message)).collect()
}

#[test]
fn refusals_name_the_thing_both_versions_and_the_place() {
    let text = "func.func @main(%a: tensor<4xf8E4M3>) -> tensor<4xf8E4M3> {
      %0 = stablehlo.tan %a : tensor<4xf8E4M3>
      %1 = stablehlo.tan %0 : tensor<4xf8E4M3>
      return %1 : tensor<4xf8E4M3>
    }";
    let too_new = |message: &str| ("vhlo/needs-newer-version".to_owned(), message.to_owned());
    assert_eq!(
        refusal(text, (1, 5)),
        [too_new("f8E4M3 needs 1.7.0, target is 1.5.0, at argument 0 of @main, and at 5 more places")]
    );
    assert_eq!(
        refusal(text, (1, 3)),
        [
            too_new("f8E4M3 needs 1.7.0, target is 1.3.0, at argument 0 of @main, and at 5 more places"),
            too_new("`stablehlo.tan` needs 1.4.0, target is 1.3.0, at `stablehlo.tan` in @main, and at one more place"),
        ]
    );
    let text = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }";
    let message = "no version of StableHLO's portable artifacts has `chlo.square`, at `chlo.square` in @main, and at one more place";
    assert_eq!(refusal(text, (1, 20)), [("vhlo/not-portable".to_owned(), message.to_owned())]);
}

#[test]
fn refusals_stand_at_the_op() {
    let text = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.tan %a : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}";
    let complaints = written(&parse(text), Version::new(1, 0, 0)).unwrap_err();
    let span = complaints[0].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "stablehlo.tan");
}

#[test]
fn targets_are_versions_that_there_are() {
    let module = parse("module {}");
    for (target, accepted) in [
        (Version::new(0, 8, 9), false),
        (Version::new(0, 9, 0), true),
        (Version::new(1, 9, 7), true),
        (Version::new(1, 20, 0), true),
        (Version::new(1, 20, 1), false),
        (Version::new(2, 0, 0), false),
    ] {
        match written(&module, target) {
            // The patch number is kept in the file.
            Ok(artifact) => assert_eq!(vhlo::portable_artifact_version(&artifact), Some(target)),
            Err(complaints) => assert_eq!(complaints[0].code, "vhlo/target", "{target}"),
        }
        assert_eq!(written(&module, target).is_ok(), accepted, "{target}");
    }
}

#[test]
fn named_versions() {
    assert_eq!(vhlo::current_version(), Version::new(1, 20, 0));
    assert_eq!(vhlo::minimum_version(), Version::new(0, 9, 0));
    assert_eq!(vhlo::version_from_requirement(CompatibilityRequirement::None), Version::new(1, 20, 0));
    assert_eq!(vhlo::version_from_requirement(CompatibilityRequirement::Max), Version::new(0, 9, 0));
    assert!(vhlo::portable_artifact_version(b"ML\xefR\x0dMLIR23.0.0git\0").is_none());
    assert!(vhlo::portable_artifact_version(b"module {}").is_none());
}

/// Readers before 1.9.0 cannot decode ranges.
#[test]
fn ranges_in_locations_are_written_from_1_9_on() {
    let text = r#"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      return %a : tensor<4xf32> loc(fused["x"("f":1:2 to 3:4), "g":5:6])
    } loc("f":1:1 to :9)"#;
    let module = parse(text);
    let location = |target| {
        let (read, _) = deserialize_portable_artifact(written(&module, target).unwrap(), "artifact").unwrap();
        print(&read, PrintOptions { locations: true, ..PrintOptions::default() })
    };
    let new = location(Version::new(1, 9, 0));
    assert!(new.contains(r#"loc("f":1:2 to 3:4)"#) && new.contains(r#"loc("f":1:1 to :9)"#), "{new}");
    let old = location(Version::new(1, 8, 0));
    assert!(old.contains(r#"loc("f":1:2)"#) && old.contains(r#"loc("f":1:1)"#) && !old.contains(" to "), "{old}");
    assert!(old.contains("fused"), "{old}");
}
