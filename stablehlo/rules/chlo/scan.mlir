// chlo_scan_c1: accept
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c1: reject
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c1] expected at least one input or one output, got neither}}
  %0 = "chlo.scan"(%i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%c: tensor<3xf32>):
    stablehlo.return %c : tensor<3xf32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}
// -----
// chlo_scan_c2: accept
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c2: reject
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c2] dimension must be in range [0, 2), the dimensions of input #0, got 2}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c3: accept
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, scan_dim_size = 4 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c3: reject
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c3] input #0 must have size 5 in the scanned dimension, got 4}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, scan_dim_size = 5 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c4: accept
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c4: reject
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c4] argument 0 of body must be a tensor of shape [3] and element type f32, got tensor<4xf32>}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c5: accept
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}
// -----
// chlo_scan_c5: reject
func.func @f(%x: tensor<4x3xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c5] inferred type tensor<4x3xf32> is incompatible with the result type tensor<5x3xf32>}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %c: tensor<3xf32>):
    stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  return
}
