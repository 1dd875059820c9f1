// reverse_c1: accept
func.func @reverse_c1(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// reverse_c1: reject
func.func @reverse_c1(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{[reverse_c1] inferred type tensor<2x3xf32> is incompatible with the result type tensor<3x2xf32>}}
  %0 = stablehlo.reverse %x, dims = [1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// reverse_c2: accept
func.func @reverse_c2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// reverse_c2: reject
func.func @reverse_c2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[reverse_c2] dimensions must not repeat, got 1 twice in [1, 1]}}
  %0 = stablehlo.reverse %x, dims = [1, 1] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// reverse_c3: accept
func.func @reverse_c3(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.reverse %x, dims = [] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// reverse_c3: reject
func.func @reverse_c3(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[reverse_c3] dimensions must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
