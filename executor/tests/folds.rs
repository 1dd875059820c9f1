//! Reductions, windows and sorts against the interpreter: on random numbers and on NaNs, zeros and infinities, at every
//! level of vector instructions and with one to three threads, which must not change a bit of the result.

#![allow(clippy::unwrap_used, clippy::allow_attributes, reason = "a test that cannot go on fails")]

use executor::{Executor, Isa, Plan};
use interpreter::compare::{Rule, compare};
use interpreter::io::{generate, signature};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::ir::{Literal, OpId};
use stablehlo::syntax::parse;
use stablehlo::verify::{Verified, verify};

/// Sums of 16-bit floats: the interpreter rounds after each step, the kernel once at the end.
const COARSE: Rule = Rule { atol: 0.5, rtol: 0.1, ulp: 1 };
/// Sums of random numbers in any order.
const NEAR: Rule = Rule { atol: 2e-2, rtol: 2e-2, ulp: 1 };

fn with_module<R>(mlir: &str, f: impl FnOnce(Verified<'_>, OpId) -> R) -> R {
    let parsed = parse("test", mlir);
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{mlir}", parsed.diagnostics);
    let verified = verify(&parsed.module, mlir).unwrap_or_else(|faults| panic!("{faults:?}\n{mlir}"));
    f(verified, parsed.module.function("main").unwrap())
}

/// Random numbers; every other one a special value if asked for.
fn inputs(module: Verified<'_>, function: OpId, special: bool) -> Vec<Tensor> {
    let arguments = signature::arguments(module.module(), function).unwrap();
    let made = arguments.iter().zip(7u64..).map(|(argument, seed)| {
        let shape: Vec<usize> = argument.shape.iter().map(|size| size.unwrap()).collect();
        let make = |text: &str| generate::generate(text, argument.element, &shape, 1 << 30).unwrap().unwrap();
        let (random, specials) = (make(&format!("rand:seed={seed}")), make("special"));
        let mut state = seed;
        let mut bytes = Vec::new();
        for index in 0..random.len() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 33) as usize;
            let chosen = special && number.is_multiple_of(2);
            bytes.extend_from_slice(match chosen {
                true => specials.element_bytes(number / 2 % specials.len()),
                false => random.element_bytes(index),
            });
        }
        Tensor::new(argument.element, &shape, bytes).unwrap()
    });
    made.collect()
}

/// Both engines give the same: to the bit, or within `rule` on random numbers only.
fn agrees(mlir: &str, rule: Option<Rule>) {
    with_module(mlir, |module, function| {
        for special in [false, true] {
            if special && rule.is_some() {
                continue;
            }
            let inputs = inputs(module, function, special);
            let values = inputs.iter().cloned().map(Value::Tensor).collect();
            let expected = interpreter::run(module, function, values, &Config::default(), &mut Host::default());
            let expected = expected.unwrap().results;
            let literals: Vec<Literal> = inputs.iter().map(Literal::from).collect();
            for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
                let plan = Plan::new(module, function, isa).unwrap();
                assert!(plan.left_to_interpreter().is_empty(), "{plan}\n{mlir}");
                let mut first: Option<Vec<Literal>> = None;
                for n_threads in [1, 2, 3] {
                    let executor = Executor::new(n_threads);
                    let results = executor.run(&plan, &literals, &Config::default(), &mut Host::default()).unwrap();
                    for (result, expected) in results.iter().zip(&expected) {
                        let found =
                            compare(&Tensor::from(result), expected.tensor().unwrap(), rule.unwrap_or(Rule::EXACT));
                        let good = found.passes() && (rule.is_some() || found.n_zero_signs == 0);
                        assert!(good, "{isa}, {n_threads} threads, special {special}: {found}\n{mlir}\n{plan}");
                    }
                    let first = first.get_or_insert_with(|| results.clone());
                    let same = first.iter().zip(&results).all(|(a, b)| a.data() == b.data());
                    assert!(same, "{isa}: the number of threads matters\n{mlir}");
                }
            }
        }
    });
}

