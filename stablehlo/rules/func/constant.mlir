// func_constant_c1: accept
func.func private @g(tensor<f32>) -> tensor<f32>
func.func @f() {
  %f = constant @g : (tensor<f32>) -> tensor<f32>
  return
}
// -----
// func_constant_c1: reject
func.func private @g(tensor<f32>) -> tensor<f32>
func.func @f() {
  // expected-error@+1 {{[func_constant_c1] the result must have type (tensor<f32>) -> tensor<f32>, as the function has, got (tensor<f64>) -> tensor<f32>}}
  %f = constant @g : (tensor<f64>) -> tensor<f32>
  return
}
