//! `dot_general`, `dot`, `convolution`, `dynamic_conv`, `einsum`, `unary_einsum`, `chlo.ragged_dot`.

use crate::element::{Complex, bf16, f16};
use crate::error::ErrorKind;
use crate::eval::Config;
use crate::ops::testing::{outcome_of, result_of, results_of};
use crate::tensor::Tensor;

fn dot(lhs: &str, rhs: &str, rest: &str, result: &str) -> Tensor {
    let ty = |constant: &str| constant.split(" : ").nth(1).unwrap().to_owned();
    result_of(&format!(
        "func.func @main() -> {result} {{
           %l = stablehlo.constant {lhs}
           %r = stablehlo.constant {rhs}
           %d = stablehlo.dot_general %l, %r, {rest} : ({}, {}) -> {result}
           return %d : {result}
         }}",
        ty(lhs),
        ty(rhs)
    ))
}

#[test]
fn matrices_of_odd_sizes() {
    // lhs[i, k] = i + k, rhs[k, j] = k − j; the sum over k < 3 of (i + k)(k − j) = 3ik̄ … by hand below.
    let sums = |i: i64, j: i64| (0..3).map(|k| (i + k) * (k - j)).sum::<i64>();
    let text = "func.func @main() -> tensor<7x21xi64> {
        %i = stablehlo.iota dim = 0 : tensor<7x3xi64>
        %k = stablehlo.iota dim = 1 : tensor<7x3xi64>
        %l = stablehlo.add %i, %k : tensor<7x3xi64>
        %m = stablehlo.iota dim = 0 : tensor<3x21xi64>
        %j = stablehlo.iota dim = 1 : tensor<3x21xi64>
        %r = stablehlo.subtract %m, %j : tensor<3x21xi64>
        %d = stablehlo.dot %l, %r : (tensor<7x3xi64>, tensor<3x21xi64>) -> tensor<7x21xi64>
        return %d : tensor<7x21xi64>
      }";
    let expected: Vec<i64> = (0..7).flat_map(|i| (0..21).map(move |j| sums(i, j))).collect();
    assert_eq!(result_of(text).to_vec::<i64>(), expected);
}

#[test]
fn batching_and_several_contracting_dimensions() {
    // Two batches of rows 1..: the batch is dimension 1 of lhs and 0 of rhs.
    let lhs = "dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>";
    let rhs = "dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>";
    let result = dot(lhs, rhs, "batching_dims = [1] x [0], contracting_dims = [2] x [1]", "tensor<2x2xi32>");
    assert_eq!(result.to_vec::<i32>(), [21, 65, 4300, 8700]);
    let result = dot(lhs, rhs, "contracting_dims = [2, 0] x [0, 1]", "tensor<2xi32>");
    // row j: 1·l[0,j,0] + 10·l[1,j,0] + 100·l[0,j,1] + 1000·l[1,j,1]
    assert_eq!(result.to_vec::<i32>(), [1 + 50 + 200 + 6000, 3 + 70 + 400 + 8000]);
}

#[test]
fn nothing_to_contract_and_nothing_to_compute() {
    let result = dot(
        "dense<> : tensor<2x0xf32>",
        "dense<> : tensor<0x3xf32>",
        "contracting_dims = [1] x [0]",
        "tensor<2x3xf32>",
    );
    assert_eq!(result.to_vec::<f32>(), [0.0; 6]);
    let result = dot(
        "dense<> : tensor<0x2xf32>",
        "dense<1.0> : tensor<2x3xf32>",
        "contracting_dims = [1] x [0]",
        "tensor<0x3xf32>",
    );
    assert_eq!(result.shape(), [0, 3]);
}

#[test]
fn integers_widen_to_the_result_and_wrap_in_it() {
    let rest = "contracting_dims = [0] x [0]";
    let hundreds = "dense<100> : tensor<2xi8>";
    assert_eq!(dot(hundreds, hundreds, rest, "tensor<i32>").to_vec::<i32>(), [20_000]);
    assert_eq!(dot(hundreds, hundreds, rest, "tensor<i8>").to_vec::<i8>(), [32]);
    let large = "dense<4294967295> : tensor<2xui32>";
    assert_eq!(dot(large, large, rest, "tensor<ui32>").to_vec::<u32>(), [2]);
    let pred = "dense<[true, false]> : tensor<2xi1>";
    assert_eq!(dot(pred, "dense<[true, true]> : tensor<2xi1>", rest, "tensor<i1>").to_vec::<bool>(), [true]);
    let large = "dense<18446744073709551615> : tensor<2xui64>";
    assert_eq!(dot(large, large, rest, "tensor<ui64>").to_vec::<u64>(), [2]);
}

