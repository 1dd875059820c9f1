// tuple_c1: accept
func.func @f(%x: tensor<f32>, %y: tensor<i32>) -> tuple<tensor<f32>, tensor<i32>> {
  %0 = stablehlo.tuple %x, %y : tuple<tensor<f32>, tensor<i32>>
  return %0 : tuple<tensor<f32>, tensor<i32>>
}
// -----
// tuple_c1: reject
func.func @f(%x: tensor<f32>, %y: tensor<i32>) -> tuple<tensor<f32>> {
  // expected-error@+1 {{[tuple_c1] the result must have type tuple<tensor<f32>, tensor<i32>>, got tuple<tensor<f32>>}}
  %0 = "stablehlo.tuple"(%x, %y) : (tensor<f32>, tensor<i32>) -> tuple<tensor<f32>>
  return %0 : tuple<tensor<f32>>
}
