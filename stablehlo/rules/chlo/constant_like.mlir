// chlo_constant_like_c1: accept
func.func @f(%x: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// chlo_constant_like_c1: reject
func.func @f(%x: tensor<2xi32>) -> tensor<2xf64> {
  // expected-error@+1 {{[chlo_constant_like_c1] the result must have the element type of value, f32, got f64}}
  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<2xi32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// chlo_constant_like_c2: accept
func.func @f(%x: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// chlo_constant_like_c2: reject
func.func @f(%x: tensor<2xi32>) -> tensor<3xf32> {
  // expected-error@+1 {{[chlo_constant_like_c2] inferred type}}
  %0 = "chlo.constant_like"(%x) <{value = 1.0 : f32}> : (tensor<2xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
