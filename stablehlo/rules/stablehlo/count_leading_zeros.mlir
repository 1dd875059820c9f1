// count_leading_zeros_c1: accept
func.func @count_leading_zeros_c1(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.count_leading_zeros %x : tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// count_leading_zeros_c1: accept
func.func @count_leading_zeros_c1(%x: tensor<?xi32>) -> tensor<2xi32> {
  %0 = stablehlo.count_leading_zeros %x : (tensor<?xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// count_leading_zeros_c1: reject
func.func @count_leading_zeros_c1(%x: tensor<2xi32>) -> tensor<2xui32> {
  // expected-error@+1 {{[count_leading_zeros_c1] operands and result must have the same shape and element type, got tensor<2xi32> and tensor<2xui32>}}
  %0 = stablehlo.count_leading_zeros %x : (tensor<2xi32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
