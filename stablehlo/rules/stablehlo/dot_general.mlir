// dot_general_c1: accept
func.func @dot_general_c1(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c1: reject
func.func @dot_general_c1(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c1] lhs_batching_dimensions and rhs_batching_dimensions must have the same length, got 1 and 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c2: accept
func.func @dot_general_c2(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c2: reject
func.func @dot_general_c2(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c2] lhs_contracting_dimensions and rhs_contracting_dimensions must have the same length, got 1 and 2}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0, 1] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c3: accept
func.func @dot_general_c3(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c3: reject
func.func @dot_general_c3(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c3] lhs_batching_dimensions and lhs_contracting_dimensions must not repeat, got 0 twice}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c4: accept
func.func @dot_general_c4(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c4: reject
func.func @dot_general_c4(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c4] rhs_batching_dimensions and rhs_contracting_dimensions must not repeat, got 0 twice}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [0] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c5: accept
func.func @dot_general_c5(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c5: reject
func.func @dot_general_c5(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c5] lhs_batching_dimensions must be in range [0, 3), the dimensions of lhs, got 3}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [3] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c6: accept
func.func @dot_general_c6(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c6: reject
func.func @dot_general_c6(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c6] lhs_contracting_dimensions must be in range [0, 2), the dimensions of lhs, got 2}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [2] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c7: accept
func.func @dot_general_c7(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c7: reject
func.func @dot_general_c7(%lhs: tensor<5x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c7] rhs_batching_dimensions must be in range [0, 3), the dimensions of rhs, got 3}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [3], contracting_dims = [2] x [1] : (tensor<5x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c8: accept
func.func @dot_general_c8(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c8: reject
func.func @dot_general_c8(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c8] rhs_contracting_dimensions must be in range [0, 2), the dimensions of rhs, got 2}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [2] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c9: accept
func.func @dot_general_c9(%lhs: tensor<?x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c9: reject
func.func @dot_general_c9(%lhs: tensor<6x2x3xf32>, %rhs: tensor<5x3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_general_c9] batching dimensions must have the same size, got 6 in dimension 0 of lhs and 5 in dimension 0 of rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_general_c10: accept
func.func @dot_general_c10(%lhs: tensor<2x?xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x?xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c10: reject
func.func @dot_general_c10(%lhs: tensor<2x5xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c10] contracting dimensions must have the same size, got 5 in dimension 1 of lhs and 3 in dimension 0 of rhs}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x5xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c11: accept
func.func @dot_general_c11(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c11: reject
func.func @dot_general_c11(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c11] precision_config must have one entry per operand, 2, got 3}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c12: accept
func.func @dot_general_c12(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c12: reject
func.func @dot_general_c12(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<4x2xf32> {
  // expected-error@+1 {{[dot_general_c12] inferred type tensor<2x4x}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// -----
// dot_general_c13: accept
func.func @dot_general_c13(%lhs: tensor<2x3xi8>, %rhs: tensor<3x4xi8>) -> tensor<2x4xi32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  return %0 : tensor<2x4xi32>
}
// -----
// dot_general_c13: reject
func.func @dot_general_c13(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf16>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c13] lhs and rhs must have the same element type, got f32 and f16}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf16>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c14: accept
func.func @dot_general_c14(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c14: reject
func.func @dot_general_c14(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c14] lhs and result must both be quantized or neither}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c15: accept
func.func @dot_general_c15(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0:3>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0:3>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c15: reject
func.func @dot_general_c15(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[dot_general_c15] zero points of rhs must be 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c16: accept
func.func @dot_general_c16(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c16: reject
func.func @dot_general_c16(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[dot_general_c16] the quantization dimension of rhs, 0, must not be among rhs_contracting_dimensions, [0]}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c17: accept
func.func @dot_general_c17(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c17: reject
func.func @dot_general_c17(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i4:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[dot_general_c17] lhs and rhs must have the same storage type}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i4:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c18: accept
func.func @dot_general_c18(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c18: reject
func.func @dot_general_c18(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f16, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[dot_general_c18] lhs, rhs and result must have the same expressed type}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f16, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32, 1.0>>
}
// -----
// dot_general_c19: accept
func.func @dot_general_c19(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32:1, {1.0, 2.0, 3.0, 4.0}>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
}
// -----
// dot_general_c19: reject
func.func @dot_general_c19(%lhs: tensor<2x3x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>> {
  // expected-error@+1 {{[dot_general_c19] the result must be quantized per tensor when rhs is}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
  return %0 : tensor<2x4x!quant.uniform<i32:f32:1, {1.0, 2.0, 3.0, 4.0}>>
}
// -----
// dot_general_c20: accept
func.func @dot_general_c20(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c20: reject
func.func @dot_general_c20(%lhs: tensor<2x3xf16>, %rhs: tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf16> {
  // expected-error@+1 {{[dot_general_c20] lhs and result must have the expressed type of rhs, f32, got f16 and f16}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xf16>, tensor<3x4x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf16>
  return %0 : tensor<2x4xf16>
}
// -----
// dot_general_c21: accept
func.func @dot_general_c21(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c21: reject
func.func @dot_general_c21(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c21] precision_config must be DEFAULT when there is an algorithm, got HIGH}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c22: accept
func.func @dot_general_c22(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c22: reject
func.func @dot_general_c22(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c22] lhs_component_count must be positive, got 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c23: accept
func.func @dot_general_c23(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c23: reject
func.func @dot_general_c23(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c23] rhs_component_count must be positive, got 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c24: accept
func.func @dot_general_c24(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_c24: reject
func.func @dot_general_c24(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_c24] num_primitive_operations must be positive, got 0}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_x1: accept
func.func @dot_general_x1(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_general_x1: reject
func.func @dot_general_x1(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_general_x1] no hardware is known to multiply tf32 by tf32 into f32 with component counts 3 and 1}}
  %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 3, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
