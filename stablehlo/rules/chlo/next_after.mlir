// chlo_next_after_c1: accept
func.func @chlo_next_after_c1(%lhs: tensor<4xf32>, %rhs: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.next_after %lhs, %rhs : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// chlo_next_after_c1: reject
func.func @chlo_next_after_c1(%lhs: tensor<4xf32>, %rhs: tensor<4xf64>) -> tensor<4xf32> {
  // expected-error@+1 {{[chlo_next_after_c1] operands and result must have the same shape and element type, got tensor<4xf32> and tensor<4xf64>}}
  %0 = chlo.next_after %lhs, %rhs : tensor<4xf32>, tensor<4xf64> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
