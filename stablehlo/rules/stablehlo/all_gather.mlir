// all_gather_c1: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c1: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[all_gather_c1] all_gather_dim must be in range [0, 2), the dimensions of operand #0, got 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c2: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c2: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[all_gather_c2] process 0 occurs twice in replica_groups}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c4: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c4: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[all_gather_c4] replica_groups must hold every process from 0 to 1, but 1 is missing}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c5: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c5: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[all_gather_c5] use_global_device_ids needs a channel with a positive handle, got 0}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c6: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_c6: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x5xf32> {
  // expected-error@+1 {{[all_gather_c6] dimension 1 of the result must be a multiple of the operand's 2, got 5}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
// -----
// all_gather_i3: accept
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// all_gather_i3: reject
func.func @f(%x: tensor<2x2xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[all_gather_i3] replica_groups must have 2 dimensions, groups and their processes, got 1}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
