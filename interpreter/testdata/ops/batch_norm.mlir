// error: exec/shape-mismatch
func.func @more_scales_than_features() {
  %x = stablehlo.constant dense<1.0> : tensor<4x2xf32>
  %s = stablehlo.constant dense<1.0> : tensor<2xf32>
  %three = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %n = stablehlo.constant dense<3> : tensor<1xi64>
  %d = stablehlo.dynamic_reshape %three, %n : (tensor<3xf32>, tensor<1xi64>) -> tensor<?xf32>
  %r = "stablehlo.batch_norm_inference"(%x, %d, %s, %s, %s) <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<4x2xf32>, tensor<?xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return
}
