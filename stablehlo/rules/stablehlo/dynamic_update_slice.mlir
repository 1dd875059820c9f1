// dynamic_update_slice_c1: accept
func.func @dynamic_update_slice_c1(%x: tensor<4xf32>, %u: tensor<2xf32>, %i0: tensor<i64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dynamic_update_slice_c1: reject
func.func @dynamic_update_slice_c1(%x: tensor<4xf32>, %u: tensor<2xf32>, %i0: tensor<i64>) -> tensor<2xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c1] inferred type tensor<4xf32> is incompatible with the result type tensor<2xf32>}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<2xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// dynamic_update_slice_c2: accept
func.func @dynamic_update_slice_c2(%x: tensor<4xf32>, %u: tensor<2xf32>, %i0: tensor<i64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dynamic_update_slice_c2: reject
func.func @dynamic_update_slice_c2(%x: tensor<4xf32>, %u: tensor<2xf64>, %i0: tensor<i64>) -> tensor<4xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c2] element types must be equal, got f32 and f64}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<2xf64>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dynamic_update_slice_c3: accept
func.func @dynamic_update_slice_c3(%x: tensor<4x4xf32>, %u: tensor<2x4xf32>, %i0: tensor<i64>, %i1: tensor<i64>) -> tensor<4x4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c3: reject
func.func @dynamic_update_slice_c3(%x: tensor<4x4xf32>, %u: tensor<2xf32>, %i0: tensor<i64>, %i1: tensor<i64>) -> tensor<4x4xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c3] update must have the operand's rank 2, got 1}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x4xf32>, tensor<2xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c4: accept
func.func @dynamic_update_slice_c4(%x: tensor<4x4xf32>, %u: tensor<2x4xf32>, %i0: tensor<i64>, %i1: tensor<i64>) -> tensor<4x4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c4: reject
func.func @dynamic_update_slice_c4(%x: tensor<4x4xf32>, %u: tensor<2x4xf32>, %i0: tensor<i64>) -> tensor<4x4xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c4] expected one start index per dimension of the operand: 2, got 1}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<i64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c5: accept
func.func @dynamic_update_slice_c5(%x: tensor<4x4xf32>, %u: tensor<2x4xf32>, %i0: tensor<i32>, %i1: tensor<i32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c5: reject
func.func @dynamic_update_slice_c5(%x: tensor<4x4xf32>, %u: tensor<2x4xf32>, %i0: tensor<i32>, %i1: tensor<i64>) -> tensor<4x4xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c5] start indices must have the same type, got tensor<i32> and tensor<i64>}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0, %i1 : (tensor<4x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i64>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dynamic_update_slice_c6: accept
func.func @dynamic_update_slice_c6(%x: tensor<4xf32>, %u: tensor<4xf32>, %i0: tensor<i64>) -> tensor<4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// dynamic_update_slice_c6: reject
func.func @dynamic_update_slice_c6(%x: tensor<4xf32>, %u: tensor<5xf32>, %i0: tensor<i64>) -> tensor<4xf32> {
  // expected-error@+1 {{[dynamic_update_slice_c6] update must be at most the operand's size 4 in dimension 0, got 5}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i0 : (tensor<4xf32>, tensor<5xf32>, tensor<i64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
