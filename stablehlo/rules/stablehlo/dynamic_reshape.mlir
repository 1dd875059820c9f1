// dynamic_reshape_c1: accept
func.func @dynamic_reshape_c1(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_reshape_c1: reject
func.func @dynamic_reshape_c1(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<2x3xf64> {
  // expected-error@+1 {{[dynamic_reshape_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
// dynamic_reshape_c1: reject
func.func @dynamic_reshape_c1(%x: tensor<2x3x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>, %s: tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,1.0}>> {
  // expected-error@+1 {{[dynamic_reshape_c1] scales and zero points must be equal}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:0, {5.0e-1,2.5e-1}>>, tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,1.0}>>
  return %0 : tensor<3x2x!quant.uniform<i8:f32:1, {5.0e-1,1.0}>>
}
// -----
// dynamic_reshape_c2: accept
func.func @dynamic_reshape_c2(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_reshape_c2: reject
func.func @dynamic_reshape_c2(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<2x2xf32> {
  // expected-error@+1 {{[dynamic_reshape_c2] the result must have as many elements as the operand: 6 of [6], got 4 of [2, 2]}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// dynamic_reshape_c3: accept
func.func @dynamic_reshape_c3(%x: tensor<4x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>, %s: tensor<3xi64>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {5.0e-1,2.5e-1}>> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>, tensor<3xi64>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {5.0e-1,2.5e-1}>>
  return %0 : tensor<2x2x2x!quant.uniform<i8:f32:2, {5.0e-1,2.5e-1}>>
}
// -----
// dynamic_reshape_c3: reject
func.func @dynamic_reshape_c3(%x: tensor<4x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>, %s: tensor<3xi64>) -> tensor<2x2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>> {
  // expected-error@+1 {{[dynamic_reshape_c3] the sizes before the quantization dimension must have the same product, got 4 of [4] and 2 of [2]}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>, tensor<3xi64>) -> tensor<2x2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
  return %0 : tensor<2x2x2x!quant.uniform<i8:f32:1, {5.0e-1,2.5e-1}>>
}
// -----
// dynamic_reshape_c2: reject
func.func @dynamic_reshape_c2(%x: tensor<6xf32>) -> tensor<?x?xf32> {
  %s = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error@+1 {{[dynamic_reshape_c2] output_shape must hold as many elements as the operand: 6 of [6], got 4 of [2, 2]}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// dynamic_reshape_c4: accept
func.func @dynamic_reshape_c4(%x: tensor<6xf32>, %s: tensor<2xi64>) -> tensor<?x3xf32> {
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// -----
// dynamic_reshape_c4: reject
func.func @dynamic_reshape_c4(%x: tensor<6xf32>, %s: tensor<3xi64>) -> tensor<?x3xf32> {
  // expected-error@+1 {{[dynamic_reshape_c4] output_shape must have one entry per dimension of the result: expected 2, got 3}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<3xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
