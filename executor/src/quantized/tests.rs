//! Programs on quantized types, to the bit what the interpreter makes of them.

use interpreter::compare::Rule;

use crate::testing::{agrees, agrees_within};

const A: &str = "!quant.uniform<i8:f32, 0.0217:-3>";
const B: &str = "!quant.uniform<i8:f32, 0.0131:5>";
const C: &str = "!quant.uniform<i8:f32, 0.33:1>";

#[test]
fn numbers_are_quantized_and_back() {
    for (storage, expressed, parameters) in [
        ("i8", "f32", "0.0217:-3"),
        ("u8", "f32", "0.5:128"),
        ("i4", "f32", "0.1"),
        ("u4", "bf16", "0.3:7"),
        ("i8<-127:127>", "bf16", "0.02:-5"),
        ("i8<3:100>", "f32", "0.02:5"),
        ("i16", "f32", "0.001:7"),
        ("i16", "bf16", "0.001:-300"),
        ("i32", "f32", "1.0e-6"),
        ("i32", "f32", "1.0e-3:12345"),
        ("i8", "f16", "0.02:1"),
        ("i8", "f64", "0.02:1"),
        ("i8", "f32", "0"),
        ("i8", "f32", "1"),
    ] {
        let ty = match parameters {
            "0" => format!("!quant.uniform<{storage}:{expressed}:0, {{0.1:1, 0.2, 0.3:-1, 0.7:10}}>"),
            "1" => format!("!quant.uniform<{storage}:{expressed}:1, {{0.1:1, 0.2, 0.3:-1, 0.7:10, 0.9, 1.5:2}}>"),
            _ => format!("!quant.uniform<{storage}:{expressed}, {parameters}>"),
        };
        let mlir = format!(
            "func.func @main(%x: tensor<4x6x{expressed}>, %y: tensor<4x6x{ty}>) -> (tensor<4x6x{ty}>, tensor<4x6x{expressed}>) {{
               %0 = stablehlo.uniform_quantize %x : (tensor<4x6x{expressed}>) -> tensor<4x6x{ty}>
               %1 = stablehlo.uniform_dequantize %y : (tensor<4x6x{ty}>) -> tensor<4x6x{expressed}>
               return %0, %1 : tensor<4x6x{ty}>, tensor<4x6x{expressed}>
             }}"
        );
        agrees(&mlir, 1).without_interpreter();
    }
}

#[test]
fn elementwise_ops_are_loops() {
    for op in ["add", "subtract", "multiply", "divide", "maximum", "minimum"] {
        let mlir = format!(
            "func.func @main(%x: tensor<7x30x{A}>, %y: tensor<7x30x{B}>) -> tensor<7x30x{C}> {{
               %0 = stablehlo.{op} %x, %y : (tensor<7x30x{A}>, tensor<7x30x{B}>) -> tensor<7x30x{C}>
               return %0 : tensor<7x30x{C}>
             }}"
        );
        agrees(&mlir, 2).without_interpreter().with("loop");
    }
    let mlir = format!(
        "func.func @main(%x: tensor<7x30x{A}>, %y: tensor<7x30x{A}>) -> (tensor<7x30xi1>, tensor<7x30x{A}>, tensor<30x7x{A}>) {{
           %low = stablehlo.constant() <{{value = dense<-20> : tensor<i8>}}> : () -> tensor<{A}>
           %high = stablehlo.constant() <{{value = dense<90> : tensor<i8>}}> : () -> tensor<{A}>
           %0 = stablehlo.compare LT, %x, %y : (tensor<7x30x{A}>, tensor<7x30x{A}>) -> tensor<7x30xi1>
           %1 = stablehlo.clamp %low, %x, %high : (tensor<{A}>, tensor<7x30x{A}>, tensor<{A}>) -> tensor<7x30x{A}>
           %2 = stablehlo.maximum %1, %y : tensor<7x30x{A}>
           %3 = stablehlo.select %0, %2, %x : tensor<7x30xi1>, tensor<7x30x{A}>
           %4 = stablehlo.negate %3 : tensor<7x30x{A}>
           %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<7x30x{A}>) -> tensor<30x7x{A}>
           return %0, %3, %5 : tensor<7x30xi1>, tensor<7x30x{A}>, tensor<30x7x{A}>
         }}"
    );
    agrees(&mlir, 3).without_interpreter();
}

#[test]
fn products_are_summed_in_order() {
    let weights = "!quant.uniform<i8:f32:1, {0.011, 0.013, 0.017, 0.019, 0.021, 0.025, 0.027, 0.029, 0.031}>";
    for (m, k) in [(1, 40), (5, 33), (70, 130), (3, 1500)] {
        for (rhs, n) in [("!quant.uniform<i8:f32, 0.0131>", 50), (weights, 9)] {
            let mlir = format!(
                "func.func @main(%x: tensor<{m}x{k}x{A}>, %w: tensor<{k}x{n}x{rhs}>) -> tensor<{m}x{n}x{C}> {{
                   %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                     : (tensor<{m}x{k}x{A}>, tensor<{k}x{n}x{rhs}>) -> tensor<{m}x{n}x{C}>
                   return %0 : tensor<{m}x{n}x{C}>
                 }}"
            );
            agrees(&mlir, 4).without_interpreter();
        }
    }
}