/// 512 ones in bf16 are 512, 300² − 300² in f16 is 0, as XLA has them: sums are kept in f32 and rounded once.
#[test]
fn narrow_floats_accumulate_in_f32() {
    let rest = "contracting_dims = [0] x [0]";
    let ones = "dense<1.0> : tensor<512xbf16>";
    assert_eq!(dot(ones, ones, rest, "tensor<bf16>").to_vec::<bf16>(), [bf16::from_f32(512.0)]);
    let (plus, minus) = ("dense<[300.0, 300.0]> : tensor<2xf16>", "dense<[300.0, -300.0]> : tensor<2xf16>");
    assert_eq!(dot(plus, minus, rest, "tensor<f16>").to_vec::<f16>(), [f16::from_f32(0.0)]);
}

/// 1e8 + 1 − 1e8 is 0 in f32 from the left; and −0 · 1 added to +0 is +0.
#[test]
fn sums_go_from_left_to_right_from_plus_zero() {
    let rest = "contracting_dims = [0] x [0]";
    let ones = "dense<1.0> : tensor<3xf32>";
    assert_eq!(dot("dense<[1.0e8, 1.0, -1.0e8]> : tensor<3xf32>", ones, rest, "tensor<f32>").to_vec::<f32>(), [0.0]);
    assert_eq!(dot("dense<[1.0e8, -1.0e8, 1.0]> : tensor<3xf32>", ones, rest, "tensor<f32>").to_vec::<f32>(), [1.0]);
    let zero = dot("dense<-0.0> : tensor<1xf32>", "dense<1.0> : tensor<1xf32>", rest, "tensor<f32>").to_vec::<f32>()[0];
    assert!(zero == 0.0 && zero.is_sign_positive());
    let nan = dot("dense<0.0> : tensor<1xf32>", "dense<0x7F800000> : tensor<1xf32>", rest, "tensor<f32>");
    assert_eq!(nan.to_vec::<f32>()[0].to_bits(), 0x7FC0_0000);
}

#[test]
fn complex_numbers() {
    let result = dot(
        "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>",
        "dense<[(5.0, 6.0), (7.0, -8.0)]> : tensor<2xcomplex<f32>>",
        "contracting_dims = [0] x [0]",
        "tensor<complex<f32>>",
    );
    // (1+2i)(5+6i) = −7+16i, (3+4i)(7−8i) = 53+4i
    assert_eq!(result.to_vec::<Complex<f32>>(), [Complex::new(46.0, 20.0)]);
}

/// tf32 keeps ten bits: 1 + 2⁻¹¹ is a tie and goes to 1, 1 + 3·2⁻¹¹ goes to 1 + 2⁻⁹.
#[test]
fn algorithms_round_operands() {
    let algorithm = |ty: &str, operations: u32| {
        format!(
            "contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = {ty}, \
             rhs_precision_type = {ty}, accumulation_type = f32, lhs_component_count = 1, \
             rhs_component_count = 1, num_primitive_operations = {operations}, \
             allow_imprecise_accumulation = false>"
        )
    };
    let x = "dense<[1.00048828125, 1.00146484375]> : tensor<2xf32>";
    let ones = "dense<1.0> : tensor<2xf32>";
    assert_eq!(dot(x, ones, &algorithm("tf32", 1), "tensor<f32>").to_vec::<f32>(), [2.0 + 1.0 / 512.0]);
    assert_eq!(dot(x, ones, &algorithm("bf16", 1), "tensor<f32>").to_vec::<f32>(), [2.0]);
    // Three components of bf16 hold all 24 bits of an f32.
    assert_eq!(dot(x, ones, &algorithm("bf16", 6), "tensor<f32>").to_vec::<f32>(), [2.0 + 1.0 / 512.0]);
}

