// optimization_barrier_c1: accept
func.func @f(%x: tensor<f32>, %y: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<f32>, tensor<i32>
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
// -----
// optimization_barrier_c1: reject
func.func @f(%x: tensor<2xf32>) -> tensor<?xf32> {
  // expected-error@+1 {{[optimization_barrier_c1] result #0 must have type tensor<2xf32>, got tensor<?xf32>}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<2xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
