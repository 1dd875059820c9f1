// func_func_c1: accept
func.func private @f(tensor<f32>) -> tensor<f32>
// -----
// func_func_c1: reject
// expected-error@+1 {{[func_func_c1] function_type must be a function type, got i32}}
"func.func"() <{function_type = i32, sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
// func_func_c2: accept
func.func private @f(tensor<f32>) -> tensor<f32>
// -----
// func_func_c2: reject
// expected-error@+1 {{[func_func_c2] a function without body must be private or nested, got a public one}}
func.func @f(tensor<f32>) -> tensor<f32>
// -----
// func_func_c3: accept
func.func @f(%a: tensor<f32>) {
  return
}
// -----
// func_func_c3: reject
// expected-error@+1 {{[func_func_c3] argument #0 must have type tensor<f32>, as function_type says, got tensor<i32>}}
"func.func"() <{function_type = (tensor<f32>) -> (), sym_name = "f"}> ({
^bb0(%a: tensor<i32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// func_func_c4: accept
func.func @f(%a: tensor<f32> {jax.arg_info = "x"}) {
  return
}
// -----
// func_func_c4: reject
// expected-error@+1 {{[func_func_c4] attributes of arguments and results must start with a dialect's name, got `info`}}
func.func @f(%a: tensor<f32> {info = "x"}) {
  return
}
