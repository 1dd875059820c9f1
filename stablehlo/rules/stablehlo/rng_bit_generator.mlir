// rng_bit_generator_c1: accept
func.func @rng_bit_generator_c1(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>) {
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<4xui32>
}
// -----
// rng_bit_generator_c1: reject
func.func @rng_bit_generator_c1(%state: tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>) {
  // expected-error@+1 {{[rng_bit_generator_c1] output_state must have the type of initial_state, got tensor<2xui64> and tensor<3xui64>}}
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<4xui32>
}
// -----
// rng_bit_generator_c2: accept
func.func @rng_bit_generator_c2(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>) {
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<4xui32>
}
// -----
// rng_bit_generator_c2: reject
func.func @rng_bit_generator_c2(%state: tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>) {
  // expected-error@+1 {{[rng_bit_generator_c2] initial_state of THREE_FRY must have 2 elements, got tensor<3xui64>}}
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<3xui64>, tensor<4xui32>
}