#[test]
fn reductions_of_one_op() {
    let shapes = [
        ("7x300", "1", "7x"),
        ("7x300", "0", "300x"),
        ("3x5x70", "0, 2", "5x"),
        ("3x5x70", "1", "3x70x"),
        ("3x5x70", "0, 1, 2", ""),
        ("2x1x3", "1", "2x3x"),
        ("9x2x33x3", "0, 2", "2x3x"),
        ("300x400", "0, 1", ""),
    ];
    for element in ["f32", "bf16", "f16", "f64", "complex<f32>", "i32", "i8", "ui16", "i64", "i1"] {
        for op in ["add", "multiply", "maximum", "minimum", "and", "or"] {
            let is_integer = element.contains('i');
            if matches!(op, "and" | "or") && !is_integer {
                continue;
            }
            let exact = is_integer || matches!(op, "maximum" | "minimum");
            for (shape, dimensions, out) in shapes {
                // A long sum that is rounded after each step says nothing.
                if shape == "300x400" && matches!(element, "bf16" | "f16") && !exact {
                    continue;
                }
                let program = format!(
                    "func.func @main(%a: tensor<{shape}x{element}>, %i: tensor<{element}>) -> tensor<{out}{element}> {{
                       %0 = stablehlo.reduce(%a init: %i) applies stablehlo.{op} across dimensions = [{dimensions}]
                         : (tensor<{shape}x{element}>, tensor<{element}>) -> tensor<{out}{element}>
                       return %0 : tensor<{out}{element}>
                     }}"
                );
                let rule = if matches!(element, "bf16" | "f16") { COARSE } else { NEAR };
                agrees(&program, (!exact).then_some(rule));
            }
        }
    }
}

#[test]
fn reductions_of_views() {
    let program = "func.func @main(%a: tensor<300x400xi32>, %i: tensor<i32>)
        -> (tensor<300xi32>, tensor<400xi32>, tensor<5xi32>) {
      %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<300x400xi32>) -> tensor<400x300xi32>
      %1 = stablehlo.reduce(%t init: %i) applies stablehlo.maximum across dimensions = [0]
        : (tensor<400x300xi32>, tensor<i32>) -> tensor<300xi32>
      %r = stablehlo.reverse %t, dims = [0, 1] : tensor<400x300xi32>
      %2 = stablehlo.reduce(%r init: %i) applies stablehlo.add across dimensions = [1]
        : (tensor<400x300xi32>, tensor<i32>) -> tensor<400xi32>
      %s = stablehlo.slice %a [3:300:7, 1:11:2] : (tensor<300x400xi32>) -> tensor<43x5xi32>
      %3 = stablehlo.reduce(%s init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<43x5xi32>, tensor<i32>) -> tensor<5xi32>
      return %1, %2, %3 : tensor<300xi32>, tensor<400xi32>, tensor<5xi32>
    }";
    agrees(program, None);
}

#[test]
fn positions_of_extremes() {
    let kinds = [
        ("f32", "0xFF800000", "GT", "FLOAT"),
        ("f32", "0x7F800000", "LT", "FLOAT"),
        ("i32", "2147483647", "LT", "SIGNED"),
        ("ui8", "0", "GT", "UNSIGNED"),
        ("bf16", "0xFF80", "GT", "FLOAT"),
    ];
    for (ty, far, direction, order) in kinds {
        for (shape, dim, out) in [("5x300", 1, "5x"), ("5x300", 0, "300x"), ("4x3x37", 1, "4x37x"), ("130", 0, "")] {
            let program = format!(
                "func.func @main(%a: tensor<{shape}x{ty}>) -> (tensor<{out}{ty}>, tensor<{out}i32>) {{
                   %0 = stablehlo.iota dim = {dim} : tensor<{shape}xi32>
                   %far = stablehlo.constant dense<{far}> : tensor<{ty}>
                   %c = stablehlo.constant dense<0> : tensor<i32>
                   %1:2 = stablehlo.reduce(%a init: %far), (%0 init: %c) across dimensions = [{dim}]
                     : (tensor<{shape}x{ty}>, tensor<{shape}xi32>, tensor<{ty}>, tensor<i32>)
                     -> (tensor<{out}{ty}>, tensor<{out}i32>)
                    reducer(%x: tensor<{ty}>, %y: tensor<{ty}>) (%i: tensor<i32>, %j: tensor<i32>) {{
                     %2 = stablehlo.compare {direction}, %x, %y, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     %3 = stablehlo.compare NE, %x, %x, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     %4 = stablehlo.or %2, %3 : tensor<i1>
                     %5 = stablehlo.compare EQ, %x, %y, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     %6 = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                     %7 = stablehlo.and %5, %6 : tensor<i1>
                     %8 = stablehlo.or %4, %7 : tensor<i1>
                     %9 = stablehlo.select %4, %x, %y : tensor<i1>, tensor<{ty}>
                     %10 = stablehlo.select %8, %i, %j : tensor<i1>, tensor<i32>
                     stablehlo.return %9, %10 : tensor<{ty}>, tensor<i32>
                   }}
                   return %1#0, %1#1 : tensor<{out}{ty}>, tensor<{out}i32>
                 }}"
            );
            agrees(&program, None);
        }
    }
}

