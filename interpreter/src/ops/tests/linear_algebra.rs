//! `fft`, `cholesky`, `triangular_solve`, batch normalization, and the calls for QR decomposition.

use crate::element::{Complex, f16};
use crate::eval::Config;
use crate::ops::testing::{outcome_of, result_of, results_of};
use crate::tensor::Tensor;

fn fft(constant: &str, kind: &str, length: &str, result: &str) -> Tensor {
    let ty = constant.split(" : ").nth(1).unwrap();
    result_of(&format!(
        "func.func @main() -> {result} {{
           %x = stablehlo.constant {constant}
           %r = stablehlo.fft %x, type = {kind}, length = {length} : ({ty}) -> {result}
           return %r : {result}
         }}"
    ))
}

fn c(re: f64, im: f64) -> Complex<f64> {
    Complex::new(re, im)
}

#[test]
fn transforms_of_small_lengths() {
    let x = "dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f64>>";
    let spectrum = [c(10.0, 0.0), c(-2.0, 2.0), c(-2.0, 0.0), c(-2.0, -2.0)];
    let result = fft(x, "FFT", "[4]", "tensor<4xcomplex<f64>>").to_vec::<Complex<f64>>();
    assert!(result.iter().zip(&spectrum).all(|(a, b)| (a - b).l1_norm() < 1e-15), "{result:?}");
    let result = fft(x, "IFFT", "[4]", "tensor<4xcomplex<f64>>").to_vec::<Complex<f64>>();
    assert!((result[0] - c(2.5, 0.0)).l1_norm() < 1e-15 && (result[1] - c(-0.5, -0.5)).l1_norm() < 1e-15, "{result:?}");

    let x = "dense<[1.0, 2.0, 3.0]> : tensor<3xf32>";
    let result = fft(x, "RFFT", "[3]", "tensor<2xcomplex<f32>>").to_vec::<Complex<f32>>();
    // −3/2 + i √3/2
    assert_eq!(result, [Complex::new(6.0, 0.0), Complex::new(-1.5, 0.866_025_4)]);
    // The imaginary part of the first is ignored; an odd length has no Nyquist bin.
    let half = "dense<[(6.0, 99.0), (-1.5, 0.8660254)]> : tensor<2xcomplex<f32>>";
    assert_eq!(fft(half, "IRFFT", "[3]", "tensor<3xf32>").to_vec::<f32>(), [1.0, 2.0, 3.0]);
    assert_eq!(
        fft("dense<(7.0, 5.0)> : tensor<1xcomplex<f32>>", "IRFFT", "[1]", "tensor<1xf32>").to_vec::<f32>(),
        [7.0]
    );
}

/// The transform of lengths with all kinds of factors, forward and back, and against the sum of its definition.
#[test]
fn transforms_of_many_lengths() {
    for n in [1, 2, 3, 4, 5, 6, 8, 12, 30, 49, 67, 127, 134, 360, 1009] {
        let text = format!(
            "func.func @main() -> (tensor<{n}xcomplex<f64>>, tensor<{n}xcomplex<f64>>, tensor<{n}xcomplex<f64>>) {{
               %i = stablehlo.iota dim = 0 : tensor<{n}xf64>
               %s = stablehlo.sine %i : tensor<{n}xf64>
               %c = stablehlo.multiply %s, %i : tensor<{n}xf64>
               %d = stablehlo.cosine %c : tensor<{n}xf64>
               %x = stablehlo.complex %s, %d : tensor<{n}xcomplex<f64>>
               %f = stablehlo.fft %x, type = FFT, length = [{n}] : (tensor<{n}xcomplex<f64>>) -> tensor<{n}xcomplex<f64>>
               %b = stablehlo.fft %f, type = IFFT, length = [{n}] : (tensor<{n}xcomplex<f64>>) -> tensor<{n}xcomplex<f64>>
               return %x, %f, %b : tensor<{n}xcomplex<f64>>, tensor<{n}xcomplex<f64>>, tensor<{n}xcomplex<f64>>
             }}"
        );
        let results = results_of(&text).unwrap();
        let [x, f, back] = [0, 1, 2].map(|index: usize| results[index].to_vec::<Complex<f64>>());
        let norm = |values: &[Complex<f64>]| values.iter().map(|value| value.norm_sqr()).sum::<f64>().sqrt();
        let difference =
            |a: &[Complex<f64>], b: &[Complex<f64>]| norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>());
        let direct: Vec<Complex<f64>> = (0..n)
            .map(|k| {
                let term = |(j, x): (usize, &Complex<f64>)| {
                    let angle = -std::f64::consts::TAU * ((j * k % n) as f64 / n as f64);
                    x * Complex::new(angle.cos(), angle.sin())
                };
                x.iter().enumerate().map(term).sum()
            })
            .collect();
        assert!(difference(&back, &x) <= 1.5e-15 * norm(&x), "{n}: {}", difference(&back, &x) / norm(&x));
        assert!(difference(&f, &direct) <= 1e-14 * norm(&direct), "{n}: {}", difference(&f, &direct) / norm(&direct));
    }
}

