// What each of these programs needs: as jaxlib 0.10.2 (StableHLO 1.17.0) accepts and refuses them, version by version, where
// nothing else is said.
// oldest: 0.9.0

// Nothing.
func.func @plain(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.10.0
func.func @type_f8e4m3fnuz(%a: tensor<4xf8E4M3FNUZ>) -> tensor<4xf8E4M3FNUZ> {
  return %a : tensor<4xf8E4M3FNUZ>
}
// -----
// oldest: 0.11.0
func.func @type_f8e4m3b11fnuz(%a: tensor<4xf8E4M3B11FNUZ>) -> tensor<4xf8E4M3B11FNUZ> {
  return %a : tensor<4xf8E4M3B11FNUZ>
}
// -----
// oldest: 1.2.0
func.func @type_i2(%a: tensor<4xi2>) -> tensor<4xi2> {
  return %a : tensor<4xi2>
}
// -----
// oldest: 1.7.0
func.func @type_f8e4m3(%a: tensor<4xf8E4M3>) -> tensor<4xf8E4M3> {
  return %a : tensor<4xf8E4M3>
}
// -----
// oldest: 1.8.0
func.func @type_f4(%a: tensor<4xf4E2M1FN>) -> tensor<4xf4E2M1FN> {
  return %a : tensor<4xf4E2M1FN>
}
// -----
// A part of a type inside a function type inside a type attribute of a discardable attribute.
// oldest: 1.7.0
func.func @type_inside(%a: tensor<4xf32>) -> tensor<4xf32> attributes {test.ty = (tuple<tensor<4xf8E3M4>>) -> ()} {
  return %a : tensor<4xf32>
}
// -----
// oldest: 1.13.0
func.func @type_buffer(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
// -----
// oldest: 1.15.0
func.func @type_future(%a: !stablehlo.future<tensor<4xf32>>) {
  return
}
// -----
// What is inside of futures is not looked at.
// oldest: 1.15.0
func.func @type_inside_future(%a: !stablehlo.future<tensor<4xf8E3M4>>) {
  return
}
// -----
// Signed integers have no counterpart.
// oldest: never
func.func @type_si8(%a: tensor<4xsi8>) -> tensor<4xsi8> {
  return %a : tensor<4xsi8>
}
// -----
// oldest: never
func.func @type_vector(%a: vector<4xf32>) -> vector<4xf32> {
  return %a : vector<4xf32>
}
// -----
// oldest: never
func.func @attribute_unit(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a {test.unit} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: never
func.func @attribute_i32_array(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a {test.list = array<i32: 1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: never
func.func @attribute_typed_string(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a {test.text = "a" : i32} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: never
func.func @attribute_nested_symbol(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a {test.symbol = @a::@b} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.9.0
func.func @attributes_that_fit(%a: tensor<4xf32> {test.a = [1, "b", {c = @d}]}) -> (tensor<4xf32> {test.e = 1.0 : f16}) {
  %0 = stablehlo.abs %a {test.f = array<i64: 1>, test.g = dense<[1, 2]> : tensor<2xui8>, test.h = true} : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: never
func.func @no_inline(%a: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  return %a : tensor<4xf32>
}
// -----
// oldest: 0.9.0
func.func @exponential(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 1.9.0
func.func @exponential_accuracy(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 1.10.0
func.func @log_accuracy(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.log"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.9.0
func.func @log_default_accuracy(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.log"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 1.4.0
func.func @tan(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tan %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 1.1.0
func.func @gather_batching(%a: tensor<2x4x9xi32>, %b: tensor<2x3x1xi64>) -> tensor<2x3x9xi32> {
  %0 = "stablehlo.gather"(%a, %b) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 9>
  } : (tensor<2x4x9xi32>, tensor<2x3x1xi64>) -> tensor<2x3x9xi32>
  return %0 : tensor<2x3x9xi32>
}
// -----
// oldest: 0.9.0
func.func @gather(%a: tensor<4x9xi32>, %b: tensor<3x1xi64>) -> tensor<3x9xi32> {
  %0 = "stablehlo.gather"(%a, %b) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 9>
  } : (tensor<4x9xi32>, tensor<3x1xi64>) -> tensor<3x9xi32>
  return %0 : tensor<3x9xi32>
}
// -----
// oldest: 1.5.0
func.func @all_gather_two(%a: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0:2 = "stablehlo.all_gather"(%a, %a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}
// -----
// oldest: 0.9.0
func.func @all_gather_one(%a: tensor<4xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// oldest: 1.16.0
func.func @mesh_axes(%a: tensor<4xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// oldest: 1.6.0
func.func @dot_algorithm(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// oldest: 0.9.0
func.func @dot_general(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// oldest: 1.12.0
func.func @send_pairs(%a: tensor<4xf32>, %t: !stablehlo.token) -> !stablehlo.token {
  %0 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  return %0 : !stablehlo.token
}
// -----
// oldest: 1.3.0
func.func @typed_call(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.17.0
func.func @reduce_to_wider(%a: tensor<4xf32>, %i: tensor<f64>) -> tensor<f64> {
  %0 = "stablehlo.reduce"(%a, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<4xf32>, tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}
// -----
// oldest: 0.16.0
func.func @collective_broadcast(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.9.0
func.func @select_and_scatter(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// oldest: 0.19.0
func.func @composite(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "a.b" %a {decomposition = @c} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @c(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// An op of another dialect that takes or gives values.
// oldest: never
func.func @chlo(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.square %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// An op of another dialect on its own stays as it is.
// oldest: 0.9.0
func.func @alone(%a: tensor<4xf32>) -> tensor<4xf32> {
  "test.alone"() {a = 1 : i32} : () -> ()
  return %a : tensor<4xf32>
}
// -----
// oldest: 0.9.0
func.func @convolution(%a: tensor<1x4x1xf32>, %b: tensor<2x1x1xf32>) -> tensor<1x3x1xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
// -----
// By upstream's sources: jaxlib 0.10.2 does not know this attribute.
// oldest: 1.18.0
func.func @result_tilings(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.custom_call"(%a) {call_target_name = "f", result_tilings = [[dense<[2]> : tensor<1xindex>]]} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// By upstream's sources.
// oldest: 1.20.0
func.func @dynamic_root(%a: tensor<4xf32>, %r: tensor<1xi32>) -> tensor<4xf32> {
  %0 = "stablehlo.collective_broadcast"(%a, %r) {has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// By upstream's sources.
// oldest: 0.18.0
func.func @quantized_per_axis(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>> {
  return %a : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25:3}>>
}
// -----
// By upstream's sources.
// oldest: 0.9.0
func.func @quantized(%a: tensor<2x!quant.uniform<u8:f32, 0.5:128>>) -> tensor<2x!quant.uniform<u8:f32, 0.5:128>> {
  return %a : tensor<2x!quant.uniform<u8:f32, 0.5:128>>
}
// -----
// By upstream's sources.
// oldest: never
func.func @no_window(%a: tensor<4xf32>, %s: tensor<4xf32>, %i: tensor<f32>) -> tensor<4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
