// chlo_broadcast_and_c1: accept
func.func @f(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = chlo.broadcast_and %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// chlo_broadcast_and_c1: reject
func.func @f(%a: tensor<2x3xi32>, %b: tensor<3xi64>) -> tensor<2x3xi32> {
  // expected-error@+1 {{[chlo_broadcast_and_c1] element types must be}}
  %0 = chlo.broadcast_and %a, %b : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// chlo_broadcast_and_c2: accept
func.func @f(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  %0 = chlo.broadcast_and %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
// -----
// chlo_broadcast_and_c2: reject
func.func @f(%a: tensor<2x3xi32>, %b: tensor<4xi32>) -> tensor<2x3xi32> {
  // expected-error@+1 {{[chlo_broadcast_and_c2] shapes [2, 3] and [4] cannot be broadcast to one shape}}
  %0 = chlo.broadcast_and %a, %b : (tensor<2x3xi32>, tensor<4xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}
