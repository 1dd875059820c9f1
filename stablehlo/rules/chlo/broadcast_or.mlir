// chlo_broadcast_or_c1: accept
func.func @chlo_broadcast_or_c1(%lhs: tensor<4x5xi32>, %rhs: tensor<5xi32>) -> tensor<4x5xi32> {
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4x5xi32>, tensor<5xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
// -----
// chlo_broadcast_or_c1: reject
func.func @chlo_broadcast_or_c1(%lhs: tensor<4x5xi32>, %rhs: tensor<5xi64>) -> tensor<4x5xi32> {
  // expected-error@+1 {{[chlo_broadcast_or_c1] element types must be equal, got i32 and i64}}
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4x5xi32>, tensor<5xi64>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
// -----
// chlo_broadcast_or_c2: accept
func.func @chlo_broadcast_or_c2(%lhs: tensor<4x1xi32>, %rhs: tensor<5xi32>) -> tensor<4x5xi32> {
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4x1xi32>, tensor<5xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
// -----
// chlo_broadcast_or_c2: reject
func.func @chlo_broadcast_or_c2(%lhs: tensor<4x5xi32>, %rhs: tensor<4xi32>) -> tensor<4x5xi32> {
  // expected-error@+1 {{[chlo_broadcast_or_c2] shapes [4, 5] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_or %lhs, %rhs : (tensor<4x5xi32>, tensor<4xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
