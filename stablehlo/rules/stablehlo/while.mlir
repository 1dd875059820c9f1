// while_c1: accept
func.func @f(%x: tensor<i32>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// while_c1: reject
func.func @f(%x: tensor<i32>) {
  // expected-error@+1 {{[while_c1] cond must return tensor<i1>, got tensor<i32>}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %a : tensor<i32>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// while_c2: accept
func.func @f(%x: tensor<i32>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// while_c2: reject
func.func @f(%x: tensor<i32>) {
  // expected-error@+1 {{[while_c2] the arguments of body must have the types of the operands, (tensor<i32>), got (tensor<f32>)}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// while_c3: accept
func.func @f(%x: tensor<i32>) {
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// while_c3: reject
func.func @f(%x: tensor<i32>) {
  // expected-error@+1 {{[while_c3] inferred type tensor<i32> is incompatible with the result type tensor<f32>}}
  %0 = "stablehlo.while"(%x) ({
  ^bb0(%a: tensor<i32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