#[test]
fn transforms_of_several_dimensions() {
    let x = "dense<[[1.0, 2.0], [3.0, 5.0]]> : tensor<2x2xf32>";
    let result = fft(x, "RFFT", "[2, 2]", "tensor<2x2xcomplex<f32>>").to_vec::<Complex<f32>>();
    assert_eq!(result.iter().map(|x| x.re).collect::<Vec<f32>>(), [11.0, -3.0, -5.0, 1.0]);
    let spectrum = "dense<[[(11.0, 0.0), (-3.0, 0.0)], [(-5.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>";
    assert_eq!(fft(spectrum, "IRFFT", "[2, 2]", "tensor<2x2xf32>").to_vec::<f32>(), [1.0, 2.0, 3.0, 5.0]);
}

fn cholesky(constant: &str, lower: bool) -> Tensor {
    let ty = constant.split(" : ").nth(1).unwrap();
    result_of(&format!(
        "func.func @main() -> {ty} {{
           %x = stablehlo.constant {constant}
           %r = stablehlo.cholesky %x, lower = {lower} : {ty}
           return %r : {ty}
         }}"
    ))
}

#[test]
fn cholesky_reads_and_writes_one_triangle() {
    // [[4, 2], [2, 5]] = l lᵀ with l = [[2, 0], [1, 2]]; NaN where it is not read.
    let lower = "dense<[[4.0, 0x7FC00000], [2.0, 5.0]]> : tensor<2x2xf32>";
    assert_eq!(cholesky(lower, true).to_vec::<f32>(), [2.0, 0.0, 1.0, 2.0]);
    let upper = "dense<[[4.0, 2.0], [0x7FC00000, 5.0]]> : tensor<2x2xf32>";
    assert_eq!(cholesky(upper, false).to_vec::<f32>(), [2.0, 1.0, 0.0, 2.0]);
    // [[2, 1−i], [1+i, 3]]: l = [[√2, 0], [(1+i)/√2, √2]]
    let hermitian = "dense<[[(4.0, 0.0), (9.0, 9.0)], [(2.0, 2.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f64>>";
    assert_eq!(
        cholesky(hermitian, true).to_vec::<Complex<f64>>(),
        [c(2.0, 0.0), c(0.0, 0.0), c(1.0, 1.0), c(2.0, 0.0)]
    );
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_nan_and_no_other() {
    let batch = "dense<[[[1.0, 2.0], [2.0, 1.0]], [[4.0, 2.0], [2.0, 5.0]]]> : tensor<2x2x2xf32>";
    let result = cholesky(batch, true).to_vec::<f32>();
    assert!(result[..4].iter().all(|x| x.is_nan()));
    assert_eq!(result[4..], [2.0, 0.0, 1.0, 2.0]);
}

fn solve(a: &str, b: &str, left_side: bool, lower: bool, unit_diagonal: bool, transpose: &str) -> Tensor {
    let ty = |constant: &str| constant.split(" : ").nth(1).unwrap().to_owned();
    result_of(&format!(
        "func.func @main() -> {b_ty} {{
           %a = stablehlo.constant {a}
           %b = stablehlo.constant {b}
           %r = \"stablehlo.triangular_solve\"(%a, %b) {{left_side = {left_side}, lower = {lower},
             unit_diagonal = {unit_diagonal}, transpose_a = #stablehlo<transpose {transpose}>}} : ({}, {b_ty}) -> {b_ty}
           return %r : {b_ty}
         }}",
        ty(a),
        b_ty = ty(b)
    ))
}

