// func_call_c1: accept
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_c1: reject
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[func_call_c1] `@h` is not a function of the module around}}
  %0 = call @h(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_c2: accept
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_c2: reject
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f64>) -> tensor<f32> {
  // expected-error@+1 {{[func_call_c2] operand #0 must have type tensor<f32>, as the function takes it, got tensor<f64>}}
  %0 = call @g(%x) : (tensor<f64>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_c3: accept
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = call @g(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// func_call_c3: reject
func.func private @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f64> {
  // expected-error@+1 {{[func_call_c3] result #0 must have type tensor<f32>, as the function returns it, got tensor<f64>}}
  %0 = call @g(%x) : (tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}