#[test]
fn sorts_by_one_and_two_keys() {
    let kinds = [
        ("f32", "TOTALORDER"),
        ("f32", "FLOAT"),
        ("f64", "TOTALORDER"),
        ("bf16", "FLOAT"),
        ("i32", "SIGNED"),
        ("ui8", "UNSIGNED"),
        ("i64", "SIGNED"),
    ];
    for (ty, order) in kinds {
        for (shape, dim) in [("5x300", 1), ("5x300", 0), ("4x13x7", 1), ("1", 0), ("70000", 0)] {
            // Without an order the interpreter's own is taken, which is slow to compare for long lines.
            if shape == "70000" && order == "FLOAT" {
                continue;
            }
            let direction = if dim == 1 { "LT" } else { "GT" };
            let t = format!("tensor<{shape}x{ty}>");
            let (p, q) = (format!("tensor<{shape}xi16>"), format!("tensor<{shape}xi32>"));
            let program = format!(
                "func.func @main(%a: {t}, %b: {p}) -> ({t}, {t}, {p}, {q}) {{
                   %0 = \"stablehlo.sort\"(%a) <{{dimension = {dim} : i64, is_stable = true}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     %2 = stablehlo.compare {direction}, %x, %y, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     stablehlo.return %2 : tensor<i1>
                   }}) : ({t}) -> {t}
                   %i = stablehlo.iota dim = {dim} : {q}
                   %1:3 = \"stablehlo.sort\"(%a, %b, %i) <{{dimension = {dim} : i64, is_stable = true}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>, %p: tensor<i16>, %q: tensor<i16>, %r: tensor<i32>, %s: tensor<i32>):
                     %2 = stablehlo.compare {direction}, %x, %y, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     %3 = stablehlo.compare EQ, %x, %y, {order} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     %4 = stablehlo.compare GT, %p, %q, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
                     %5 = stablehlo.and %3, %4 : tensor<i1>
                     %6 = stablehlo.or %2, %5 : tensor<i1>
                     stablehlo.return %6 : tensor<i1>
                   }}) : ({t}, {p}, {q}) -> ({t}, {p}, {q})
                   return %0, %1#0, %1#1, %1#2 : {t}, {t}, {p}, {q}
                 }}"
            );
            agrees(&program, None);
        }
    }
}

#[test]
fn sorts_as_jax_writes_them() {
    let form = |x: &str| {
        format!(
            "%{x}1 = stablehlo.compare EQ, %{x}, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %{x}2 = stablehlo.select %{x}1, %zero, %{x} : tensor<i1>, tensor<f32>
             %{x}3 = stablehlo.compare NE, %{x}, %{x}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %{x}4 = stablehlo.select %{x}3, %nan, %{x}2 : tensor<i1>, tensor<f32>"
        )
    };
    let program = format!(
        "func.func @main(%a: tensor<20x300xf32>, %b: tensor<20x300xbf16>) -> (tensor<20x300xf32>, tensor<20x300xbf16>) {{
           %0:2 = \"stablehlo.sort\"(%a, %b) <{{dimension = 1 : i64, is_stable = true}}> ({{
           ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<bf16>, %q: tensor<bf16>):
             %zero = stablehlo.constant dense<0.0> : tensor<f32>
             %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
             {}
             {}
             %9 = stablehlo.compare LT, %x4, %y4, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %9 : tensor<i1>
           }}) : (tensor<20x300xf32>, tensor<20x300xbf16>) -> (tensor<20x300xf32>, tensor<20x300xbf16>)
           return %0#0, %0#1 : tensor<20x300xf32>, tensor<20x300xbf16>
         }}",
        form("x"),
        form("y")
    );
    agrees(&program, None);
}

