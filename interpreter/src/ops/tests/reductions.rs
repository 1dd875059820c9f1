//! `reduce`, `reduce_window`, `select_and_scatter`, `scatter`, `map`.

use crate::element::bf16;
use crate::error::ErrorKind;
use crate::eval::Config;
use crate::ops::testing::{outcome_of, result_of, results_of};

/// `reduce` of a constant with one op.
fn reduced(constant: &str, init: &str, op: &str, dimensions: &str, result: &str) -> String {
    let element = constant.rsplit(['x', '<']).next().unwrap().trim_end_matches('>');
    format!(
        "func.func @main() -> {result} {{
           %0 = stablehlo.constant {constant}
           %1 = stablehlo.constant dense<{init}> : tensor<{element}>
           %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.{op} across dimensions = {dimensions}
             : ({}, tensor<{element}>) -> {result}
           return %2 : {result}
         }}",
        constant.split(" : ").nth(1).unwrap()
    )
}

#[test]
fn reduce_folds_chosen_dimensions() {
    let x = "dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>";
    let sums =
        |dimensions: &str, result: &str| result_of(&reduced(x, "100", "add", dimensions, result)).to_vec::<i32>();
    assert_eq!(sums("[0, 1, 2]", "tensor<i32>"), [178]);
    assert_eq!(sums("[1]", "tensor<2x2xi32>"), [109, 112, 127, 130]);
    assert_eq!(sums("[0, 2]", "tensor<3xi32>"), [118, 126, 134]);
    assert_eq!(sums("[2, 0]", "tensor<3xi32>"), [118, 126, 134]);
    assert_eq!(sums("[2]", "tensor<2x3xi32>"), [103, 107, 111, 115, 119, 123]);
    assert_eq!(sums("[]", "tensor<2x3x2xi32>")[..3], [101, 102, 103]);
}

#[test]
fn reduce_of_nothing_is_the_initial_value() {
    let x = "dense<> : tensor<2x0xf32>";
    assert_eq!(result_of(&reduced(x, "3.0", "multiply", "[1]", "tensor<2xf32>")).to_vec::<f32>(), [3.0, 3.0]);
    assert_eq!(result_of(&reduced(x, "3.0", "multiply", "[0]", "tensor<0xf32>")).len(), 0);
}

/// 1 + 2⁻⁸ rounds back to 1 in bf16, so 256 is where a sum of ones ends: each step is in the body's type.
#[test]
fn reduce_rounds_each_step_in_the_type_of_the_body() {
    let x = "dense<1.0> : tensor<512xbf16>";
    let sum = result_of(&reduced(x, "0.0", "add", "[0]", "tensor<bf16>"));
    assert_eq!(sum.to_vec::<bf16>(), [bf16::from_f32(256.0)]);
}

/// ((0 − 1) − 2) − 3 and so on: a left fold, whatever the body.
#[test]
fn reduce_folds_from_the_left() {
    let text = "func.func @main() -> tensor<2xi32> {
        %0 = stablehlo.constant dense<[[1, 2, 3], [10, 20, 30]]> : tensor<2x3xi32>
        %1 = stablehlo.constant dense<0> : tensor<i32>
        %2 = stablehlo.reduce(%0 init: %1) across dimensions = [1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
          reducer(%a: tensor<i32>, %b: tensor<i32>) {
            %two = stablehlo.constant dense<2> : tensor<i32>
            %c = stablehlo.multiply %a, %two : tensor<i32>
            %d = stablehlo.subtract %c, %b : tensor<i32>
            stablehlo.return %d : tensor<i32>
          }
        return %2 : tensor<2xi32>
      }";
    // ((0·2 − 1)·2 − 2)·2 − 3 = −11
    assert_eq!(result_of(text).to_vec::<i32>(), [-11, -110]);
}

