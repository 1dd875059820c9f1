//! `shlo run` on both engines, and `shlo bench`.

use crate::{Directory, RIGHT, command};

/// Counts to the value of its argument, printing each number.
const PRINTS: &str = "\
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.while(%i = %0) : tensor<i32>
   cond {
    %3 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    interpreter.print %i : tensor<i32>
    %3 = stablehlo.add %i, %1 : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }
  return %2 : tensor<i32>
}
";

/// Its size is not known before the run.
const DYNAMIC: &str = "\
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
";

const LARGE: &str = "\
func.func @main(%x: tensor<1024x64xf32>) -> tensor<1024x64xf32> {
  %0 = stablehlo.add %x, %x : tensor<1024x64xf32>
  return %0 : tensor<1024x64xf32>
}
";

fn directory(name: &str) -> Directory {
    let dir = Directory::new(name);
    for (file, text) in
        [("right.mlir", RIGHT), ("prints.mlir", PRINTS), ("dynamic.mlir", DYNAMIC), ("large.mlir", LARGE)]
    {
        dir.file(file, text);
    }
    dir
}

#[test]
fn both_engines_print_the_same() {
    let dir = directory("engines-same");
    for arguments in [
        &["run", "right.mlir", "--input", "1 2.5"][..],
        &["run", "prints.mlir", "--input", "3"],
        &["run", "dynamic.mlir", "--input", "2xf32=1 2"],
    ] {
        let reference = dir.shlo(&[arguments, &["--engine", "reference"]].concat());
        let simd = dir.shlo(&[arguments, &["--engine", "simd", "--threads", "2"]].concat());
        assert_eq!(reference.everything(), simd.everything());
        assert_eq!(reference.code, 0);
    }
}

#[test]
fn check_compares_the_engines() {
    let dir = directory("engines-check");
    let ran = dir.shlo(&["run", "prints.mlir", "--input", "2", "--engine", "simd", "--check"]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("check: result 0: the engines agree"), "{}", ran.out);
    let json = dir.shlo(&["run", "right.mlir", "--input", "1 2", "--check", "--format", "json", "--exact"]).json();
    assert_eq!((&json["check"]["agree"], &json["check"]["same_effects"]), (&true.into(), &true.into()));
    // A tolerance is of no use without a comparison.
    assert_eq!(dir.shlo(&["run", "right.mlir", "--input", "1 2", "--exact"]).code, 2);
}

#[test]
fn explain_says_what_is_left_to_the_interpreter() {
    let dir = directory("engines-explain");
    let ran = dir.shlo(&["run", "prints.mlir", "--engine", "simd", "--explain"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("while of"), "{}", ran.out);
    assert!(ran.out.contains("left to the interpreter:\n  interpreter.print (1x): "), "{}", ran.out);
    let ran = dir.shlo(&["run", "large.mlir", "--engine", "simd", "--explain", "--threads", "3"]);
    assert!(ran.out.contains("no op is left to the interpreter") && ran.out.contains("3 threads"), "{}", ran.out);
    let ran = dir.shlo(&["run", "dynamic.mlir", "--engine", "simd", "--explain"]);
    assert!(ran.out.starts_with("The whole program is left to the interpreter: "), "{}", ran.out);
    // With inputs the sizes are known.
    let ran = dir.shlo(&["run", "dynamic.mlir", "--explain", "--input", "5xf32=1 2 3 4 5"]);
    assert!(ran.out.contains("loop 5: add"), "{}", ran.out);
}

#[test]
fn profiles_are_chrome_traces() {
    let dir = directory("engines-profile");
    let ran = dir.shlo(&["run", "prints.mlir", "--input", "2", "--engine", "simd", "--profile", "trace.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let trace: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("trace.json")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let prints = events.iter().filter(|event| event["args"]["op"] == "interpreter.print");
    assert_eq!(prints.count(), 2);
    assert!(events.iter().all(|event| event["ph"] == "X" && event["dur"].as_f64().unwrap() >= 0.0));
    assert!(events.iter().any(|event| event["cat"] == "while"));
}

#[test]
fn times() {
    let dir = directory("engines-bench");
    let ran = dir.shlo(&["run", "right.mlir", "--input", "1 2", "--engine", "simd", "--bench=5"]);
    assert!(ran.out.starts_with("5 runs: min ") && !ran.out.contains("result"), "{}", ran.out);
    let json = dir.shlo(&["bench", "large.mlir", "--runs", "4", "--threads", "1", "--format", "json"]).json();
    assert_eq!((&json["runs"], &json["threads"], &json["engine"]), (&4.into(), &1.into(), &"simd".into()));
    assert_eq!(json["bytes"], 2 * 1024 * 64 * 4);
    assert!(json["min_s"].as_f64().unwrap() <= json["median_s"].as_f64().unwrap());
    assert!(json["gb_per_s"].as_f64().unwrap() > 0.0);
    let ran = dir.shlo(&["bench", "right.mlir", "--runs", "3", "--engine", "reference"]);
    assert!(ran.out.starts_with("reference engine, 1 threads: 3 runs"), "{}", ran.out);
}

#[test]
fn limits_hold_on_the_executor() {
    let dir = directory("engines-limits");
    dir.file("endless.mlir", PRINTS.replace("    interpreter.print %i : tensor<i32>\n", "").replace("LT", "NE"));
    let input = ["run", "endless.mlir", "--input", "-1", "--engine", "simd"];
    for (limit, code) in [(["--timeout", "0.1"], "exec/time-limit"), (["--max-steps", "100"], "exec/step-limit")] {
        let ran = dir.shlo(&[&input[..], &limit].concat());
        assert_eq!(ran.code, 5, "{}", ran.err);
        assert!(ran.err.contains(code), "{}", ran.err);
    }
    let ran = dir.shlo(&["bench", "large.mlir", "--max-memory", "1000K", "--runs", "1"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let wide = "func.func @main(%x: tensor<1024xf32>) -> tensor<64x1024xf32> {
      %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<1024xf32>) -> tensor<64x1024xf32>
      return %0 : tensor<64x1024xf32>
    }";
    dir.file("wide.mlir", wide);
    let ran = dir.shlo(&["run", "wide.mlir", "--input", "rand", "--engine", "simd", "--max-memory", "200K"]);
    assert_eq!(ran.code, 5);
    assert!(ran.err.contains("exec/memory-limit"), "{}", ran.err);
}

#[test]
fn what_an_engine_cannot_do_is_a_wrong_command_line() {
    let dir = directory("engines-usage");
    for flags in [
        &["--engine", "simd", "--strict"][..],
        &["--strict", "--profile", "x.json"],
        &["--strict", "--explain"],
        &["--engine", "reference", "--explain"],
        &["--engine", "reference", "--threads", "2"],
        &["--engine", "fast"],
        &["--engine", "simd", "--threads", "0"],
    ] {
        let ran = dir.shlo(&[&["run", "right.mlir", "--input", "1 2"], flags].concat());
        assert_eq!(ran.code, 2, "{flags:?}: {}", ran.everything());
    }
}

#[test]
fn vector_instructions_are_chosen_by_the_environment() {
    let dir = directory("engines-isa");
    let run = |isa: &str| {
        let mut command = command(dir.path(), &["run", "large.mlir", "--engine", "simd", "--explain"]);
        command.env("SHLO_ISA", isa).output().unwrap()
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(text(&run("baseline").stdout).starts_with("plan for baseline"));
    assert_eq!(run("").status.code(), Some(0));
    let wrong = run("mmx");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("known are baseline, avx2 and avx512"), "{}", text(&wrong.stderr));
}
