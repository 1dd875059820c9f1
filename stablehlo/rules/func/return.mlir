// func_return_c1: accept
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// -----
// func_return_c1: reject
func.func @f(%x: tensor<f32>) {
  "scf.execute_region"() ({
    // expected-error@+1 {{[func_return_c1] `func.return` must stand directly in a `func.func`, got `scf.execute_region` around it}}
    func.return %x : tensor<f32>
  }) : () -> ()
  return
}
// -----
// func_return_c2: accept
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
// -----
// func_return_c2: reject
func.func @f(%x: tensor<f32>) -> tensor<f64> {
  // expected-error@+1 {{[func_return_c2] operand #0 must have type tensor<f64>, as the function returns it, got tensor<f32>}}
  return %x : tensor<f32>
}
