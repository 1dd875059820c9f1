// convolution_c1: accept
func.func @convolution_c1(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c1: reject
func.func @convolution_c1(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c1] lhs and rhs must have the same rank, got 3 and 4}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c2: accept
func.func @convolution_c2(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c2: reject
func.func @convolution_c2(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c2] window_strides must have length 1, one per dimension of the window, got 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c3: accept
func.func @convolution_c3(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x1x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x1x5xf32>
  return %0 : tensor<1x1x5xf32>
}
// -----
// convolution_c3: reject
func.func @convolution_c3(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c3] window_strides must be positive, got 0 at index 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c4: accept
func.func @convolution_c4(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x4x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x4x5xf32>
  return %0 : tensor<1x4x5xf32>
}
// -----
// convolution_c4: reject
func.func @convolution_c4(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x4x5xf32> {
  // expected-error@+1 {{[convolution_c4] padding must have shape [1, 2], got [2, 2]}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x4x5xf32>
  return %0 : tensor<1x4x5xf32>
}
// -----
// convolution_c5: accept
func.func @convolution_c5(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c5: reject
func.func @convolution_c5(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c5] lhs_dilation must have length 1, one per dimension of the window, got 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c6: accept
func.func @convolution_c6(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x5x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x5x5xf32>
  return %0 : tensor<1x5x5xf32>
}
// -----
// convolution_c6: reject
func.func @convolution_c6(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c6] lhs_dilation must be positive, got 0 at index 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c7: accept
func.func @convolution_c7(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c7: reject
func.func @convolution_c7(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c7] rhs_dilation must have length 1, one per dimension of the window, got 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c8: accept
func.func @convolution_c8(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x0x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x0x5xf32>
  return %0 : tensor<1x0x5xf32>
}
// -----
// convolution_c8: reject
func.func @convolution_c8(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c8] rhs_dilation must be positive, got 0 at index 0}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c9: accept
func.func @convolution_c9(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c9: reject
func.func @convolution_c9(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c9] window_reversal must have length 1, one per dimension of the window, got 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c10: accept
func.func @convolution_c10(%lhs: tensor<2x4x2xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x4x2xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c10: reject
func.func @convolution_c10(%lhs: tensor<3x4x2xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error@+1 {{[convolution_c10] the input batch dimension must be a multiple of batch_group_count, got 3 and 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<3x4x2xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c11: accept
func.func @convolution_c11(%lhs: tensor<1x4x4xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c11: reject
func.func @convolution_c11(%lhs: tensor<1x4x3xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error@+1 {{[convolution_c11] the input feature dimension must be a multiple of feature_group_count, got 3 and 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x3xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c12: accept
func.func @convolution_c12(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c12: reject
func.func @convolution_c12(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c12] input_spatial_dimensions must have length 1, the rank of lhs less 2, got 2}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1, 2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c13: accept
func.func @convolution_c13(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c13: reject
func.func @convolution_c13(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c13] input dimensions must not repeat, got 0 twice in [0, 0, 1]}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c14: accept
func.func @convolution_c14(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c14: reject
func.func @convolution_c14(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x1x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c14] the kernel input feature dimension must be the input features per group, 2 / 1, got 1}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x1x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c15: accept
func.func @convolution_c15(%lhs: tensor<2x4x2xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x4x2xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c15: reject
func.func @convolution_c15(%lhs: tensor<2x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c15] the kernel output feature dimension must be a multiple of batch_group_count, got 5 and 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c16: accept
func.func @convolution_c16(%lhs: tensor<1x4x4xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c16: reject
func.func @convolution_c16(%lhs: tensor<1x4x4xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c16] the kernel output feature dimension must be a multiple of feature_group_count, got 5 and 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c17: accept
func.func @convolution_c17(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c17: reject
func.func @convolution_c17(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c17] kernel_spatial_dimensions must have length 1, the rank of lhs less 2, got 2}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c18: accept
func.func @convolution_c18(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c18: reject
func.func @convolution_c18(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c18] kernel dimensions must not repeat, got 0 twice in [1, 0, 0]}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c19: accept
func.func @convolution_c19(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c19: reject
func.func @convolution_c19(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c19] output_spatial_dimensions must have length 1, the rank of lhs less 2, got 0}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = []>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c20: accept
func.func @convolution_c20(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c20: reject
func.func @convolution_c20(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c20] output dimensions must be in range [0, 3), the dimensions of the result, got 3}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c21: accept
func.func @convolution_c21(%lhs: tensor<1x4x4xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 2 : i64}> : (tensor<1x4x4xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c21: reject
func.func @convolution_c21(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c21] feature_group_count must be positive, got 0}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 0 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c22: accept
func.func @convolution_c22(%lhs: tensor<2x4x2xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<2x4x2xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c22: reject
func.func @convolution_c22(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c22] batch_group_count must be positive, got 0}}
  %0 = "stablehlo.convolution"(%lhs, %rhs) <{batch_group_count = 0 : i64, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>, feature_group_count = 1 : i64}> : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c23: accept
func.func @convolution_c23(%lhs: tensor<1x4x4xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x4x4xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c23: reject
func.func @convolution_c23(%lhs: tensor<2x4x4xf32>, %rhs: tensor<3x2x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error@+1 {{[convolution_c23] feature_group_count or batch_group_count must be 1, got 2 and 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<2x4x4xf32>, tensor<3x2x4xf32>) -> tensor<1x2x4xf32>
  return %0 : tensor<1x2x4xf32>
}
// -----
// convolution_c24: accept
func.func @convolution_c24(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c24: reject
func.func @convolution_c24(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c24] precision_config must have one entry per operand, 2, got 3}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c25: accept
func.func @convolution_c25(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c25: reject
func.func @convolution_c25(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x3x5xf32> {
  // expected-error@+1 {{[convolution_c25] inferred type tensor<1x2x5x}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x3x5xf32>
  return %0 : tensor<1x3x5xf32>
}
// -----
// convolution_c26: accept
func.func @convolution_c26(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c26: reject
func.func @convolution_c26(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf32>) -> tensor<1x10xf32> {
  // expected-error@+1 {{[convolution_c26] the result must have rank 3 as the operands, got 2}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf32>) -> tensor<1x10xf32>
  return %0 : tensor<1x10xf32>
}
// -----
// convolution_c27: accept
func.func @convolution_c27(%lhs: tensor<1x4x2xi8>, %rhs: tensor<3x2x5xi8>) -> tensor<1x2x5xi32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xi8>, tensor<3x2x5xi8>) -> tensor<1x2x5xi32>
  return %0 : tensor<1x2x5xi32>
}
// -----
// convolution_c27: reject
func.func @convolution_c27(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5xf16>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c27] lhs and rhs must have the same element type, got f32 and f16}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5xf16>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c28: accept
func.func @convolution_c28(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c28: reject
func.func @convolution_c28(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf32> {
  // expected-error@+1 {{[convolution_c28] lhs and result must both be quantized or neither}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c29: accept
func.func @convolution_c29(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c29: reject
func.func @convolution_c29(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[convolution_c29] the quantization dimension of rhs must be kernel_output_feature_dimension, 2, got 1}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c30: accept
func.func @convolution_c30(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
}
// -----
// convolution_c30: reject
func.func @convolution_c30(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:1, {1.0, 2.0}>> {
  // expected-error@+1 {{[convolution_c30] the quantization dimension of the result must be output_feature_dimension, 2, got 1}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:1, {1.0, 2.0}>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32:1, {1.0, 2.0}>>
}
// -----
// convolution_c31: accept
func.func @convolution_c31(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c31: reject
func.func @convolution_c31(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i4:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[convolution_c31] lhs and rhs must have the same storage type}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i4:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c32: accept
func.func @convolution_c32(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c32: reject
func.func @convolution_c32(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f16, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>> {
  // expected-error@+1 {{[convolution_c32] lhs, rhs and result must have the same expressed type}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f16, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32, 1.0>>
}
// -----
// convolution_c33: accept
func.func @convolution_c33(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
}
// -----
// convolution_c33: reject
func.func @convolution_c33(%lhs: tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>> {
  // expected-error@+1 {{[convolution_c33] the result must be quantized per tensor when rhs is}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
  return %0 : tensor<1x2x5x!quant.uniform<i32:f32:2, {1.0, 2.0, 3.0, 4.0, 5.0}>>
}
// -----
// convolution_c34: accept
func.func @convolution_c34(%lhs: tensor<1x4x2xf32>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf32> {
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf32>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf32>
  return %0 : tensor<1x2x5xf32>
}
// -----
// convolution_c34: reject
func.func @convolution_c34(%lhs: tensor<1x4x2xf16>, %rhs: tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf16> {
  // expected-error@+1 {{[convolution_c34] lhs and result must have the expressed type of rhs, f32, got f16 and f16}}
  %0 = stablehlo.convolution(%lhs, %rhs) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x2xf16>, tensor<3x2x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x2x5xf16>
  return %0 : tensor<1x2x5xf16>
}
