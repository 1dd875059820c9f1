// error: exec/unsupported
func.func private @less(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> {
  %p = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %p : tensor<i1>
}
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  stablehlo.custom_call @ApproxTopK(%x) {called_computations = [@less], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 1 : i64}} : (tensor<2xi32>) -> ()
  return
}
// -----
// error: exec/unsupported
func.func private @less(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f64>, %d: tensor<f64>) -> tensor<i1> {
  %p = stablehlo.compare LT, %c, %d : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %p : tensor<i1>
}
func.func @main() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.custom_call @ApproxTopK(%x, %i) {called_computations = [@less], mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 1 : i64}} : (tensor<2xi32>, tensor<i32>) -> tensor<1xi32>
  return
}
// -----
// error: exec/unsupported
func.func private @second(%a: tensor<f32>, %b: tensor<f64>) -> tensor<f64> {
  return %b : tensor<f64>
}
func.func @main() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  %r = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %p) {called_computations = [@second]} : (tensor<2xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1x2xi64>) -> tensor<2xf64>
  return
}
// -----
// error: exec/shape-assertion
func.func @nothing_to_assert() {
  %x = stablehlo.constant dense<> : tensor<0xi1>
  stablehlo.custom_call @shape_assertion(%x) {has_side_effect = true, error_message = "none"} : (tensor<0xi1>) -> ()
  return
}
// -----
// error: exec/unsupported
func.func @assertion_of_a_float() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  stablehlo.custom_call @shape_assertion(%x) {has_side_effect = true, error_message = "none"} : (tensor<f32>) -> ()
  return
}
// -----
func.func @functions_of_older_exporters() {
  %x = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %r = stablehlo.custom_call @mhlo.tan(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %e = stablehlo.tan %x : tensor<2xf32>
  check.expect_eq %r, %e : tensor<2xf32>
  return
}
