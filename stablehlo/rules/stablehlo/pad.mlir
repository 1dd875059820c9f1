// pad_c1: accept
func.func @pad_c1(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
// -----
// pad_c1: reject
func.func @pad_c1(%x: tensor<2xf32>, %v: tensor<f64>) -> tensor<2xf32> {
  // expected-error@+1 {{[pad_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// pad_c2: accept
func.func @pad_c2(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2x4xf32> {
  %0 = stablehlo.pad %x, %v, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// pad_c2: reject
func.func @pad_c2(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<2x4xf32> {
  // expected-error@+1 {{[pad_c2] edge_padding_high must have one entry per dimension of the operand: expected 2, got 1}}
  %0 = stablehlo.pad %x, %v, low = [0, 1], high = [0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// pad_c3: accept
func.func @pad_c3(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<1xf32> {
  %0 = stablehlo.pad %x, %v, low = [-1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// -----
// pad_c3: reject
func.func @pad_c3(%x: tensor<2xf32>, %v: tensor<f32>) -> tensor<1xf32> {
  // expected-error@+1 {{[pad_c3] interior_padding must not be negative, got -1 in dimension 0}}
  %0 = stablehlo.pad %x, %v, low = [0], high = [0], interior = [-1] : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
// -----
// pad_c4: accept
func.func @pad_c4(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<8xf32> {
  %0 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// pad_c4: reject
func.func @pad_c4(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<4xf32> {
  // expected-error@+1 {{[pad_c4] inferred type tensor<8xf32> is incompatible with the result type tensor<4xf32>}}
  %0 = stablehlo.pad %x, %v, low = [1], high = [0], interior = [2] : (tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// pad_c4: reject
func.func @pad_c4(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<0xf32> {
  // expected-error@+1 {{[pad_c4] dimension 0 of the result would have a negative or too large size}}
  %0 = stablehlo.pad %x, %v, low = [-2], high = [-2], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
