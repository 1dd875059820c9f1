// dynamic_gather_c1: accept
func.func @dynamic_gather_c1(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c1: reject
func.func @dynamic_gather_c1(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c1] offset_dims, collapsed_slice_dims and operand_batching_dims must be as many as operand has dimensions, 2, got 1 + 0 + 0}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c2: accept
func.func @dynamic_gather_c2(%operand: tensor<4x5xf32>, %indices: tensor<3xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c2: reject
func.func @dynamic_gather_c2(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c2] index_vector_dim must be in range [0, 2], the rank of start_indices, got 3}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c3: accept
func.func @dynamic_gather_c3(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c3: reject
func.func @dynamic_gather_c3(%operand: tensor<4x5xf32>, %indices: tensor<3x2xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c3] start_index_map must have one entry per element of an index vector, 2, got 1}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c4: accept
func.func @dynamic_gather_c4(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x1x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x1x5xf32>
  return %0 : tensor<3x1x5xf32>
}
// -----
// dynamic_gather_c4: reject
func.func @dynamic_gather_c4(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5x1xf32> {
  // expected-error@+1 {{[dynamic_gather_c4] offset_dims must be sorted, got [2, 1]}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5x1xf32>
  return %0 : tensor<3x5x1xf32>
}
// -----
// dynamic_gather_c5: accept
func.func @dynamic_gather_c5(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c5: reject
func.func @dynamic_gather_c5(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c5] offset_dims must be in range [0, 2), the dimensions of the result, got 2}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c6: accept
func.func @dynamic_gather_c6(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// dynamic_gather_c6: reject
func.func @dynamic_gather_c6(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3xf32> {
  // expected-error@+1 {{[dynamic_gather_c6] collapsed_slice_dims must be sorted, got [1, 0]}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// dynamic_gather_c7: accept
func.func @dynamic_gather_c7(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c7: reject
func.func @dynamic_gather_c7(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c7] collapsed_slice_dims must be in range [0, 2), the dimensions of operand, got 2}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c8: accept
func.func @dynamic_gather_c8(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %sizes = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c8: reject
func.func @dynamic_gather_c8(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %sizes = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  // expected-error@+1 {{[dynamic_gather_c8] slice_sizes must be at most 1 in collapsed dimensions, got 2 in dimension 0}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c9: accept
func.func @dynamic_gather_c9(%operand: tensor<4x5xf32>, %indices: tensor<3x2xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c9: reject
func.func @dynamic_gather_c9(%operand: tensor<4x5xf32>, %indices: tensor<3x2xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c9] start_index_map and operand_batching_dims must not repeat, got 0 twice in [0, 0] and []}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c10: accept
func.func @dynamic_gather_c10(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c10: reject
func.func @dynamic_gather_c10(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c10] start_index_map must be in range [0, 2), the dimensions of operand, got 2}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c11: accept
func.func @dynamic_gather_c11(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c11: reject
func.func @dynamic_gather_c11(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<3xi64>) -> tensor<3x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c11] slice_sizes must have one entry per dimension of operand, 2, got 3}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c12: accept
func.func @dynamic_gather_c12(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %sizes = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
// -----
// dynamic_gather_c12: reject
func.func @dynamic_gather_c12(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>) -> tensor<3x6xf32> {
  %sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi64>
  // expected-error@+1 {{[dynamic_gather_c12] slice_sizes must be between 0 and the operand's sizes, got 6 for size 5 in dimension 1}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}
// -----
// dynamic_gather_c13: accept
func.func @dynamic_gather_c13(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x?xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}
// -----
// dynamic_gather_c13: reject
func.func @dynamic_gather_c13(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[dynamic_gather_c13] inferred type tensor<3x?x}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// dynamic_gather_c14: accept
func.func @dynamic_gather_c14(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf32> {
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
// -----
// dynamic_gather_c14: reject
func.func @dynamic_gather_c14(%operand: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %sizes: tensor<2xi64>) -> tensor<3x5xf64> {
  // expected-error@+1 {{[dynamic_gather_c14] element types must be equal, got f32 and f64}}
  %0 = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x5xf64>
  return %0 : tensor<3x5xf64>
}
