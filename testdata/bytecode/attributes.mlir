func.func @main(%x: tensor<3x4x5xf32>, %i: tensor<2x1xi64>, %q: tensor<4x!quant.uniform<i8:f32, 0.5:3>>, %b: tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 3, 1, 5>}> : (tensor<3x4x5xf32>, tensor<2x1xi64>) -> tensor<3x2x5xf32>
  %1 = stablehlo.dot_general %x, %0, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [HIGHEST, DEFAULT] : (tensor<3x4x5xf32>, tensor<3x2x5xf32>) -> tensor<3x4x2xf32>
  %c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.pad %1, %c, low = [0, -1, 2], high = [1, 0, 0], interior = [0, 0, 3] : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<4x3x7xf32>
  %3 = stablehlo.slice %x [0:3, 1:2, 0:5] : (tensor<3x4x5xf32>) -> tensor<3x1x5xf32>
  %4 = stablehlo.custom_call @target(%3, %b) {backend_config = "opaque\FF", has_side_effect = true, mhlo.sharding = "{replicated}", operand_layouts = [dense<[2, 1, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<[2, 1, 0]> : tensor<3xindex>]} : (tensor<3x1x5xf32>, tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<3x1x5xf32>
  %5 = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<4xf32>
  %6 = stablehlo.constant dense<[[-1, 2], [3, -128]]> : tensor<2x2xi8>
  %7 = stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
  %8 = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %9 = stablehlo.constant dense<> : tensor<0x3xbf16>
  %10 = stablehlo.reshape %4 : (tensor<3x1x5xf32>) -> tensor<3x5xf32>
  return %10 : tensor<3x5xf32>
}
