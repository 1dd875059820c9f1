// func_call_indirect_c1: accept
func.func private @g(tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %f = constant @g : (tensor<f32>) -> tensor<f32>
  %0 = call_indirect %f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_indirect_c1: reject
func.func private @g(tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) -> tensor<f64> {
  %f = constant @g : (tensor<f32>) -> tensor<f32>
  // expected-error@+1 {{[func_call_indirect_c1] result #0 must have type tensor<f32>, as the function returns it, got tensor<f64>}}
  %0 = "func.call_indirect"(%f, %x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}
