// concatenate_c1: accept
func.func @concatenate_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<5xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// concatenate_c1: reject
func.func @concatenate_c1(%a: tensor<2xf32>, %b: tensor<3xf64>) -> tensor<5xf32> {
  // expected-error@+1 {{[concatenate_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// concatenate_c2: accept
func.func @concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<6x3xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}
// -----
// concatenate_c2: reject
func.func @concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<4x3xf32> {
  // expected-error@+1 {{[concatenate_c2] shapes must be the same except in dimension 0, got [2, 3] and [2, 4]}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// concatenate_c3: accept
func.func @concatenate_c3(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.concatenate %a, dim = 0 : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// concatenate_c3: reject
func.func @concatenate_c3() -> tensor<2xf32> {
  // expected-error@+1 {{[concatenate_c3] expected at least one input, got none}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// concatenate_c4: accept
func.func @concatenate_c4(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x7xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}
// -----
// concatenate_c4: reject
func.func @concatenate_c4(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[concatenate_c4] dimension must be in range [0, 1), the dimensions of the inputs, got 1}}
  %0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// concatenate_c5: accept
func.func @concatenate_c5(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// concatenate_c5: reject
func.func @concatenate_c5(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf64> {
  // expected-error@+1 {{[concatenate_c5] element types must be equal, got f32 and f64}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
// -----
// concatenate_c6: accept
func.func @concatenate_c6(%a: tensor<2xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// concatenate_c6: reject
func.func @concatenate_c6(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[concatenate_c6] inferred type tensor<5xf32> is incompatible with the result type tensor<4xf32>}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
