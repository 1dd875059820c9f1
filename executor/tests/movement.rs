//! Data movement of sizes at which kernels share work out, keep whole rows together or write past the caches: against the
//! interpreter, with the lowest and the highest vector instructions, on one thread and on two.

#![allow(clippy::unwrap_used, clippy::allow_attributes, reason = "a test that cannot go on fails")]

use executor::{Executor, Isa, Plan};
use interpreter::compare::{Rule, compare};
use interpreter::io::{generate, signature};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::ir::Literal;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

/// Both engines give the same within `rule`.
fn agrees_within(mlir: &str, rule: Rule) {
    let parsed = parse("test.mlir", mlir);
    assert!(parsed.diagnostics.is_empty(), "{:#?}\n{mlir}", parsed.diagnostics);
    let verified = verify(&parsed.module, mlir).unwrap_or_else(|faults| panic!("{faults:#?}\n{mlir}"));
    let function = interpreter::entry(&parsed.module).unwrap();
    let arguments = signature::arguments(&parsed.module, function).unwrap();
    let make = |(argument, seed): (&interpreter::io::inputs::Argument, u64)| {
        let shape: Vec<usize> = argument.shape.iter().map(|size| size.unwrap()).collect();
        generate::generate(&format!("rand:seed={seed}"), argument.element, &shape, 1 << 30).unwrap().unwrap()
    };
    let inputs: Vec<Tensor> = arguments.iter().zip(3..).map(make).collect();
    let values = inputs.iter().cloned().map(Value::Tensor).collect();
    let expected = interpreter::run(verified, function, values, &Config::default(), &mut Host::default()).unwrap();
    let literals: Vec<Literal> = inputs.iter().map(Literal::from).collect();
    for isa in [Isa::Baseline, Isa::best()] {
        let plan = Plan::new(verified, function, isa).unwrap();
        assert!(plan.left_to_interpreter().is_empty(), "{plan}\n{mlir}");
        let mut first: Option<Vec<Literal>> = None;
        for n_threads in [1, 2] {
            let executor = Executor::new(n_threads);
            let results = executor.run(&plan, &literals, &Config::default(), &mut Host::default()).unwrap();
            for (result, expected) in results.iter().zip(&expected.results) {
                let found = compare(&Tensor::from(result), expected.tensor().unwrap(), rule);
                assert!(found.passes(), "{isa}, {n_threads} threads: {found}\n{mlir}\n{plan}");
            }
            let first = first.get_or_insert_with(|| results.clone());
            let same = first.iter().zip(&results).all(|(a, b)| a.data() == b.data());
            assert!(same, "{isa}: the number of threads matters\n{mlir}");
        }
    }
}

fn agrees(mlir: &str) {
    agrees_within(mlir, Rule::EXACT);
}