/// The body that JAX writes for `argmax`, on a few and on many results: one by one and lifted.
#[test]
fn reduce_of_several_inputs() {
    let text = |rows: usize| {
        format!(
            "func.func @main() -> (tensor<{rows}xf32>, tensor<{rows}xi32>) {{
               %line = stablehlo.constant dense<[1.0, 5.0, 5.0, 2.0, 0xFFC00000]> : tensor<5xf32>
               %x = stablehlo.broadcast_in_dim %line, dims = [1] : (tensor<5xf32>) -> tensor<{rows}x5xf32>
               %i = stablehlo.iota dim = 1 : tensor<{rows}x5xi32>
               %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
               %zero = stablehlo.constant dense<0> : tensor<i32>
               %r:2 = stablehlo.reduce(%x init: %low), (%i init: %zero) across dimensions = [1]
                 : (tensor<{rows}x5xf32>, tensor<{rows}x5xi32>, tensor<f32>, tensor<i32>)
                 -> (tensor<{rows}xf32>, tensor<{rows}xi32>)
                 reducer(%a: tensor<f32>, %b: tensor<f32>) (%ia: tensor<i32>, %ib: tensor<i32>) {{
                   %gt = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                   %eq = stablehlo.compare EQ, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                   %lt = stablehlo.compare LT, %ia, %ib, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                   %both = stablehlo.and %eq, %lt : tensor<i1>
                   %first = stablehlo.or %gt, %both : tensor<i1>
                   %v = stablehlo.select %gt, %a, %b : tensor<i1>, tensor<f32>
                   %j = stablehlo.select %first, %ia, %ib : tensor<i1>, tensor<i32>
                   stablehlo.return %v, %j : tensor<f32>, tensor<i32>
                 }}
               return %r#0, %r#1 : tensor<{rows}xf32>, tensor<{rows}xi32>
             }}"
        )
    };
    for rows in [1, 3, 64, 300] {
        let results = results_of(&text(rows)).unwrap();
        // NaN, which is never larger nor equal, is where the fold ends.
        assert!(results[0].to_vec::<f32>().iter().all(|x| x.is_nan()), "{rows}");
        assert_eq!(results[1].to_vec::<i32>(), vec![4; rows], "{rows}");
    }
}

/// A body that is not elementwise is run as it is.
#[test]
fn reduce_with_a_loop_in_the_body() {
    let text = "func.func @main() -> tensor<i32> {
        %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
        %1 = stablehlo.constant dense<0> : tensor<i32>
        %2 = stablehlo.reduce(%0 init: %1) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
          reducer(%a: tensor<i32>, %b: tensor<i32>) {
            %p = stablehlo.compare GE, %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
            %c = \"stablehlo.if\"(%p) ({
              %s = stablehlo.add %a, %b : tensor<i32>
              stablehlo.return %s : tensor<i32>
            }, {
              stablehlo.return %a : tensor<i32>
            }) : (tensor<i1>) -> tensor<i32>
            stablehlo.return %c : tensor<i32>
          }
        return %2 : tensor<i32>
      }";
    assert_eq!(result_of(text).to_vec::<i32>(), [6]);
}

/// 0.1 in f32 is 0.100000001490116…; converted first, the sum of two and a half is that of the f64 numbers.
#[test]
fn reduce_promotes_to_the_type_of_the_body() {
    let text = "func.func @main() -> tensor<f64> {
        %0 = stablehlo.constant dense<[0.1, 0.1]> : tensor<2xf32>
        %1 = stablehlo.constant dense<2.5> : tensor<f32>
        %2 = \"stablehlo.reduce\"(%0, %1) ({
          ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            %c = stablehlo.add %a, %b : tensor<f64>
            stablehlo.return %c : tensor<f64>
        }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>) -> tensor<f64>
        return %2 : tensor<f64>
      }";
    assert_eq!(result_of(text).to_vec::<f64>(), [2.5 + f64::from(0.1f32) + f64::from(0.1f32)]);
}

#[test]
fn steps_of_a_reduction_count() {
    let text = reduced("dense<1> : tensor<100000xi32>", "0", "add", "[0]", "tensor<i32>");
    let config = Config { max_steps: 50_000, ..Config::default() };
    let error = outcome_of(&text, &config).unwrap_err();
    assert_eq!((error.code(), error.kind()), ("exec/step-limit", ErrorKind::Resource));
}

/// `reduce_window` with generic attributes.
fn windowed(constant: &str, init: &str, op: &str, attributes: &str, result: &str) -> Vec<i32> {
    let ty = constant.split(" : ").nth(1).unwrap();
    result_of(&format!(
        "func.func @main() -> {result} {{
           %0 = stablehlo.constant {constant}
           %1 = stablehlo.constant dense<{init}> : tensor<i32>
           %2 = \"stablehlo.reduce_window\"(%0, %1) ({{
             ^bb0(%a: tensor<i32>, %b: tensor<i32>):
               %c = stablehlo.{op} %a, %b : tensor<i32>
               stablehlo.return %c : tensor<i32>
           }}) {{{attributes}}} : ({ty}, tensor<i32>) -> {result}
           return %2 : {result}
         }}"
    ))
    .to_vec()
}

