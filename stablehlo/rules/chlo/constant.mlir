// chlo_constant_c1: accept
func.func @chlo_constant_c1() -> tensor<2xi32> {
  %0 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// chlo_constant_c1: reject
func.func @chlo_constant_c1() -> tensor<2xi64> {
  // expected-error@+1 {{[chlo_constant_c1] inferred type tensor<2xi32> is incompatible with the result type tensor<2xi64>}}
  %0 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
