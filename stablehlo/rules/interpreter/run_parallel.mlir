// interpreter_run_parallel_c1: accept
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g]]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c1: reject
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[interpreter_run_parallel_c1] every replica must have 1 programs, as the first one has, got 0}}
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g], []]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c2: accept
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g]]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c2: reject
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[interpreter_run_parallel_c2] `@h` is not a function of the module around}}
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@h]]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c3: accept
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g]]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c3: reject
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[interpreter_run_parallel_c3] wrong number of operands: all programs together have 1, got 0}}
  %0 = "interpreter.run_parallel"() <{programs = [[@g]]}> : () -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c4: accept
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g]], infeed = [@queue]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// interpreter_run_parallel_c4: reject
func.func @g(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @queue() -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @two() -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  return %0, %0 : tensor<f32>, tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[interpreter_run_parallel_c4] `@two` must return one tensor, got 2 values}}
  %0 = "interpreter.run_parallel"(%x) <{programs = [[@g]], infeed = [@two]}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
