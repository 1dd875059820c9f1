// add_c1: accept
func.func @add_c1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// add_c1: reject
func.func @add_c1(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[add_c1] operands and result must have the same shape and element type, got tensor<2xf32> and tensor<3xf32>}}
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// add_c2: accept
func.func @add_c2(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i8:f32, 2.5e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1:7>> {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i8:f32, 2.5e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1:7>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1:7>>
}
// -----
// add_c2: reject
func.func @add_c2(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[add_c2] operands and result must all be quantized or none of them}}
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// add_c3: accept
func.func @add_c3(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// add_c3: reject
func.func @add_c3(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i4:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  // expected-error@+1 {{[add_c3] storage types must be equal}}
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i4:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// add_c4: accept
func.func @add_c4(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// add_c4: reject
func.func @add_c4(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i8:f16, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  // expected-error@+1 {{[add_c4] expressed types must be equal}}
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i8:f16, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// add_c5: accept
func.func @add_c5(%x: tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>, %y: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>> {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>, tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
  return %0 : tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
}
// -----
// add_c5: reject
func.func @add_c5(%x: tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>, %y: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  // expected-error@+1 {{[add_c5] lhs or rhs is quantized per axis, but result is not}}
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>, tensor<2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// add_c6: accept
func.func @add_c6(%x: tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>, %y: tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>> {
  %0 = stablehlo.add %x, %y : (tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>, tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>
}
// -----
// add_c6: reject
func.func @add_c6(%x: tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>, %y: tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>> {
  // expected-error@+1 {{[add_c6] lhs and result must have the same quantization dimension, got 1 and 0}}
  %0 = stablehlo.add %x, %y : (tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>, tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
}
// -----
// add_c7: accept
func.func @add_c7(%x: tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>> {
  %0 = stablehlo.add %x, %y : (tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>
}
// -----
// add_c7: reject
func.func @add_c7(%x: tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>> {
  // expected-error@+1 {{[add_c7] rhs and result must have the same quantization dimension, got 1 and 0}}
  %0 = stablehlo.add %x, %y : (tensor<2x2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x2x!quant.uniform<i8:f32:1, {1.0,5.0e-1}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
  return %0 : tensor<2x2x!quant.uniform<i8:f32:0, {1.0,5.0e-1}>>
}
