// reduce_precision_c1: accept
func.func @reduce_precision_c1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// reduce_precision_c1: reject
func.func @reduce_precision_c1(%x: tensor<2xf32>) -> tensor<2xf16> {
  // expected-error@+1 {{[reduce_precision_c1] operands and result must have the same shape and element type, got tensor<2xf32> and tensor<2xf16>}}
  %0 = stablehlo.reduce_precision %x, format = e5m10 : (tensor<2xf32>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
// -----
// reduce_precision_c2: accept
func.func @reduce_precision_c2(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce_precision %x, format = e1m10 : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// reduce_precision_c2: reject
func.func @reduce_precision_c2(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[reduce_precision_c2] exponent_bits must be at least 1, got 0}}
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// reduce_precision_c3: accept
func.func @reduce_precision_c3(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce_precision %x, format = e5m0 : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// reduce_precision_c3: reject
func.func @reduce_precision_c3(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[reduce_precision_c3] mantissa_bits must be at least 0, got -1}}
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