#[test]
fn the_largest() {
    for ty in ["f32", "i8", "f64", "bf16"] {
        for (n, k) in [(1, 1), (300, 5), (300, 300), (5000, 50), (100, 64)] {
            let (t, values, places) =
                (format!("tensor<3x{n}x{ty}>"), format!("tensor<3x{k}x{ty}>"), format!("tensor<3x{k}xi32>"));
            let program = format!(
                "func.func @main(%a: {t}) -> ({values}, {places}) {{
                   %0:2 = chlo.top_k(%a, k = {k}) : {t} -> ({values}, {places})
                   return %0#0, %0#1 : {values}, {places}
                 }}"
            );
            agrees(&program, None);
        }
    }
}

#[test]
fn windows() {
    let kinds = [
        ("f32", "maximum", "0xFF800000"),
        ("f32", "add", "0.0"),
        ("i32", "add", "0"),
        ("i8", "minimum", "127"),
        ("bf16", "maximum", "0xFF80"),
        ("i1", "or", "false"),
        ("i32", "multiply", "1"),
        ("f16", "maximum", "0xFC00"),
        ("i8", "maximum", "-128"),
    ];
    // Shape, window, strides, dilations, padding, result.
    let cases = [
        ("2x9x11x5", "1, 3, 3, 1", "1, 2, 2, 1", "1, 1, 1, 1", "[[0, 0], [1, 1], [0, 1], [0, 0]]", "2x5x5x5"),
        ("2x9x11x5", "1, 3, 3, 1", "1, 1, 1, 1", "1, 2, 1, 1", "[[0, 0], [1, 2], [1, 1], [0, 0]]", "2x8x11x5"),
        ("2x3x9x11", "1, 1, 2, 3", "1, 1, 2, 2", "1, 1, 1, 2", "[[0, 0], [0, 0], [0, 0], [3, 3]]", "2x3x4x7"),
        ("2x3x9x11", "2, 1, 9, 11", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 0]]", "1x3x1x1"),
        ("2x3x9x11", "1, 1, 1, 11", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [10, 0]]", "2x3x9x11"),
        ("2x20x9x11", "1, 20, 1, 1", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 19], [0, 0], [0, 0]]", "2x20x9x11"),
        ("2x20x9x11", "1, 20, 1, 1", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [19, 0], [0, 0], [0, 0]]", "2x20x9x11"),
        ("20x3x3x31", "1, 1, 1, 31", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 30]]", "20x3x3x31"),
        ("2x3x9x11", "1, 1, 1, 2", "1, 1, 1, 1", "1, 1, 1, 3", "[[0, 0], [-1, 0], [2, -3], [5, 5]]", "2x2x8x18"),
        ("2x3x1x1", "1, 1, 1, 1", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 0]]", "2x3x1x1"),
        ("2x3x20x230", "1, 1, 3, 3", "1, 1, 2, 2", "1, 1, 1, 1", "[[0, 0], [0, 0], [1, 1], [1, 1]]", "2x3x10x115"),
        ("2x3x20x230", "1, 1, 2, 3", "1, 1, 1, 3", "1, 1, 1, 2", "[[0, 0], [0, 0], [0, 0], [20, 40]]", "2x3x19x96"),
        ("2x3x20x230", "1, 1, 3, 3", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [1, 1], [1, 1]]", "2x3x20x230"),
        ("2x20x50x3", "1, 3, 3, 1", "1, 2, 2, 1", "1, 1, 1, 1", "[[0, 0], [1, 0], [1, 1], [0, 0]]", "2x10x25x3"),
    ];
    for (ty, op, init) in kinds {
        for (shape, window, strides, dilations, padding, out) in cases {
            let program = format!(
                "func.func @main(%a: tensor<{shape}x{ty}>) -> tensor<{out}x{ty}> {{
                   %c = stablehlo.constant dense<{init}> : tensor<{ty}>
                   %i = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<{ty}>) -> tensor<{ty}>
                   %1 = \"stablehlo.reduce_window\"(%a, %i) <{{padding = dense<{padding}> : tensor<4x2xi64>,
                     window_dilations = array<i64: {dilations}>, window_dimensions = array<i64: {window}>,
                     window_strides = array<i64: {strides}>}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     %2 = stablehlo.{op} %x, %y : tensor<{ty}>
                     stablehlo.return %2 : tensor<{ty}>
                   }}) : (tensor<{shape}x{ty}>, tensor<{ty}>) -> tensor<{out}x{ty}>
                   return %1 : tensor<{out}x{ty}>
                 }}"
            );
            agrees(&program, (ty == "f32" && op == "add").then_some(NEAR));
        }
    }
}

