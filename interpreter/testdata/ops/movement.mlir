func.func @transpose_reverse_concatenate() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi16>) -> tensor<3x2xi16>
  %te = stablehlo.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi16>
  check.expect_eq %t, %te : tensor<3x2xi16>
  %r = stablehlo.reverse %x, dims = [0, 1] : tensor<2x3xi16>
  %re = stablehlo.constant dense<[[6, 5, 4], [3, 2, 1]]> : tensor<2x3xi16>
  check.expect_eq %r, %re : tensor<2x3xi16>
  %c = stablehlo.concatenate %x, %r, %x, dim = 1 : (tensor<2x3xi16>, tensor<2x3xi16>, tensor<2x3xi16>) -> tensor<2x9xi16>
  %ce = stablehlo.constant dense<[[1, 2, 3, 6, 5, 4, 1, 2, 3], [4, 5, 6, 3, 2, 1, 4, 5, 6]]> : tensor<2x9xi16>
  check.expect_eq %c, %ce : tensor<2x9xi16>
  return
}
// -----
func.func @transpose_of_three_dimensions() {
  // Element [i, j, k] is 100 i + 10 j + k; the result's [k, i, j] is the operand's [i, j, k].
  %x = stablehlo.constant dense<[[[0, 1], [10, 11], [20, 21]], [[100, 101], [110, 111], [120, 121]]]> : tensor<2x3x2xi32>
  %t = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x2xi32>) -> tensor<2x2x3xi32>
  %e = stablehlo.constant dense<[[[0, 10, 20], [100, 110, 120]], [[1, 11, 21], [101, 111, 121]]]> : tensor<2x2x3xi32>
  check.expect_eq %t, %e : tensor<2x2x3xi32>
  return
}
// -----
func.func @broadcast_in_dim() {
  %x = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %r = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x1xi32>) -> tensor<3x2x2xi32>
  %e = stablehlo.constant dense<[[[1, 2], [1, 2]], [[1, 2], [1, 2]], [[1, 2], [1, 2]]]> : tensor<3x2x2xi32>
  check.expect_eq %r, %e : tensor<3x2x2xi32>
  %old = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 2>} : (tensor<2x1xi32>) -> tensor<2x2x1xi32>
  %olde = stablehlo.constant dense<[[[1], [2]], [[1], [2]]]> : tensor<2x2x1xi32>
  check.expect_eq %old, %olde : tensor<2x2x1xi32>
  return
}
// -----
func.func @broadcast_of_permuted_dimensions() {
  // dims = [1, 0]: the operand's first dimension is the result's second.
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %r = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %e = stablehlo.constant dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  check.expect_eq %r, %e : tensor<3x2xi32>
  return
}
// -----
// error: exec/shape-mismatch
func.func @computed_broadcast_that_does_not_fit() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %n = stablehlo.constant dense<[3]> : tensor<1xi64>
  %q = stablehlo.optimization_barrier %n : tensor<1xi64>
  %r = stablehlo.dynamic_broadcast_in_dim %x, %q, dims = [0] : (tensor<2xi32>, tensor<1xi64>) -> tensor<?xi32>
  return
}
// -----
// error: exec/shape-mismatch
func.func @computed_shape_that_is_not_the_declared_one() {
  %n = stablehlo.constant dense<[3]> : tensor<1xi64>
  %q = stablehlo.optimization_barrier %n : tensor<1xi64>
  %r = stablehlo.dynamic_iota %q, dim = 0 : (tensor<1xi64>) -> tensor<4xi32>
  return
}
// -----
func.func @iota() {
  %r = stablehlo.iota dim = 1 : tensor<2x3xf16>
  %e = stablehlo.constant dense<[[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf16>
  check.expect_eq %r, %e : tensor<2x3xf16>
  %s = stablehlo.iota dim = 0 : tensor<2x2xcomplex<f32>>
  %f = stablehlo.constant dense<[[(0.0, 0.0), (0.0, 0.0)], [(1.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  check.expect_eq %s, %f : tensor<2x2xcomplex<f32>>
  return
}
// -----
func.func @sizes() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xi32>) -> tensor<i32>
  %e = stablehlo.constant dense<3> : tensor<i32>
  check.expect_eq %n, %e : tensor<i32>
  return
}
// -----
func.func @bits_of_several_elements() {
  // 0x04030201 has its lowest byte first; 0x21 its lower half.
  %x = stablehlo.constant dense<[67305985]> : tensor<1xi32>
  %r = stablehlo.bitcast_convert %x : (tensor<1xi32>) -> tensor<1x4xui8>
  %e = stablehlo.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xui8>
  check.expect_eq %r, %e : tensor<1x4xui8>
  %back = stablehlo.bitcast_convert %r : (tensor<1x4xui8>) -> tensor<1xi32>
  check.expect_eq %back, %x : tensor<1xi32>
  %y = stablehlo.constant dense<[33, 255]> : tensor<2xui8>
  %h = stablehlo.bitcast_convert %y : (tensor<2xui8>) -> tensor<2x2xi4>
  %he = stablehlo.constant dense<[[1, 2], [-1, -1]]> : tensor<2x2xi4>
  check.expect_eq %h, %he : tensor<2x2xi4>
  %f = stablehlo.constant dense<1.0> : tensor<f32>
  %i = stablehlo.bitcast_convert %f : (tensor<f32>) -> tensor<ui32>
  %ie = stablehlo.constant dense<1065353216> : tensor<ui32>
  check.expect_eq %i, %ie : tensor<ui32>
  return
}
// -----
// error: exec/shape-mismatch
func.func @fewer_bounds_than_dimensions() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  %m = stablehlo.convert %n : (tensor<1xi64>) -> tensor<?xi64>
  %r = stablehlo.real_dynamic_slice %x, %m, %m, %m : (tensor<2x2xi32>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) -> tensor<?x?xi32>
  return
}
// -----
func.func @sizes_that_follow_from_the_operand() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %y = stablehlo.convert %x : (tensor<3xi32>) -> tensor<?xi32>
  %z = stablehlo.add %y, %y : tensor<?xi32>
  %w = stablehlo.multiply %z, %y : tensor<?xi32>
  %n = stablehlo.get_dimension_size %w, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %ne = stablehlo.constant dense<3> : tensor<i32>
  check.expect_eq %n, %ne : tensor<i32>
  %s = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
  %m = stablehlo.dynamic_reshape %w, %s : (tensor<?xi32>, tensor<2xi64>) -> tensor<1x3xi32>
  %me = stablehlo.constant dense<[[2, 8, 18]]> : tensor<1x3xi32>
  check.expect_eq %m, %me : tensor<1x3xi32>
  return
}
// -----
// error: exec/memory-limit
func.func @no_elements_in_a_shape_beyond_all_memory() {
  %x = stablehlo.constant dense<> : tensor<0x1099511627776x1099511627776xf32>
  %r = stablehlo.reverse %x, dims = [1] : tensor<0x1099511627776x1099511627776xf32>
  return
}
// -----
// error: exec/memory-limit
func.func @computed_shape_without_elements_beyond_all_memory() {
  %n = stablehlo.constant dense<[0, 1099511627776, 1099511627776]> : tensor<3xi64>
  %r = stablehlo.dynamic_iota %n, dim = 1 : (tensor<3xi64>) -> tensor<?x?x?xi32>
  %s = stablehlo.reverse %r, dims = [1] : tensor<?x?x?xi32>
  return
}
