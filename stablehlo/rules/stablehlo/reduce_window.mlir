// reduce_window_c1: accept
func.func @reduce_window_c1(%x0: tensor<4xf32>, %x1: tensor<4xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = "stablehlo.reduce_window"(%x0, %x1, %init0, %init1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
// -----
// reduce_window_c1: reject
func.func @reduce_window_c1(%x0: tensor<4xf32>, %init0: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  // expected-error@+1 {{[reduce_window_c1] there must be as many inputs as initial values and results, got 1, 1 and 2}}
  %0:2 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xf32>
}
// -----
// reduce_window_c2: accept
func.func @reduce_window_c2(%x0: tensor<4xf32>, %x1: tensor<4xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = "stablehlo.reduce_window"(%x0, %x1, %init0, %init1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
// -----
// reduce_window_c2: reject
func.func @reduce_window_c2(%x0: tensor<4xf32>, %x1: tensor<5xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  // expected-error@+1 {{[reduce_window_c2] shapes must be the same, got [4] and [5]}}
  %0:2 = "stablehlo.reduce_window"(%x0, %x1, %init0, %init1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
// -----
// reduce_window_c3: accept
func.func @reduce_window_c3(%x0: tensor<4xf16>, %init0: tensor<f16>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf16>, tensor<f16>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c3: reject
func.func @reduce_window_c3(%x0: tensor<4xf16>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c3] element types must be equal, got f16 and f32}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf16>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c4: accept
func.func @reduce_window_c4(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c4: reject
func.func @reduce_window_c4(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c4] window_dimensions must have length 1, one per dimension of the window, got 2}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c5: accept
func.func @reduce_window_c5(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// reduce_window_c5: reject
func.func @reduce_window_c5(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c5] window_dimensions must be positive, got 0 at index 0}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c6: accept
func.func @reduce_window_c6(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_window_c6: reject
func.func @reduce_window_c6(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c6] window_strides must have length 1, one per dimension of the window, got 2}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c7: accept
func.func @reduce_window_c7(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<1xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// -----
// reduce_window_c7: reject
func.func @reduce_window_c7(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c7] window_strides must be positive, got -1 at index 0}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c8: accept
func.func @reduce_window_c8(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<6xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{base_dilations = array<i64: 2>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
// -----
// reduce_window_c8: reject
func.func @reduce_window_c8(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<6xf32> {
  // expected-error@+1 {{[reduce_window_c8] base_dilations must have length 1, one per dimension of the window, got 2}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{base_dilations = array<i64: 2, 2>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
// -----
// reduce_window_c9: accept
func.func @reduce_window_c9(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<9xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{base_dilations = array<i64: 3>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
// -----
// reduce_window_c9: reject
func.func @reduce_window_c9(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c9] base_dilations must be positive, got 0 at index 0}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{base_dilations = array<i64: 0>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c10: accept
func.func @reduce_window_c10(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dilations = array<i64: 2>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_window_c10: reject
func.func @reduce_window_c10(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[reduce_window_c10] window_dilations must have length 1, one per dimension of the window, got 2}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dilations = array<i64: 2, 2>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_window_c11: accept
func.func @reduce_window_c11(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<1xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dilations = array<i64: 3>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// -----
// reduce_window_c11: reject
func.func @reduce_window_c11(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c11] window_dilations must be positive, got 0 at index 0}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dilations = array<i64: 0>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c12: accept
func.func @reduce_window_c12(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{padding = dense<[[1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// reduce_window_c12: reject
func.func @reduce_window_c12(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{[reduce_window_c12] padding must have shape [1, 2], got [2]}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{padding = dense<[1, 0]> : tensor<2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// reduce_window_c13: accept
func.func @reduce_window_c13(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf64> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s0 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s0 : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
// reduce_window_c13: reject
func.func @reduce_window_c13(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_window_c13] body must take 2 arguments, got 1}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c14: accept
func.func @reduce_window_c14(%x0: tensor<4xf32>, %x1: tensor<4xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = "stablehlo.reduce_window"(%x0, %x1, %init0, %init1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
// -----
// reduce_window_c14: reject
func.func @reduce_window_c14(%x0: tensor<4xf32>, %x1: tensor<4xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<3xf32>, tensor<2xi32>) {
  // expected-error@+1 {{[reduce_window_c14] shapes must be the same, got [3] and [2]}}
  %0:2 = "stablehlo.reduce_window"(%x0, %x1, %init0, %init1) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<2xi32>
}
// -----
// reduce_window_c15: accept
func.func @reduce_window_c15(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_window_c15: reject
func.func @reduce_window_c15(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{[reduce_window_c15] inferred type tensor<3x}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// reduce_window_c16: accept
func.func @reduce_window_c16(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf64> {
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s0 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s0 : tensor<f64>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
// -----
// reduce_window_c16: reject
func.func @reduce_window_c16(%x0: tensor<4xf32>, %init0: tensor<f32>) -> tensor<3xf64> {
  // expected-error@+1 {{[reduce_window_c16] inferred type tensor<3xf32> is incompatible with the result type tensor<3xf64>}}
  %0 = "stablehlo.reduce_window"(%x0, %init0) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<3xf64>
  return %0 : tensor<3xf64>
}
