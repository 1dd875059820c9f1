// dot_c1: accept
func.func @dot_c1(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_c1: reject
func.func @dot_c1(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[dot_c1] precision_config must have one entry per operand, 2, got 3}}
  %0 = stablehlo.dot %lhs, %rhs, precision = [HIGH, HIGHEST, HIGH] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_c2: accept
func.func @dot_c2(%lhs: tensor<3xf32>, %rhs: tensor<3x4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dot_c2: reject
func.func @dot_c2(%lhs: tensor<5x2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<5x2x4xf32> {
  // expected-error@+1 {{[dot_c2] lhs and rhs must have rank 1 or 2, got 3 and 2}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}
// -----
// dot_c3: accept
func.func @dot_c3(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// dot_c3: reject
func.func @dot_c3(%lhs: tensor<2x3xf32>, %rhs: tensor<3x4xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[dot_c3] inferred type tensor<2x4x}}
  %0 = stablehlo.dot %lhs, %rhs : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
