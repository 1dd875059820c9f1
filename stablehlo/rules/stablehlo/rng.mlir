// rng_c1: accept
func.func @rng_c1(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// rng_c1: reject
func.func @rng_c1(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2x3xf64> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{[rng_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
// -----
// rng_c2: accept
func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>) -> tensor<2x3xi32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// rng_c2: reject
func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>) -> tensor<2x3xi32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{[rng_c2] a and b of the NORMAL distribution must be floats, got i32}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// rng_c3: accept
func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2x3xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// rng_c3: reject
func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>) -> tensor<3x2xf32> {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{[rng_c3] inferred type tensor<2x3xf32> is incompatible with the result type tensor<3x2xf32>}}
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