#[test]
fn windows_with_every_attribute() {
    // Dilated by 2: 1 · 2 · 3; padded by one on each side: · 1 · 2 · 3 ·; windows of two, 3 apart, by steps of 2:
    // (·, 2), (·, ·)… positions 0 and 3, then 2 and 5.
    let attributes = "window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, \
                      window_dilations = array<i64: 3>, padding = dense<[[1, 1]]> : tensor<1x2xi64>";
    let sums = windowed("dense<[1, 2, 3]> : tensor<3xi32>", "0", "add", attributes, "tensor<2xi32>");
    assert_eq!(sums, [2, 3]);
    // Cut off at the front: 2 3.
    let attributes = "window_dimensions = array<i64: 1>, padding = dense<[[-1, 0]]> : tensor<1x2xi64>";
    assert_eq!(windowed("dense<[1, 2, 3]> : tensor<3xi32>", "0", "add", attributes, "tensor<2xi32>"), [2, 3]);
    // In two dimensions, sums of 2 × 2.
    let attributes = "window_dimensions = array<i64: 2, 2>";
    let x = "dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>";
    assert_eq!(windowed(x, "0", "add", attributes, "tensor<1x2xi32>"), [12, 16]);
}

/// 10, then pad 10 and 1: an initial value that is not neutral takes part once more for every padded place.
#[test]
fn padding_takes_part() {
    let attributes = "window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>";
    assert_eq!(windowed("dense<[1, 2]> : tensor<2xi32>", "10", "add", attributes, "tensor<2xi32>"), [21, 13]);
    assert_eq!(windowed("dense<[3, 2]> : tensor<2xi32>", "10", "subtract", attributes, "tensor<2xi32>"), [-3, 5]);
}

fn select_and_scatter(select: &str, operand: &str, padding: &str, n_sources: usize, n: usize) -> Vec<i32> {
    let source: Vec<String> = (1..=n_sources).map(|value| value.to_string()).collect();
    result_of(&format!(
        "func.func @main() -> tensor<{n}xi32> {{
           %x = stablehlo.constant dense<{operand}> : tensor<{n}xi32>
           %s = stablehlo.constant dense<[{}]> : tensor<{n_sources}xi32>
           %i = stablehlo.constant dense<100> : tensor<i32>
           %r = \"stablehlo.select_and_scatter\"(%x, %s, %i) ({{
             ^bb0(%a: tensor<i32>, %b: tensor<i32>):
               %p = stablehlo.compare {select}, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %p : tensor<i1>
           }}, {{
             ^bb0(%a: tensor<i32>, %b: tensor<i32>):
               %c = stablehlo.subtract %a, %b : tensor<i32>
               stablehlo.return %c : tensor<i32>
           }}) {{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
                 padding = dense<{padding}> : tensor<1x2xi64>}}
             : (tensor<{n}xi32>, tensor<{n_sources}xi32>, tensor<i32>) -> tensor<{n}xi32>
           return %r : tensor<{n}xi32>
         }}",
        source.join(", ")
    ))
    .to_vec()
}

/// Windows (4, 4), (4, 3), (3, 9): GE keeps the first of equals, GT moves on. The initial value counts once.
#[test]
fn select_and_scatter_folds_sources_where_windows_select() {
    assert_eq!(select_and_scatter("GE", "[4, 4, 3, 9]", "[[0, 0]]", 3, 4), [99, 98, 100, 97]);
    assert_eq!(select_and_scatter("GT", "[4, 4, 3, 9]", "[[0, 0]]", 3, 4), [100, 97, 100, 97]);
    // Padding is not selected, though 0 would win over −5.
    assert_eq!(select_and_scatter("GE", "[-5, -6]", "[[1, 1]]", 3, 2), [97, 97]);
}

