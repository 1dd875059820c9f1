//! Help, versions, wrong command lines, closed pipes.

use std::io::Read;
use std::process::Stdio;

use crate::{Directory, WRONG, command, shlo};

#[test]
fn wrong_command_lines_are_2() {
    for arguments in [
        &["frobnicate"][..],
        &["verify"],
        &["verify", "--format", "xml", "a.mlir"],
        &["verify", "-j0", "a.mlir"],
        &["fmt"],
        &["fmt", "--write", "--check", "a.mlir"],
        &["fmt", "--write", "-"],
        &["fmt", "a.mlir", "b.mlir"],
        &["explain"],
        &["explain", "pad_c99"],
        &["version", "--nothing"],
        &["convert"],
        &["compat", "a.mlir", "b.mlir"],
        &["inspect", "a.mlir", "--format", "sarif"],
    ] {
        let ran = shlo(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty() && ran.out.is_empty(), "{arguments:?}");
    }
}

#[test]
fn help_teaches() {
    let ran = shlo(&["--help"]);
    assert_eq!(ran.code, 0);
    for command in ["verify", "fmt", "run", "convert", "compat", "inspect", "explain", "version"] {
        assert!(ran.out.contains(command), "{command}");
        let help = shlo(&[command, "--help"]);
        assert_eq!(help.code, 0);
        if command != "version" {
            assert!(help.out.contains("Examples:") && help.out.contains("Exit codes:"), "{command}");
        }
    }
}

#[test]
fn version() {
    assert!(shlo(&["version"]).out.starts_with(concat!("shlo ", env!("CARGO_PKG_VERSION"))));
    let json = shlo(&["version", "--json"]).json();
    assert_eq!(json["name"], "shlo");
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let dir = Directory::new("pipe");
    dir.file("wrong.mlir", WRONG);
    for arguments in [&["explain", "--list"][..], &["verify", "wrong.mlir"], &["version"]] {
        let mut child = command(dir.path(), arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let code = child.wait().unwrap().code().unwrap();
        assert!(code == 0 || code == 1, "{arguments:?} ended with {code}: {err}");
        assert!(!err.contains("internal error") && !err.contains("panic"), "{err}");
    }
}
