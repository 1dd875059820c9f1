func.func @alone_in_its_group() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %sum, %x : tensor<2xi32>
  %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %all, %x : tensor<2xi32>
  %exchanged = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %exchanged, %x : tensor<2xi32>
  return
}
// -----
func.func @permute_without_a_source_gives_zeros() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %kept = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %kept, %x : tensor<2xi32>
  %lost = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %lost, %zeros : tensor<2xi32>
  return
}
