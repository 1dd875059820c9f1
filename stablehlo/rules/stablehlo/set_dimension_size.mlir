// set_dimension_size_c1: accept
func.func @set_dimension_size_c1(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
// -----
// set_dimension_size_c1: reject
func.func @set_dimension_size_c1(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  // expected-error@+1 {{[set_dimension_size_c1] dimension must be in range [0, 1), the dimensions of the operand, got 1}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}
// -----
// set_dimension_size_c2: accept
func.func @set_dimension_size_c2(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<?xf32> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// set_dimension_size_c2: reject
func.func @set_dimension_size_c2(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<5xf32> {
  // expected-error@+1 {{[set_dimension_size_c2] inferred type tensor<?xf32, #stablehlo.bounds<4>> is incompatible with the result type tensor<5xf32>}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
