// chlo_ragged_dot_c1: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c1: reject
func.func @f(%a: tensor<*xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c1] operand #0 must be ranked, got tensor<*xf32>}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<*xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c2: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c2: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c2] lhs_batching_dimensions and rhs_batching_dimensions must have the same length}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c3: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c3: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c3] lhs_contracting_dimensions must be in range [0, 3)}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c4: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c4: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x6x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c4] contracting dimensions must have the same size, got 5 in dimension 2 of lhs and 6 in dimension 2 of rhs}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x6x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c5: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c5: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c5] lhs_ragged_dimensions must have length 1, the ragged dimension, got 0}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c6: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c6: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<4x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c6] group_sizes must have sizes [2] in front of the groups, got shape [4, 3]}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<4x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c7: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c7: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c7] rhs_group_dimensions and rhs_batching_dimensions must not repeat}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [1]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c8: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c8: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<4x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c8] the group dimension of rhs must have one entry per group, 3, got 4}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<4x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c9: accept
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// chlo_ragged_dot_c9: reject
func.func @f(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi64>) -> tensor<2x11x8xf32> {
  // expected-error@+1 {{[chlo_ragged_dot_c9] inferred type tensor<2x11x7x}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x8xf32>
  return %0 : tensor<2x11x8xf32>
}
