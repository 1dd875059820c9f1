func.func @edges_and_interior() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %v = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.pad %x, %v, low = [0, 1], high = [2, 1], interior = [1, 2] : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
  %e = stablehlo.constant dense<[
    [0, 1, 0, 0, 2, 0, 0, 3, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 4, 0, 0, 5, 0, 0, 6, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>
  check.expect_eq %r, %e : tensor<5x9xi32>
  return
}
// -----
func.func @negative_edges_crop_after_the_interior() {
  // 1 _ _ 2 _ _ 3 _ _ 4 without the first two and the last four.
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %v = stablehlo.constant dense<9> : tensor<i32>
  %r = stablehlo.pad %x, %v, low = [-2], high = [-4], interior = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %e = stablehlo.constant dense<[9, 2, 9, 9]> : tensor<4xi32>
  check.expect_eq %r, %e : tensor<4xi32>
  return
}
// -----
func.func @nothing_stays() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %v = stablehlo.constant dense<7> : tensor<i32>
  %r = stablehlo.pad %x, %v, low = [-3], high = [4], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  %e = stablehlo.constant dense<7> : tensor<3xi32>
  check.expect_eq %r, %e : tensor<3xi32>
  %s = stablehlo.pad %x, %v, low = [4], high = [-3], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq %s, %e : tensor<3xi32>
  return
}
// -----
func.func @nothing_in_something_out() {
  %x = stablehlo.constant dense<> : tensor<0x2xi8>
  %v = stablehlo.constant dense<-1> : tensor<i8>
  %r = stablehlo.pad %x, %v, low = [1, 0], high = [0, 0], interior = [3, 1] : (tensor<0x2xi8>, tensor<i8>) -> tensor<1x3xi8>
  %e = stablehlo.constant dense<-1> : tensor<1x3xi8>
  check.expect_eq %r, %e : tensor<1x3xi8>
  return
}
// -----
func.func @computed_padding() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi64>
  %r = stablehlo.dynamic_pad %x, %v, %one, %one, %one : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %e = stablehlo.constant dense<[0.0, 1.0, 0.0, 2.0, 0.0]> : tensor<5xf32>
  %n = stablehlo.constant dense<5> : tensor<1xi64>
  %s = stablehlo.dynamic_reshape %r, %n : (tensor<?xf32>, tensor<1xi64>) -> tensor<5xf32>
  check.expect_eq %s, %e : tensor<5xf32>
  return
}
// -----
// error: exec/negative-size
func.func @computed_padding_that_leaves_less_than_nothing() {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<-3> : tensor<1xi64>
  %none = stablehlo.constant dense<0> : tensor<1xi64>
  %q:2 = stablehlo.optimization_barrier %low, %none : tensor<1xi64>, tensor<1xi64>
  %r = stablehlo.dynamic_pad %x, %v, %q#0, %q#1, %q#1 : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}
