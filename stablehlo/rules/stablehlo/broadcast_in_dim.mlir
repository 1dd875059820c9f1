// broadcast_in_dim_c1: accept
func.func @broadcast_in_dim_c1(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c1: reject
func.func @broadcast_in_dim_c1(%x: tensor<3xf32>) -> tensor<2x3xi32> {
  // expected-error@+1 {{[broadcast_in_dim_c1] element types must be equal, got f32 and i32}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// broadcast_in_dim_c1: reject
func.func @broadcast_in_dim_c1(%x: tensor<3x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.5e-1>> {
  // expected-error@+1 {{[broadcast_in_dim_c1] element types must be equal}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x3x!quant.uniform<i8:f32, 2.5e-1>>
  return %0 : tensor<2x3x!quant.uniform<i8:f32, 2.5e-1>>
}
// -----
// broadcast_in_dim_c2: accept
func.func @broadcast_in_dim_c2(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c2: reject
func.func @broadcast_in_dim_c2(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[broadcast_in_dim_c2] broadcast_dimensions must have length 1, one per dimension of the operand, got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c3: accept
func.func @broadcast_in_dim_c3(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c3: reject
func.func @broadcast_in_dim_c3(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[broadcast_in_dim_c3] broadcast_dimensions must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c4: accept
func.func @broadcast_in_dim_c4(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c4: reject
func.func @broadcast_in_dim_c4(%x: tensor<3x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[broadcast_in_dim_c4] broadcast_dimensions must not repeat, got 1 twice in [1, 1]}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<3x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c5: accept
func.func @broadcast_in_dim_c5(%x: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c5: reject
func.func @broadcast_in_dim_c5(%x: tensor<2xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[broadcast_in_dim_c5] dimension 0 of the operand must have size 1 or the size 3 of dimension 1 of the result, got 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// broadcast_in_dim_c6: accept
func.func @broadcast_in_dim_c6(%x: tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,5.0e-1}>> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,5.0e-1}>>
}
// -----
// broadcast_in_dim_c6: reject
func.func @broadcast_in_dim_c6(%x: tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,5.0e-1}>> {
  // expected-error@+1 {{[broadcast_in_dim_c6] the result must be quantized along dimension 1, where the operand's quantization dimension 0 goes, got 0}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,5.0e-1}>>
}
// -----
// broadcast_in_dim_c6: reject
func.func @broadcast_in_dim_c6(%x: tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>> {
  // expected-error@+1 {{[broadcast_in_dim_c6] scale and zero point 1 of the result must repeat those of the operand}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<1x!quant.uniform<i8:f32:0, {5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
}
