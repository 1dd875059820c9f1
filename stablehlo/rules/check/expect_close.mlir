// check_expect_close_c1: accept
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  check.expect_close %x, %y, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
  return
}
// -----
// check_expect_close_c1: reject
func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<3xf32>) {
  // expected-error@+1 {{[check_expect_close_c1] both operands must have the same type, got tensor<2xf32> and tensor<3xf32>}}
  "check.expect_close"(%x, %z) <{max_ulp_difference = 3 : ui64}> : (tensor<2xf32>, tensor<3xf32>) -> ()
  return
}
