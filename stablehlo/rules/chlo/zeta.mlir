// chlo_zeta_c1: accept
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = chlo.zeta %a, %b : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// chlo_zeta_c1: reject
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[chlo_zeta_c1] operands and result must have the same shape and element type}}
  %0 = chlo.zeta %a, %b : tensor<2xf32>, tensor<3xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
