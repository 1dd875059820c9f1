// cross-replica-sum_x1: accept
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// cross-replica-sum_x1: reject
func.func @f(%x: tensor<4xf32>) -> tensor<5xf32> {
  // expected-error@+1 {{[cross-replica-sum_x1] operands and result must have the same shape and element type}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