#[test]
fn sums_of_floats_and_quantized_weights_are_scaled() {
    let rule = Rule { atol: 1e-4, rtol: 1e-5, ulp: 0 };
    for weights in ["!quant.uniform<i8:f32, 0.0131>", "!quant.uniform<i8:f32:0, {0.011, 0.5, 0.017, 0.019, 0.021}>"] {
        for (m, numbers, result) in [
            (1, "contracting_dims = [1] x [1]", "1x5x40"),
            (9, "contracting_dims = [1] x [1]", "9x5x40"),
            (5, "batching_dims = [0] x [0], contracting_dims = [1] x [1]", "5x40"),
        ] {
            let mlir = format!(
                "func.func @main(%x: tensor<{m}x70xf32>, %w: tensor<5x70x40x{weights}>) -> tensor<{result}xf32> {{
                   %0 = stablehlo.dot_general %x, %w, {numbers}
                     : (tensor<{m}x70xf32>, tensor<5x70x40x{weights}>) -> tensor<{result}xf32>
                   return %0 : tensor<{result}xf32>
                 }}"
            );
            agrees_within(&mlir, 8, rule).without_interpreter();
        }
    }
}

#[test]
fn convolutions_are_summed_in_order() {
    for (input, kernel, output, groups) in [
        ("[b, 0, 1, f]", "[0, 1, i, o]", "[b, 0, 1, f]", 1),
        ("[b, f, 0, 1]", "[o, i, 0, 1]", "[b, f, 0, 1]", 1),
        ("[b, 0, 1, f]", "[0, 1, i, o]", "[b, 0, 1, f]", 6),
    ] {
        let n_in = 6 / groups;
        let (x, w, y) = match input {
            "[b, f, 0, 1]" => ("2x6x9x9".to_owned(), format!("12x{n_in}x3x3"), "2x12x9x9"),
            _ => ("2x9x9x6".to_owned(), format!("3x3x{n_in}x12"), "2x9x9x12"),
        };
        let mlir = format!(
            "func.func @main(%x: tensor<{x}x{A}>, %w: tensor<{w}x{B}>) -> tensor<{y}x{C}> {{
               %0 = stablehlo.convolution(%x, %w) dim_numbers = {input}x{kernel}->{output},
                 window = {{stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]}}
                 {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
                 : (tensor<{x}x{A}>, tensor<{w}x{B}>) -> tensor<{y}x{C}>
               return %0 : tensor<{y}x{C}>
             }}"
        );
        agrees(&mlir, 5).without_interpreter();
    }
}

#[test]
fn control_flow_and_folds_carry_storage() {
    let mlir = format!(
        "func.func @main(%x: tensor<9x20x{A}>, %i: tensor<{A}>) -> (tensor<9x{A}>, tensor<9x20x{A}>) {{
           %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1]
             : (tensor<9x20x{A}>, tensor<{A}>) -> tensor<9x{A}>
           %n = stablehlo.constant dense<3> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %z = stablehlo.constant dense<0> : tensor<i32>
           %r:2 = stablehlo.while(%v = %x, %k = %z) : tensor<9x20x{A}>, tensor<i32>
             cond {{
               %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %c : tensor<i1>
             }} do {{
               %w = func.call @f(%v) : (tensor<9x20x{A}>) -> tensor<9x20x{A}>
               %l = stablehlo.add %k, %one : tensor<i32>
               stablehlo.return %w, %l : tensor<9x20x{A}>, tensor<i32>
             }}
           return %0, %r#0 : tensor<9x{A}>, tensor<9x20x{A}>
         }}
         func.func private @f(%x: tensor<9x20x{A}>) -> tensor<9x20x{A}> {{
           %0 = stablehlo.add %x, %x : tensor<9x20x{A}>
           return %0 : tensor<9x20x{A}>
         }}"
    );
    agrees(&mlir, 6).without_interpreter();
}

#[test]
fn functions_of_many_numbers_are_left_to_the_interpreter() {
    let ty = "!quant.uniform<i16:f32, 0.001:-3>";
    let mlir = format!(
        "func.func @main(%x: tensor<300x{ty}>) -> tensor<300x{ty}> {{
           %0 = stablehlo.add %x, %x : tensor<300x{ty}>
           %1 = stablehlo.tanh %0 : tensor<300x{ty}>
           %2 = stablehlo.add %1, %1 : tensor<300x{ty}>
           return %2 : tensor<300x{ty}>
         }}"
    );
    let agreed = agrees(&mlir, 7);
    assert_eq!(agreed.left.len(), 1, "{:?}", agreed.left);
}

#[test]
fn functions_of_few_numbers_are_tables() {
    for op in ["tanh", "logistic", "exponential", "rsqrt", "cosine", "log"] {
        for ty in [A, "!quant.uniform<u8:f32, 0.02:3>", "!quant.uniform<i4:f32, 0.1:1>"] {
            let mlir = format!(
                "func.func @main(%x: tensor<3x100x{ty}>) -> tensor<3x100x{ty}> {{
                   %0 = \"stablehlo.{op}\"(%x) : (tensor<3x100x{ty}>) -> tensor<3x100x{ty}>
                   return %0 : tensor<3x100x{ty}>
                 }}"
            );
            agrees(&mlir, 8).without_interpreter().with("gather");
        }
    }
}
