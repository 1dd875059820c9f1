func.func @rows() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[[2], [0], [-4], [7]]> : tensor<4x1xi64>
  %r = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<4x1xi64>) -> tensor<4x2xi32>
  %e = stablehlo.constant dense<[[5, 6], [1, 2], [1, 2], [5, 6]]> : tensor<4x2xi32>
  check.expect_eq %r, %e : tensor<4x2xi32>
  return
}
// -----
func.func @windows_before_batches_and_index_vectors_along_the_first_dimension() {
  // Windows of 2 x 1 at [0, 0] and, moved inside, at [1, 2].
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %i = stablehlo.constant dense<[[0, 2], [0, 5]]> : tensor<2x2xi32>
  %r = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 2, 1>}> : (tensor<3x3xi32>, tensor<2x2xi32>) -> tensor<2x1x2xi32>
  %e = stablehlo.constant dense<[[[1, 6]], [[4, 9]]]> : tensor<2x1x2xi32>
  check.expect_eq %r, %e : tensor<2x1x2xi32>
  return
}
// -----
func.func @batching_dimensions() {
  // From row b of x, the elements that row b of i names.
  %x = stablehlo.constant dense<[[10, 11, 12], [20, 21, 22]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi32>
  %r = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %e = stablehlo.constant dense<[[12, 10], [21, 21]]> : tensor<2x2xi32>
  check.expect_eq %r, %e : tensor<2x2xi32>
  %t = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq %t, %e : tensor<2x2xi32>
  return
}
// -----
func.func @torch_index_select_of_columns() {
  %x = stablehlo.constant dense<[[10, 11, 12], [20, 21, 22]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[2, 0, 2, 1]> : tensor<4xi32>
  %t = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xi32>, tensor<4xi32>) -> tensor<2x4xi32>
  %e = stablehlo.constant dense<[[12, 10, 12, 11], [22, 20, 22, 21]]> : tensor<2x4xi32>
  check.expect_eq %t, %e : tensor<2x4xi32>
  return
}
// -----
// error: exec/shape-mismatch
func.func @index_vectors_of_the_wrong_length() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[2, 1]]> : tensor<1x2xi32>
  %j = stablehlo.convert %i : (tensor<1x2xi32>) -> tensor<1x?xi32>
  %r = "stablehlo.gather"(%x, %j) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>}> : (tensor<3xi32>, tensor<1x?xi32>) -> tensor<1xi32>
  return
}
// -----
// error: exec/shape-mismatch
func.func @nothing_to_select_from() {
  %x = stablehlo.constant dense<> : tensor<0x2xi32>
  %i = stablehlo.constant dense<[0]> : tensor<1xi32>
  %t = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<0x2xi32>, tensor<1xi32>) -> tensor<1x2xi32>
  return
}
