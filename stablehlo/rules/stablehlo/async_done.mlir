// async_done_c1: accept
func.func @f(%x: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = "stablehlo.async_done"(%x) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// async_done_c1: reject
func.func @f(%x: !stablehlo.future<tensor<2xf32>>) -> tensor<3xf32> {
  // expected-error@+1 {{[async_done_c1] the result must have type tensor<2xf32>, got tensor<3xf32>}}
  %0 = "stablehlo.async_done"(%x) : (!stablehlo.future<tensor<2xf32>>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
