// divide_c1: accept
func.func @divide_c1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.divide %x, %y : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// divide_c1: accept
func.func @divide_c1(%x: tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, %y: tensor<2x!quant.uniform<i8:f32, 2.5e-1:3>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>> {
  %0 = stablehlo.divide %x, %y : (tensor<2x!quant.uniform<i8:f32, 5.0e-1>>, tensor<2x!quant.uniform<i8:f32, 2.5e-1:3>>) -> tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
  return %0 : tensor<2x!quant.uniform<i8:f32, 5.0e-1>>
}
// -----
// divide_c1: reject
func.func @divide_c1(%x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<2xf32> {
  // expected-error@+1 {{[divide_c1] operands and result must have the same shape and element type, got tensor<2xf32> and tensor<2xf64>}}
  %0 = stablehlo.divide %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// divide_c1: reject
func.func @divide_c1(%x: tensor<?xf32>, %y: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[divide_c1] inferred type tensor<2xf32> is incompatible with the result type tensor<3xf32>}}
  %0 = stablehlo.divide %x, %y : (tensor<?xf32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
