// chlo_constant_like_c1: accept
func.func @chlo_constant_like_c1(%operand: tensor<2x?xf32>) -> tensor<2x?xi32> {
  %0 = "chlo.constant_like"(%operand) <{value = 1 : i32}> : (tensor<2x?xf32>) -> tensor<2x?xi32>
  return %0 : tensor<2x?xi32>
}
// -----
// chlo_constant_like_c1: reject
func.func @chlo_constant_like_c1(%operand: tensor<2x?xf32>) -> tensor<2x?xf32> {
  // expected-error@+1 {{[chlo_constant_like_c1] the result must have the element type of value, i32, got f32}}
  %0 = "chlo.constant_like"(%operand) <{value = 1 : i32}> : (tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
// -----
// chlo_constant_like_c2: accept
func.func @chlo_constant_like_c2(%operand: tensor<2x?xf32>) -> tensor<2x?xi32> {
  %0 = "chlo.constant_like"(%operand) <{value = 1 : i32}> : (tensor<2x?xf32>) -> tensor<2x?xi32>
  return %0 : tensor<2x?xi32>
}
// -----
// chlo_constant_like_c2: reject
func.func @chlo_constant_like_c2(%operand: tensor<2x?xf32>) -> tensor<3x?xi32> {
  // expected-error@+1 {{[chlo_constant_like_c2] inferred type tensor<2x?x…> is incompatible with the result type tensor<3x?xi32>}}
  %0 = "chlo.constant_like"(%operand) <{value = 1 : i32}> : (tensor<2x?xf32>) -> tensor<3x?xi32>
  return %0 : tensor<3x?xi32>
}
