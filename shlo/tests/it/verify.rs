//! `shlo verify`.

use crate::{BROKEN, Directory, RIGHT, WRONG, command, shlo_with_input};

fn project(name: &str) -> Directory {
    let dir = Directory::new(name);
    dir.file("right.mlir", RIGHT);
    dir.file("wrong.mlir", WRONG);
    dir.file("sub/broken.mlir", BROKEN);
    dir.file("sub/.hidden/skipped.mlir", BROKEN);
    dir.file("sub/notes.txt", "not a program");
    dir
}

#[test]
fn exit_codes() {
    let dir = project("verify-codes");
    assert_eq!(dir.shlo(&["verify", "right.mlir"]).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    assert_eq!(dir.shlo(&["verify", "wrong.mlir"]).code, 1);
    assert_eq!(dir.shlo(&["verify", "sub/broken.mlir"]).code, 1);
    assert_eq!(dir.shlo(&["verify", "right.mlir", "missing.mlir", "wrong.mlir"]).code, 3);
}

#[test]
fn text() {
    let dir = project("verify-text");
    insta::assert_snapshot!(dir.shlo(&["verify", "wrong.mlir"]).everything());
    let ran = dir.shlo(&["verify", "wrong.mlir"]);
    let first = ran.out.lines().next().unwrap();
    assert!(first.starts_with("wrong.mlir:2:53: error: ") && first.ends_with(" [pad_c3]"), "{first}");
}

#[test]
fn colours() {
    let dir = project("verify-colours");
    let plain = dir.shlo(&["verify", "wrong.mlir"]).out;
    assert!(!plain.contains('\x1b'));
    let forced = command(dir.path(), &["verify", "wrong.mlir"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let both = command(dir.path(), &["verify", "wrong.mlir"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert_eq!(String::from_utf8(both.unwrap().stdout).unwrap(), plain);
}

#[test]
fn json() {
    let dir = project("verify-json");
    let json = dir.shlo(&["verify", "wrong.mlir", "--format", "json"]).json();
    let diagnostics = json["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1);
    let diagnostic = &diagnostics[0];
    assert_eq!(diagnostic["file"], "wrong.mlir");
    assert_eq!(diagnostic["line"], 2);
    assert_eq!(diagnostic["severity"], "error");
    assert_eq!(diagnostic["code"], "pad_c3");
    assert!(diagnostic["message"].as_str().unwrap().contains("-1"));
    assert!(diagnostic["labels"].is_array());
    assert_eq!(dir.shlo(&["verify", "right.mlir", "--format", "json"]).out, "{\"schema\":1,\"diagnostics\":[]}\n");
}

#[test]
fn directories_in_order_and_in_parallel() {
    let dir = project("verify-directories");
    let one = dir.shlo(&["verify", ".", "-j1"]);
    assert_eq!(one.code, 1);
    let files: Vec<&str> = one.out.lines().filter(|line| line.contains(": error: ")).collect();
    assert!(files.first().unwrap().contains("sub/broken.mlir:") && files.last().unwrap().contains("wrong.mlir:"));
    assert!(!one.out.contains("skipped.mlir"));
    for _ in 0..5 {
        assert_eq!(dir.shlo(&["verify", ".", "-j8"]).out, one.out);
    }
}

#[test]
fn standard_input() {
    let ran = shlo_with_input(&["verify", "-"], WRONG.as_bytes());
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("<stdin>:2:53: error: "), "{}", ran.out);
}

#[test]
fn sections_keep_the_lines_of_the_file() {
    let dir = Directory::new("verify-sections");
    dir.file("two.mlir", format!("{RIGHT}// -----\n{WRONG}"));
    let json = dir.shlo(&["verify", "two.mlir", "--format", "json"]).json();
    assert_eq!(json["diagnostics"][0]["line"], 7);
    // As one program it has two functions called main.
    let ran = dir.shlo(&["verify", "two.mlir", "--no-split-input-file", "--format", "json"]);
    assert_eq!(ran.code, 1);
    dir.file("inline.mlir", format!("{RIGHT}// // -----\n{WRONG}"));
    let ran = dir.shlo(&["verify", "inline.mlir", "--split-input-file", "--format", "json"]);
    assert_eq!(ran.json()["diagnostics"][0]["line"], 7);
}

#[test]
fn github() {
    let dir = Directory::new("verify-github");
    dir.file("a,b.mlir", WRONG);
    let ran = dir.shlo(&["verify", "a,b.mlir", "--format", "github"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("::error file=a%2Cb.mlir,line=2,col="), "{}", ran.out);
    assert!(ran.out.contains("title=pad_c3::"), "{}", ran.out);
    assert_eq!(ran.out.lines().count(), 1, "{}", ran.out);
}

#[test]
fn sarif() {
    let dir = project("verify-sarif");
    let ran = dir.shlo(&["verify", ".", "missing.mlir", "--format", "sarif"]);
    assert_eq!(ran.code, 3);
    let sarif = ran.json();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 3);
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        // Every code is explained, also those of files that cannot be read.
        assert!(!["", "See the message."].contains(&rule["help"]["text"].as_str().unwrap()), "{rule}");
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.starts_with('/') && !uri.starts_with("./"), "{uri}");
        assert!(result["partialFingerprints"]["primaryLocationLineHash"].is_string());
    }
    let pad = results.iter().find(|result| result["ruleId"] == "pad_c3").unwrap();
    assert_eq!(pad["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    // A fingerprint does not depend on where in the file the line stands.
    dir.file("wrong.mlir", format!("\n\n{WRONG}"));
    let moved = dir.shlo(&["verify", "wrong.mlir", "--format", "sarif"]).json();
    assert_eq!(moved["runs"][0]["results"][0]["partialFingerprints"], pad["partialFingerprints"]);
}

#[test]
fn unregistered_dialects() {
    let dir = Directory::new("verify-unregistered");
    dir.file("a.mlir", "func.func @main() {\n  \"mine.op\"() : () -> ()\n  return\n}\n");
    assert_eq!(dir.shlo(&["verify", "a.mlir"]).code, 1);
    assert_eq!(dir.shlo(&["verify", "a.mlir", "--allow-unregistered-dialect"]).code, 0);
}
