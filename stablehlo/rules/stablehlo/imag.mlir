// imag_c1: accept
func.func @imag_c1(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.imag %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// imag_c1: reject
func.func @imag_c1(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[imag_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.imag %x : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// imag_c2: accept
func.func @imag_c2(%x: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
  %0 = stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// imag_c2: reject
func.func @imag_c2(%x: tensor<2xcomplex<f32>>) -> tensor<2xf64> {
  // expected-error@+1 {{[imag_c2] result must have element type f32, that of operand or of its parts, got f64}}
  %0 = stablehlo.imag %x : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