fn scatter(operand: &str, indices: &str, updates: &str, numbers: &str, op: &str) -> Vec<i32> {
    let ty = operand.split(" : ").nth(1).unwrap();
    let (indices_ty, updates_ty) = (indices.split(" : ").nth(1).unwrap(), updates.split(" : ").nth(1).unwrap());
    let body = match op {
        "set" => "stablehlo.return %b : tensor<i32>".to_owned(),
        op => format!("%c = stablehlo.{op} %a, %b : tensor<i32>\n stablehlo.return %c : tensor<i32>"),
    };
    result_of(&format!(
        "func.func @main() -> {ty} {{
           %x = stablehlo.constant {operand}
           %i = stablehlo.constant {indices}
           %u = stablehlo.constant {updates}
           %r = \"stablehlo.scatter\"(%x, %i, %u) ({{
             ^bb0(%a: tensor<i32>, %b: tensor<i32>):
               {body}
           }}) {{scatter_dimension_numbers = #stablehlo.scatter<{numbers}>}}
             : ({ty}, {indices_ty}, {updates_ty}) -> {ty}
           return %r : {ty}
         }}"
    ))
    .to_vec()
}

#[test]
fn scatter_updates_windows_element_by_element() {
    let rows = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], \
                index_vector_dim = 1";
    let x = "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>";
    let updates = "dense<[[10, 20], [30, 40], [50, 60], [70, 80]]> : tensor<4x2xi32>";
    let indices = "dense<[[2], [0], [2], [3]]> : tensor<4x1xi32>";
    assert_eq!(scatter(x, indices, updates, rows, "add"), [31, 42, 3, 4, 65, 86]);
    assert_eq!(scatter(x, indices, updates, rows, "set"), [30, 40, 3, 4, 50, 60]);
    // Windows of 2 × 1 that begin at 2 and −1 lie half outside: only those elements are left out.
    let windows = "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1";
    let indices = "dense<[[2, 1], [-1, 0]]> : tensor<2x2xi8>";
    let updates = "dense<[[[10], [20]], [[30], [40]]]> : tensor<2x2x1xi32>";
    assert_eq!(scatter(x, indices, updates, windows, "add"), [41, 2, 3, 4, 5, 16]);
}

/// Windows first, then scatter dimensions: (window 0, update 1) comes before (window 1, update 0).
#[test]
fn scatter_follows_the_order_of_updates() {
    let numbers = "update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1";
    let updates = "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>";
    let indices = "dense<[[0], [1]]> : tensor<2x1xui8>";
    // Element 1 gets 2 from (0, 1) and then 3 from (1, 0).
    assert_eq!(scatter("dense<0> : tensor<3xi32>", indices, updates, numbers, "set"), [1, 3, 4]);
}

#[test]
fn scatter_with_batching_dimensions() {
    let numbers = "input_batching_dims = [0], scatter_indices_batching_dims = [0], inserted_window_dims = [1], \
                   scatter_dims_to_operand_dims = [1], index_vector_dim = 2";
    let indices = "dense<[[[0], [2]], [[1], [1]]]> : tensor<2x2x1xi32>";
    let updates = "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>";
    assert_eq!(scatter("dense<0> : tensor<2x3xi32>", indices, updates, numbers, "add"), [1, 0, 2, 0, 7, 0]);
}

#[test]
fn strict_runs_notice_updates_out_of_bounds() {
    let text = "func.func @main() -> tensor<3xi32> {
        %x = stablehlo.constant dense<0> : tensor<3xi32>
        %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
        %u = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
        %r = \"stablehlo.scatter\"(%x, %i, %u) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            stablehlo.return %b : tensor<i32>
        }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
            scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
          : (tensor<3xi32>, tensor<2x1xi32>, tensor<2x2xi32>) -> tensor<3xi32>
        return %r : tensor<3xi32>
      }";
    let outcome = outcome_of(text, &Config { strict: true, ..Config::default() }).unwrap();
    assert_eq!(outcome.touched.iter().map(|touch| touch.point).collect::<Vec<_>>(), ["scatter-out-of-bounds"]);
}

#[test]
fn map_applies_a_region() {
    let text = "func.func @main() -> tensor<2x2xf32> {
        %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
        %y = stablehlo.constant dense<[[0, 1], [0, 1]]> : tensor<2x2xi32>
        %r = \"stablehlo.map\"(%x, %y) ({
          ^bb0(%a: tensor<i32>, %b: tensor<i32>):
            %c = stablehlo.subtract %a, %b : tensor<i32>
            %d = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>
            stablehlo.return %d : tensor<f32>
        }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xf32>
        return %r : tensor<2x2xf32>
      }";
    assert_eq!(result_of(text).to_vec::<f32>(), [1.0, 1.0, 3.0, 3.0]);
}
