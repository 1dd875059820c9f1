// composite_c1: accept
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c1: reject
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[composite_c1] name must be namespaced like "my_namespace.my_op", got "op"}}
  %0 = stablehlo.composite "op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c2: accept
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c2: reject
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{[composite_c2] decomposition `@other` is not a function of the module around}}
  %0 = stablehlo.composite "ns.op" %x {decomposition = @other} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c3: accept
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c3: reject
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f64>) -> tensor<f32> {
  // expected-error@+1 {{[composite_c3] operand #0 must have type tensor<f32>, as decomposition takes it, got tensor<f64>}}
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f64>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c4: accept
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// composite_c4: reject
func.func private @impl(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
func.func @f(%x: tensor<f32>) -> tensor<f64> {
  // expected-error@+1 {{[composite_c4] result #0 must have type tensor<f32>, as decomposition returns it, got tensor<f64>}}
  %0 = stablehlo.composite "ns.op" %x {decomposition = @impl} : (tensor<f32>) -> tensor<f64>
  return %0 : tensor<f64>
}
