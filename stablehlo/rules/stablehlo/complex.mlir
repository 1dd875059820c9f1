// complex_c1: accept
func.func @complex_c1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// complex_c1: reject
func.func @complex_c1(%x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<2xcomplex<f32>> {
  // expected-error@+1 {{[complex_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// complex_c2: accept
func.func @complex_c2(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<2xcomplex<f32>> {
  %0 = stablehlo.complex %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// complex_c2: reject
func.func @complex_c2(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<3xcomplex<f32>> {
  // expected-error@+1 {{[complex_c2] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
// -----
// complex_c3: accept
func.func @complex_c3(%x: tensor<f64>, %y: tensor<f64>) -> tensor<complex<f64>> {
  %0 = stablehlo.complex %x, %y : tensor<complex<f64>>
  return %0 : tensor<complex<f64>>
}
// -----
// complex_c3: reject
func.func @complex_c3(%x: tensor<f64>, %y: tensor<f64>) -> tensor<complex<f32>> {
  // expected-error@+1 {{[complex_c3] result must be complex<f64>, got complex<f32>}}
  %0 = stablehlo.complex %x, %y : (tensor<f64>, tensor<f64>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
