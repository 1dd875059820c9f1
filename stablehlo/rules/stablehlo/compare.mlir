// compare_c1: accept
func.func @compare_c1(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// compare_c1: reject
func.func @compare_c1(%x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<2xi1> {
  // expected-error@+1 {{[compare_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// compare_c2: accept
func.func @compare_c2(%x: tensor<2xi8>, %y: tensor<?xi8>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xi8>, tensor<?xi8>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// compare_c2: reject
func.func @compare_c2(%x: tensor<2xi8>, %y: tensor<3xi8>) -> tensor<2xi1> {
  // expected-error@+1 {{[compare_c2] shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.compare LT, %x, %y : (tensor<2xi8>, tensor<3xi8>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// compare_c3: accept
func.func @compare_c3(%x: tensor<ui8>, %y: tensor<ui8>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %0 : tensor<i1>
}
// -----
// compare_c3: accept
func.func @compare_c3(%x: tensor<f32>, %y: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
// -----
// compare_c3: reject
func.func @compare_c3(%x: tensor<ui8>, %y: tensor<ui8>) -> tensor<i1> {
  // expected-error@+1 {{[compare_c3] compare_type must be UNSIGNED for elements of type ui8, got SIGNED}}
  %0 = stablehlo.compare LT, %x, %y, SIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  return %0 : tensor<i1>
}
// -----
// compare_c3: reject
func.func @compare_c3(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>) -> tensor<i1> {
  // expected-error@+1 {{[compare_c3] compare_type must be FLOAT for elements of type complex<f32>, got TOTALORDER}}
  %0 = stablehlo.compare EQ, %x, %y, TOTALORDER : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
  return %0 : tensor<i1>
}