#[test]
fn transposes_and_slices_of_many_elements() {
    for (ty, size) in [("f32", 3100), ("bf16", 6208), ("i8", 1300), ("f64", 1600)] {
        agrees(&format!(
            "func.func @main(%a: tensor<1030x{size}x{ty}>) -> tensor<{size}x1030x{ty}> {{
               %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<1030x{size}x{ty}>) -> tensor<{size}x1030x{ty}>
               return %0 : tensor<{size}x1030x{ty}>
             }}"
        ));
    }
    agrees(
        "func.func @main(%a: tensor<3x48x20x64x33xf32>) -> (tensor<64x3x33x20x48xf32>, tensor<64x20x3x33x48xf32>) {
           %0 = stablehlo.transpose %a, dims = [3, 0, 4, 2, 1] : (tensor<3x48x20x64x33xf32>) -> tensor<64x3x33x20x48xf32>
           %1 = stablehlo.transpose %a, dims = [3, 2, 0, 4, 1] : (tensor<3x48x20x64x33xf32>) -> tensor<64x20x3x33x48xf32>
           return %0, %1 : tensor<64x3x33x20x48xf32>, tensor<64x20x3x33x48xf32>
         }",
    );
    agrees(
        "func.func @main(%a: tensor<2051x1563xf32>) -> tensor<2051x1563xf32> {
           %0 = stablehlo.reverse %a, dims = [0, 1] : tensor<2051x1563xf32>
           return %0 : tensor<2051x1563xf32>
         }",
    );
    // Written past the caches, with rows that begin anywhere.
    for (ty, rows, columns, step) in [
        ("f32", 1501, 6007, 2),
        ("f32", 1501, 6007, 3),
        ("f32", 1101, 8007, 4),
        ("bf16", 1301, 8003, 2),
        ("f64", 1001, 4007, 3),
    ] {
        let (kept, n) = (rows - 1, (columns - 1usize).div_ceil(step));
        agrees(&format!(
            "func.func @main(%a: tensor<{rows}x{columns}x{ty}>) -> tensor<{kept}x{n}x{ty}> {{
               %0 = stablehlo.slice %a [1:{rows}, 1:{columns}:{step}]
                 : (tensor<{rows}x{columns}x{ty}>) -> tensor<{kept}x{n}x{ty}>
               return %0 : tensor<{kept}x{n}x{ty}>
             }}"
        ));
    }
    for ty in ["f32", "bf16", "i8", "f64", "complex<f64>"] {
        agrees(&format!(
            "func.func @main(%a: tensor<3x700x{ty}>) -> (tensor<3x349x{ty}>, tensor<3x232x{ty}>, tensor<3x174x{ty}>, tensor<2x140x{ty}>) {{
               %0 = stablehlo.slice %a [0:3, 1:699:2] : (tensor<3x700x{ty}>) -> tensor<3x349x{ty}>
               %1 = stablehlo.slice %a [0:3, 4:700:3] : (tensor<3x700x{ty}>) -> tensor<3x232x{ty}>
               %2 = stablehlo.slice %a [0:3, 3:699:4] : (tensor<3x700x{ty}>) -> tensor<3x174x{ty}>
               %3 = stablehlo.slice %a [0:3:2, 0:700:5] : (tensor<3x700x{ty}>) -> tensor<2x140x{ty}>
               return %0, %1, %2, %3 : tensor<3x349x{ty}>, tensor<3x232x{ty}>, tensor<3x174x{ty}>, tensor<2x140x{ty}>
             }}"
        ));
    }
}

#[test]
fn pads_by_rows() {
    // Operand, low, high, interior, result.
    for (shape, low, high, interior, out) in [
        ("5x300", "1, 2", "0, 3", "0, 0", "6x305"),
        ("5x300", "1, 2", "3, 0", "2, 1", "17x601"),
        ("5x300", "-1, -2", "0, -3", "0, 0", "4x295"),
        ("5x300", "-3, 1", "1, -4", "2, 3", "11x1194"),
        ("5x300", "-7, 0", "9, 0", "0, 0", "7x300"),
        ("5x300", "0, -3", "0, -1", "1, 1", "9x595"),
        ("2x3x4x80", "0, 1, 2, 0", "0, 2, 1, 0", "0, 0, 1, 0", "2x6x10x80"),
        ("2x3x40x8", "0, 1, 2, 0", "0, 2, 1, 0", "0, 0, 0, 0", "2x6x43x8"),
        ("2x3x40x8", "0, 1, -2, 0", "0, 2, 1, 0", "1, 2, 1, 0", "3x10x78x8"),
        // Written past the caches.
        ("800x2000", "1, 2", "0, 1", "0, 1", "801x4002"),
        ("800x2000", "-1, 2", "0, -1", "1, 0", "1598x2001"),
        ("900x3500", "2, 7", "1, 4", "0, 0", "903x3511"),
    ] {
        for ty in ["f32", "i8", "bf16", "complex<f32>"] {
            let large = shape.len() == 8;
            // The complex ones are as large.
            if large && ty != "f32" && ty != "complex<f32>" {
                continue;
            }
            agrees(&format!(
                "func.func @main(%a: tensor<{shape}x{ty}>, %p: tensor<{ty}>) -> tensor<{out}x{ty}> {{
                   %0 = stablehlo.pad %a, %p, low = [{low}], high = [{high}], interior = [{interior}]
                     : (tensor<{shape}x{ty}>, tensor<{ty}>) -> tensor<{out}x{ty}>
                   return %0 : tensor<{out}x{ty}>
                 }}"
            ));
        }
    }
}

