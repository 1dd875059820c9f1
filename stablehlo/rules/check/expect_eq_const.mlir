// check_expect_eq_const_c1: accept
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  check.expect_eq_const %x, dense<1.0> : tensor<2xf32>
  return
}
// -----
// check_expect_eq_const_c1: reject
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  // expected-error@+1 {{[check_expect_eq_const_c1] lhs must have the type of value, tensor<3xf32>, got tensor<2xf32>}}
  "check.expect_eq_const"(%x) <{value = dense<1.0> : tensor<3xf32>}> : (tensor<2xf32>) -> ()
  return
}
