// infeed_c1: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}
// -----
// infeed_c1: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[infeed_c1] expected at least one result, got none}}
  "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> ()
  return
}
// -----
// infeed_c2: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}
// -----
// infeed_c2: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[infeed_c2] all results but the last must be tensors, got !stablehlo.token as result #0}}
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
// infeed_c3: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<3xi32>, !stablehlo.token)
  return
}
// -----
// infeed_c3: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[infeed_c3] the last result must be a token, got tensor<f32>}}
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<3xi32>, tensor<f32>)
  return
}
// -----
// infeed_x1: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<2x3xi32>, !stablehlo.token)
  return
}
// -----
// infeed_x1: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[infeed_x1] layout must have one entry per tensor among the results, 1, got 0}}
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "", layout = []}> : (!stablehlo.token) -> (tensor<2x3xi32>, !stablehlo.token)
  return
}
