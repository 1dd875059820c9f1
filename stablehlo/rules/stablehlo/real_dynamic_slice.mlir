// real_dynamic_slice_c1: accept
func.func @real_dynamic_slice_c1(%x: tensor<4xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// real_dynamic_slice_c1: reject
func.func @real_dynamic_slice_c1(%x: tensor<4xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) -> tensor<?xf64> {
  // expected-error@+1 {{[real_dynamic_slice_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}
// -----
// real_dynamic_slice_c2: accept
func.func @real_dynamic_slice_c2(%x: tensor<4xf32>, %start: tensor<1xi32>, %limit: tensor<1xi32>, %strides: tensor<1xi32>) -> tensor<?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// real_dynamic_slice_c2: reject
func.func @real_dynamic_slice_c2(%x: tensor<4xf32>, %start: tensor<1xi32>, %limit: tensor<1xi64>, %strides: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error@+1 {{[real_dynamic_slice_c2] start_indices, limit_indices and strides must have the same type}}
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4xf32>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// real_dynamic_slice_c3: accept
func.func @real_dynamic_slice_c3(%x: tensor<4x4xf32>, %start: tensor<2xi64>, %limit: tensor<2xi64>, %strides: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// real_dynamic_slice_c3: reject
func.func @real_dynamic_slice_c3(%x: tensor<4x4xf32>, %start: tensor<1xi64>, %limit: tensor<1xi64>, %strides: tensor<1xi64>) -> tensor<?x?xf32> {
  // expected-error@+1 {{[real_dynamic_slice_c3] start_indices must have 2 entries, one per dimension of the operand, got 1}}
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<4x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