#[test]
fn sizes_that_are_known_at_run_time_only() {
    let text = "func.func @main() -> tensor<f32> {
        %a = stablehlo.constant dense<1.0> : tensor<2xf32>
        %b = stablehlo.constant dense<1.0> : tensor<3xf32>
        %c = stablehlo.constant dense<2> : tensor<1xi32>
        %d = stablehlo.constant dense<3> : tensor<1xi32>
        %x = stablehlo.dynamic_reshape %a, %c : (tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
        %y = stablehlo.dynamic_reshape %b, %d : (tensor<3xf32>, tensor<1xi32>) -> tensor<?xf32>
        %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
        return %r : tensor<f32>
      }";
    let error = results_of(text).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("exec/shape-mismatch", ErrorKind::Invalid));
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let text = "func.func @main() -> tensor<1000000x1000000xf32> {
        %a = stablehlo.constant dense<1.0> : tensor<1000000xf32>
        %r = stablehlo.dot_general %a, %a, contracting_dims = [] x []
          : (tensor<1000000xf32>, tensor<1000000xf32>) -> tensor<1000000x1000000xf32>
        return %r : tensor<1000000x1000000xf32>
      }";
    let error = outcome_of(text, &Config::default()).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("exec/memory-limit", ErrorKind::Resource));
}

fn convolved(lhs: &str, rhs: &str, numbers: &str, window: &str, groups: (u32, u32), result: &str) -> Tensor {
    let ty = |constant: &str| constant.split(" : ").nth(1).unwrap().to_owned();
    result_of(&format!(
        "func.func @main() -> {result} {{
           %l = stablehlo.constant {lhs}
           %r = stablehlo.constant {rhs}
           %c = stablehlo.convolution(%l, %r) dim_numbers = {numbers}, window = {{{window}}}
             {{feature_group_count = {} : i64, batch_group_count = {} : i64}} : ({}, {}) -> {result}
           return %c : {result}
         }}",
        groups.0,
        groups.1,
        ty(lhs),
        ty(rhs)
    ))
}

#[test]
fn windows_with_strides_padding_and_dilation() {
    let x = "dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>";
    let kernel = "dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>";
    let numbers = "[b, 0, f]x[0, i, o]->[b, 0, f]";
    let of = |window: &str, n: usize| {
        convolved(x, kernel, numbers, window, (1, 1), &format!("tensor<1x{n}x1xi32>")).to_vec::<i32>()
    };
    assert_eq!(of("", 3), [21, 32, 43]);
    assert_eq!(of("stride = [2]", 2), [21, 43]);
    assert_eq!(of("pad = [[1, 1]]", 5), [10, 21, 32, 43, 4]);
    assert_eq!(of("pad = [[-1, 0]]", 2), [32, 43]);
    assert_eq!(of("lhs_dilate = [2]", 6), [1, 20, 2, 30, 3, 40]);
    assert_eq!(of("rhs_dilate = [2]", 2), [31, 42]);
    assert_eq!(of("reverse = [true]", 3), [12, 23, 34]);
}

#[test]
fn groups_of_features_and_batches() {
    // Two features that do not mix, times 1 and 10.
    let x = "dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>";
    let kernel = "dense<[[[1, 10]]]> : tensor<1x1x2xi32>";
    let numbers = "[b, 0, f]x[0, i, o]->[b, 0, f]";
    assert_eq!(convolved(x, kernel, numbers, "", (2, 1), "tensor<1x2x2xi32>").to_vec::<i32>(), [1, 20, 3, 40]);
    // Two batches become features of the result.
    let x = "dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>";
    assert_eq!(convolved(x, kernel, numbers, "", (1, 2), "tensor<1x2x2xi32>").to_vec::<i32>(), [1, 30, 2, 40]);
}

/// Sums over a 2 × 2 window in the layout of frameworks that put features first, with more results than a block holds.
#[test]
fn features_first_and_many_windows() {
    let text = "func.func @main() -> tensor<2x1x16x16xi64> {
        %x = stablehlo.iota dim = 3 : tensor<2x3x17x17xi64>
        %k = stablehlo.constant dense<1> : tensor<1x3x2x2xi64>
        %c = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
          {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
          : (tensor<2x3x17x17xi64>, tensor<1x3x2x2xi64>) -> tensor<2x1x16x16xi64>
        return %c : tensor<2x1x16x16xi64>
      }";
    // 3 features · 2 rows · (x + x + 1)
    let expected: Vec<i64> = (0..2 * 16 * 16).map(|index| 6 * (2 * (index % 16) + 1)).collect();
    assert_eq!(result_of(text).to_vec::<i64>(), expected);
}

/// The zeros of padding take part: 0 · ∞ is NaN.
#[test]
fn padding_meets_infinity() {
    let x = "dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>";
    let kernel = "dense<[[[1.0]], [[0x7F800000]]]> : tensor<2x1x1xf32>";
    let result = convolved(x, kernel, "[b, 0, f]x[0, i, o]->[b, 0, f]", "pad = [[0, 1]]", (1, 1), "tensor<1x2x1xf32>");
    let result = result.to_vec::<f32>();
    assert!(result[0] == f32::INFINITY && result[1].is_nan());
}

