// not_c1: accept
func.func @not_c1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.not %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// not_c1: accept
func.func @not_c1(%x: tensor<?xi32>) -> tensor<2xi32> {
  %0 = stablehlo.not %x : (tensor<?xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// not_c1: reject
func.func @not_c1(%x: tensor<2xi32>) -> tensor<2xui32> {
  // expected-error@+1 {{[not_c1] operands and result must have the same shape and element type, got tensor<2xi32> and tensor<2xui32>}}
  %0 = stablehlo.not %x : (tensor<2xi32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
