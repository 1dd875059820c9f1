// map_c1: accept
func.func @map_c1(%x0: tensor<4xf32>, %x1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// map_c1: reject
func.func @map_c1(%x0: tensor<4xf32>, %x1: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[map_c1] shapes must be the same, got [4] and [5]}}
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// map_c2: accept
func.func @map_c2(%x0: tensor<4xf32>, %x1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// map_c2: reject
func.func @map_c2() -> tensor<f32> {
  // expected-error@+1 {{[map_c2] there must be at least one input}}
  %0 = "stablehlo.map"() <{dimensions = array<i64>}> ({
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    stablehlo.return %one : tensor<f32>
  }) : () -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// map_c3: accept
func.func @map_c3(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// map_c3: reject
func.func @map_c3(%x0: tensor<2x3xf32>, %x1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[map_c3] dimensions must be all dimensions of the inputs in order, [0, 1], got [0]}}
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// map_c4: accept
func.func @map_c4(%x0: tensor<4xf32>, %x1: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// map_c4: reject
func.func @map_c4(%x0: tensor<4xf32>, %x1: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[map_c4] computation must take 2 arguments, got 1}}
  %0 = "stablehlo.map"(%x0, %x1) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
