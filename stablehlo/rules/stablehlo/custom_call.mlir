// custom_call_x1: accept
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x1: reject
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[custom_call_x1] the layout of result #0 of type tensor<2x3xf32> must be a permutation of [0, 2), got dense<[0, 2]> : tensor<2xindex>}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 2]> : tensor<2xindex>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x2: accept
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x2: reject
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[custom_call_x2] operand_index must be in range [0, 1), got 1}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x3: accept
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", backend_config = {a = 1 : i32}, api_version = 4 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x3: reject
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[custom_call_x3] backend_config must be a string with api_version 1}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", backend_config = {a = 1 : i32}}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// custom_call_x4: accept
func.func @f(%x: memref<2xf32>) -> memref<2xf32> {
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (memref<2xf32>) -> memref<2xf32>
  return %0 : memref<2xf32>
}
// -----
// custom_call_x4: reject
func.func @f(%x: memref<2xf32>) -> memref<2xf32> {
  // expected-error@+1 {{[custom_call_x4] the memref at [] of the results must be aliased}}
  %0 = "stablehlo.custom_call"(%x) <{call_target_name = "foo"}> : (memref<2xf32>) -> memref<2xf32>
  return %0 : memref<2xf32>
}
