//! Programs that spend their time in one op.

use crate::constant;

/// A program that spends its time in one op; the op's inputs are constants.
#[derive(Clone, Debug)]
pub struct Workload {
    /// What it is about: the op, and what is special about it.
    pub name: &'static str,
    /// How many units of work the op does: elements of the result or the input, multiply-adds, or steps of a loop.
    pub units: u64,
    /// The constants.
    inputs: String,
    /// The first of them, for [`Self::baseline`].
    x_type: String,
    /// The op, which defines `%r`.
    op: String,
    result_type: String,
}

impl Workload {
    /// The program.
    pub fn program(&self) -> String {
        function(&self.inputs, &self.op, "%r", &self.result_type)
    }

    /// The same without the op: it gives back its first constant.
    pub fn baseline(&self) -> String {
        function(&self.inputs, "", "%x", &self.x_type)
    }
}

fn function(inputs: &str, op: &str, result: &str, ty: &str) -> String {
    format!("func.func @main() -> {ty} {{\n{inputs}{op}  return {result} : {ty}\n}}\n")
}

/// A constant `%name` of small positive numbers that are not in order: multiples of 1/64 up to 16, or integers below 128.
fn input(name: &str, ty: &str, n_elements: u32) -> String {
    let floats = ty.ends_with("f32>");
    let value = |i: u32| match floats {
        true => ((i * 37 % 1024 + 1) as f32 / 64.0).to_bits(),
        false => i * 37 % 128,
    };
    format!("  %{name} = {}\n", constant(ty, n_elements as usize, (0..n_elements).map(value)))
}

const MATRIX: &str = "tensor<64x64xf32>";
const VECTOR: &str = "tensor<4096xf32>";
const SIZE: u32 = 4096;

/// An op on `%x`, a matrix or vector of 4096 elements, and what else `more` defines.
fn on(name: &'static str, x_type: &str, more: &str, op: &str, result_type: &str) -> Workload {
    Workload {
        name,
        units: u64::from(SIZE),
        inputs: input("x", x_type, SIZE) + more,
        x_type: x_type.to_owned(),
        op: format!("  {op}\n"),
        result_type: result_type.to_owned(),
    }
}

/// An elementwise op that takes `%x` `n_operands` times.
fn elementwise(name: &'static str, n_operands: usize, x_type: &str) -> Workload {
    let op =
        format!("%r = stablehlo.{} {} : {x_type}", name.trim_end_matches(" i32"), vec!["%x"; n_operands].join(", "));
    on(name, x_type, "", &op, x_type)
}

fn dot_general(name: &'static str, n: u32) -> Workload {
    let ty = format!("tensor<{n}x{n}xf32>");
    Workload {
        name,
        units: u64::from(n).pow(3),
        inputs: input("x", &ty, n * n),
        op: format!("  %r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : ({ty}, {ty}) -> {ty}\n"),
        x_type: ty.clone(),
        result_type: ty,
    }
}

/// All of them.
pub fn workloads() -> Vec<Workload> {
    let mut all: Vec<Workload> =
        ["add", "multiply", "divide", "maximum", "power"].map(|name| elementwise(name, 2, MATRIX)).into();
    all.extend(["exponential", "tanh", "log", "sine", "sqrt", "negate"].map(|name| elementwise(name, 1, MATRIX)));
    all.push(elementwise("add i32", 2, "tensor<64x64xi32>"));
    all.extend(pointwise());
    all.extend(data_movement());
    all.extend(indexed());
    all.extend(with_bodies());
    all.extend([dot_general("dot_general 64", 64), dot_general("dot_general 256", 256), convolution()]);
    all
}

fn pointwise() -> [Workload; 3] {
    let flag = "  %p = stablehlo.constant dense<true> : tensor<64x64xi1>\n";
    [
        on(
            "compare",
            MATRIX,
            "",
            "%r = stablehlo.compare LT, %x, %x : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xi1>",
            "tensor<64x64xi1>",
        ),
        on("select", MATRIX, flag, "%r = stablehlo.select %p, %x, %x : tensor<64x64xi1>, tensor<64x64xf32>", MATRIX),
        on(
            "convert",
            MATRIX,
            "",
            "%r = stablehlo.convert %x : (tensor<64x64xf32>) -> tensor<64x64xi32>",
            "tensor<64x64xi32>",
        ),
    ]
}

