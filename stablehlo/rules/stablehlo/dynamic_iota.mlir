// dynamic_iota_c1: accept
func.func @dynamic_iota_c1(%s: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// dynamic_iota_c1: reject
func.func @dynamic_iota_c1(%s: tensor<2xi64>) -> tensor<?x?xf32> {
  // expected-error@+1 {{[dynamic_iota_c1] iota_dimension must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// dynamic_iota_c2: accept
func.func @dynamic_iota_c2(%s: tensor<2xi64>) -> tensor<2x?xf32> {
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
// -----
// dynamic_iota_c2: reject
func.func @dynamic_iota_c2(%s: tensor<2xi64>) -> tensor<?xf32> {
  // expected-error@+1 {{[dynamic_iota_c2] output_shape must have one entry per dimension of the result: expected 1, got 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// dynamic_iota_c2: reject
func.func @dynamic_iota_c2() -> tensor<3xf32> {
  %s = stablehlo.constant dense<[2]> : tensor<1xi64>
  // expected-error@+1 {{[dynamic_iota_c2] output_shape is [2], which does not fit the result's shape [3]}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
