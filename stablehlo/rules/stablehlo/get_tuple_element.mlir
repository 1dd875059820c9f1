// get_tuple_element_c1: accept
func.func @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// get_tuple_element_c1: reject
func.func @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
  // expected-error@+1 {{[get_tuple_element_c1] index must be in range [0, 2), the elements of the tuple, got 2}}
  %0 = stablehlo.get_tuple_element %t[2] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %0 : tensor<i32>
}
// -----
// get_tuple_element_c2: accept
func.func @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// get_tuple_element_c2: reject
func.func @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tensor<i32> {
  // expected-error@+1 {{[get_tuple_element_c2] inferred type tensor<f32> is incompatible with the result type tensor<i32>}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<i32>>) -> tensor<i32>
  return %0 : tensor<i32>
}