/// `%i`: `n` numbers of all sizes from −3 on, some of them beyond `size`.
fn scattered(n: usize, size: usize, ty: &str) -> String {
    format!(
        "%n = stablehlo.iota dim = 0 : tensor<{n}xi64>
         %c = stablehlo.constant dense<7919> : tensor<{n}xi64>
         %m = stablehlo.constant dense<{}> : tensor<{n}xi64>
         %o = stablehlo.constant dense<3> : tensor<{n}xi64>
         %1 = stablehlo.multiply %n, %c : tensor<{n}xi64>
         %2 = stablehlo.remainder %1, %m : tensor<{n}xi64>
         %3 = stablehlo.subtract %2, %o : tensor<{n}xi64>
         %i = stablehlo.convert %3 : (tensor<{n}xi64>) -> tensor<{n}x{ty}>",
        size + 7
    )
}

#[test]
fn many_slices_are_gathered() {
    for (element, index) in [("f32", "i32"), ("bf16", "i64"), ("i8", "ui32"), ("f64", "i16"), ("complex<f64>", "i8")] {
        agrees(&format!(
            "func.func @main(%a: tensor<1000x{element}>, %b: tensor<1000x9x{element}>) -> (tensor<3001x{element}>, tensor<9x3001x{element}>) {{
               {}
               %v = stablehlo.reshape %i : (tensor<3001x{index}>) -> tensor<3001x1x{index}>
               %r = \"stablehlo.gather\"(%a, %v) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
                 start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}>
                 : (tensor<1000x{element}>, tensor<3001x1x{index}>) -> tensor<3001x{element}>
               %s = \"stablehlo.gather\"(%b, %v) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0],
                 start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 9>}}>
                 : (tensor<1000x9x{element}>, tensor<3001x1x{index}>) -> tensor<9x3001x{element}>
               return %r, %s : tensor<3001x{element}>, tensor<9x3001x{element}>
             }}",
            scattered(3001, 1000, index)
        ));
    }
    // Rows that are written past the caches, and pairs of coordinates.
    agrees(&format!(
        "func.func @main(%a: tensor<500x700xf32>) -> (tensor<4700x700xf32>, tensor<4700xf32>, tensor<4700x5xf32>) {{
           {}
           %v = stablehlo.reshape %i : (tensor<4700xi32>) -> tensor<4700x1xi32>
           %w = stablehlo.concatenate %v, %v, dim = 1 : (tensor<4700x1xi32>, tensor<4700x1xi32>) -> tensor<4700x2xi32>
           %r = \"stablehlo.gather\"(%a, %v) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
             start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 700>}}>
             : (tensor<500x700xf32>, tensor<4700x1xi32>) -> tensor<4700x700xf32>
           %s = \"stablehlo.gather\"(%a, %w) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
             start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}>
             : (tensor<500x700xf32>, tensor<4700x2xi32>) -> tensor<4700xf32>
           %t = \"stablehlo.gather\"(%a, %w) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
             start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}}>
             : (tensor<500x700xf32>, tensor<4700x2xi32>) -> tensor<4700x5xf32>
           return %r, %s, %t : tensor<4700x700xf32>, tensor<4700xf32>, tensor<4700x5xf32>
         }}",
        scattered(4700, 500, "i32")
    ));
}

