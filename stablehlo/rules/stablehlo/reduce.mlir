// reduce_c1: accept
func.func @reduce_c1(%x0: tensor<2x3xf32>, %x1: tensor<2x3xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = "stablehlo.reduce"(%x0, %x1, %init0, %init1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
// -----
// reduce_c1: reject
func.func @reduce_c1(%x0: tensor<2x3xf32>, %x1: tensor<2x4xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) {
  // expected-error@+1 {{[reduce_c1] shapes must be the same, got [2, 3] and [2, 4]}}
  %0:2 = "stablehlo.reduce"(%x0, %x1, %init0, %init1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<2x3xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
// -----
// reduce_c2: accept
func.func @reduce_c2(%x0: tensor<2x3xf16>, %init0: tensor<f16>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf16>, tensor<f16>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c2: reject
func.func @reduce_c2(%x0: tensor<2x3xf16>, %init0: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[reduce_c2] element types must be equal, got f16 and f32}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf16>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c3: accept
func.func @reduce_c3(%x0: tensor<2x3xf32>, %x1: tensor<2x3xi32>, %init0: tensor<f32>, %init1: tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0:2 = "stablehlo.reduce"(%x0, %x1, %init0, %init1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
}
// -----
// reduce_c3: reject
func.func @reduce_c3(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // expected-error@+1 {{[reduce_c3] there must be as many inputs as initial values and results, got 1, 1 and 2}}
  %0:2 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<2xf32>
}
// -----
// reduce_c4: accept
func.func @reduce_c4(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c4: reject
func.func @reduce_c4(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[reduce_c4] dimensions must be in range [0, 2), the dimensions of the inputs, got 2}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c5: accept
func.func @reduce_c5(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// reduce_c5: reject
func.func @reduce_c5(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[reduce_c5] dimensions must not repeat, got 1 twice in [1, 1]}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c6: accept
func.func @reduce_c6(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf64> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s0 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s0 : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// reduce_c6: reject
func.func @reduce_c6(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xi32> {
  // expected-error@+1 {{[reduce_c6] initial value 0 must be promotable to what body returns, got tensor<f32> and tensor<i32>}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s0 : tensor<i32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// reduce_c7: accept
func.func @reduce_c7(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf32> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_c7: reject
func.func @reduce_c7(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[reduce_c7] inferred type tensor<2x}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// reduce_c8: accept
func.func @reduce_c8(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf64> {
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s0 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s0 : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// reduce_c8: reject
func.func @reduce_c8(%x0: tensor<2x3xf32>, %init0: tensor<f32>) -> tensor<2xf64> {
  // expected-error@+1 {{[reduce_c8] inferred type tensor<2xf32> is incompatible with the result type tensor<2xf64>}}
  %0 = "stablehlo.reduce"(%x0, %init0) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
