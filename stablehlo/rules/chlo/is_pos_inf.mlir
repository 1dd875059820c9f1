// chlo_is_pos_inf_c1: accept
func.func @f(%x: tensor<2xf32>) -> tensor<2xi1> {
  %0 = chlo.is_pos_inf %x : tensor<2xf32> -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// chlo_is_pos_inf_c1: reject
func.func @f(%x: tensor<2xf32>) -> tensor<3xi1> {
  // expected-error@+1 {{[chlo_is_pos_inf_c1] inferred type}}
  %0 = chlo.is_pos_inf %x : tensor<2xf32> -> tensor<3xi1>
  return %0 : tensor<3xi1>
}
