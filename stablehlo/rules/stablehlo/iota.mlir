// iota_c1: accept
func.func @iota_c1() -> tensor<2x3xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// iota_c1: reject
func.func @iota_c1() -> tensor<2x3xi32> {
  // expected-error@+1 {{[iota_c1] iota_dimension must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// iota_c1: reject
func.func @iota_c1() -> tensor<i32> {
  // expected-error@+1 {{[iota_c1] iota_dimension must be in range [0, 0), the dimensions of the result, got 0}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return %0 : tensor<i32>
}
