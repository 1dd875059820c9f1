// pad_c1: accept
func.func @pad_c1(%a: tensor<2xf16>, %v: tensor<f16>) -> tensor<5xf16> {
  %0 = stablehlo.pad %a, %v, low = [1], high = [1], interior = [1] : (tensor<2xf16>, tensor<f16>) -> tensor<5xf16>
  return %0 : tensor<5xf16>
}
// -----
// pad_c1: reject
func.func @pad_c1(%a: tensor<2xf16>, %v: tensor<f32>) -> tensor<2xf16> {
  // expected-error@+1 {{[pad_c1] element types must be equal, got f16 and f32}}
  %0 = stablehlo.pad %a, %v, low = [0], high = [0], interior = [0] : (tensor<2xf16>, tensor<f32>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
