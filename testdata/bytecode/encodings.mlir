module attributes {
  test.affine = [affine_map<(d0)[s0] -> (d0 + s0)>, affine_set<(d0) : (d0 - 1 >= 0)>, strided<[1, ?], offset: 2>],
  test.array = [1 : i64, [], unit, {a = "b", c = {}}],
  test.booleans = [true, false, -1 : si1, 1 : ui1],
  test.chlo = [#chlo<comparison_direction GE>, #chlo<comparison_type TOTALORDER>, #chlo<precision HIGH>, #chlo.ragged_dot<lhs_ragged_dimensions = [1]>],
  test.dense_arrays = [array<i8: 1, -2>, array<i1: true, false>, array<i64>, array<i64: -1, 5>, array<f32: 1.5>, array<ui16: 65535>],
  test.dense_booleans = [dense<[true, false, true]> : tensor<3xi1>, dense<true> : tensor<9xi1>, dense<false> : tensor<9xi1>, dense<true> : tensor<1xi1>, dense<[true, true, true, true, true, true, true, true, false]> : tensor<9xi1>, dense<> : tensor<0xi1>],
  test.dense_floats = [dense<[1.5, -0.0]> : tensor<2xf32>, dense<1.0> : tensor<2xbf16>, dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>, dense<[0.5, 1.0]> : tensor<2xf8E5M2>, dense<[1.0, -2.0]> : tensor<2xf4E2M1FN>, dense<[1.0, 2.0]> : tensor<2xtf32>],
  test.dense_integers = [dense<[-8, 7]> : tensor<2xi4>, dense<[3, 1]> : tensor<2xui2>, dense<[-1, 5]> : tensor<2xi12>, dense<[[1, 2], [3, 4]]> : tensor<2x2xindex>, dense<7> : tensor<3x3xi64>, dense<7> : tensor<i64>, dense<[1, 2]> : vector<2xi32>, dense<1> : tensor<0xi32>],
  test.dense_resource = dense_resource<weights> : tensor<2xi8>,
  test.dense_strings = [dense<["a", "b"]> : tensor<2x!foreign.string>, dense<"a"> : tensor<2x!foreign.string>],
  test.distinct = [distinct[0]<>, distinct[1]<>, distinct[2]<1 : i32>, distinct[0]<>],
  test.empty = "",
  test.enums = [#stablehlo<precision HIGHEST>, #stablehlo<comparison_direction LT>, #stablehlo<comparison_type UNSIGNED>, #stablehlo<fft_type IRFFT>, #stablehlo<rng_algorithm PHILOX>, #stablehlo<rng_distribution NORMAL>, #stablehlo<rng_distribution UNIFORM>, #stablehlo<transpose ADJOINT>, #stablehlo.result_accuracy_mode<HIGHEST>],
  test.floats = [-1.5 : f64, 1.0 : f32, 0x7FC0 : bf16, 1.5 : f80, 1.5 : f128, 1.0 : tf32, 1.0 : f8E4M3FN, 1.0 : f4E2M1FN, 0.0 : f16],
  test.foreign = [#foreign<bar 1>, #foreign.bar<x>],
  test.integers = [-1 : i8, 127 : i8, -128 : i8, -1 : i32, 5 : i33, -1 : i64, 9223372036854775807 : i64, -7 : index, -1 : si8, 255 : ui8, 4294967295 : ui32, -8 : i4, 3 : ui2, 1267650600228229401496703205376 : i128, -5 : i128, -1 : i200, 5 : i200],
  test.locations = [loc(unknown), loc("a.py":3:7), loc("a.py":0:0), loc("a.py":1:2 to :9), loc("a.py":1:2 to 3:4), loc("name"), loc("name"("a.py":3:7)), loc(callsite("callee" at "a.py":3:7)), loc(fused["x", "y"]), loc(fused<{k = 1 : i32}>["x", "y"])],
  test.meshes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo<sub_axis_info(1)2>, #stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>, #stablehlo.mesh<axes = [<name = "x", size = 2>]>, #stablehlo.mesh<axes = [<name = "x", size = 2>, <name = "y", size = 2>], device_ids = dense<[3, 2, 1, 0]> : tensor<4xi64>>, #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>],
  test.numbers = [#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], operand_batching_dims = [2], start_indices_batching_dims = [3], start_index_map = [4], index_vector_dim = 5>, #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], input_batching_dims = [2], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [4], index_vector_dim = 5>, #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = [2, 3]>, #stablehlo.channel_handle<handle = 300, type = 2>, #stablehlo.bounds<4, ?>, #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>],
  test.quantized = [!quant.any<i8>, !quant.any<u8<1:200>:f32>, !quant.calibrated<f32<-1.0:2.0>>, !quant.uniform<i8:f32, 0.1:3>, !quant.uniform<u8<1:200>:f32:1, {0.1:3, 0.2}>, !quant.uniform<i8:f32:{0:1, 1:2}, {{0.1:1, 0.2}, {0.3, 0.4:-2}}>, !quant.uniform<i8:f32:{0:1, 1:2}, {{0.1:1, 0.1:1}, {0.1:1, 0.1:1}}>],
  test.sparse = sparse<[[0, 1]], [5]> : tensor<2x3xi32>,
  test.strings = ["text", "typed" : i32, "\00\FF\22"],
  test.symbols = [@a, @a::@b::@c],
  test.types = [i1, si7, ui9, index, none, f32, bf16, f16, f64, f80, f128, tf32, f8E5M2, f8E4M3, f8E4M3FN, f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU, complex<f32>, tuple<>, tuple<i32, tuple<f32>>, (i32, f32) -> (), () -> (index, none), tensor<2x?xf32>, tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<*xi8>, vector<2x3xf32>, vector<2x[4]xf32>, memref<2x?xf32>, memref<f32>, memref<2xf32, strided<[2]>>, memref<2xf32, 1>, memref<*xf32>, memref<*xf32, "space">, !stablehlo.token, !stablehlo.future<tensor<f32>, tensor<i1>>, !foreign.type<1>]
} {}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000102"
    }
  }
#-}