fn data_movement() -> [Workload; 8] {
    let zero = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n";
    let start = "  %i = stablehlo.constant dense<1> : tensor<i32>\n";
    [
        on("iota", MATRIX, "", "%r = stablehlo.iota dim = 1 : tensor<64x64xf32>", MATRIX),
        on(
            "broadcast_in_dim",
            VECTOR,
            "  %v = stablehlo.slice %x [0:64] : (tensor<4096xf32>) -> tensor<64xf32>\n",
            "%r = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>",
            MATRIX,
        ),
        on(
            "transpose",
            MATRIX,
            "",
            "%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>",
            MATRIX,
        ),
        on(
            "slice",
            MATRIX,
            "",
            "%r = stablehlo.slice %x [0:64, 1:63] : (tensor<64x64xf32>) -> tensor<64x62xf32>",
            "tensor<64x62xf32>",
        ),
        on(
            "dynamic_slice",
            MATRIX,
            start,
            "%r = stablehlo.dynamic_slice %x, %i, %i, sizes = [62, 62] : (tensor<64x64xf32>, tensor<i32>, tensor<i32>) \
             -> tensor<62x62xf32>",
            "tensor<62x62xf32>",
        ),
        on(
            "pad",
            MATRIX,
            zero,
            "%r = stablehlo.pad %x, %z, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<64x64xf32>, tensor<f32>) \
             -> tensor<66x66xf32>",
            "tensor<66x66xf32>",
        ),
        on(
            "concatenate",
            MATRIX,
            "",
            "%r = stablehlo.concatenate %x, %x, dim = 1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x128xf32>",
            "tensor<64x128xf32>",
        ),
        on("reverse", MATRIX, "", "%r = stablehlo.reverse %x, dims = [0, 1] : tensor<64x64xf32>", MATRIX),
    ]
}

fn indexed() -> [Workload; 2] {
    let indices = input("i", "tensor<4096x1xi32>", SIZE);
    [
        on(
            "gather",
            VECTOR,
            &indices,
            "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], \
             start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : \
             (tensor<4096xf32>, tensor<4096x1xi32>) -> tensor<4096xf32>",
            VECTOR,
        ),
        on(
            "scatter",
            VECTOR,
            &indices,
            "%r = \"stablehlo.scatter\"(%x, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<\
             inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({\n  \
             ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    %c = stablehlo.add %a, %b : tensor<f32>\n    \
             stablehlo.return %c : tensor<f32>\n  }) : \
             (tensor<4096xf32>, tensor<4096x1xi32>, tensor<4096xf32>) -> tensor<4096xf32>",
            VECTOR,
        ),
    ]
}

fn with_bodies() -> [Workload; 4] {
    let zero = "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n";
    let counter = "  %i = stablehlo.constant dense<0> : tensor<i32>\n  %n = stablehlo.constant dense<4096> : tensor<i32>\n  \
                   %one = stablehlo.constant dense<1> : tensor<i32>\n";
    [
        on(
            "reduce",
            MATRIX,
            zero,
            "%r = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : \
             (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>",
            "tensor<64xf32>",
        ),
        on(
            "reduce_window",
            MATRIX,
            zero,
            "%r = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 2, 2>, \
             window_strides = array<i64: 2, 2>}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    \
             %c = stablehlo.maximum %a, %b : tensor<f32>\n    stablehlo.return %c : tensor<f32>\n  }) : \
             (tensor<64x64xf32>, tensor<f32>) -> tensor<32x32xf32>",
            "tensor<32x32xf32>",
        ),
        on(
            "sort",
            VECTOR,
            "",
            "%r = \"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({\n  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n    \
             %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    \
             stablehlo.return %c : tensor<i1>\n  }) : (tensor<4096xf32>) -> tensor<4096xf32>",
            VECTOR,
        ),
        on(
            "while",
            VECTOR,
            counter,
            "%r = stablehlo.while(%k = %i) : tensor<i32>\n   cond {\n    \
             %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n    \
             stablehlo.return %c : tensor<i1>\n  } do {\n    %m = stablehlo.add %k, %one : tensor<i32>\n    \
             stablehlo.return %m : tensor<i32>\n  }",
            "tensor<i32>",
        ),
    ]
}

fn convolution() -> Workload {
    let (image, kernel) = ("tensor<1x16x16x4xf32>", "tensor<3x3x4x8xf32>");
    Workload {
        name: "convolution",
        units: 16 * 16 * 8 * 36,
        inputs: input("x", image, 16 * 16 * 4) + &input("w", kernel, 3 * 3 * 4 * 8),
        x_type: image.to_owned(),
        op: format!(
            "  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], \
             window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : \
             ({image}, {kernel}) -> tensor<1x16x16x8xf32>\n"
        ),
        result_type: "tensor<1x16x16x8xf32>".to_owned(),
    }
}
