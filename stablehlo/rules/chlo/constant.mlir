// chlo_constant_c1: accept
func.func @f() -> tensor<2xi32> {
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// chlo_constant_c1: reject
func.func @f() -> tensor<3xi32> {
  // expected-error@+1 {{[chlo_constant_c1] inferred type tensor<2xi32> is incompatible with the result type tensor<3xi32>}}
  %0 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
