// is_finite_c1: accept
func.func @is_finite_c1(%x: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// is_finite_c1: reject
func.func @is_finite_c1(%x: tensor<2xf32>) -> tensor<3xi1> {
  // expected-error@+1 {{[is_finite_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}
