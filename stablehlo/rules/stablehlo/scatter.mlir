// scatter_c1: accept
func.func @scatter_c1(%x0: tensor<4x5xf32>, %x1: tensor<4x5xi32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>, %u1: tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = "stablehlo.scatter"(%x0, %x1, %indices, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
// -----
// scatter_c1: reject
func.func @scatter_c1(%x0: tensor<4x5xf32>, %x1: tensor<4x6xi32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>, %u1: tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x6xi32>) {
  // expected-error@+1 {{[scatter_c1] shapes must be the same, got [4, 5] and [4, 6]}}
  %0:2 = "stablehlo.scatter"(%x0, %x1, %indices, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4x5xf32>, tensor<4x6xi32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x6xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x6xi32>
}
// -----
// scatter_c2: accept
func.func @scatter_c2(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c2: reject
func.func @scatter_c2(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c2] update_window_dims, inserted_window_dims and input_batching_dims must be as many as inputs have dimensions, 2, got 1 + 0 + 0}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c3: accept
func.func @scatter_c3(%x0: tensor<4x5xf32>, %x1: tensor<4x5xi32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>, %u1: tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = "stablehlo.scatter"(%x0, %x1, %indices, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
// -----
// scatter_c3: reject
func.func @scatter_c3(%x0: tensor<4x5xf32>, %x1: tensor<4x5xi32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>, %u1: tensor<3x4xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  // expected-error@+1 {{[scatter_c3] shapes must be the same, got [3, 5] and [3, 4]}}
  %0:2 = "stablehlo.scatter"(%x0, %x1, %indices, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x4xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
// -----
// scatter_c4: accept
func.func @scatter_c4(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x2xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c4: reject
func.func @scatter_c4(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x6xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c4] windows must fit into inputs, got 6 for size 5 in dimension 1 of updates}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x6xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c5: accept
func.func @scatter_c5(%x0: tensor<4x5xf32>, %x1: tensor<4x5xi32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>, %u1: tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = "stablehlo.scatter"(%x0, %x1, %indices, %u0, %u1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %s0 = stablehlo.add %a, %c : tensor<f32>
    %s1 = stablehlo.add %b, %d : tensor<i32>
    stablehlo.return %s0, %s1 : tensor<f32>, tensor<i32>
  }) : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<3x1xi32>, tensor<3x5xf32>, tensor<3x5xi32>) -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}
// -----
// scatter_c5: reject
func.func @scatter_c5(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  // expected-error@+1 {{[scatter_c5] there must be as many inputs as updates and results, got 1, 1 and 2}}
  %0:2 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xf32>
}
// -----
// scatter_c6: accept
func.func @scatter_c6(%x0: tensor<4x5xf16>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf16>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf16>, tensor<3x1xi32>, tensor<3x5xf16>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c6: reject
func.func @scatter_c6(%x0: tensor<4x5xf16>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c6] element types must be equal, got f16 and f32}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf16>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c7: accept
func.func @scatter_c7(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x1x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x1x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c7: reject
func.func @scatter_c7(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x1x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c7] update_window_dims must be sorted, got [2, 1]}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x1x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c8: accept
func.func @scatter_c8(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c8: reject
func.func @scatter_c8(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c8] update_window_dims must be in range [0, 2), the dimensions of updates, got 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c9: accept
func.func @scatter_c9(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c9: reject
func.func @scatter_c9(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c9] inserted_window_dims and input_batching_dims must not repeat, got 0 twice}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c10: accept
func.func @scatter_c10(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c10: reject
func.func @scatter_c10(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c10] inserted_window_dims must be sorted, got [1, 0]}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c11: accept
func.func @scatter_c11(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c11: reject
func.func @scatter_c11(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c11] inserted_window_dims must be in range [0, 2), the dimensions of inputs, got 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c12: accept
func.func @scatter_c12(%x0: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3xf32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3x5xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// scatter_c12: reject
func.func @scatter_c12(%x0: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3xf32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[scatter_c12] input_batching_dims must be sorted, got [1, 0]}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3x5xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// scatter_c13: accept
func.func @scatter_c13(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c13: reject
func.func @scatter_c13(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c13] input_batching_dims must be in range [0, 3), the dimensions of inputs, got 3}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c14: accept
func.func @scatter_c14(%x0: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3xf32>) -> tensor<2x3x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3x5xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// scatter_c14: reject
func.func @scatter_c14(%x0: tensor<2x3x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3xf32>) -> tensor<2x3x5xf32> {
  // expected-error@+1 {{[scatter_c14] scatter_indices_batching_dims must not repeat, got 0 twice in [0, 0]}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x3x5xf32>, tensor<2x3x1xi32>, tensor<2x3xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
// -----
// scatter_c15: accept
func.func @scatter_c15(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c15: reject
func.func @scatter_c15(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c15] scatter_indices_batching_dims must be in range [0, 3), the dimensions of scatter_indices, got 3}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c16: accept
func.func @scatter_c16(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c16: reject
func.func @scatter_c16(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c16] scatter_indices_batching_dims must not contain index_vector_dim, 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c17: accept
func.func @scatter_c17(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c17: reject
func.func @scatter_c17(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c17] input_batching_dims and scatter_indices_batching_dims must have the same length, got 1 and 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c18: accept
func.func @scatter_c18(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c18: reject
func.func @scatter_c18(%x0: tensor<3x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<3x4x5xf32> {
  // expected-error@+1 {{[scatter_c18] batching dimensions must have the same size, got 3 in dimension 0 of inputs and 2 in dimension 0 of scatter_indices}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<3x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}
// -----
// scatter_c19: accept
func.func @scatter_c19(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c19: reject
func.func @scatter_c19(%x0: tensor<4x5xf32>, %indices: tensor<3x2xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c19] scatter_dims_to_operand_dims must have one entry per element of an index vector, 2, got 1}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c20: accept
func.func @scatter_c20(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c20: reject
func.func @scatter_c20(%x0: tensor<2x4x5xf32>, %indices: tensor<2x3x1xi32>, %u0: tensor<2x3x5xf32>) -> tensor<2x4x5xf32> {
  // expected-error@+1 {{[scatter_c20] scatter_dims_to_operand_dims and input_batching_dims must not repeat, got 0 twice}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<2x4x5xf32>, tensor<2x3x1xi32>, tensor<2x3x5xf32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
// -----
// scatter_c21: accept
func.func @scatter_c21(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c21: reject
func.func @scatter_c21(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c21] scatter_dims_to_operand_dims must be in range [0, 2), the dimensions of inputs, got 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c22: accept
func.func @scatter_c22(%x0: tensor<4x5xf32>, %indices: tensor<3xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c22: reject
func.func @scatter_c22(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c22] index_vector_dim must be in range [0, 2], the rank of scatter_indices, got 3}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c23: accept
func.func @scatter_c23(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c23: reject
func.func @scatter_c23(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  // expected-error@+1 {{[scatter_c23] update_computation must return 1 values, got 2}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c24: accept
func.func @scatter_c24(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf32> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// -----
// scatter_c24: reject
func.func @scatter_c24(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x6xf32> {
  // expected-error@+1 {{[scatter_c24] inferred type tensor<4x5x}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// scatter_c25: accept
func.func @scatter_c25(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf64> {
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s0 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s0 : tensor<f64>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
// -----
// scatter_c25: reject
func.func @scatter_c25(%x0: tensor<4x5xf32>, %indices: tensor<3x1xi32>, %u0: tensor<3x5xf32>) -> tensor<4x5xf64> {
  // expected-error@+1 {{[scatter_c25] inferred type tensor<4x5xf32> is incompatible with the result type tensor<4x5xf64>}}
  %0 = "stablehlo.scatter"(%x0, %indices, %u0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s0 : tensor<f32>
  }) : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3x5xf32>) -> tensor<4x5xf64>
  return %0 : tensor<4x5xf64>
}
