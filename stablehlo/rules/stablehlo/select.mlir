// select_c1: accept
func.func @select_c1(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// select_c1: accept
func.func @select_c1(%p: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// select_c1: reject
func.func @select_c1(%p: tensor<3xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[select_c1] pred must be 0-dimensional or have the shape of on_true: shapes must be the same, got [2] and [3]}}
  %0 = stablehlo.select %p, %x, %y : (tensor<3xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// select_c2: accept
func.func @select_c2(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<2xf32> {
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// select_c2: reject
func.func @select_c2(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[select_c2] on_true and on_false must have the same type, got tensor<2xf32> and tensor<3xf32>}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// select_c2: reject
func.func @select_c2(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[select_c2] inferred type tensor<2xf32> is incompatible with the result type tensor<3xf32>}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