#[test]
fn triangular_systems() {
    let lower = "dense<[[2.0, 0x7FC00000], [1.0, 4.0]]> : tensor<2x2xf32>";
    let b = "dense<[[2.0, 4.0], [9.0, 6.0]]> : tensor<2x2xf32>";
    let of = |left, unit, transpose| solve(lower, b, left, true, unit, transpose).to_vec::<f32>();
    // 2 x = 2, x + 4 y = 9; and for the second column 2 x = 4, x + 4 y = 6.
    assert_eq!(of(true, false, "NO_TRANSPOSE"), [1.0, 2.0, 2.0, 1.0]);
    // 4 y = 9, 2 x + y = 2; 4 y = 6, 2 x + y = 4.
    assert_eq!(of(true, false, "TRANSPOSE"), [-0.125, 1.25, 2.25, 1.5]);
    assert_eq!(of(true, false, "ADJOINT"), [-0.125, 1.25, 2.25, 1.5]);
    // x in (x, y) a = (2, 4): 4 y = 4, 2 x + y = 2; then 4 y = 6, 2 x + y = 9.
    assert_eq!(of(false, false, "NO_TRANSPOSE"), [0.5, 1.0, 3.75, 1.5]);
    // aᵀ from the right: 2 x = 2, x + 4 y = 4; 2 x = 9, x + 4 y = 6.
    assert_eq!(of(false, false, "TRANSPOSE"), [1.0, 0.75, 4.5, 0.375]);
    // x = 2, x + y = 9.
    assert_eq!(of(true, true, "NO_TRANSPOSE"), [2.0, 4.0, 7.0, 2.0]);
}

#[test]
fn a_singular_system_divides_by_zero() {
    let a = "dense<[[0.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf32>";
    let x = solve(a, "dense<[[1.0], [1.0]]> : tensor<2x1xf32>", true, true, false, "NO_TRANSPOSE").to_vec::<f32>();
    assert_eq!(x, [f32::INFINITY, f32::NEG_INFINITY]);
}

#[test]
fn qr_and_back() {
    let text = "func.func @main() -> (tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>) {
        %a = stablehlo.constant dense<[[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]]> : tensor<3x2xf64>
        %q:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>)
        %p = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%q#0, %q#1)
          : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3x2xf64>
        return %q#0, %q#1, %p : tensor<3x2xf64>, tensor<2xf64>, tensor<3x2xf64>
      }";
    let results = results_of(text).unwrap();
    let (packed, taus, q) = (results[0].to_vec::<f64>(), results[1].to_vec::<f64>(), results[2].to_vec::<f64>());
    // The first column has norm 5: beta = −5, tau = (−5 − 3)/−5, v = 4/(3 + 5).
    assert!((packed[0] + 5.0).abs() < 1e-15 && (taus[0] - 1.6).abs() < 1e-15 && (packed[2] - 0.5).abs() < 1e-15);
    // r01 = q0 · a1 = −(3 + 8)/5
    assert!((packed[1] + 2.2).abs() < 1e-15);
    let r = [packed[0], packed[1], 0.0, packed[3]];
    for (row, expected) in [[3.0, 1.0], [4.0, 2.0], [0.0, 2.0]].iter().enumerate() {
        for column in 0..2 {
            let product = q[row * 2] * r[column] + q[row * 2 + 1] * r[2 + column];
            assert!((product - expected[column]).abs() < 2e-15, "{row} {column} {product}");
        }
    }
}

/// 4 is the largest of the first column: rows 0 and 1 change places. Then 1/4 and, below, 3 − 1/4 · 8 = 1.
#[test]
fn lu_with_exchange_of_rows() {
    let text = "func.func @main() -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>) {
        %a = stablehlo.constant dense<[[1.0, 3.0], [4.0, 8.0]]> : tensor<2x2xf32>
        %r:3 = stablehlo.custom_call @LuDecomposition(%a)
          : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>)
        return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>
      }";
    let results = results_of(text).unwrap();
    assert_eq!(results[0].to_vec::<f32>(), [4.0, 8.0, 0.25, 1.0]);
    assert_eq!(results[1].to_vec::<i32>(), [1, 1]);
    assert_eq!(results[2].to_vec::<i32>(), [1, 0]);
}

