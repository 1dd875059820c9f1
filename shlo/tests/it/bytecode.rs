//! Bytecode and text are taken alike; what is wrong in bytes is shown in bytes.

use std::path::{Path, PathBuf};

use crate::{Directory, shlo, shlo_with_input};

/// A portable artifact that JAX wrote.
fn digits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/models/digits/model.mlirbc")
}

fn digits_bytes() -> Vec<u8> {
    std::fs::read(digits()).unwrap()
}

#[test]
fn verify_fmt_and_run_take_bytecode() {
    let model = digits().display().to_string();
    assert_eq!(shlo(&["verify", &model]).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    let text = model.replace(".mlirbc", ".mlir");
    assert_eq!(shlo(&["fmt", &model]).out, shlo(&["fmt", &text]).out);
    assert_eq!(shlo_with_input(&["fmt", "-"], &digits_bytes()).out, shlo(&["fmt", &text]).out);
    let folder = model.replace("model.mlirbc", "");
    let ran = shlo(&[
        "run",
        &model,
        "--input",
        &format!("@{folder}images.npy"),
        "--expect",
        &format!("@{folder}probabilities.npy"),
        "--expect",
        &format!("@{folder}digit.npy"),
        "--atol",
        "1e-5",
    ]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn directories_hold_bytecode_too() {
    let dir = Directory::new("bytecode-names");
    for name in ["a.mlirbc", "b.mlir.bc", "c.bc"] {
        dir.file(name, digits_bytes());
    }
    // LLVM's bitcode has that name too, and is not meant.
    dir.file("llvm.bc", b"BC\xc0\xde");
    dir.file("other.txt", "neither");
    assert_eq!(dir.shlo(&["verify", "."]).code, 0);
    dir.file("d.mlirbc", &digits_bytes()[..100]);
    let ran = dir.shlo(&["verify", "."]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("1 error, 0 warnings in 4 files"), "{}", ran.err);
    // Bytecode in a directory is nothing that could be formatted.
    assert_eq!(dir.shlo(&["fmt", "--check", "."]).code, 3);
}

#[test]
fn fmt_does_not_rewrite_bytecode() {
    let dir = Directory::new("bytecode-write");
    dir.file("m.mlirbc", digits_bytes());
    for flag in ["--write", "--check"] {
        let ran = dir.shlo(&["fmt", flag, "m.mlirbc"]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("m.mlirbc: this is bytecode"), "{}", ran.err);
    }
    assert_eq!(std::fs::read(dir.path().join("m.mlirbc")).unwrap(), digits_bytes());
}

#[test]
fn faults_of_bytes_are_shown_in_the_bytes() {
    let dir = Directory::new("bytecode-faults");
    dir.file("cut.mlirbc", &digits_bytes()[..60]);
    insta::assert_snapshot!("a_fault_in_bytes", dir.shlo(&["verify", "cut.mlirbc"]).everything());
    for command in ["fmt", "run", "inspect"] {
        let ran = dir.shlo(&[command, "cut.mlirbc"]);
        assert_eq!(ran.code, 3, "{command}");
        assert!(ran.err.contains("[bytecode/truncated]"), "{}", ran.err);
        assert!(ran.err.contains("━━"), "{}", ran.err);
    }
    let json = dir.shlo(&["verify", "--format", "json", "cut.mlirbc"]).json();
    let found = &json["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"]), (&"cut.mlirbc".into(), &1.into()));
    let offset = found["byte_offset"].as_u64().unwrap();
    assert!(offset <= 60);
    let sarif = dir.shlo(&["verify", "--format", "sarif", "cut.mlirbc"]).json();
    let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["byteOffset"], &region["startLine"]), (&offset.into(), &1.into()));
    let github = dir.shlo(&["verify", "--format", "github", "cut.mlirbc"]).out;
    assert!(github.starts_with("::error file=cut.mlirbc,line=1,col=1,"), "{github}");
    assert!(github.contains(&format!("at byte {offset} (0x")), "{github}");
}

/// A newer format is nothing that could be judged.
#[test]
fn newer_formats_are_not_supported() {
    let mut bytes = digits_bytes();
    bytes[4] = 7 << 1 | 1;
    for command in ["verify", "fmt", "run", "inspect"] {
        let ran = shlo_with_input(&[command, "-"], &bytes);
        assert_eq!(ran.code, 4, "{command}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn inspect_says_what_a_file_is_made_of() {
    let dir = Directory::new("inspect");
    dir.file("model.mlirbc", digits_bytes());
    insta::assert_snapshot!("inspect", dir.shlo(&["inspect", "model.mlirbc", "--top", "3"]).everything());
    let json = dir.shlo(&["inspect", "model.mlirbc", "--format", "json"]).json();
    assert_eq!(json["kind"], "portable-artifact");
    assert_eq!(json["stablehlo_version"], "1.15.0");
    assert_eq!(json["format_version"], 6);
    assert_eq!(json["counts"]["ops"], 88);
    let sections = json["sections"].as_array().unwrap();
    let inside: u64 = sections.iter().map(|section| section["bytes"].as_u64().unwrap()).sum();
    assert!(inside < json["bytes"].as_u64().unwrap());
    let named = |name: &str| json["ops"].as_array().unwrap().iter().find(|op| op["name"] == name).unwrap().clone();
    assert_eq!(named("vhlo.constant_v1")["count"], 15);
}

#[test]
fn inspect_takes_text() {
    let text = digits().display().to_string().replace(".mlirbc", ".mlir");
    let json = shlo(&["inspect", &text, "--format", "json"]).json();
    assert_eq!((&json["kind"], &json["sections"]), (&"text".into(), &serde_json::Value::Null));
    assert_eq!(json["counts"]["ops"], 88);
    assert_eq!(shlo_with_input(&["inspect", "-"], crate::BROKEN.as_bytes()).code, 3);
    let two = format!("{0}// -----\n{0}", crate::RIGHT);
    assert_eq!(shlo_with_input(&["inspect", "-"], two.as_bytes()).code, 2);
}
