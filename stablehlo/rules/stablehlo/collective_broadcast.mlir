// collective_broadcast_c1: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c1: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_broadcast_c1] process 0 occurs twice in replica_groups}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c2: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c2: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_broadcast_c2] the processes in replica_groups must not be negative, got -1}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c3: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c3: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<5xf32> {
  // expected-error@+1 {{[collective_broadcast_c3] inferred type tensor<4xf32> is incompatible with the result type tensor<5xf32>}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// collective_broadcast_c4: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x, %r) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c4: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_broadcast_c4] the last operand must be tensor<1xi32>, one root per operand, got tensor<1xi64>}}
  %0 = "stablehlo.collective_broadcast"(%x, %s) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c5: accept
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// collective_broadcast_c5: reject
func.func @f(%x: tensor<4xf32>, %r: tensor<1xi32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  // expected-error@+1 {{[collective_broadcast_c5] expected one result per operand with data, 2, got 1}}
  %0 = "stablehlo.collective_broadcast"(%x, %x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
