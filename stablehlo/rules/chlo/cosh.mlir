// chlo_cosh_c1: accept
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.cosh %x : tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// chlo_cosh_c1: reject
func.func @f(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[chlo_cosh_c1] operands and result must have the same shape and element type}}
  %0 = chlo.cosh %x : tensor<2xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