/// As JAX exported it in 2023: the same with one result.
#[test]
fn lu_as_a_tuple() {
    let text = "func.func @main() -> tensor<2xi32> {
        %a = stablehlo.constant dense<[[1.0, 3.0], [4.0, 8.0]]> : tensor<2x2xf32>
        %r = stablehlo.custom_call @LuDecomposition(%a)
          : (tensor<2x2xf32>) -> tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>
        %p = stablehlo.get_tuple_element %r[2] : (tuple<tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>>) -> tensor<2xi32>
        return %p : tensor<2xi32>
      }";
    assert_eq!(results_of(text).unwrap()[0].to_vec::<i32>(), [1, 0]);
}

#[test]
fn batch_normalization() {
    let text = "func.func @main() -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
        %x = stablehlo.constant dense<[[1.0, 10.0], [3.0, 20.0]]> : tensor<2x2xf32>
        %s = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
        %o = stablehlo.constant dense<[0.5, 0.0]> : tensor<2xf32>
        %r:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) {epsilon = 0.0 : f32, feature_index = 1 : i64}
          : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
        return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
      }";
    let results = results_of(text).unwrap();
    assert_eq!(results[0].to_vec::<f32>(), [-1.5, -1.0, 2.5, 1.0]);
    assert_eq!(results[1].to_vec::<f32>(), [2.0, 15.0]);
    assert_eq!(results[2].to_vec::<f32>(), [1.0, 25.0]);
    // 10 000, 10 001, 10 002 in f32: two passes see the variance 2/3. In f16 1e−8 is 0.
    let text = |element: &str, values: &str| {
        format!(
            "func.func @main() -> tensor<1x{element}> {{
               %x = stablehlo.constant dense<{values}> : tensor<3x1x{element}>
               %s = stablehlo.constant dense<1.0> : tensor<1x{element}>
               %r:3 = \"stablehlo.batch_norm_training\"(%x, %s, %s) {{epsilon = 1.0e-8 : f32, feature_index = 1 : i64}}
                 : (tensor<3x1x{element}>, tensor<1x{element}>, tensor<1x{element}>)
                 -> (tensor<3x1x{element}>, tensor<1x{element}>, tensor<1x{element}>)
               return %r#2 : tensor<1x{element}>
             }}"
        )
    };
    assert_eq!(result_of(&text("f32", "[[10000.0], [10001.0], [10002.0]]")).to_vec::<f32>(), [2.0 / 3.0]);
    let narrow = result_of(&text("f16", "[[1.0], [2.0], [3.0]]")).to_vec::<f16>();
    assert_eq!(narrow, [f16::from_f64(2.0 / 3.0)]);
}

/// Hand arithmetic with variance 3 and epsilon 1, so that the deviation is 2.
#[test]
fn gradient_of_batch_normalization() {
    let text = "func.func @main() -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>) {
        %x = stablehlo.constant dense<[[1.0], [5.0]]> : tensor<2x1xf32>
        %s = stablehlo.constant dense<8.0> : tensor<1xf32>
        %m = stablehlo.constant dense<3.0> : tensor<1xf32>
        %v = stablehlo.constant dense<3.0> : tensor<1xf32>
        %g = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
        %r:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) {epsilon = 1.0 : f32, feature_index = 1 : i64}
          : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>)
          -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
        return %r#0, %r#1, %r#2 : tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>
      }";
    let results = results_of(text).unwrap();
    // centered ∓2; i1 = (2, 4), i2 = 3, i3 = −2 + 4 = 2, i4 = ∓4, i5 = ∓1, i6 = (2 − 3 + 1, 4 − 3 − 1) = 0.
    assert_eq!(results[0].to_vec::<f32>(), [0.0, 0.0]);
    // normalized ∓1: −1 + 2; 1 + 2.
    assert_eq!(results[1].to_vec::<f32>(), [1.0]);
    assert_eq!(results[2].to_vec::<f32>(), [3.0]);
}

#[test]
fn strict_runs_notice_singular_matrices() {
    let text = "func.func @main() -> tensor<1x1xf32> {
        %a = stablehlo.constant dense<-1.0> : tensor<1x1xf32>
        %r = stablehlo.cholesky %a, lower = true : tensor<1x1xf32>
        return %r : tensor<1x1xf32>
      }";
    let outcome = outcome_of(text, &Config { strict: true, ..Config::default() }).unwrap();
    assert_eq!(outcome.touched[0].point, "cholesky-not-positive-definite");
}
