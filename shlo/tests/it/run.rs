//! `shlo run`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{BROKEN, Directory, RIGHT, WRONG, command, shlo_in, shlo_with_input};

/// Counts for ever.
const ENDLESS: &str = "\
func.func @main() -> tensor<i64> {
  %0 = stablehlo.constant dense<0> : tensor<i64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.while(%iterArg = %0) : tensor<i64>
   cond {
    %3 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %3 = stablehlo.add %iterArg, %1 : tensor<i64>
    stablehlo.return %3 : tensor<i64>
  }
  return %2 : tensor<i64>
}
";

/// Divides by zero, which the specification leaves open.
const DIVIDES: &str = "\
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[7, 7]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %2 = stablehlo.divide %0, %1 : tensor<2xi32>
  return %2 : tensor<2xi32>
}
";

/// Two arguments with names.
const NAMED: &str = "\
func.func @main(%arg0: tensor<2xf32> loc(\"w['a.b']\"), %arg1: tensor<2xf32> loc(\"x\")) -> (tensor<2xf32>, tensor<2xi1>) {
  %0 = stablehlo.subtract %arg0, %arg1 : tensor<2xf32>
  %1 = stablehlo.compare GT, %arg0, %arg1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0, %1 : tensor<2xf32>, tensor<2xi1>
}
";

fn directory(name: &str) -> Directory {
    let dir = Directory::new(name);
    for (file, text) in [
        ("right.mlir", RIGHT),
        ("wrong.mlir", WRONG),
        ("broken.mlir", BROKEN),
        ("endless.mlir", ENDLESS),
        ("divides.mlir", DIVIDES),
        ("named.mlir", NAMED),
    ] {
        dir.file(file, text);
    }
    dir
}

#[test]
fn prints_results() {
    let dir = directory("run-prints");
    let ran = dir.shlo(&["run", "right.mlir", "--input", "1 2.5"]);
    let expected = "exit: 0\n--- stdout\nresult 0: dense<[2.000000e+00, 5.000000e+00]> : tensor<2xf32>\n--- stderr\n";
    assert_eq!(ran.everything(), expected);
    let json = dir.shlo(&["run", "right.mlir", "--input", "1 2.5", "--format", "json"]).json();
    assert_eq!(json["results"][0]["type"], "tensor<2xf32>");
    assert_eq!(json["results"][0]["hex"], "000000400000a040");
    // The one engine counts ops, the other steps of its plan.
    assert_eq!(json["steps"], 1);
    let json = dir.shlo(&["run", "right.mlir", "--input", "1 2.5", "--format", "json", "--engine", "reference"]).json();
    assert_eq!((&json["steps"], &json["results"][0]["hex"]), (&2.into(), &"000000400000a040".into()));
}

#[test]
fn notations_of_inputs() {
    let dir = directory("run-notations");
    // [1, 2.5] as numpy writes it.
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(format!("{header:<117}\n").bytes());
    npy.extend([0, 0, 0x80, 0x3f, 0, 0, 0x20, 0x40]);
    dir.file("x.npy", npy);
    dir.file("x.bin", [0, 0, 0x80, 0x3f, 0, 0, 0x20, 0x40]);
    dir.file("list.txt", "# one value in each line\n1 2.5\n");
    let plain = dir.shlo(&["run", "right.mlir", "--input", "1 2.5"]);
    for input in
        ["2xf32=1 2.5", "dense<[1.0, 2.5]> : tensor<2xf32>", "@x.npy", "2xf32=@x.bin", "@list.txt", "arg0=1 2.5"]
    {
        assert_eq!(dir.shlo(&["run", "right.mlir", "--input", input]).everything(), plain.everything(), "{input}");
    }
    let args = dir.shlo(&["run", "right.mlir", "--args=[dense<[1.0, 2.5]> : tensor<2xf32>]"]);
    assert_eq!(args.everything(), plain.everything());
    let seeded = |seed: &str| dir.shlo(&["run", "right.mlir", "--input", &format!("rand:seed={seed}")]).out;
    assert_eq!(seeded("7"), seeded("7"));
    assert_ne!(seeded("7"), seeded("8"));
}

