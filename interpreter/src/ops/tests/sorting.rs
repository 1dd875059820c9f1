//! `sort`, `chlo.top_k`, `chlo.scan`.

use crate::eval::Config;
use crate::ops::testing::{outcome_of, result_of, results_of};

fn sorted(constant: &str, comparator: &str, dimension: i64) -> String {
    let ty = constant.split(" : ").nth(1).unwrap();
    let scalar = format!("tensor<{}", ty.rsplit(['x', '<']).next().unwrap());
    format!(
        "func.func @main() -> ({ty}, {iota}) {{
           %x = stablehlo.constant {constant}
           %i = stablehlo.iota dim = {last} : {iota}
           %r:2 = \"stablehlo.sort\"(%x, %i) ({{
             ^bb0(%a: {scalar}, %b: {scalar}, %ia: tensor<i32>, %ib: tensor<i32>):
               {comparator}
               stablehlo.return %p : tensor<i1>
           }}) {{dimension = {dimension} : i64, is_stable = true}} : ({ty}, {iota}) -> ({ty}, {iota})
           return %r#0, %r#1 : {ty}, {iota}
         }}",
        iota = ty.replace(scalar.trim_start_matches("tensor<"), "i32>"),
        last = ty.matches('x').count() - 1,
    )
}

#[test]
fn sort_is_stable_along_any_dimension() {
    let compare = "%p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>";
    let x = "dense<[[3, 1, 2, 1, 0, 5, 1, 4, 9, 8, 7]]> : tensor<1x11xi32>";
    let results = results_of(&sorted(x, compare, 1)).unwrap();
    assert_eq!(results[0].to_vec::<i32>(), [0, 1, 1, 1, 2, 3, 4, 5, 7, 8, 9]);
    assert_eq!(results[1].to_vec::<i32>(), [4, 1, 3, 6, 2, 0, 7, 5, 10, 9, 8]);
    let x = "dense<[[3, 1], [2, 5], [1, 0]]> : tensor<3x2xi32>";
    assert_eq!(result_of(&sorted(x, compare, -2)).to_vec::<i32>(), [1, 0, 2, 1, 3, 5]);
    // The same by a comparator of several ops.
    let by_program = "%m = stablehlo.negate %a : tensor<i32>
        %n = stablehlo.negate %b : tensor<i32>
        %p = stablehlo.compare LT, %m, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>";
    assert_eq!(result_of(&sorted(x, by_program, 0)).to_vec::<i32>(), [3, 5, 2, 1, 1, 0]);
}

#[test]
fn sort_by_total_order_and_from_the_right() {
    let x = "dense<[0x7FC00000, 1.0, -0.0, 0.0, 0xFFC00000, 0xFF800000]> : tensor<6xf32>";
    let total = "%p = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>";
    assert_eq!(results_of(&sorted(x, total, 0)).unwrap()[1].to_vec::<i32>(), [4, 5, 2, 3, 1, 0]);
    let swapped = "%p = stablehlo.compare LT, %b, %a, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>";
    assert_eq!(results_of(&sorted(x, swapped, 0)).unwrap()[1].to_vec::<i32>(), [0, 1, 3, 2, 5, 4]);
}

/// As JAX sorts floats: one NaN, one zero, each side by itself; and a comparator that mixes the sides.
#[test]
fn sort_by_comparators_of_several_ops() {
    let one_form = "%zero = stablehlo.constant dense<0.0> : tensor<f32>
        %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
        %a0 = stablehlo.compare EQ, %a, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %a1 = stablehlo.select %a0, %zero, %a : tensor<i1>, tensor<f32>
        %a2 = stablehlo.compare NE, %a, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %a3 = stablehlo.select %a2, %nan, %a1 : tensor<i1>, tensor<f32>
        %b0 = stablehlo.compare EQ, %b, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %b1 = stablehlo.select %b0, %zero, %b : tensor<i1>, tensor<f32>
        %b2 = stablehlo.compare NE, %b, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %b3 = stablehlo.select %b2, %nan, %b1 : tensor<i1>, tensor<f32>";
    let compare = |sides: &str| {
        format!("{one_form}\n %p = stablehlo.compare {sides}, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>")
    };
    // Negative NaN and both zeros keep their places among their equals.
    let x = "dense<[0x7FC00000, 0.0, -0.0, 1.0, 0xFFC00000, -1.0]> : tensor<6xf32>";
    assert_eq!(results_of(&sorted(x, &compare("LT, %a3, %b3"), 0)).unwrap()[1].to_vec::<i32>(), [5, 1, 2, 3, 0, 4]);
    assert_eq!(results_of(&sorted(x, &compare("LT, %b3, %a3"), 0)).unwrap()[1].to_vec::<i32>(), [0, 4, 3, 1, 2, 5]);
    let mixed = "%d = stablehlo.subtract %a, %b : tensor<i32>
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %p = stablehlo.compare LT, %d, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>";
    assert_eq!(result_of(&sorted("dense<[3, 1, 2]> : tensor<3xi32>", mixed, 0)).to_vec::<i32>(), [1, 2, 3]);
}

/// A comparator that always holds is no order; a permutation comes out all the same.
#[test]
fn sort_ends_with_any_comparator() {
    let n = 1000;
    let x = format!("dense<7> : tensor<{n}xi32>");
    for direction in ["GE", "NE", "LE", "EQ"] {
        let compare = format!("%p = stablehlo.compare {direction}, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>");
        let mut order = results_of(&sorted(&x, &compare, 0)).unwrap()[1].to_vec::<i32>();
        order.sort_unstable();
        assert_eq!(order, (0..n).collect::<Vec<i32>>(), "{direction}");
    }
}

