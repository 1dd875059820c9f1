// log_c1: accept
func.func @log_c1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.log %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// log_c1: accept
func.func @log_c1(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 2.5e-1:3>> {
  %0 = stablehlo.log %x : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 2.5e-1:3>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 2.5e-1:3>>
}
// -----
// log_c1: reject
func.func @log_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[log_c1] operands and result must have the same shape and element type, got tensor<2xf32> and tensor<3xf32>}}
  %0 = stablehlo.log %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
