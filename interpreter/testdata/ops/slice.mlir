func.func @strides() {
  %x = stablehlo.constant dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]> : tensor<3x5xi64>
  %r = stablehlo.slice %x [0:3:2, 1:5:3] : (tensor<3x5xi64>) -> tensor<2x2xi64>
  %e = stablehlo.constant dense<[[1, 4], [11, 14]]> : tensor<2x2xi64>
  check.expect_eq %r, %e : tensor<2x2xi64>
  %none = stablehlo.slice %x [1:1, 0:5] : (tensor<3x5xi64>) -> tensor<0x5xi64>
  return
}
// -----
func.func @computed_bounds() {
  %x = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi8>
  %start = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.constant dense<6> : tensor<1xi32>
  %stride = stablehlo.constant dense<2> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<7xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi8>
  %e = stablehlo.constant dense<[1, 3, 5]> : tensor<3xi8>
  check.expect_eq %r, %e : tensor<3xi8>
  return
}
// -----
// error: exec/out-of-bounds
func.func @computed_bounds_outside() {
  %x = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %start = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.constant dense<4> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %start, %limit, %start : (tensor<3xi8>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi8>
  return
}
// -----
func.func @dynamic_slice_clamps() {
  %x = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %low = stablehlo.constant dense<-5> : tensor<i64>
  %high = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %r = stablehlo.dynamic_slice %x, %low, %high, sizes = [2, 1] : (tensor<3x3xi32>, tensor<i64>, tensor<i64>) -> tensor<2x1xi32>
  %e = stablehlo.constant dense<[[2], [5]]> : tensor<2x1xi32>
  check.expect_eq %r, %e : tensor<2x1xi32>
  return
}
// -----
func.func @dynamic_update_slice_keeps_its_operand_alive() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %u = stablehlo.constant dense<[8, 9]> : tensor<2xi32>
  %i = stablehlo.constant dense<3> : tensor<ui8>
  %y = stablehlo.add %x, %x : tensor<4xi32>
  %r = stablehlo.dynamic_update_slice %y, %u, %i : (tensor<4xi32>, tensor<2xi32>, tensor<ui8>) -> tensor<4xi32>
  %s = stablehlo.dynamic_update_slice %r, %u, %i : (tensor<4xi32>, tensor<2xi32>, tensor<ui8>) -> tensor<4xi32>
  %e = stablehlo.constant dense<[2, 4, 8, 9]> : tensor<4xi32>
  check.expect_eq %s, %e : tensor<4xi32>
  %o = stablehlo.constant dense<[2, 4, 6, 8]> : tensor<4xi32>
  check.expect_eq %y, %o : tensor<4xi32>
  return
}
