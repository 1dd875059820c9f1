// chlo_broadcast_select_c1: accept
func.func @chlo_broadcast_select_c1(%pred: tensor<i1>, %on_true: tensor<4x5xf32>, %on_false: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_select_c1: reject
func.func @chlo_broadcast_select_c1(%pred: tensor<i1>, %on_true: tensor<4x5xf32>, %on_false: tensor<5xf64>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[chlo_broadcast_select_c1] element types must be the same, got f32 and f64}}
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<4x5xf32>, tensor<5xf64>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_select_c2: accept
func.func @chlo_broadcast_select_c2(%pred: tensor<4x1xi1>, %on_true: tensor<4x5xf32>, %on_false: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<4x1xi1>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_select_c2: reject
func.func @chlo_broadcast_select_c2(%pred: tensor<i1>, %on_true: tensor<4x5xf32>, %on_false: tensor<4xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[chlo_broadcast_select_c2] shapes [] and [4, 5] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_select %pred, %on_true, %on_false : (tensor<i1>, tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