#[test]
fn selected_places() {
    let cases = [
        ("2x9x11x5", "2x5x5x5", "1, 3, 3, 1", "1, 2, 2, 1", "[[0, 0], [1, 1], [0, 1], [0, 0]]"),
        ("2x3x9x11", "2x3x8x5", "1, 1, 2, 3", "1, 1, 1, 2", "[[0, 0], [0, 0], [0, 0], [0, 0]]"),
        ("1x9x11x70", "1x9x9x70", "1, 1, 3, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 0]]"),
        ("2x2x3x3", "2x2x3x3", "1, 1, 1, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 0]]"),
    ];
    for ty in ["f32", "i32", "bf16"] {
        for (shape, source, window, strides, padding) in cases {
            for direction in ["GE", "GT", "LE", "LT"] {
                let program = format!(
                    "func.func @main(%a: tensor<{shape}x{ty}>, %s: tensor<{source}x{ty}>, %i: tensor<{ty}>) -> tensor<{shape}x{ty}> {{
                       %0 = \"stablehlo.select_and_scatter\"(%a, %s, %i) <{{padding = dense<{padding}> : tensor<4x2xi64>,
                         window_dimensions = array<i64: {window}>, window_strides = array<i64: {strides}>}}> ({{
                       ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                         %1 = stablehlo.compare {direction}, %x, %y : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                         stablehlo.return %1 : tensor<i1>
                       }}, {{
                       ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                         %1 = stablehlo.add %x, %y : tensor<{ty}>
                         stablehlo.return %1 : tensor<{ty}>
                       }}) : (tensor<{shape}x{ty}>, tensor<{source}x{ty}>, tensor<{ty}>) -> tensor<{shape}x{ty}>
                       return %0 : tensor<{shape}x{ty}>
                     }}"
                );
                agrees(&program, None);
            }
        }
    }
}

#[test]
fn dilated_operands() {
    for (ty, op) in [("f32", "maximum"), ("i32", "add"), ("f8E5M2", "add"), ("bf16", "subtract"), ("i1", "or")] {
        for (attributes, out) in [
            ("base_dilations = array<i64: 2, 3>, window_dimensions = array<i64: 2, 3>", "16x26"),
            (
                "base_dilations = array<i64: 1, 4>, padding = dense<[[0, 1], [3, 2]]> : tensor<2x2xi64>, window_strides = array<i64: 2, 1>, window_dilations = array<i64: 1, 2>, window_dimensions = array<i64: 3, 4>",
                "4x36",
            ),
            (
                "base_dilations = array<i64: 3, 1>, padding = dense<[[-2, -1], [0, 9]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 10>",
                "22x10",
            ),
        ] {
            let program = format!(
                "func.func @main(%a: tensor<9x10x{ty}>, %i: tensor<{ty}>) -> tensor<{out}x{ty}> {{
                   %0 = \"stablehlo.reduce_window\"(%a, %i) <{{{attributes}}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     %1 = stablehlo.{op} %x, %y : tensor<{ty}>
                     stablehlo.return %1 : tensor<{ty}>
                   }}) : (tensor<9x10x{ty}>, tensor<{ty}>) -> tensor<{out}x{ty}>
                   return %0 : tensor<{out}x{ty}>
                 }}"
            );
            agrees(&program, None);
        }
    }
}

#[test]
fn sums_of_few_bits_keep_their_order() {
    for ty in ["f8E4M3FN", "f8E5M2", "f4E2M1FN"] {
        agrees(
            &format!(
                "func.func @main(%a: tensor<60x80x{ty}>, %i: tensor<{ty}>) -> (tensor<80x{ty}>, tensor<60x{ty}>, tensor<60x78x{ty}>) {{
                   %zero = stablehlo.constant dense<0.0> : tensor<{ty}>
                   %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<60x80x{ty}>, tensor<{ty}>) -> tensor<80x{ty}>
                   %1 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [1] : (tensor<60x80x{ty}>, tensor<{ty}>) -> tensor<60x{ty}>
                   %2 = \"stablehlo.reduce_window\"(%a, %zero) <{{window_dimensions = array<i64: 1, 3>}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     %3 = stablehlo.add %x, %y : tensor<{ty}>
                     stablehlo.return %3 : tensor<{ty}>
                   }}) : (tensor<60x80x{ty}>, tensor<{ty}>) -> tensor<60x78x{ty}>
                   return %0, %1, %2 : tensor<80x{ty}>, tensor<60x{ty}>, tensor<60x78x{ty}>
                 }}"
            ),
            None,
        );
    }
}

