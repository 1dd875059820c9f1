// and_c1: accept
func.func @and_c1(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.and %x, %y : tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// and_c1: reject
func.func @and_c1(%x: tensor<2xi32>, %y: tensor<2xi64>) -> tensor<2xi32> {
  // expected-error@+1 {{[and_c1] operands and result must have the same shape and element type, got tensor<2xi32> and tensor<2xi64>}}
  %0 = stablehlo.and %x, %y : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
