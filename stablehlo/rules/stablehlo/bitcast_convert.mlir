// bitcast_convert_c1: accept
func.func @bitcast_convert_c1(%x: tensor<2xf32>) -> tensor<2xi32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// bitcast_convert_c1: accept
func.func @bitcast_convert_c1(%x: tensor<2xf32>) -> tensor<2x4xui8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x4xui8>
  return %0 : tensor<2x4xui8>
}
// -----
// bitcast_convert_c1: accept
func.func @bitcast_convert_c1(%x: tensor<2x2xi16>) -> tensor<2xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<2x2xi16>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bitcast_convert_c1: reject
func.func @bitcast_convert_c1(%x: tensor<2xf32>) -> tensor<3xi32> {
  // expected-error@+1 {{[bitcast_convert_c1] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
// -----
// bitcast_convert_c1: reject
func.func @bitcast_convert_c1(%x: tensor<2xf32>) -> tensor<2xi8> {
  // expected-error@+1 {{[bitcast_convert_c1] the tensor of 8-bit elements must have one dimension more than that of 32-bit elements, got ranks 1 and 1}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2xi8>
  return %0 : tensor<2xi8>
}
// -----
// bitcast_convert_c1: reject
func.func @bitcast_convert_c1(%x: tensor<2xf32>) -> tensor<2x3xi8> {
  // expected-error@+1 {{[bitcast_convert_c1] the last dimension of the tensor of 8-bit elements must make up one element of 32 bits, got 3 times 8 bits}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}
// -----
// bitcast_convert_c2: accept
func.func @bitcast_convert_c2(%x: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %0 = stablehlo.bitcast_convert %x : (tensor<complex<f32>>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}
// -----
// bitcast_convert_c2: reject
func.func @bitcast_convert_c2(%x: tensor<complex<f32>>) -> tensor<i64> {
  // expected-error@+1 {{[bitcast_convert_c2] cannot reinterpret between complex and other elements}}
  %0 = stablehlo.bitcast_convert %x : (tensor<complex<f32>>) -> tensor<i64>
  return %0 : tensor<i64>
}
