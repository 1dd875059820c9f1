//! Inputs that nobody planned for.

use crate::{Directory, shlo_with_input};

#[test]
fn a_directory_without_programs() {
    let dir = Directory::new("no-programs");
    dir.file("notes.txt", "func.func");
    for arguments in [&["verify", "."][..], &["fmt", "--check", "."]] {
        let ran = dir.shlo(arguments);
        assert_eq!(ran.code, 3);
        assert!((ran.out + &ran.err).contains("no program in this directory"));
    }
    std::fs::create_dir(dir.path().join("another")).unwrap();
    let ran = dir.shlo(&["verify", "another", "."]);
    assert_eq!(ran.out.matches("no program in this directory").count(), 2, "{}", ran.out);
}

#[test]
fn a_missing_file() {
    let dir = Directory::new("missing");
    for arguments in [
        &["verify", "missing.mlir"][..],
        &["fmt", "missing.mlir"],
        &["fmt", "--check", "missing.mlir"],
        &["run", "missing.mlir"],
    ] {
        let ran = dir.shlo(arguments);
        assert_eq!(ran.code, 3, "{arguments:?}");
        let said = ran.out + &ran.err;
        assert!(said.contains("missing.mlir") && said.contains("No such file or directory"), "{said}");
    }
}

#[test]
fn binary_garbage() {
    let dir = Directory::new("garbage");
    let garbage: Vec<u8> = (0u32..4096).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    dir.file("garbage.mlir", &garbage);
    let ran = dir.shlo(&["verify", "garbage.mlir"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("garbage.mlir:") && ran.out.contains("error:"), "{}", ran.out);
    assert!(!ran.out.contains('\x1b') && !ran.out.contains('\0'), "control characters reach the terminal");
    let ran = dir.shlo(&["fmt", "--write", "garbage.mlir"]);
    assert_eq!(ran.code, 3);
    assert_eq!(std::fs::read(dir.path().join("garbage.mlir")).unwrap(), garbage);
    assert_eq!(dir.shlo(&["run", "garbage.mlir"]).code, 3);
    for name in ["values.npy", "values.npz", "values.safetensors", "values.txt"] {
        dir.file(name, &garbage);
        dir.file("right.mlir", crate::RIGHT);
        let ran = dir.shlo(&["run", "right.mlir", "--input", &format!("@{name}")]);
        assert_eq!(ran.code, 3, "{name}: {}", ran.err);
    }
}

#[test]
fn strings_need_not_be_utf8() {
    let text = b"module attributes {a.name = \"caf\xe9\"} {\n}\n";
    assert_eq!(shlo_with_input(&["verify", "-"], text).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    assert_eq!(shlo_with_input(&["fmt", "-"], text).out, "module attributes {a.name = \"caf\\E9\"} {\n}\n");
    let wrong = b"module attributes {a.name = \"caf\xe9\"} { \xe9\n}\n";
    let ran = shlo_with_input(&["verify", "-"], wrong);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("<stdin>:1:39: error: "), "{}", ran.out);
}

#[test]
fn an_empty_file() {
    let dir = Directory::new("empty");
    dir.file("empty.mlir", "");
    assert_eq!(dir.shlo(&["verify", "empty.mlir"]).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    assert_eq!(dir.shlo(&["fmt", "empty.mlir"]).out, "module {\n}\n");
    let ran = dir.shlo(&["run", "empty.mlir"]);
    assert_eq!((ran.code, ran.err.as_str()), (3, "shlo: error: the module has no function\n"));
}

#[test]
fn a_line_of_ten_megabytes() {
    let dir = Directory::new("long-line");
    let text = format!("%0 = stablehlo.constant dense<\"0x{}\"> : tensor<4xf99>", "AB".repeat(5 << 20));
    dir.file("long.mlir", text);
    let ran = dir.shlo(&["verify", "long.mlir"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.len() < 10_000, "{} bytes of report", ran.out.len());
    assert_eq!(dir.shlo(&["run", "long.mlir"]).code, 3);
    let ran = shlo_with_input(&["verify", "-"], "(".repeat(10 << 20).as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.out.len() < 100_000, "{} bytes of report", ran.out.len());
}

/// A result of 16 GiB that is one element in memory: shown as text, refused where each element would be written.
#[test]
fn a_huge_splat_is_not_written_out() {
    let dir = Directory::new("huge-splat");
    let ty = "tensor<65536x65536xf32>";
    let text =
        format!("func.func @main() -> {ty} {{\n  %0 = stablehlo.constant dense<1.0> : {ty}\n  return %0 : {ty}\n}}\n");
    dir.file("splat.mlir", text);
    let shown = dir.shlo(&["run", "splat.mlir"]);
    assert_eq!(shown.code, 0, "{}", shown.everything());
    for arguments in [["run", "splat.mlir", "--format", "json"], ["run", "splat.mlir", "--output", "@out.npy"]] {
        let refused = dir.shlo(&arguments);
        assert_eq!(refused.code, 5, "{}", refused.everything());
        assert!(refused.everything().contains("17179869184 bytes"), "{}", refused.everything());
    }
    assert!(!dir.path().join("out.npy").exists());
}
