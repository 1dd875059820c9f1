// collective_reduce_c1: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c1: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_reduce_c1] process 0 occurs twice in replica_groups}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c2: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c2: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_reduce_c2] replica_groups must hold every process from 0 to 1, but 1 is missing}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c3: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x, %r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c3: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_reduce_c3] has_dynamic_root needs at least two operands, data and their roots, got 1}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c4: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_c4: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_reduce_c4] computation must take 2 arguments, got 1}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_x1: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_x1: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_reduce_x1] use_global_device_ids needs a channel with a positive handle, got 0}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_x2: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_reduce_x2: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf64> {
  // expected-error@+1 {{[collective_reduce_x2] the result must have element type f32, got f64}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}
