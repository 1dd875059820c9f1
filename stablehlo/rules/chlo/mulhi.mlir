// chlo_mulhi_c1: accept
func.func @f(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = chlo.mulhi %a, %b : tensor<2xi32>, tensor<2xi32> -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// chlo_mulhi_c1: reject
func.func @f(%a: tensor<2xi32>, %b: tensor<3xi32>) -> tensor<2xi32> {
  // expected-error@+1 {{[chlo_mulhi_c1] operands and result must have the same shape and element type}}
  %0 = chlo.mulhi %a, %b : tensor<2xi32>, tensor<3xi32> -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
