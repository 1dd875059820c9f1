// if_c1: accept
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_c1: reject
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{[if_c1] true_branch must not take arguments, got 1}}
  %0 = "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_c2: accept
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_c2: reject
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{[if_c2] true_branch and false_branch must return the same types, got (tensor<f32>) and (tensor<i32>)}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_c3: accept
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_c3: reject
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{[if_c3] inferred type tensor<f32> is incompatible with the result type tensor<i32>}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<i32>
  return
}
// -----
// if_i1: accept
func.func @f(%p: tensor<i1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}
// -----
// if_i1: reject
func.func @f(%p: tensor<1xi1>, %x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, %v: tensor<2xf32>) {
  // expected-error@+1 {{[if_i1] operand #0 (`pred`) must be 0-dimensional tensor of booleans (i1), got tensor<1xi1>}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<1xi1>) -> tensor<f32>
  return
}
