// chlo_top_k_c1: accept
func.func @chlo_top_k_c1(%operand: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%operand, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
// -----
// chlo_top_k_c1: reject
func.func @chlo_top_k_c1(%operand: tensor<f32>) -> (tensor<1xf32>, tensor<1xi32>) {
  // expected-error@+1 {{[chlo_top_k_c1] the operand must have at least one dimension, got rank 0}}
  %0:2 = chlo.top_k(%operand, k = 1) : tensor<f32> -> (tensor<1xf32>, tensor<1xi32>)
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xi32>
}
// -----
// chlo_top_k_c2: accept
func.func @chlo_top_k_c2(%operand: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>) {
  %0:2 = chlo.top_k(%operand, k = 8) : tensor<4x8xf32> -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi32>
}
// -----
// chlo_top_k_c2: reject
func.func @chlo_top_k_c2(%operand: tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi32>) {
  // expected-error@+1 {{[chlo_top_k_c2] the last dimension of the operand must have at least k 9 elements, got 8}}
  %0:2 = chlo.top_k(%operand, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return %0#0, %0#1 : tensor<4x9xf32>, tensor<4x9xi32>
}
// -----
// chlo_top_k_c3: accept
func.func @chlo_top_k_c3(%operand: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>) {
  %0:2 = chlo.top_k(%operand, k = 3) : tensor<4x8xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xi32>
}
// -----
// chlo_top_k_c3: reject
func.func @chlo_top_k_c3(%operand: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x3xi32>) {
  // expected-error@+1 {{[chlo_top_k_c3] inferred type tensor<4x3xf32> is incompatible with the result type tensor<4x8xf32>}}
  %0:2 = chlo.top_k(%operand, k = 3) : tensor<4x8xf32> -> (tensor<4x8xf32>, tensor<4x3xi32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x3xi32>
}
