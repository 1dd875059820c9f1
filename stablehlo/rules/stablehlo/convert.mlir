// convert_c1: accept
func.func @convert_c1(%x: tensor<2xf32>) -> tensor<2xi8> {
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
// -----
// convert_c1: reject
func.func @convert_c1(%x: tensor<2xf32>) -> tensor<3xi8> {
  // expected-error@+1 {{[convert_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}
