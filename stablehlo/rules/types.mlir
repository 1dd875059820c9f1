// quantized_tensor_type_c7: accept
func.func private @unsigned(tensor<2x!quant.uniform<u8:f32, 5.0e-1:200>>)
// -----
// quantized_tensor_type_c7: reject
// expected-error@+1 {{[quantized_tensor_type_c7] type !quant.uniform<i8:f32, 5.000000e-01:200> has zero point 200, expected one in the storage range -128:127}}
func.func private @signed(tensor<2x!quant.uniform<i8:f32, 5.0e-1:200>>)
// -----
// quantized_tensor_type_c11: accept
func.func private @axis(tensor<2x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>)
// -----
// quantized_tensor_type_c11: reject
// expected-error@+1 {{[quantized_tensor_type_c11] type !quant.uniform<i8:f32:-1, {5.000000e-01,2.500000e-01}> has quantization dimension -1, expected at least 0}}
func.func private @negative(tensor<2x!quant.uniform<i8:f32:-1, {5.0e-1, 2.5e-1}>>)
// -----
// quantized_tensor_type_c12: accept
func.func private @axis(tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1, 2.5e-1}>>)
// -----
// quantized_tensor_type_c12: reject
// expected-error@+1 {{[quantized_tensor_type_c12] type tensor<3x2x!quant.uniform<i8:f32:2, {5.000000e-01,2.500000e-01}>> has quantization dimension 2, expected less than its rank 2}}
func.func private @axis(tensor<3x2x!quant.uniform<i8:f32:2, {5.0e-1, 2.5e-1}>>)
// -----
// quantized_tensor_type_c13: accept
func.func private @scales(tensor<?x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>)
// -----
// quantized_tensor_type_c13: reject
// expected-error@+1 {{[quantized_tensor_type_c13] type tensor<3x!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>> has 2 scales, expected one per index of dimension 0, whose size is 3}}
func.func private @scales(tensor<3x!quant.uniform<i8:f32:0, {5.0e-1, 2.5e-1}>>)
// -----
// attribute/result-accuracy: accept
func.func @accuracy(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// attribute/result-accuracy: reject
func.func @accuracy(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[attribute/result-accuracy] mode HIGHEST takes no tolerances, got atol 0, rtol 0, ulps 2}}
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// attribute/result-accuracy: reject
func.func @accuracy(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[attribute/result-accuracy] tolerances must not be negative, got atol 0, rtol 0, ulps -1}}
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<f32>
  return %0 : tensor<f32>
}
