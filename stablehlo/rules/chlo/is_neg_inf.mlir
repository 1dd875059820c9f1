// chlo_is_neg_inf_c1: accept
func.func @chlo_is_neg_inf_c1(%operand: tensor<4xf32>) -> tensor<4xi1> {
  %0 = chlo.is_neg_inf %operand : tensor<4xf32> -> tensor<4xi1>
  return %0 : tensor<4xi1>
}
// -----
// chlo_is_neg_inf_c1: reject
func.func @chlo_is_neg_inf_c1(%operand: tensor<4xf32>) -> tensor<5xi1> {
  // expected-error@+1 {{[chlo_is_neg_inf_c1] inferred type tensor<4x…> is incompatible with the result type tensor<5xi1>}}
  %0 = chlo.is_neg_inf %operand : tensor<4xf32> -> tensor<5xi1>
  return %0 : tensor<5xi1>
}
