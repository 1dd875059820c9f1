// clamp_c1: accept
func.func @clamp_c1(%lo: tensor<f32>, %x: tensor<2xf32>, %hi: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c1: reject
func.func @clamp_c1(%lo: tensor<3xf32>, %x: tensor<2xf32>, %hi: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[clamp_c1] min must be 0-dimensional or have the shape of operand: shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c2: accept
func.func @clamp_c2(%lo: tensor<2xf32>, %x: tensor<2xf32>, %hi: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c2: reject
func.func @clamp_c2(%lo: tensor<f32>, %x: tensor<2xf32>, %hi: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[clamp_c2] max must be 0-dimensional or have the shape of operand: shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c3: accept
func.func @clamp_c3(%lo: tensor<f32>, %x: tensor<2xf32>, %hi: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c3: reject
func.func @clamp_c3(%lo: tensor<i32>, %x: tensor<2xf32>, %hi: tensor<f32>) -> tensor<2xf32> {
  // expected-error@+1 {{[clamp_c3] element types must be equal, got f32 and i32}}
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<i32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c4: accept
func.func @clamp_c4(%lo: tensor<f32>, %x: tensor<?xf32>, %hi: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<?xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// clamp_c4: reject
func.func @clamp_c4(%lo: tensor<f32>, %x: tensor<2xf32>, %hi: tensor<f32>) -> tensor<3xf32> {
  // expected-error@+1 {{[clamp_c4] inferred type tensor<2xf32> is incompatible with the result type tensor<3xf32>}}
  %0 = stablehlo.clamp %lo, %x, %hi : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
