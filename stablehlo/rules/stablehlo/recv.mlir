// recv_c1: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c1: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_c1] source_target_pairs must have shape [N, 2], got [1, 3]}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c2: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c2: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_c2] process 0 is a source twice in source_target_pairs}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c3: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c3: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_c3] process 1 is a target twice in source_target_pairs}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c4: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c4: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_c4] the processes in source_target_pairs must not be negative, got -1}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, -1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c5: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_c5: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_c5] the channel's type must be 1 (device to device) when is_host_transfer is false, got 3}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_x1: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_x1: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_x1] expected at least one result, got none}}
  "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> ()
  return
}
// -----
// recv_x2: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_x2: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_x2] all results but the last must be tensors, got !stablehlo.token as result #0}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}
// -----
// recv_x3: accept
func.func @f(%t: !stablehlo.token) {
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return
}
// -----
// recv_x3: reject
func.func @f(%t: !stablehlo.token) {
  // expected-error@+1 {{[recv_x3] the last result must be a token, got tensor<f32>}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (!stablehlo.token) -> (tensor<f32>, tensor<f32>)
  return
}
