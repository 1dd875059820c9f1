// case_c1: accept
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c1: reject
func.func @f(%i: tensor<i32>) {
  // expected-error@+1 {{[case_c1] expected at least one branch, got none}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}
// -----
// case_c2: accept
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c2: reject
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  // expected-error@+1 {{[case_c2] branch 1 must not take arguments, got 1}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%a: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c3: accept
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c3: reject
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  // expected-error@+1 {{[case_c3] branch 0 and branch 1 must return the same types}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c4: accept
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// case_c4: reject
func.func @f(%i: tensor<i32>, %x: tensor<f32>, %y: tensor<f32>) {
  // expected-error@+1 {{[case_c4] inferred type tensor<f32> is incompatible with the result type tensor<i32>}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<f32>
  }, {
    stablehlo.return %y : tensor<f32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}
