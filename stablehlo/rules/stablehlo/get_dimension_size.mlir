// get_dimension_size_c1: accept
func.func @get_dimension_size_c1(%x: tensor<2x?xf32>) -> tensor<i32> {
  %0 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// get_dimension_size_c1: reject
func.func @get_dimension_size_c1(%x: tensor<2x?xf32>) -> tensor<i32> {
  // expected-error@+1 {{[get_dimension_size_c1] dimension must be in range [0, 2), the dimensions of the operand, got 2}}
  %0 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<2x?xf32>) -> tensor<i32>
  return %0 : tensor<i32>
}
