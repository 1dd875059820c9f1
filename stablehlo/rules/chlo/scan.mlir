// chlo_scan_c1: accept
func.func @chlo_scan_c1(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c1: reject
func.func @chlo_scan_c1(%init: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[chlo_scan_c1] expected at least one input or one output, got neither}}
  %0 = "chlo.scan"(%init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// chlo_scan_c2: accept
func.func @chlo_scan_c2(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c2: reject
func.func @chlo_scan_c2(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c2] dimension must be in range [0, 2), the dimensions of input #0, got 2}}
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 2 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c3: accept
func.func @chlo_scan_c3(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 4 : i64}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c3: reject
func.func @chlo_scan_c3(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c3] input #0 must have size 5 in the scanned dimension, got 4}}
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c4: accept
func.func @chlo_scan_c4(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c4: reject
func.func @chlo_scan_c4(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c4] argument 0 of body must be a tensor of shape [3] and element type f32, got tensor<4xf32>}}
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<3xf32>):
    stablehlo.return %b, %b : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c5: accept
func.func @chlo_scan_c5(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<3xf32>
}
// -----
// chlo_scan_c5: reject
func.func @chlo_scan_c5(%x: tensor<4x3xf32>, %init: tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3xf32>) {
  // expected-error@+1 {{[chlo_scan_c5] inferred type tensor<4x3xf32> is incompatible with the result type tensor<3x4xf32>}}
  %0:2 = "chlo.scan"(%x, %init) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %s = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %s, %s : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<3x4xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<3x4xf32>, tensor<3xf32>
}
