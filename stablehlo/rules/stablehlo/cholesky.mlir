// cholesky_c1: accept
func.func @cholesky_c1(%a: tensor<3x3xf32>) -> tensor<3x?xf32> {
  %0 = stablehlo.cholesky %a, lower = true : (tensor<3x3xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
// -----
// cholesky_c1: reject
func.func @cholesky_c1(%a: tensor<3x3xf32>) -> tensor<3x3xf64> {
  // expected-error@+1 {{[cholesky_c1] inferred type tensor<3x3xf32> is incompatible with the result type tensor<3x3xf64>}}
  %0 = stablehlo.cholesky %a, lower = true : (tensor<3x3xf32>) -> tensor<3x3xf64>
  return %0 : tensor<3x3xf64>
}
// -----
// cholesky_c2: accept
func.func @cholesky_c2(%a: tensor<2x3x3xf32>) -> tensor<2x3x3xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x3x3xf32>
  return %0 : tensor<2x3x3xf32>
}
// -----
// cholesky_c2: reject
func.func @cholesky_c2(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[cholesky_c2] a must have at least rank 2, got shape [3]}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// cholesky_c3: accept
func.func @cholesky_c3(%a: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}
// -----
// cholesky_c3: reject
func.func @cholesky_c3(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  // expected-error@+1 {{[cholesky_c3] the last two dimensions of a must have the same size, got shape [3, 4]}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
