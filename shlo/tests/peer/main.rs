//! What MLIR prints for the programs of this repository, compared with what we print, where a Python with jaxlib is at hand:
//! the one that `SHLO_PEER_PYTHON` names, else `python3`. A test without harness, so that the reason why it is skipped is
//! seen.

#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::allow_attributes, reason = "a test that reports by itself")]

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use stablehlo::syntax::{PrintOptions, Split, parse, print, sections};
use stablehlo::verify::verify;

/// The version that is compared with; MLIR's printer changes now and then.
const JAXLIB: &str = "0.10.2";

/// For each program the pretty and the generic form, null where MLIR rejects it.
type Printed = Vec<Option<[String; 2]>>;

fn main() {
    let named = std::env::var_os("SHLO_PEER_PYTHON");
    let python = named.as_deref().unwrap_or(OsStr::new("python3"));
    let probe = format!("import jax, jaxlib.mlir; assert jaxlib.__version__ == '{JAXLIB}'");
    let probe = Command::new(python).args(["-c", &probe]).stderr(Stdio::null()).status();
    if !probe.is_ok_and(|status| status.success()) {
        assert!(named.is_none(), "SHLO_PEER_PYTHON={} has no jaxlib {JAXLIB}", python.display());
        println!(
            "comparison with MLIR: skipped, python3 has no jaxlib {JAXLIB}; SHLO_PEER_PYTHON may name a Python that has"
        );
        return;
    }
    let programs = programs();
    let printed = printed_by_mlir(python, &programs);
    assert_eq!(printed.len(), programs.len());
    let (mut same, mut different) = (0, 0);
    for (program, theirs) in programs.iter().zip(printed) {
        let Some(theirs) = theirs else { continue };
        let module = parse("-", program).module;
        for (generic, theirs) in [false, true].into_iter().zip(theirs) {
            let ours = print(&module, PrintOptions { generic, ..PrintOptions::default() });
            if ours == theirs {
                same += 1;
            } else {
                different += 1;
                println!("MLIR prints\n{theirs}\nand we print\n{ours}");
            }
        }
    }
    println!("comparison with MLIR: {same} texts are the same, {different} differ");
    assert!(different == 0 && same > 1000);
}

/// The programs under `stablehlo/rules` and `testdata` that are valid.
fn programs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("stablehlo/rules"), root.join("testdata")];
    let mut programs = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "mlir") {
                let text = std::fs::read_to_string(path).unwrap();
                programs
                    .extend(sections(&text, Split::MarkerLines).into_iter().map(|section| text[section].to_owned()));
            }
        }
    }
    programs.retain(|program| {
        let parsed = parse("-", program);
        parsed.is_ok() && verify(&parsed.module, program).is_ok()
    });
    programs
}

fn printed_by_mlir(python: &OsStr, programs: &[String]) -> Printed {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer/print.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&serde_json::to_vec(programs).unwrap()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "print.py: {}", output.status);
    serde_json::from_slice(&output.stdout).unwrap()
}
