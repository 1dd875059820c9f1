// dynamic_pad_c1: accept
func.func @dynamic_pad_c1(%x: tensor<4xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) -> tensor<?xf32> {
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// dynamic_pad_c1: reject
func.func @dynamic_pad_c1(%x: tensor<4xf32>, %v: tensor<f64>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) -> tensor<?xf32> {
  // expected-error@+1 {{[dynamic_pad_c1] element types must be equal, got f32 and f64}}
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// dynamic_pad_c2: accept
func.func @dynamic_pad_c2(%x: tensor<4x4xf32>, %v: tensor<f32>, %low: tensor<2xi64>, %high: tensor<2xi64>, %interior: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// dynamic_pad_c2: reject
func.func @dynamic_pad_c2(%x: tensor<4x4xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) -> tensor<?x?xf32> {
  // expected-error@+1 {{[dynamic_pad_c2] edge_padding_low must have 2 entries, one per dimension of the operand, got 1}}
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4x4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// dynamic_pad_c3: accept
func.func @dynamic_pad_c3(%x: tensor<4xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>) -> tensor<?xf32> {
  %interior = stablehlo.constant dense<0> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// dynamic_pad_c3: reject
func.func @dynamic_pad_c3(%x: tensor<4xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>) -> tensor<?xf32> {
  %interior = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error@+1 {{[dynamic_pad_c3] interior_padding must not be negative, got -1 in dimension 0}}
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// dynamic_pad_c4: accept
func.func @dynamic_pad_c4(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<9xf32> {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<1> : tensor<1xi64>
  %interior = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
// -----
// dynamic_pad_c4: reject
func.func @dynamic_pad_c4(%x: tensor<4xf32>, %v: tensor<f32>) -> tensor<8xf32> {
  %low = stablehlo.constant dense<1> : tensor<1xi64>
  %high = stablehlo.constant dense<1> : tensor<1xi64>
  %interior = stablehlo.constant dense<1> : tensor<1xi64>
  // expected-error@+1 {{[dynamic_pad_c4] dimension 0 of the result must be 9, got 8}}
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// dynamic_pad_c4: reject
func.func @dynamic_pad_c4(%x: tensor<4xf32>, %v: tensor<f32>, %low: tensor<1xi64>, %high: tensor<1xi64>, %interior: tensor<1xi64>) -> tensor<?x?xf32> {
  // expected-error@+1 {{[dynamic_pad_c4] the result must have the operand's rank 1, got 2}}
  %0 = stablehlo.dynamic_pad %x, %v, %low, %high, %interior : (tensor<4xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
