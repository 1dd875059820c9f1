// transpose_c1: accept
func.func @transpose_c1(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// -----
// transpose_c1: reject
func.func @transpose_c1(%x: tensor<2x3xf32>) -> tensor<3x2xf64> {
  // expected-error@+1 {{[transpose_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return %0 : tensor<3x2xf64>
}
// -----
// transpose_c2: accept
func.func @transpose_c2(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// transpose_c2: reject
func.func @transpose_c2(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  // expected-error@+1 {{[transpose_c2] permutation must not repeat, got 0 twice in [0, 0]}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// transpose_c2: reject
func.func @transpose_c2(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[transpose_c2] permutation must have length 2, one per dimension of the operand, got 1}}
  %0 = stablehlo.transpose %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// transpose_c3: accept
func.func @transpose_c3(%x: tensor<2x?xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x?xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}
// -----
// transpose_c3: reject
func.func @transpose_c3(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[transpose_c3] inferred type tensor<3x2x}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// transpose_c4: accept
func.func @transpose_c4(%x: tensor<2x3x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
  return %0 : tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
}
// -----
// transpose_c4: reject
func.func @transpose_c4(%x: tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>> {
  // expected-error@+1 {{[transpose_c4] the result is quantized along dimension 0, the operand's dimension 1, but the operand along 0}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>
}
