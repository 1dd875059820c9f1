// uniform_dequantize_c1: accept
func.func @uniform_dequantize_c1(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1:3>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1:3>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// uniform_dequantize_c1: reject
func.func @uniform_dequantize_c1(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<3xf32> {
  // expected-error@+1 {{[uniform_dequantize_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// uniform_dequantize_c2: accept
func.func @uniform_dequantize_c2(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// uniform_dequantize_c2: reject
func.func @uniform_dequantize_c2(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2xf16> {
  // expected-error@+1 {{[uniform_dequantize_c2] the result's element type must be the operand's expressed type f32, got f16}}
  %0 = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
