// fft_c1: accept
func.func @fft_c1(%operand: tensor<8xf32>) -> tensor<5xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
// -----
// fft_c1: reject
func.func @fft_c1(%operand: tensor<8xf32>) -> tensor<5xcomplex<f32>> {
  // expected-error@+1 {{[fft_c1] fft_length must not have more entries than operand dimensions, 1, got 2}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [8, 8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return %0 : tensor<5xcomplex<f32>>
}
// -----
// fft_c2: accept
func.func @fft_c2(%operand: tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>>
  return %0 : tensor<5x5xcomplex<f32>>
}
// -----
// fft_c2: reject
func.func @fft_c2(%operand: tensor<5x8xf32>) -> tensor<5x5xcomplex<f64>> {
  // expected-error@+1 {{[fft_c2] the result of RFFT of f32 must have element type complex<f32>, got complex<f64>}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<5x8xf32>) -> tensor<5x5xcomplex<f64>>
  return %0 : tensor<5x5xcomplex<f64>>
}
// -----
// fft_c3: accept
func.func @fft_c3(%operand: tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = FFT, length = [2, 2, 2] : (tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>
  return %0 : tensor<2x2x2x2xcomplex<f32>>
}
// -----
// fft_c3: reject
func.func @fft_c3(%operand: tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>> {
  // expected-error@+1 {{[fft_c3] fft_length must have 1 to 3 entries, got 4}}
  %0 = stablehlo.fft %operand, type = FFT, length = [2, 2, 2, 2] : (tensor<2x2x2x2xcomplex<f32>>) -> tensor<2x2x2x2xcomplex<f32>>
  return %0 : tensor<2x2x2x2xcomplex<f32>>
}
// -----
// fft_c4: accept
func.func @fft_c4(%operand: tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>> {
  %0 = stablehlo.fft %operand, type = RFFT, length = [8] : (tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>>
  return %0 : tensor<5x5xcomplex<f32>>
}
// -----
// fft_c4: reject
func.func @fft_c4(%operand: tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>> {
  // expected-error@+1 {{[fft_c4] the last dimensions must be fft_length, [9], got [5, 8]}}
  %0 = stablehlo.fft %operand, type = RFFT, length = [9] : (tensor<5x8xf32>) -> tensor<5x5xcomplex<f32>>
  return %0 : tensor<5x5xcomplex<f32>>
}
// -----
// fft_c5: accept
func.func @fft_c5(%operand: tensor<5x5xcomplex<f32>>) -> tensor<5x8xf32> {
  %0 = stablehlo.fft %operand, type = IRFFT, length = [8] : (tensor<5x5xcomplex<f32>>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
// -----
// fft_c5: reject
func.func @fft_c5(%operand: tensor<5x8xcomplex<f32>>) -> tensor<5x8xf32> {
  // expected-error@+1 {{[fft_c5] the last dimensions of operand must be [5] for fft_length [8], got [5, 8]}}
  %0 = stablehlo.fft %operand, type = IRFFT, length = [8] : (tensor<5x8xcomplex<f32>>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
