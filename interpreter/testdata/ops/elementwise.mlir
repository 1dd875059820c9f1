func.func @clamp_and_select() {
  %x = stablehlo.constant dense<[-3, 0, 5]> : tensor<3xi8>
  %lo = stablehlo.constant dense<-1> : tensor<i8>
  %hi = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi8>
  %r = stablehlo.clamp %lo, %x, %hi : (tensor<i8>, tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  %e = stablehlo.constant dense<[-1, 0, 2]> : tensor<3xi8>
  check.expect_eq %r, %e : tensor<3xi8>
  %p = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %s = stablehlo.select %p, %x, %hi : tensor<3xi1>, tensor<3xi8>
  %se = stablehlo.constant dense<[-3, 1, 5]> : tensor<3xi8>
  check.expect_eq %s, %se : tensor<3xi8>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %t = stablehlo.select %no, %x, %hi : tensor<i1>, tensor<3xi8>
  check.expect_eq %t, %hi : tensor<3xi8>
  return
}
// -----
func.func @select_of_splats() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.constant dense<1.0> : tensor<2xf32>
  %b = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %c = stablehlo.constant dense<4.0> : tensor<2xf32>
  %ab = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xf32>
  %abe = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  check.expect_eq %ab, %abe : tensor<2xf32>
  %ba = stablehlo.select %p, %b, %a : tensor<2xi1>, tensor<2xf32>
  %bae = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  check.expect_eq %ba, %bae : tensor<2xf32>
  %ac = stablehlo.select %p, %a, %c : tensor<2xi1>, tensor<2xf32>
  %ace = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  check.expect_eq %ac, %ace : tensor<2xf32>
  return
}
// -----
func.func @complex_numbers() {
  %re = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %im = stablehlo.constant dense<[4.0, -2.0]> : tensor<2xf32>
  %z = stablehlo.complex %re, %im : tensor<2xcomplex<f32>>
  %abs = stablehlo.abs %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %e = stablehlo.constant dense<[5.0, 2.23606801]> : tensor<2xf32>
  check.expect_eq %abs, %e : tensor<2xf32>
  // (3 + 4i)^2 = -7 + 24i, (1 - 2i)^2 = -3 - 4i
  %sq = stablehlo.multiply %z, %z : tensor<2xcomplex<f32>>
  %r = stablehlo.real %sq : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %i = stablehlo.imag %sq : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %er = stablehlo.constant dense<[-7.0, -3.0]> : tensor<2xf32>
  %ei = stablehlo.constant dense<[24.0, -4.0]> : tensor<2xf32>
  check.expect_eq %r, %er : tensor<2xf32>
  check.expect_eq %i, %ei : tensor<2xf32>
  return
}
// -----
func.func @conversions() {
  %x = stablehlo.constant dense<[-1.5, 0.0, 300.7]> : tensor<3xf32>
  %i = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi8>
  %ie = stablehlo.constant dense<[-1, 0, 127]> : tensor<3xi8>
  check.expect_eq %i, %ie : tensor<3xi8>
  %b = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi1>
  %be = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  check.expect_eq %b, %be : tensor<3xi1>
  // 300.7 lies between 300 and 302 in bf16.
  %h = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xbf16>
  %he = stablehlo.constant dense<[-1.5, 0.0, 300.0]> : tensor<3xbf16>
  check.expect_eq %h, %he : tensor<3xbf16>
  return
}
