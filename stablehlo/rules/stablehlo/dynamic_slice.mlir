// dynamic_slice_c1: accept
func.func @dynamic_slice_c1(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// dynamic_slice_c1: reject
func.func @dynamic_slice_c1(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<2xf64> {
  // expected-error@+1 {{[dynamic_slice_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// dynamic_slice_c2: accept
func.func @dynamic_slice_c2(%x: tensor<4x4xf32>, %i0: tensor<i64>, %i1: tensor<i64>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_slice_c2: reject
func.func @dynamic_slice_c2(%x: tensor<4x4xf32>, %i0: tensor<i64>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[dynamic_slice_c2] expected one start index per dimension of the operand: 2, got 1}}
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2, 3] : (tensor<4x4xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_slice_c2: reject
func.func @dynamic_slice_c2(%x: tensor<4x4xf32>, %i0: tensor<i64>, %i1: tensor<i64>) -> tensor<2xf32> {
  // expected-error@+1 {{[dynamic_slice_c2] slice_sizes must have length 2, one per dimension of the operand, got 1}}
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2] : (tensor<4x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// dynamic_slice_c3: accept
func.func @dynamic_slice_c3(%x: tensor<4x4xf32>, %i0: tensor<i32>, %i1: tensor<i32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_slice_c3: reject
func.func @dynamic_slice_c3(%x: tensor<4x4xf32>, %i0: tensor<i32>, %i1: tensor<i64>) -> tensor<2x3xf32> {
  // expected-error@+1 {{[dynamic_slice_c3] start indices must have the same type, got tensor<i32> and tensor<i64>}}
  %0 = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : (tensor<4x4xf32>, tensor<i32>, tensor<i64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
// -----
// dynamic_slice_c4: accept
func.func @dynamic_slice_c4(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [4] : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dynamic_slice_c4: reject
func.func @dynamic_slice_c4(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<5xf32> {
  // expected-error@+1 {{[dynamic_slice_c4] slice_sizes must be from 0 to the size 4 of dimension 0, got 5}}
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [5] : (tensor<4xf32>, tensor<i64>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// dynamic_slice_c5: accept
func.func @dynamic_slice_c5(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<2xf32> {
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// dynamic_slice_c5: reject
func.func @dynamic_slice_c5(%x: tensor<4xf32>, %i0: tensor<i64>) -> tensor<3xf32> {
  // expected-error@+1 {{[dynamic_slice_c5] inferred type tensor<2xf32> is incompatible with the result type tensor<3xf32>}}
  %0 = stablehlo.dynamic_slice %x, %i0, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
