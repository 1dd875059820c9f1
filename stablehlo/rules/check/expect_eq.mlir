// check_expect_eq_c1: accept
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  check.expect_eq %x, %y : tensor<2xf32>
  return
}
// -----
// check_expect_eq_c1: reject
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  // expected-error@+1 {{[check_expect_eq_c1] both operands must have the same type, got tensor<2xf32> and tensor<3xf32>}}
  "check.expect_eq"(%x, %z) : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}