#[test]
fn selected_places_of_any_body() {
    let cases = [
        ("2x9x11x5", "2x5x5x5", "1, 3, 3, 1", "1, 2, 2, 1", "[[0, 0], [1, 1], [0, 1], [0, 0]]"),
        ("2x3x9x11", "2x3x8x5", "1, 1, 2, 3", "1, 1, 1, 2", "[[0, 0], [0, 0], [0, 0], [0, 0]]"),
        ("1x9x11x70", "1x9x9x70", "1, 1, 3, 1", "1, 1, 1, 1", "[[0, 0], [0, 0], [0, 0], [0, 0]]"),
    ];
    let bodies = [
        ("%1 = stablehlo.compare NE, %x, %y", "%2 = stablehlo.maximum %x, %y"),
        ("%1 = stablehlo.compare GE, %x, %y", "%2 = stablehlo.subtract %y, %x"),
    ];
    for ty in ["f32", "i8", "ui64", "f16", "f8E5M2"] {
        for ((shape, source, window, strides, padding), (select, scatter)) in
            cases.into_iter().flat_map(|case| bodies.map(|body| (case, body)))
        {
            let program = format!(
                "func.func @main(%a: tensor<{shape}x{ty}>, %s: tensor<{source}x{ty}>, %i: tensor<{ty}>) -> tensor<{shape}x{ty}> {{
                   %0 = \"stablehlo.select_and_scatter\"(%a, %s, %i) <{{padding = dense<{padding}> : tensor<4x2xi64>,
                     window_dimensions = array<i64: {window}>, window_strides = array<i64: {strides}>}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     {select} : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
                     stablehlo.return %1 : tensor<i1>
                   }}, {{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     {scatter} : tensor<{ty}>
                     stablehlo.return %2 : tensor<{ty}>
                   }}) : (tensor<{shape}x{ty}>, tensor<{source}x{ty}>, tensor<{ty}>) -> tensor<{shape}x{ty}>
                   return %0 : tensor<{shape}x{ty}>
                 }}"
            );
            agrees(&program, None);
        }
    }
}

#[test]
fn reductions_of_any_body() {
    for (dimensions, out) in [("1", "7x5x"), ("0", "300x5x"), ("0, 2", "300x"), ("0, 1, 2", ""), ("2, 1", "7x")] {
        let program = format!(
            "func.func @main(%a: tensor<7x300x5xf32>, %b: tensor<7x300x5xi32>, %i: tensor<f32>, %j: tensor<i32>)
               -> (tensor<{out}f32>, tensor<{out}i32>, tensor<{out}f32>, tensor<{out}i32>) {{
               %0:2 = stablehlo.reduce(%a init: %i), (%b init: %j) across dimensions = [{dimensions}]
                 : (tensor<7x300x5xf32>, tensor<7x300x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<{out}f32>, tensor<{out}i32>)
                 reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {{
                   %half = stablehlo.constant dense<0.5> : tensor<f32>
                   %1 = stablehlo.multiply %x, %half : tensor<f32>
                   %2 = stablehlo.add %1, %y : tensor<f32>
                   %3 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
                   %4 = stablehlo.add %p, %q : tensor<i32>
                   %5 = stablehlo.select %3, %4, %p : tensor<i1>, tensor<i32>
                   stablehlo.return %2, %5 : tensor<f32>, tensor<i32>
                 }}
               %t = stablehlo.transpose %a, dims = [0, 1, 2] : (tensor<7x300x5xf32>) -> tensor<7x300x5xf32>
               %6 = stablehlo.reduce(%t init: %i) across dimensions = [{dimensions}]
                 : (tensor<7x300x5xf32>, tensor<f32>) -> tensor<{out}f32>
                 reducer(%x: tensor<f32>, %y: tensor<f32>) {{
                   stablehlo.return %y : tensor<f32>
                 }}
               %7 = stablehlo.reduce(%b init: %j) across dimensions = [{dimensions}]
                 : (tensor<7x300x5xi32>, tensor<i32>) -> tensor<{out}i32>
                 reducer(%x: tensor<i32>, %y: tensor<i32>) {{
                   %1 = stablehlo.subtract %y, %x : tensor<i32>
                   stablehlo.return %1 : tensor<i32>
                 }}
               return %0#0, %0#1, %6, %7 : tensor<{out}f32>, tensor<{out}i32>, tensor<{out}f32>, tensor<{out}i32>
             }}"
        );
        agrees(&program, None);
    }
}

