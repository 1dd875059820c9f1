// chlo_bessel_i1e_c1: accept
func.func @chlo_bessel_i1e_c1(%operand: tensor<4xf32>) -> tensor<?xf32> {
  %0 = chlo.bessel_i1e %operand : tensor<4xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// chlo_bessel_i1e_c1: reject
func.func @chlo_bessel_i1e_c1(%operand: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{[chlo_bessel_i1e_c1] operands and result must have the same shape and element type, got tensor<4xf32> and tensor<5xf32>}}
  %0 = chlo.bessel_i1e %operand : tensor<4xf32> -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