#[test]
fn einsum_by_letters() {
    let einsum = |config: &str, result: &str| {
        result_of(&format!(
            "func.func @main() -> {result} {{
               %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
               %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
               %r = \"stablehlo.einsum\"(%a, %b) {{einsum_config = \"{config}\"}}
                 : (tensor<2x2xi32>, tensor<2x2xi32>) -> {result}
               return %r : {result}
             }}"
        ))
        .to_vec::<i32>()
    };
    assert_eq!(einsum("ab,bc->ac", "tensor<2x2xi32>"), [19, 22, 43, 50]);
    assert_eq!(einsum("ab,bc->ca", "tensor<2x2xi32>"), [19, 43, 22, 50]);
    assert_eq!(einsum("ab,ab->a", "tensor<2xi32>"), [17, 53]);
    assert_eq!(einsum("aa,bc->", "tensor<i32>"), [5 * 26]);
    assert_eq!(einsum("...a,...a->...", "tensor<2xi32>"), [17, 53]);
    let unary = "func.func @main() -> tensor<2xi32> {
        %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
        %r = \"stablehlo.unary_einsum\"(%a) {einsum_config = \"ab->b\"} : (tensor<2x2xi32>) -> tensor<2xi32>
        return %r : tensor<2xi32>
      }";
    assert_eq!(result_of(unary).to_vec::<i32>(), [4, 6]);
}

fn ragged(lhs: &str, rhs: &str, group_sizes: &str, numbers: &str, result: &str) -> Vec<i32> {
    let ty = |constant: &str| constant.split(" : ").nth(1).unwrap().to_owned();
    result_of(&format!(
        "func.func @main() -> {result} {{
           %l = stablehlo.constant {lhs}
           %r = stablehlo.constant {rhs}
           %g = stablehlo.constant {group_sizes}
           %d = \"chlo.ragged_dot\"(%l, %r, %g) {{ragged_dot_dimension_numbers = #chlo.ragged_dot<{numbers}>}}
             : ({}, {}, {}) -> {result}
           return %d : {result}
         }}",
        ty(lhs),
        ty(rhs),
        ty(group_sizes)
    ))
    .to_vec()
}

#[test]
fn ragged_rows_and_ragged_sums() {
    let lhs = "dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>";
    // Row 0 meets group 0, rows 1 and 2 group 1, row 3 none.
    let rhs = "dense<[[[1], [10]], [[100], [1000]]]> : tensor<2x2x1xi32>";
    let numbers = "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], \
                   rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]";
    let sizes = "dense<[1, 2]> : tensor<2xi32>";
    assert_eq!(ragged(lhs, rhs, sizes, numbers, "tensor<4x1xi32>"), [21, 4300, 6500, 0]);
    // Columns of the sum: the first in group 0, the second in group 1.
    let rhs = "dense<[[1], [10]]> : tensor<2x1xi32>";
    let numbers = "lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], \
                   rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []";
    let sizes = "dense<[1, 1]> : tensor<2xi32>";
    assert_eq!(ragged(lhs, rhs, sizes, numbers, "tensor<2x4x1xi32>"), [1, 3, 5, 7, 20, 40, 60, 80]);
}

/// Two features in groups of one, each with two results; and the same as a convolution of the general kind.
#[test]
fn groups_of_one_feature() {
    let text = |groups: u32, kernel: &str, ty: &str| {
        format!(
            "func.func @main() -> tensor<1x4x4xi32> {{
               %x = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi32>
               %k = stablehlo.constant dense<{kernel}> : tensor<{ty}>
               %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{pad = [[1, 1]]}}
                 {{feature_group_count = {groups} : i64, batch_group_count = 1 : i64}}
                 : (tensor<1x3x2xi32>, tensor<{ty}>) -> tensor<1x4x4xi32>
               return %c : tensor<1x4x4xi32>
             }}"
        )
    };
    let grouped = result_of(&text(2, "[[[1, 10, 2, 20]], [[3, 30, 4, 40]]]", "2x1x4xi32")).to_vec::<i32>();
    let whole = "[[[1, 10, 0, 0], [0, 0, 2, 20]], [[3, 30, 0, 0], [0, 0, 4, 40]]]";
    assert_eq!(grouped, result_of(&text(1, whole, "2x2x4xi32")).to_vec::<i32>());
    // Window (0, 1): feature 0 is 1 at the second place, feature 1 is 2.
    assert_eq!(grouped[..4], [3, 30, 8, 80]);
}
