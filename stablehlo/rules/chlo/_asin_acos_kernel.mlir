// chlo__asin_acos_kernel_c1: accept
func.func @chlo__asin_acos_kernel_c1(%operand: tensor<4xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = chlo._asin_acos_kernel %operand : tensor<4xcomplex<f32>> -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
// -----
// chlo__asin_acos_kernel_c1: reject
func.func @chlo__asin_acos_kernel_c1(%operand: tensor<4xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  // expected-error@+1 {{[chlo__asin_acos_kernel_c1] operands and result must have the same shape and element type, got tensor<4xcomplex<f32>> and tensor<5xcomplex<f32>>}}
  %0 = chlo._asin_acos_kernel %operand : tensor<4xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
