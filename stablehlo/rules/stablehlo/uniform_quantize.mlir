// uniform_quantize_c1: accept
func.func @uniform_quantize_c1(%x: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1:3>> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1:3>>
}
// -----
// uniform_quantize_c1: reject
func.func @uniform_quantize_c1(%x: tensor<2xf32>) -> tensor<3x!quant.uniform<i8:f32, 5.0e-1>> {
  // expected-error@+1 {{[uniform_quantize_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<3x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<3x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// uniform_quantize_c2: accept
func.func @uniform_quantize_c2(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 2.5e-1>> {
  %0 = stablehlo.uniform_quantize %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 2.5e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 2.5e-1>>
}
// -----
// uniform_quantize_c2: reject
func.func @uniform_quantize_c2(%x: tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  // expected-error@+1 {{[uniform_quantize_c2] the result's expressed type must be the operand's f64, got f32}}
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf64>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
