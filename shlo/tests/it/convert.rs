//! `shlo convert` and `shlo compat`.

use crate::{Directory, RIGHT, WRONG, shlo_with_input};

/// A program of which each part needs another version.
const YOUNG: &str = r#"func.func @main(%arg0: tensor<2xf8E3M4>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %arg0 : tensor<2xf8E3M4>
  %1 = stablehlo.tan %arg1 : tensor<2xf32> loc("tan"("model.py":12:3))
  return %1 : tensor<2xf32>
}
"#;

/// What no artifact can hold.
const NEVER: &str = "func.func @main() attributes {a.b = array<i32: 1>} {\n  return\n}\n";

fn version_of(dir: &Directory, file: &str) -> serde_json::Value {
    dir.shlo(&["inspect", file, "--format", "json"]).json()["stablehlo_version"].clone()
}

#[test]
fn every_form_turns_into_every_other() {
    let dir = Directory::new("convert-forms");
    dir.file("a.mlir", RIGHT);
    let canonical = dir.shlo(&["fmt", "a.mlir"]).out;
    for (from, to, flags) in [
        ("a.mlir", "native.mlirbc", &[][..]),
        ("a.mlir", "artifact.mlirbc", &["--to", "vhlo"]),
        ("native.mlirbc", "artifact2.mlirbc", &["--target", "1.0.0"]),
        ("artifact.mlirbc", "native2.mlir.bc", &[]),
        ("artifact2.mlirbc", "old.bc", &["--target", "max"]),
        ("old.bc", "format3.bc", &["--bytecode-version", "3"]),
    ] {
        let ran = dir.shlo(&[&["convert", from, "-o", to], flags].concat());
        assert_eq!(ran.everything(), "exit: 0\n--- stdout\n--- stderr\n", "{to}");
        assert_eq!(dir.shlo(&["fmt", to]).out, canonical, "{to}");
    }
    assert_eq!(version_of(&dir, "native.mlirbc"), serde_json::Value::Null);
    assert_eq!(version_of(&dir, "artifact.mlirbc"), "1.20.0");
    assert_eq!(version_of(&dir, "artifact2.mlirbc"), "1.0.0");
    assert_eq!(version_of(&dir, "old.bc"), "0.9.0");
    assert_eq!(dir.shlo(&["inspect", "format3.bc", "--format", "json"]).json()["format_version"], 3);
    // The same bytes whichever way they were reached.
    let bytes = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
    assert_eq!(bytes("native.mlirbc"), bytes("native2.mlir.bc"));
    assert!(dir.shlo(&["convert", "old.bc", "-o", "b.mlir", "--strip-locations"]).code == 0);
    assert_eq!(dir.read("b.mlir"), canonical);
}

