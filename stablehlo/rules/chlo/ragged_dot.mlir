// chlo_ragged_dot_c1: accept
func.func @chlo_ragged_dot_c1(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c1: reject
func.func @chlo_ragged_dot_c1(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c1] precision_config must have one entry per operand, 2, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c2: accept
func.func @chlo_ragged_dot_c2(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c2: reject
func.func @chlo_ragged_dot_c2(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c2] lhs_contracting_dimensions and rhs_contracting_dimensions must have the same length, got 1 and 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1, 2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c3: accept
func.func @chlo_ragged_dot_c3(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c3: reject
func.func @chlo_ragged_dot_c3(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c3] lhs_contracting_dimensions must be in range [0, 2), the dimensions of lhs, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c4: accept
func.func @chlo_ragged_dot_c4(%lhs: tensor<8x?xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x?xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c4: reject
func.func @chlo_ragged_dot_c4(%lhs: tensor<8x4xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c4] contracting dimensions must have the same size, got 4 in dimension 1 of lhs and 3 in dimension 1 of rhs}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x4xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c5: accept
func.func @chlo_ragged_dot_c5(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c5: reject
func.func @chlo_ragged_dot_c5(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c5] lhs_ragged_dimensions must have length 1, the ragged dimension, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c6: accept
func.func @chlo_ragged_dot_c6(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c6: reject
func.func @chlo_ragged_dot_c6(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<1x2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c6] group_sizes must have rank 1, got 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<1x2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c7: accept
func.func @chlo_ragged_dot_c7(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c7: reject
func.func @chlo_ragged_dot_c7(%lhs: tensor<8x3xf32>, %rhs: tensor<2x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c7] rhs_group_dimensions and rhs_contracting_dimensions must not repeat, got 1 twice in [1] and [1]}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<8x3xf32>, tensor<2x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c8: accept
func.func @chlo_ragged_dot_c8(%lhs: tensor<8x3xf32>, %rhs: tensor<3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<2x8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<8x3xf32>, tensor<3x5xf32>, tensor<2xi64>) -> tensor<2x8x5xf32>
  return %0 : tensor<2x8x5xf32>
}
// -----
// chlo_ragged_dot_c8: reject
func.func @chlo_ragged_dot_c8(%lhs: tensor<8x3xf32>, %rhs: tensor<3x3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c8] the group dimension of rhs must have one entry per group, 2, got 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<8x3xf32>, tensor<3x3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
// -----
// chlo_ragged_dot_c9: accept
func.func @chlo_ragged_dot_c9(%lhs: tensor<8x3xf32>, %rhs: tensor<3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<2x8x5xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<8x3xf32>, tensor<3x5xf32>, tensor<2xi64>) -> tensor<2x8x5xf32>
  return %0 : tensor<2x8x5xf32>
}
// -----
// chlo_ragged_dot_c9: reject
func.func @chlo_ragged_dot_c9(%lhs: tensor<8x3xf32>, %rhs: tensor<3x5xf32>, %group_sizes: tensor<2xi64>) -> tensor<8x5xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c9] inferred type tensor<2x8x5x…> is incompatible with the result type tensor<8x5xf32>}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %group_sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<8x3xf32>, tensor<3x5xf32>, tensor<2xi64>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
