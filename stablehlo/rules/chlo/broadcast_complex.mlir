// chlo_broadcast_complex_c1: accept
func.func @chlo_broadcast_complex_c1(%lhs: tensor<4x5xf32>, %rhs: tensor<5xf32>) -> tensor<4x5xcomplex<f32>> {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xcomplex<f32>>
  return %0 : tensor<4x5xcomplex<f32>>
}
// -----
// chlo_broadcast_complex_c1: reject
func.func @chlo_broadcast_complex_c1(%lhs: tensor<4x5xf32>, %rhs: tensor<5xf32>) -> tensor<4x5xcomplex<f64>> {
  // expected-error@+1 {{[chlo_broadcast_complex_c1] the result must have element type complex<f32>, got complex<f64>}}
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<4x5xcomplex<f64>>
  return %0 : tensor<4x5xcomplex<f64>>
}
// -----
// chlo_broadcast_complex_c2: accept
func.func @chlo_broadcast_complex_c2(%lhs: tensor<4x1xf32>, %rhs: tensor<5xf32>) -> tensor<4x5xcomplex<f32>> {
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x1xf32>, tensor<5xf32>) -> tensor<4x5xcomplex<f32>>
  return %0 : tensor<4x5xcomplex<f32>>
}
// -----
// chlo_broadcast_complex_c2: reject
func.func @chlo_broadcast_complex_c2(%lhs: tensor<4x5xf32>, %rhs: tensor<4xf32>) -> tensor<4x5xcomplex<f32>> {
  // expected-error@+1 {{[chlo_broadcast_complex_c2] shapes [4, 5] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_complex %lhs, %rhs : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<4x5xcomplex<f32>>
  return %0 : tensor<4x5xcomplex<f32>>
}
