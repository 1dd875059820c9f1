// chlo_mulhi_c1: accept
func.func @chlo_mulhi_c1(%lhs: tensor<4xi32>, %rhs: tensor<4xi32>) -> tensor<4xi32> {
  %0 = chlo.mulhi %lhs, %rhs : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// chlo_mulhi_c1: reject
func.func @chlo_mulhi_c1(%lhs: tensor<4xi32>, %rhs: tensor<4xi32>) -> tensor<4xi64> {
  // expected-error@+1 {{[chlo_mulhi_c1] operands and result must have the same shape and element type, got tensor<4xi32> and tensor<4xi64>}}
  %0 = chlo.mulhi %lhs, %rhs : tensor<4xi32>, tensor<4xi32> -> tensor<4xi64>
  return %0 : tensor<4xi64>
}
