// chlo_top_k_c1: accept
func.func @f(%x: tensor<4x8xf32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}
// -----
// chlo_top_k_c1: reject
func.func @f(%x: tensor<f32>) {
  // expected-error@+1 {{[chlo_top_k_c1] the operand must have at least one dimension, got rank 0}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}
// -----
// chlo_top_k_c2: accept
func.func @f(%x: tensor<4x8xf32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}
// -----
// chlo_top_k_c2: reject
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[chlo_top_k_c2] the last dimension of the operand must have at least k 9 elements, got 8}}
  %0:2 = chlo.top_k(%x, k = 9) : tensor<4x8xf32> -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}
// -----
// chlo_top_k_c3: accept
func.func @f(%x: tensor<4x8xf32>) {
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}
// -----
// chlo_top_k_c3: reject
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[chlo_top_k_c3] indices must have element type i32, got tensor<4x2xi64>}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi64>)
  return
}
