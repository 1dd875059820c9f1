// broadcast_c1: accept
func.func @broadcast_c1(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_c1: reject
func.func @broadcast_c1(%x: tensor<3xf32>) -> tensor<2x3xf64> {
  // expected-error@+1 {{[broadcast_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
// broadcast_c2: accept
func.func @broadcast_c2(%x: tensor<3xf32>) -> tensor<0x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [0] : (tensor<3xf32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}
// -----
// broadcast_c2: reject
func.func @broadcast_c2(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[broadcast_c2] broadcast_sizes must not be negative, got -2 at index 0}}
  %0 = stablehlo.broadcast %x, sizes = [-2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_c3: accept
func.func @broadcast_c3(%x: tensor<3xf32>) -> tensor<2x4x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2, 4] : (tensor<3xf32>) -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}
// -----
// broadcast_c3: reject
func.func @broadcast_c3(%x: tensor<3xf32>) -> tensor<3x2xf32> {
  // expected-error@+1 {{[broadcast_c3] inferred type tensor<2x3xf32> is incompatible with the result type tensor<3x2xf32>}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