#[test]
fn windows_of_any_body() {
    // Shape, window, strides, dilations, padding, result.
    let cases = [
        ("9x31", "3, 2", "2, 1", "1, 1", "[[1, 1], [0, 1]]", "5x31"),
        ("9x31", "3, 4", "1, 3", "2, 5", "[[2, 0], [7, 9]]", "7x11"),
        ("9x31", "1, 31", "1, 1", "1, 1", "[[0, 0], [30, 0]]", "9x31"),
        ("9x31", "2, 3", "1, 1", "1, 1", "[[-1, 0], [4, -5]]", "7x28"),
    ];
    for (shape, window, strides, dilations, padding, out) in cases {
        let program = format!(
            "func.func @main(%a: tensor<{shape}xf32>, %b: tensor<{shape}xi8>, %i: tensor<f32>, %j: tensor<i8>)
               -> (tensor<{out}xf32>, tensor<{out}xi8>, tensor<{out}xi8>) {{
               %0:2 = \"stablehlo.reduce_window\"(%a, %b, %i, %j) <{{padding = dense<{padding}> : tensor<2x2xi64>,
                 window_dilations = array<i64: {dilations}>, window_dimensions = array<i64: {window}>,
                 window_strides = array<i64: {strides}>}}> ({{
               ^bb0(%x: tensor<f32>, %p: tensor<i8>, %y: tensor<f32>, %q: tensor<i8>):
                 %3 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
                 %4 = stablehlo.select %3, %y, %x : tensor<i1>, tensor<f32>
                 %5 = stablehlo.select %3, %q, %p : tensor<i1>, tensor<i8>
                 stablehlo.return %4, %5 : tensor<f32>, tensor<i8>
               }}) : (tensor<{shape}xf32>, tensor<{shape}xi8>, tensor<f32>, tensor<i8>) -> (tensor<{out}xf32>, tensor<{out}xi8>)
               %1 = \"stablehlo.reduce_window\"(%b, %j) <{{padding = dense<{padding}> : tensor<2x2xi64>,
                 window_dilations = array<i64: {dilations}>, window_dimensions = array<i64: {window}>,
                 window_strides = array<i64: {strides}>}}> ({{
               ^bb0(%p: tensor<i8>, %q: tensor<i8>):
                 %4 = stablehlo.add %p, %q : tensor<i8>
                 stablehlo.return %4 : tensor<i8>
               }}) : (tensor<{shape}xi8>, tensor<i8>) -> tensor<{out}xi8>
               return %0#0, %0#1, %1 : tensor<{out}xf32>, tensor<{out}xi8>, tensor<{out}xi8>
             }}"
        );
        agrees(&program, None);
    }
}

#[test]
fn sorts_by_any_comparator() {
    for (shape, dimension) in [("3x70", 1), ("70x3", 0), ("1x1", 0)] {
        let program = format!(
            "func.func @main(%a: tensor<{shape}xf32>, %b: tensor<{shape}xi32>) -> (tensor<{shape}xf32>, tensor<{shape}xi32>) {{
               %0:2 = \"stablehlo.sort\"(%a, %b) <{{dimension = {dimension} : i64, is_stable = true}}> ({{
               ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
                 %one = stablehlo.constant dense<1> : tensor<i32>
                 %1 = stablehlo.and %p, %one : tensor<i32>
                 %2 = stablehlo.and %q, %one : tensor<i32>
                 %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 %4 = stablehlo.compare EQ, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 %5 = stablehlo.multiply %x, %x : tensor<f32>
                 %6 = stablehlo.multiply %y, %y : tensor<f32>
                 %7 = stablehlo.compare GT, %5, %6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
                 %8 = stablehlo.and %4, %7 : tensor<i1>
                 %9 = stablehlo.or %3, %8 : tensor<i1>
                 stablehlo.return %9 : tensor<i1>
               }}) : (tensor<{shape}xf32>, tensor<{shape}xi32>) -> (tensor<{shape}xf32>, tensor<{shape}xi32>)
               return %0#0, %0#1 : tensor<{shape}xf32>, tensor<{shape}xi32>
             }}"
        );
        agrees(&program, None);
    }
}