#[test]
fn wrong_inputs_are_3() {
    let dir = directory("run-wrong-inputs");
    for inputs in [
        &[][..],
        &["--input", "1 2 3"],
        &["--input", "1 2", "--input", "3"],
        &["--input", "2xi32=1 2"],
        &["--input", "nobody=1 2"],
        &["--input", "@missing.npy"],
        &["--input", "@right.mlir"],
        &["--args=[dense<[1]> : tensor<1xi32>]"],
        &["--params", "missing.safetensors"],
    ] {
        let ran = dir.shlo(&[&["run", "right.mlir"], inputs].concat());
        assert_eq!(ran.code, 3, "{inputs:?}: {}", ran.err);
        assert!(ran.out.is_empty() && ran.err.starts_with("shlo: error: "), "{inputs:?}: {}", ran.err);
    }
}

#[test]
fn outputs_and_names() {
    let dir = directory("run-outputs");
    let values = ["--input", "x=1 5", "--input", "a.b=2 3"];
    let run = |more: &[&str]| dir.shlo(&[&["run", "named.mlir"], &values[..], more].concat());
    let ran = run(&["--output", "-"]);
    let text = "dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>\ndense<[true, false]> : tensor<2xi1>\n";
    assert_eq!(ran.out, text, "{}", ran.err);
    assert_eq!(run(&["--output", "", "--output", "-"]).out, "dense<[true, false]> : tensor<2xi1>\n");
    assert_eq!(run(&["--output", "-", "--output", "-", "--output", "-"]).code, 2);
    for file in ["out.npz", "out.npy", "out.safetensors", "out.mlir", "out.txt"] {
        let ran = run(&["--output", &format!("@{file}")]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{file}: {}", ran.err);
        let ran = run(&["--expect", &format!("@{file}"), "--exact"]);
        assert_eq!(ran.code, 0, "{file}: {}{}", ran.out, ran.err);
    }
    assert_eq!(run(&["--output", "@out.xyz"]).code, 2);
    // Results of one run are values of another.
    assert_eq!(dir.shlo(&["run", "right.mlir", "--input", "@out.npz:out_0"]).code, 0);
}

#[test]
fn files_are_written_whole_or_appended_to() {
    let dir = Directory::new("run-appends");
    let two = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n  \
               %0 = stablehlo.add %a, %b : tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n";
    dir.file("two.mlir", two);
    let files = || std::fs::read_dir(dir.path()).unwrap().count();
    dir.file("right.mlir", RIGHT);
    for _ in 0..2 {
        let ran = dir.shlo(&["run", "right.mlir", "--input", "1 2.5", "--output", "+out.npy"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    // The file holds two arrays, one for each argument.
    let ran = dir.shlo(&["run", "two.mlir", "--input", "@out.npy", "--output", "-"]);
    assert_eq!(ran.out, "dense<[4.000000e+00, 1.000000e+01]> : tensor<2xf32>\n", "{}", ran.err);
    let ran = dir.shlo(&["run", "right.mlir", "--input", "1 2.5", "--output", "@missing/out.npy"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("cannot write missing/out.npy"), "{}", ran.err);
    assert_eq!(dir.shlo(&["run", "right.mlir", "--input", "1 2.5", "--output", "+out.npz"]).code, 3);
    assert_eq!(files(), 3, "no temporary files stay behind");
}

#[test]
fn parameters_by_name_and_number() {
    let dir = directory("run-params");
    let right = |args: &[&str]| dir.shlo(&[&["run", "right.mlir"], args].concat());
    right(&["--input", "1 1.5", "--output", "@out.npz"]);
    // `out.npz` has one array, `out_0`, which is no argument's name.
    let ran = right(&["--params", "out.npz"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no array has the name of an argument; the arguments are arg0"), "{}", ran.err);
}

#[test]
fn expectations() {
    let dir = directory("run-expectations");
    let run = |more: &[&str]| dir.shlo(&[&["run", "right.mlir", "--input", "1 2.5"], more].concat());
    let ran = run(&["--expect", "2 5"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("result 0: as expected: all 2 elements agree"), "{}", ran.out);
    let ran = run(&["--expect", "2 5.5"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.starts_with("result 0: NOT as expected: 1 of 2 elements differ"), "{}", ran.out);
    assert_eq!(run(&["--expect", "2 5.5", "--atol", "0.5"]).code, 0);
    assert_eq!(run(&["--expect", "2 5.5", "--rtol", "0.05"]).code, 1);
    assert_eq!(run(&["--expect", "2 5.000001", "--ulp", "2"]).code, 0);
    assert_eq!(run(&["--expect", "2 5.000001", "--exact"]).code, 1);
    assert_eq!(run(&["--expect", "2 5.000001"]).code, 0);
    assert_eq!(run(&["--expect", "(ignored)"]).code, 0);
    assert_eq!(run(&["--atol", "1"]).code, 2);
    let json = run(&["--expect", "2 5.5", "--format", "json"]).json();
    assert_eq!(json["comparisons"][0]["passes"], false);
    assert_eq!(json["comparisons"][0]["max_abs"]["value"], 0.5);
    assert_eq!(json["comparisons"][0]["max_abs"]["index"], 1);
}

#[test]
fn invalid_programs_are_3() {
    let dir = directory("run-invalid");
    for file in ["wrong.mlir", "broken.mlir", "missing.mlir"] {
        let ran = dir.shlo(&["run", file]);
        assert_eq!((ran.code, ran.out.as_str()), (3, ""), "{file}");
        assert!(ran.err.contains(file) && ran.err.contains("error: "), "{}", ran.err);
    }
}

#[test]
fn functions() {
    let dir = Directory::new("run-functions");
    let function = |name: &str, value: u8| {
        format!(
            "func.func @{name}() -> tensor<i8> {{\n  %0 = stablehlo.constant dense<{value}> : tensor<i8>\n  \
             return %0 : tensor<i8>\n}}\n"
        )
    };
    dir.file("one.mlir", function("f", 1));
    dir.file("two.mlir", function("f", 1) + &function("g", 2));
    dir.file("main.mlir", function("f", 1) + &function("main", 2));
    assert_eq!(dir.shlo(&["run", "one.mlir"]).out, "result 0: dense<1> : tensor<i8>\n");
    assert_eq!(dir.shlo(&["run", "main.mlir"]).out, "result 0: dense<2> : tensor<i8>\n");
    assert_eq!(dir.shlo(&["run", "two.mlir", "--function", "g"]).out, "result 0: dense<2> : tensor<i8>\n");
    assert_eq!(dir.shlo(&["run", "two.mlir", "--function", "@f"]).out, "result 0: dense<1> : tensor<i8>\n");
    let ran = dir.shlo(&["run", "two.mlir"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the functions are @f, @g"), "{}", ran.err);
    let ran = dir.shlo(&["run", "two.mlir", "--function", "h"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("there is no function @h; the functions are @f, @g"), "{}", ran.err);
    dir.file("none.mlir", "");
    assert_eq!(dir.shlo(&["run", "none.mlir"]).code, 3);
}

#[test]
fn sections_run_one_after_the_other() {
    let text = format!("{DIVIDES}// -----\n// nothing\n// -----\n{DIVIDES}");
    let ran = shlo_with_input(&["run", "-"], text.as_bytes());
    assert_eq!(ran.out, "result 0: dense<[3, -1]> : tensor<2xi32>\n".repeat(2), "{}", ran.err);
    let json = shlo_with_input(&["run", "-", "--format", "json"], text.as_bytes()).json();
    assert_eq!(json["sections"].as_array().unwrap().len(), 2);
}

#[test]
fn strict_names_the_points() {
    let dir = directory("run-strict");
    assert_eq!(dir.shlo(&["run", "divides.mlir"]).err, "");
    let ran = dir.shlo(&["run", "divides.mlir", "--strict"]);
    assert_eq!(ran.code, 0);
    let first = ran.err.lines().next().unwrap();
    assert!(first.starts_with("divides.mlir:4:8: remark: ") && first.ends_with("[divide-by-zero]"), "{first}");
    let json = dir.shlo(&["run", "divides.mlir", "--strict", "--format", "json"]).json();
    assert_eq!(json["touched"][0]["point"], "divide-by-zero");
    assert_eq!(json["touched"][0]["line"], 4);
}

#[test]
fn failed_checks_are_1() {
    let text = "func.func @main() {\n  %0 = stablehlo.constant dense<1> : tensor<i8>\n  \
                %1 = stablehlo.constant dense<2> : tensor<i8>\n  check.expect_eq %0, %1 : tensor<i8>\n  return\n}\n";
    let ran = shlo_with_input(&["run", "-"], text.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{}", ran.err);
    assert!(ran.err.starts_with("<stdin>:4:3: error: ") && ran.err.contains("[exec/check-failed]"), "{}", ran.err);
    let json = shlo_with_input(&["run", "-", "--format", "json"], text.as_bytes()).json();
    assert_eq!(json["error"]["code"], "exec/check-failed");
    assert_eq!(json["error"]["line"], 4);
}

#[test]
fn unknown_custom_calls_are_4() {
    let text = "func.func @main() -> tensor<i8> {\n  %0 = stablehlo.custom_call @nobody() : () -> tensor<i8>\n  \
                return %0 : tensor<i8>\n}\n";
    let ran = shlo_with_input(&["run", "-"], text.as_bytes());
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.err.contains("@nobody") || ran.err.contains("nobody"), "{}", ran.err);
}

#[test]
fn limits_are_5() {
    let dir = directory("run-limits");
    for flags in [&["--max-steps", "1000"][..], &["--timeout", "0.2"]] {
        let ran = dir.shlo(&[&["run", "endless.mlir"], flags].concat());
        assert_eq!(ran.code, 5, "{flags:?}: {}", ran.err);
    }
    let ran = dir.shlo(&["run", "right.mlir", "--input", "1 2", "--max-memory", "4"]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    dir.file("list.txt", "1 2\n".to_owned() + &"# nothing\n".repeat(1000));
    for flags in
        [&["--input", "@list.txt"][..], &["--params", "list.txt"], &["--input", "1 2", "--expect", "@list.txt"]]
    {
        let ran = dir.shlo(&[&["run", "right.mlir", "--max-memory", "4K"], flags].concat());
        assert_eq!(ran.code, 5, "{flags:?}: {}", ran.err);
    }
    for wrong in [["--max-memory", "lots"], ["--max-memory", "5X"], ["--timeout", "-1"], ["--timeout", "nan"]] {
        assert_eq!(dir.shlo(&[&["run", "right.mlir"], &wrong[..]].concat()).code, 2, "{wrong:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_is_130() {
    let dir = directory("run-interrupt");
    let mut child = command(dir.path(), &["run", "endless.mlir"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let began = Instant::now();
    if kill.is_ok_and(|status| status.success()) {
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(began.elapsed() < Duration::from_secs(5));
    } else {
        // No way to interrupt it here.
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// The command that the README shows first, and the same network with its weights as arguments.
#[test]
fn a_trained_network() {
    let digits = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/models/digits");
    let expected = ["--expect", "@probabilities.npy", "--expect", "@digit.npy", "--atol", "1e-5"];
    let whole = ["run", "model.mlir", "--input", "@images.npy"];
    let with_weights = ["run", "model_args.mlir", "--params", "weights.safetensors", "--input", "images=@images.npy"];
    for command in [&whole[..], &with_weights] {
        let ran = shlo_in(&digits, &[command, &expected].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert_eq!(ran.out.matches("as expected").count(), 2, "{}", ran.out);
    }
    let ran =
        shlo_in(&digits, &["run", "train_step.mlir", "--params", "train_step.npz", "--expect", "@train_step.npz"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(ran.out.lines().count(), 17, "{}", ran.out);
}
