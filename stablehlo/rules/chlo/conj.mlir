// chlo_conj_c1: accept
func.func @chlo_conj_c1(%operand: tensor<4xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = chlo.conj %operand : tensor<4xcomplex<f32>> -> tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}
// -----
// chlo_conj_c1: reject
func.func @chlo_conj_c1(%operand: tensor<4xcomplex<f32>>) -> tensor<5xcomplex<f32>> {
  // expected-error@+1 {{[chlo_conj_c1] operands and result must have the same shape and element type, got tensor<4xcomplex<f32>> and tensor<5xcomplex<f32>>}}
  %0 = chlo.conj %operand : tensor<4xcomplex<f32>> -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