#[test]
fn many_elements_are_scattered() {
    let near = Rule { atol: 1e-3, rtol: 1e-4, ulp: 1 };
    for (ty, op, rule) in [
        ("i32", "add", Rule::EXACT),
        ("i64", "maximum", Rule::EXACT),
        ("ui32", "minimum", Rule::EXACT),
        ("f32", "minimum", Rule::EXACT),
        ("f32", "add", near),
        ("i8", "add", Rule::EXACT),
        ("i16", "replace", Rule::EXACT),
        ("f32", "replace", Rule::EXACT),
    ] {
        let body = match op {
            "replace" => "stablehlo.return %y".to_owned(),
            op => format!("%z = stablehlo.{op} %x, %y : tensor<{ty}>\n stablehlo.return %z"),
        };
        let scatter = |updates: &str, index: &str| {
            format!(
                "\"stablehlo.scatter\"(%a, %v, {updates}) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
                   scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
                 ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                   {body} : tensor<{ty}>
                 }}) : (tensor<500x{ty}>, tensor<70000x1x{index}>, tensor<70000x{ty}>) -> tensor<500x{ty}>"
            )
        };
        let index = if ty == "f32" { "i16" } else { "i32" };
        agrees_within(
                &format!(
                    "func.func @main(%a: tensor<500x{ty}>, %u: tensor<70000x{ty}>, %k: tensor<{ty}>) -> (tensor<500x{ty}>, tensor<500x{ty}>) {{
                       {}
                       %v = stablehlo.reshape %i : (tensor<70000x{index}>) -> tensor<70000x1x{index}>
                       %s = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<{ty}>) -> tensor<70000x{ty}>
                       %r = {}
                       %t = {}
                       return %r, %t : tensor<500x{ty}>, tensor<500x{ty}>
                     }}",
                    scattered(70_000, 500, index),
                    scatter("%u", index),
                    scatter("%s", index)
                ),
                rule,
            );
    }
}

#[test]
fn rows_are_scattered() {
    // Into a result that is written past the caches, and into a small one.
    for (rows, ty, op) in
        [(6000, "f32", "add"), (6000, "i32", "subtract"), (6000, "f32", "replace"), (60, "f32", "add")]
    {
        let body = match op {
            "replace" => "stablehlo.return %y".to_owned(),
            op => format!("%z = stablehlo.{op} %y, %x : tensor<{ty}>\n stablehlo.return %z"),
        };
        agrees(&format!(
            "func.func @main(%a: tensor<{rows}x600x{ty}>, %u: tensor<500x600x{ty}>) -> tensor<{rows}x600x{ty}> {{
               {}
               %v = stablehlo.reshape %i : (tensor<500xi32>) -> tensor<500x1xi32>
               %r = \"stablehlo.scatter\"(%a, %v, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
                 inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
               ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                 {body} : tensor<{ty}>
               }}) : (tensor<{rows}x600x{ty}>, tensor<500x1xi32>, tensor<500x600x{ty}>) -> tensor<{rows}x600x{ty}>
               return %r : tensor<{rows}x600x{ty}>
             }}",
            scattered(500, 60, "i32")
        ));
    }
}

#[test]
fn running_folds_of_long_lines() {
    for (ty, op, init) in
        [("i32", "add", "0"), ("f32", "maximum", "0xFF800000"), ("bf16", "minimum", "0x7F80"), ("i64", "add", "0")]
    {
        for padding in ["[[0, 0], [299, 0]]", "[[0, 0], [0, 299]]"] {
            agrees(&format!(
                "func.func @main(%a: tensor<35x300x{ty}>) -> tensor<35x300x{ty}> {{
                   %i = stablehlo.constant dense<{init}> : tensor<{ty}>
                   %0 = \"stablehlo.reduce_window\"(%a, %i) <{{padding = dense<{padding}> : tensor<2x2xi64>,
                     window_dimensions = array<i64: 1, 300>}}> ({{
                   ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                     %2 = stablehlo.{op} %x, %y : tensor<{ty}>
                     stablehlo.return %2 : tensor<{ty}>
                   }}) : (tensor<35x300x{ty}>, tensor<{ty}>) -> tensor<35x300x{ty}>
                   return %0 : tensor<35x300x{ty}>
                 }}"
            ));
        }
    }
}
