//! `shlo fmt`.

use crate::{BROKEN, Directory, RIGHT, WRONG, shlo_with_input};

/// [`RIGHT`] in canonical form.
const CANONICAL: &str = "\
module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
";

const GENERIC: &str = "\
\"builtin.module\"() ({
  \"func.func\"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = \"main\"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    %0 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    \"func.return\"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
";

#[test]
fn prints() {
    let dir = Directory::new("fmt-prints");
    dir.file("a.mlir", RIGHT);
    assert_eq!(dir.shlo(&["fmt", "a.mlir"]).everything(), format!("exit: 0\n--- stdout\n{CANONICAL}--- stderr\n"));
    assert_eq!(shlo_with_input(&["fmt", "-"], RIGHT.as_bytes()).out, CANONICAL);
    assert_eq!(shlo_with_input(&["fmt", "-", "--generic"], RIGHT.as_bytes()).out, GENERIC);
    assert_eq!(shlo_with_input(&["fmt", "-"], GENERIC.as_bytes()).out, CANONICAL);
    assert_eq!(dir.read("a.mlir"), RIGHT);
}

#[test]
fn locations() {
    let out = shlo_with_input(&["fmt", "-", "--print-debuginfo"], RIGHT.as_bytes()).out;
    assert!(out.contains("loc("), "{out}");
    let local = shlo_with_input(&["fmt", "-", "--locations", "--local-scope"], RIGHT.as_bytes()).out;
    assert!(local.contains("loc(\"<stdin>\":2:"), "{local}");
}

#[test]
fn elides() {
    let text = "func.func @main() -> tensor<4xi8> {\n  %0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi8>\n  \
                return %0 : tensor<4xi8>\n}\n";
    let out = shlo_with_input(&["fmt", "-", "--elide-larger-than", "3"], text.as_bytes()).out;
    assert!(out.contains("dense_resource<__elided__>"), "{out}");
    let out = shlo_with_input(&["fmt", "-", "--elide-larger-than", "4"], text.as_bytes()).out;
    assert!(out.contains("dense<[1, 2, 3, 4]>"), "{out}");
}

#[test]
fn rewrites() {
    let dir = Directory::new("fmt-rewrites");
    dir.file("a.mlir", RIGHT);
    dir.file("sub/b.mlir", RIGHT);
    assert_eq!(dir.shlo(&["fmt", "--check", "."]).code, 1);
    assert_eq!(dir.shlo(&["fmt", "--write", "."]).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    assert_eq!(dir.read("a.mlir"), CANONICAL);
    assert_eq!(dir.read("sub/b.mlir"), CANONICAL);
    assert_eq!(dir.shlo(&["fmt", "--check", "."]).everything(), "exit: 0\n--- stdout\n--- stderr\n");
    let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "temporary files are left: {names:?}");
}

#[cfg(unix)]
#[test]
fn keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = Directory::new("fmt-permissions");
    let path = dir.file("a.mlir", RIGHT);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.mlir", dir.path().join("link.mlir")).unwrap();
    assert_eq!(dir.shlo(&["fmt", "--write", "link.mlir"]).code, 0);
    assert_eq!(dir.read("a.mlir"), CANONICAL);
    assert!(std::fs::symlink_metadata(dir.path().join("link.mlir")).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn names_what_differs() {
    let dir = Directory::new("fmt-differs");
    dir.file("a.mlir", RIGHT);
    dir.file("b.mlir", CANONICAL);
    let ran = dir.shlo(&["fmt", "--check", "a.mlir", "b.mlir"]);
    insta::assert_snapshot!(ran.everything());
}

#[test]
fn writes_nothing_when_there_is_an_error() {
    let dir = Directory::new("fmt-errors");
    let two = format!("{RIGHT}// -----\n{WRONG}");
    dir.file("two.mlir", &two);
    dir.file("broken.mlir", BROKEN);
    for file in ["two.mlir", "broken.mlir"] {
        let ran = dir.shlo(&["fmt", file]);
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{}", ran.err);
        assert!(ran.err.contains("error:"), "{}", ran.err);
        assert_eq!(dir.shlo(&["fmt", "--write", file]).code, 3);
    }
    assert_eq!(dir.read("two.mlir"), two);
    assert_eq!(dir.read("broken.mlir"), BROKEN);
}

#[test]
fn sections_stay() {
    let text = format!("{RIGHT}// -----\n{RIGHT}");
    let ran = shlo_with_input(&["fmt", "-"], text.as_bytes());
    assert_eq!(ran.out, format!("{CANONICAL}// -----\n{CANONICAL}"));
}

#[test]
fn comments_are_not_lost_silently() {
    let dir = Directory::new("fmt-comments");
    let text = format!("// Doubles.\n{RIGHT}");
    dir.file("a.mlir", &text);
    let ran = dir.shlo(&["fmt", "--write", "a.mlir"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("comments would be lost"), "{}", ran.err);
    assert_eq!(dir.read("a.mlir"), text);
    assert_eq!(dir.shlo(&["fmt", "--write", "--drop-comments", "a.mlir"]).code, 0);
    assert_eq!(dir.read("a.mlir"), CANONICAL);
}
