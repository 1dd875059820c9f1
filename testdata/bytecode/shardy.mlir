module attributes { m.a0 = #sdy<manual_axes{"a", "b"}>, m.a0e = #sdy<manual_axes{}>, m.a1 = #sdy<mesh_axis"x"=2>, m.a2 = #sdy.mesh<["a"=2, "b"=3]>, m.a2d = #sdy.mesh<["a"=2], device_ids=[1, 0]>, m.a2m = #sdy.mesh<[], device_ids=[3]>, m.a2e = #sdy.mesh<[]>,
m.a3 = #sdy<sub_axis_info(1)2>, m.a4 = #sdy<axis_ref"a">, m.a4s = #sdy<axis_ref"a":(1)2>, m.a5 = #sdy<dimension_sharding{"a", ?}p1>, m.a5e = #sdy<dimension_sharding{}>, m.a5q=#sdy<dimension_sharding{?}>,
m.a6 = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}>, m.a6m = #sdy.sharding<mesh<["a"=2]>, [{"a":(1)2}]>, m.a6e = #sdy.sharding<@mesh, []>, m.a15 = #sdy.sharding<@"m x", [{"a"}p0, {?}], replicated={"b"}, unreduced={"c", "d"}>,
m.a7 = #sdy.sharding_per_value<[<@mesh, [{"a"}]>, <@mesh, [{}]>]>, m.a7e = #sdy.sharding_per_value<[]>, m.a16 = #sdy.sharding_per_value<[<@mesh, [{"a"}], unreduced={"c"}>, <@mesh, [{}]>]>,
m.a10 = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}>,  m.a10b = #sdy.op_sharding_rule<([ij, k], [k, l])->([ij, l]) {i=8, j=16, k=8, l=2} reduction={k} need_replication={i} permutation={j} blocked_propagation={l}, custom>,
m.a10c = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>, m.a10e = #sdy.op_sharding_rule<([])->([])>, m.a11 = #sdy<axis_ref_list{"a", "b":(2)4}>, m.a12 = #sdy<list_of_axis_ref_lists[{"a"}, {}]>, m.a14 = #sdy<all_to_all_param_list[{"a"}: 0->1, {"b", "c"}: 2->3]>, m.a9 = #sdy<tensor_mapping[i, j]>,
m.a10z = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2])->([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2]) {i=2, j=2, k=2, l=2, m=2, n=2, o=2, p=2, q=2, r=2, s=2, t=2, u=2, v=2, w=2, x=2, y=2, z=2, z_1=2, z_2=2}> } {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<4x8xf32>) {
      %9 = stablehlo.add %arg1, %arg1 : tensor<4x8xf32>
      sdy.return %9 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = sdy.reshard %1 <@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    sdy.sharding_group %2 group_id=21 : tensor<8x8xf32>
    %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x8xf32>
    %4 = sdy.named_computation<"foo">(%3) in_shardings=[<@mesh, [{"a"}, {}]>] (%arg1: tensor<8x8xf32>) { 
      sdy.return %arg1 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %5 = sdy.named_computation<"foo">(%4) (%arg1: tensor<8x8xf32>) { 
      sdy.return %arg1 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %6 = stablehlo.custom_call @foo(%5) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=8}, custom>, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %7 = sdy.all_gather [{"a"}, {}] %6 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %8 = sdy.all_slice [{"a"}, {}] %7 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %8 : tensor<8x8xf32>
  }
}
