// gather_c1: accept
func.func @gather_c1(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c1: reject
func.func @gather_c1(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c1] offset_dims, collapsed_slice_dims and operand_batching_dims must be as many as operand has dimensions, 2, got 1 + 0 + 0}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c2: accept
func.func @gather_c2(%operand: tensor<4x5xf32>, %indices: tensor<3xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c2: reject
func.func @gather_c2(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c2] index_vector_dim must be in range [0, 2], the rank of start_indices, got 3}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c3: accept
func.func @gather_c3(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c3: reject
func.func @gather_c3(%operand: tensor<4x5xf32>, %indices: tensor<3x2xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c3] start_index_map must have one entry per element of an index vector, 2, got 1}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x2xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c4: accept
func.func @gather_c4(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x1x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x1x5xf32>
  return %0 : tensor<3x1x5xf32>
}
// -----
// gather_c4: reject
func.func @gather_c4(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5x1xf32> {
  // expected-error@+1 {{[gather_c4] offset_dims must be sorted, got [2, 1]}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5x1xf32>
  return %0 : tensor<3x5x1xf32>
}
// -----
// gather_c5: accept
func.func @gather_c5(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c5: reject
func.func @gather_c5(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c5] offset_dims must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c6: accept
func.func @gather_c6(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c6: reject
func.func @gather_c6(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c6] collapsed_slice_dims and operand_batching_dims must not repeat, got 0 twice}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c7: accept
func.func @gather_c7(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// gather_c7: reject
func.func @gather_c7(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3xf32> {
  // expected-error@+1 {{[gather_c7] collapsed_slice_dims must be sorted, got [1, 0]}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// gather_c8: accept
func.func @gather_c8(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c8: reject
func.func @gather_c8(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c8] collapsed_slice_dims must be in range [0, 2), the dimensions of operand, got 2}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c9: accept
func.func @gather_c9(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c9: reject
func.func @gather_c9(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c9] slice_sizes must be at most 1 in collapsed dimensions, got 2 in dimension 0}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c10: accept
func.func @gather_c10(%operand: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// gather_c10: reject
func.func @gather_c10(%operand: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[gather_c10] operand_batching_dims must be sorted, got [1, 0]}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// gather_c11: accept
func.func @gather_c11(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c11: reject
func.func @gather_c11(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c11] operand_batching_dims must be in range [0, 3), the dimensions of operand, got 3}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c12: accept
func.func @gather_c12(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c12: reject
func.func @gather_c12(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c12] slice_sizes must be at most 1 in batching dimensions, got 2 in dimension 0}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c13: accept
func.func @gather_c13(%operand: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// gather_c13: reject
func.func @gather_c13(%operand: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[gather_c13] start_indices_batching_dims must not repeat, got 0 twice in [0, 0]}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x3x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// gather_c14: accept
func.func @gather_c14(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c14: reject
func.func @gather_c14(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c14] start_indices_batching_dims must be in range [0, 3), the dimensions of start_indices, got 3}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c15: accept
func.func @gather_c15(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c15: reject
func.func @gather_c15(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c15] start_indices_batching_dims must not contain index_vector_dim, 2}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c16: accept
func.func @gather_c16(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c16: reject
func.func @gather_c16(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c16] operand_batching_dims and start_indices_batching_dims must have the same length, got 1 and 2}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c17: accept
func.func @gather_c17(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c17: reject
func.func @gather_c17(%operand: tensor<3x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c17] batching dimensions must have the same size, got 3 in dimension 0 of operand and 2 in dimension 0 of start_indices}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<3x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c18: accept
func.func @gather_c18(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c18: reject
func.func @gather_c18(%operand: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[gather_c18] start_index_map and operand_batching_dims must not repeat, got 0 twice}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<2x4x5xf32>, tensor<2x3x1xi32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// gather_c19: accept
func.func @gather_c19(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c19: reject
func.func @gather_c19(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c19] start_index_map must be in range [0, 2), the dimensions of operand, got 2}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c20: accept
func.func @gather_c20(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c20: reject
func.func @gather_c20(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[gather_c20] slice_sizes must have one entry per dimension of operand, 2, got 1}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c21: accept
func.func @gather_c21(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 0, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c21: reject
func.func @gather_c21(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x6xf32> {
  // expected-error@+1 {{[gather_c21] slice_sizes must be between 0 and the operand's sizes, got 6 for size 5 in dimension 1}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
// -----
// gather_c22: accept
func.func @gather_c22(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c22: reject
func.func @gather_c22(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<5x3xf32> {
  // expected-error@+1 {{[gather_c22] inferred type tensor<3x5x}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
// -----
// gather_c23: accept
func.func @gather_c23(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// gather_c23: reject
func.func @gather_c23(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf64> {
  // expected-error@+1 {{[gather_c23] element types must be equal, got f32 and f64}}
  %0 = "stablehlo.gather"(%operand, %indices) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<4x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