#[test]
fn standard_streams_take_part() {
    let dir = Directory::new("convert-streams");
    dir.file("a.mlir", RIGHT);
    assert_eq!(dir.shlo(&["convert", "a.mlir", "-o", "a.mlirbc"]).code, 0);
    let file = std::fs::read(dir.path().join("a.mlirbc")).unwrap();
    let text = shlo_with_input(&["convert", "-", "--strip-locations"], &file);
    assert_eq!((text.code, text.out.as_str()), (0, dir.shlo(&["fmt", "a.mlir"]).out.as_str()));
    let piped = crate::command(dir.path(), &["convert", "a.mlir", "--to", "bytecode"]).output().unwrap();
    assert_eq!(piped.stdout, file);
    // Devices are written to, not replaced.
    assert_eq!(dir.shlo(&["convert", "a.mlir", "--to", "bytecode", "-o", "/dev/null"]).code, 0);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn locations_are_kept_unless_they_are_stripped() {
    let dir = Directory::new("convert-locations");
    dir.file("a.mlir", YOUNG);
    for to in ["bytecode", "vhlo"] {
        assert_eq!(dir.shlo(&["convert", "a.mlir", "-o", "a.bc", "--to", to]).code, 0);
        let text = dir.shlo(&["convert", "a.bc"]).out;
        assert!(text.contains(r#"loc("model.py":12:3)"#) && text.contains(r#"loc("a.mlir":4:3)"#), "{text}");
        assert_eq!(dir.shlo(&["convert", "a.mlir", "-o", "s.bc", "--to", to, "--strip-locations"]).code, 0);
        assert_eq!(dir.shlo(&["convert", "s.bc"]).out, dir.shlo(&["fmt", "a.mlir"]).out);
    }
}

#[test]
fn refusals_name_what_is_too_new_and_leave_files_alone() {
    let dir = Directory::new("convert-refusals");
    dir.file("young.mlir", YOUNG);
    dir.file("out.mlirbc", "as it was");
    let ran = dir.shlo(&["convert", "young.mlir", "-o", "out.mlirbc", "--target", "1.5.0"]);
    assert_eq!(ran.code, 4);
    let first = "young.mlir:1:1: error: f8E3M4 needs 1.7.0, target is 1.5.0, at argument 0 of @main";
    assert!(ran.err.starts_with(first), "{}", ran.err);
    assert!(!ran.err.contains("stablehlo.tan` needs"), "{}", ran.err);
    assert_eq!(dir.read("out.mlirbc"), "as it was");
    // From bytecode, places are those of its text, and what the program says about them.
    assert_eq!(dir.shlo(&["convert", "young.mlir", "-o", "young.mlirbc"]).code, 0);
    let ran = dir.shlo(&["convert", "young.mlirbc", "-o", "out.mlirbc", "--target", "1.0.0"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("young.mlirbc (as text):4:10: error: `stablehlo.tan` needs 1.4.0"), "{}", ran.err);
    assert!(ran.err.contains("the op came from tan (model.py:12:3)"), "{}", ran.err);
    dir.file("never.mlir", NEVER);
    let ran = dir.shlo(&["convert", "never.mlir", "-o", "out.mlirbc", "--to", "vhlo"]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains("[vhlo/not-portable]"), "{}", ran.err);
    assert_eq!(dir.read("out.mlirbc"), "as it was");
}

#[test]
fn invalid_programs_are_not_converted() {
    let dir = Directory::new("convert-invalid");
    dir.file("wrong.mlir", WRONG);
    let ran = dir.shlo(&["convert", "wrong.mlir", "-o", "wrong.mlirbc"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("[pad_c3]"), "{}", ran.err);
    assert!(!dir.path().join("wrong.mlirbc").exists());
    assert_eq!(dir.shlo(&["convert", "wrong.mlir", "-o", "wrong.mlirbc", "--no-verify"]).code, 0);
    insta::assert_snapshot!("a_broken_rule_in_bytecode", dir.shlo(&["verify", "wrong.mlirbc"]).everything());
    let json = dir.shlo(&["verify", "wrong.mlirbc", "--format", "json"]).json();
    let found = &json["diagnostics"][0];
    assert_eq!((&found["file"], &found["as_text"]), (&"wrong.mlirbc".into(), &true.into()));
    assert_eq!(found["line"], 3);
    let sarif = dir.shlo(&["verify", "wrong.mlirbc", "--format", "sarif"]).json();
    let result = &sarif["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"wrong.mlirbc".into(), &1.into()));
    assert!(result["message"]["text"].as_str().unwrap().contains("at 3:"), "{result}");
    // Text is for looking at what is wrong.
    let ran = dir.shlo(&["convert", "wrong.mlirbc"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("wrong.mlirbc (as text):3:61: warning: interior_padding must not be"), "{}", ran.err);
    assert!(ran.out.contains("interior = [-1]"), "{}", ran.out);
    for command in ["fmt", "run", "compat"] {
        let ran = dir.shlo(&[command, "wrong.mlirbc"]);
        assert_eq!(ran.code, 3, "{command}");
        assert!(ran.err.contains("wrong.mlirbc (as text):3:"), "{}", ran.err);
    }
}

#[test]
fn wrong_command_lines() {
    let dir = Directory::new("convert-usage");
    dir.file("a.mlir", RIGHT);
    dir.file("two.mlir", format!("{RIGHT}// -----\n{RIGHT}"));
    for (arguments, said) in [
        (&["a.mlir", "-o", "a.xyz"][..], "may be anything"),
        (&["a.mlir", "--to", "text", "--target", "1.0.0"], "--target is for the binary forms"),
        (&["a.mlir", "--to", "vhlo", "--bytecode-version", "6", "-o", "a.bc"], "--bytecode-version is for"),
        (&["a.mlir", "--bytecode-version", "7", "-o", "a.bc"], "7 is not in"),
        (&["a.mlir", "--target", "1.5", "-o", "a.bc"], "three numbers"),
        (&["a.mlir", "--target", "1.99.0", "-o", "a.bc"], "versions from 0.9.0 to 1.20.0"),
        (&["two.mlir", "-o", "a.bc"], "2 programs"),
    ] {
        let ran = dir.shlo(&[&["convert"], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(dir.shlo(&["convert", "missing.mlir"]).code, 3);
    assert_eq!(dir.shlo(&["convert", "a.mlir", "-o", "no/such/folder/a.bc"]).code, 3);
}

/// Bytecode that is no artifact holds the attributes that the reading release declares: `custom_call` has one more since
/// 1.18.0, of which a byte says that it is absent.
#[test]
fn bytecode_is_for_a_release() {
    let dir = Directory::new("convert-release");
    dir.file("a.mlir", "func.func @main() {\n  stablehlo.custom_call @f() : () -> ()\n  return\n}\n");
    let size = |flags: &[&str]| {
        assert_eq!(dir.shlo(&[&["convert", "a.mlir", "-o", "a.bc", "--to", "bytecode"], flags].concat()).code, 0);
        assert_eq!(dir.shlo(&["fmt", "a.bc"]).out, dir.shlo(&["fmt", "a.mlir"]).out);
        std::fs::metadata(dir.path().join("a.bc")).unwrap().len()
    };
    assert_eq!(size(&["--target", "1.17.0"]) + 1, size(&[]));
    assert_eq!(size(&["--target", "1.18.0"]), size(&[]));
}

/// A run of a program that was bytecode says where in its text it failed.
#[test]
fn runs_of_bytecode_point_into_its_text() {
    let dir = Directory::new("convert-run");
    dir.file(
        "a.mlir",
        "func.func @main(%arg0: tensor<2xi32>) {\n  check.expect_eq_const %arg0, dense<[1, 2]> : tensor<2xi32> loc(\"here.py\":7:1)\n  return\n}\n",
    );
    assert_eq!(dir.shlo(&["convert", "a.mlir", "-o", "a.bc"]).code, 0);
    let ran = dir.shlo(&["run", "a.bc", "--input", "2xi32=1 3"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.starts_with("a.bc (as text):3:5: error: "), "{}", ran.err);
    assert!(ran.err.contains("here.py:7:1"), "{}", ran.err);
}

#[test]
fn compat_lists_what_stands_in_the_way() {
    let dir = Directory::new("compat");
    dir.file("young.mlir", YOUNG);
    insta::assert_snapshot!("compat", dir.shlo(&["compat", "young.mlir"]).everything());
    insta::assert_snapshot!("compat_target", dir.shlo(&["compat", "young.mlir", "--target", "1.5.0"]).everything());
    assert_eq!(dir.shlo(&["compat", "young.mlir", "--target", "week12"]).code, 0);
    assert_eq!(dir.shlo(&["compat", "young.mlir", "--target", "1.7.0"]).code, 0);
    assert_eq!(dir.shlo(&["compat", "young.mlir", "--target", "1.6.9"]).code, 1);
    let json = dir.shlo(&["compat", "young.mlir", "--format", "json"]).json();
    assert_eq!((&json["oldest"], &json["possible"]), (&"1.7.0".into(), &true.into()));
    assert_eq!(json["readers"]["max"]["possible"], false);
    let blockers = json["blockers"].as_array().unwrap();
    let versions: Vec<&str> = blockers.iter().map(|blocker| blocker["version"].as_str().unwrap()).collect();
    assert_eq!(versions, ["1.7.0", "1.4.0"]);
    assert_eq!((&blockers[1]["line"], &blockers[1]["column"]), (&3.into(), &8.into()));
    assert_eq!(blockers[1]["location"], "tan (model.py:12:3)");
    // What compat says is what convert does.
    for (target, code) in [("1.6.0", 4), ("1.7.0", 0)] {
        assert_eq!(dir.shlo(&["convert", "young.mlir", "-o", "y.bc", "--target", target]).code, code);
    }
}

#[test]
fn compat_of_what_is_never_and_always_possible() {
    let ran = shlo_with_input(&["compat", "-"], NEVER.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("<stdin>: no version of StableHLO's portable artifacts"), "{}", ran.out);
    let ran = shlo_with_input(&["compat", "-"], RIGHT.as_bytes());
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("<stdin>: StableHLO 0.9.0 and newer\n"), "{}", ran.out);
}
