// chlo__asin_acos_kernel_c1: accept
func.func @f(%x: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  %0 = chlo._asin_acos_kernel %x : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}
// -----
// chlo__asin_acos_kernel_c1: reject
func.func @f(%x: tensor<2xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // expected-error@+1 {{[chlo__asin_acos_kernel_c1] operands and result must have the same shape and element type}}
  %0 = chlo._asin_acos_kernel %x : tensor<2xcomplex<f32>> -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
