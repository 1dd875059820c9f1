// chlo_broadcast_atan2_c1: accept
func.func @chlo_broadcast_atan2_c1(%lhs: tensor<4x5xf32>, %rhs: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_atan2_c1: reject
func.func @chlo_broadcast_atan2_c1(%lhs: tensor<4x5xf32>, %rhs: tensor<5xf64>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[chlo_broadcast_atan2_c1] element types must be the same, got f32 and f64}}
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x5xf32>, tensor<5xf64>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_atan2_c2: accept
func.func @chlo_broadcast_atan2_c2(%lhs: tensor<4x1xf32>, %rhs: tensor<5xf32>) -> tensor<4x5xf32> {
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x1xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// chlo_broadcast_atan2_c2: reject
func.func @chlo_broadcast_atan2_c2(%lhs: tensor<4x5xf32>, %rhs: tensor<4xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[chlo_broadcast_atan2_c2] shapes [4, 5] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_atan2 %lhs, %rhs : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
