// chlo_broadcast_complex_c1: accept
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xcomplex<f32>> {
  %0 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
// -----
// chlo_broadcast_complex_c1: reject
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xcomplex<f64>> {
  // expected-error@+1 {{[chlo_broadcast_complex_c1] the result must have element type complex<f32>, got complex<f64>}}
  %0 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f64>>
  return %0 : tensor<2x3xcomplex<f64>>
}
// -----
// chlo_broadcast_complex_c2: accept
func.func @f(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xcomplex<f32>> {
  %0 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
// -----
// chlo_broadcast_complex_c2: reject
func.func @f(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> tensor<2x3xcomplex<f32>> {
  // expected-error@+1 {{[chlo_broadcast_complex_c2] shapes [2, 3] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}
