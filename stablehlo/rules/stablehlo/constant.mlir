// constant_c1: accept
func.func @constant_c1() -> tensor<2xi8> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>
  return %0 : tensor<2xi8>
}
// -----
// constant_c1: accept
func.func @constant_c1() -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// constant_c1: reject
func.func @constant_c1() -> tensor<2xi16> {
  // expected-error@+1 {{[constant_c1] value must have the type of output tensor<2xi16>, got tensor<2xi8>}}
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2xi16>
  return %0 : tensor<2xi16>
}