#[test]
fn strict_runs_notice_comparators_that_are_no_order() {
    let touched = |constant: &str, comparator: &str| -> Vec<&'static str> {
        let config = Config { strict: true, ..Config::default() };
        let outcome = outcome_of(&sorted(constant, comparator, 0), &config).unwrap();
        outcome.touched.iter().map(|touch| touch.point).collect()
    };
    let compare = |how: &str, ty: &str| format!("%p = stablehlo.compare {how} : ({ty}, {ty}) -> tensor<i1>");
    let of_floats = compare("LT, %a, %b, FLOAT", "tensor<f32>");
    assert_eq!(touched("dense<[2.0, 0x7FC00000, 1.0]> : tensor<3xf32>", &of_floats), ["sort-nan"]);
    assert!(touched("dense<[2.0, -1.0, 1.0]> : tensor<3xf32>", &of_floats).is_empty());
    let at_most = compare("LE, %a, %b", "tensor<i32>");
    assert_eq!(touched("dense<[2, 1, 3]> : tensor<3xi32>", &at_most), ["sort-inconsistent"]);
}

#[test]
fn sort_of_nothing() {
    let compare = "%p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>";
    assert_eq!(result_of(&sorted("dense<> : tensor<3x0xi32>", compare, 1)).shape(), [3, 0]);
    assert_eq!(result_of(&sorted("dense<> : tensor<3x0xi32>", compare, 0)).shape(), [3, 0]);
}

/// As XLA gave: +NaN first, −NaN last, +0 before −0, the first of equals first.
#[test]
fn top_k_is_descending_in_total_order() {
    let text = "func.func @main() -> (tensor<5xf32>, tensor<5xi32>) {
        %x = stablehlo.constant dense<[-0.0, 3.0, 0xFFC00000, 0.0, 3.0, 0x7FC00000]> : tensor<6xf32>
        %v, %i = chlo.top_k(%x, k = 5) : tensor<6xf32> -> (tensor<5xf32>, tensor<5xi32>)
        return %v, %i : tensor<5xf32>, tensor<5xi32>
      }";
    let results = results_of(text).unwrap();
    assert_eq!(results[1].to_vec::<i32>(), [5, 1, 4, 3, 0]);
    assert_eq!(results[0].to_vec::<f32>()[1..], [3.0, 3.0, 0.0, -0.0]);
}

/// Running sums of rows, forwards and backwards.
#[test]
fn scan_carries_values() {
    let text = |reverse: bool| {
        format!(
            "func.func @main() -> (tensor<2x3xi32>, tensor<2xi32>) {{
               %x = stablehlo.constant dense<[[1, 2, 3], [10, 20, 30]]> : tensor<2x3xi32>
               %c = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
               %r:2 = \"chlo.scan\"(%x, %c) ({{
                 ^bb0(%a: tensor<2xi32>, %b: tensor<2xi32>):
                   %s = stablehlo.add %a, %b : tensor<2xi32>
                   stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
               }}) {{dimension = 1 : i64, is_reverse = {reverse}, operandSegmentSizes = array<i32: 1, 1>,
                     resultSegmentSizes = array<i32: 1, 1>}}
                 : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>)
               return %r#0, %r#1 : tensor<2x3xi32>, tensor<2xi32>
             }}"
        )
    };
    let results = results_of(&text(false)).unwrap();
    assert_eq!(results[0].to_vec::<i32>(), [101, 103, 106, 210, 230, 260]);
    assert_eq!(results[1].to_vec::<i32>(), [106, 260]);
    let results = results_of(&text(true)).unwrap();
    assert_eq!(results[0].to_vec::<i32>(), [106, 105, 103, 260, 250, 230]);
}

/// How many are wanted is an operand, after the tensors and their initial values.
#[test]
fn approximate_top_k_with_a_computed_k() {
    let text = "func.func @main() -> (tensor<?xf32>, tensor<?xi32>) {
        %x = stablehlo.constant dense<[3.0, 1.0, 4.0, 2.0]> : tensor<4xf32>
        %i = stablehlo.iota dim = 0 : tensor<4xi32>
        %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %none = stablehlo.constant dense<-1> : tensor<i32>
        %k = stablehlo.constant dense<2> : tensor<i32>
        %r:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %lowest, %none, %k)
          {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 0 : i64}}
          : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
        return %r#0, %r#1 : tensor<?xf32>, tensor<?xi32>
      }
      func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
        %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        return %0 : tensor<i1>
      }";
    let results = results_of(text).unwrap();
    assert_eq!(results[0].to_vec::<f32>(), [4.0, 3.0]);
    assert_eq!(results[1].to_vec::<i32>(), [2, 0]);
}

/// One process holds all of every tensor, wherever it shall live.
#[test]
fn constraints_on_sharding_change_nothing() {
    let text = "module {
      sdy.mesh @mesh = <[\"a\"=2]>
      func.func @main() -> tensor<2xf32> {
        %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
        %0 = sdy.sharding_constraint %x <@mesh, [{\"a\"}]> : tensor<2xf32>
        return %0 : tensor<2xf32>
      } }";
    assert_eq!(results_of(text).unwrap()[0].to_vec::<f32>(), [1.0, 2.0]);
}
