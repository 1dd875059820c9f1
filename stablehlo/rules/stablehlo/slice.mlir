// slice_c1: accept
func.func @slice_c1(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// slice_c1: reject
func.func @slice_c1(%x: tensor<4xf32>) -> tensor<2xf64> {
  // expected-error@+1 {{[slice_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.slice %x [1:3] : (tensor<4xf32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// slice_c2: accept
func.func @slice_c2(%x: tensor<2x4xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.slice %x [0:2, 1:3] : (tensor<2x4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// slice_c2: reject
func.func @slice_c2(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[slice_c2] start_indices must have length 2, one per dimension of the operand, got 1}}
  %0 = stablehlo.slice %x [0:2] : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// slice_c3: accept
func.func @slice_c3(%x: tensor<4xf32>) -> tensor<0xf32> {
  %0 = stablehlo.slice %x [4:4] : (tensor<4xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
// -----
// slice_c3: reject
func.func @slice_c3(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{[slice_c3] limit_indices must be at most the size 4 of dimension 0, got 5}}
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// slice_c3: reject
func.func @slice_c3(%x: tensor<4xf32>) -> tensor<0xf32> {
  // expected-error@+1 {{[slice_c3] start_indices must be at most limit_indices, got 3 and 2 in dimension 0}}
  %0 = stablehlo.slice %x [3:2] : (tensor<4xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
// -----
// slice_c4: accept
func.func @slice_c4(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.slice %x [0:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// slice_c4: reject
func.func @slice_c4(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[slice_c4] strides must be positive, got 0 at index 0}}
  %0 = stablehlo.slice %x [0:4:0] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// slice_c5: accept
func.func @slice_c5(%x: tensor<5xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %x [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// slice_c5: reject
func.func @slice_c5(%x: tensor<5xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{[slice_c5] inferred type tensor<3xf32> is incompatible with the result type tensor<2xf32>}}
  %0 = stablehlo.slice %x [0:5:2] : (tensor<5xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
