// error: exec/shape-mismatch
func.func @index_vectors_of_the_wrong_length() {
  %x = stablehlo.constant dense<0> : tensor<3xi32>
  %u = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>
  %j = stablehlo.convert %i : (tensor<2x2xi32>) -> tensor<2x?xi32>
  %r = "stablehlo.scatter"(%x, %j, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xi32>, tensor<2x?xi32>, tensor<2xi32>) -> tensor<3xi32>
  return
}
