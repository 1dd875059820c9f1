// sort_c1: accept
func.func @sort_c1(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// sort_c1: reject
func.func @sort_c1() {
  // expected-error@+1 {{[sort_c1] there must be at least one input}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
    %less = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : () -> ()
  return
}
// -----
// sort_c2: accept
func.func @sort_c2(%x0: tensor<4xf32>, %x1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
// -----
// sort_c2: reject
func.func @sort_c2(%x0: tensor<4xf32>, %x1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi64>) {
  // expected-error@+1 {{[sort_c2] inferred type tensor<4xi32> is incompatible with the result type tensor<4xi64>}}
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi64>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi64>
}
// -----
// sort_c3: accept
func.func @sort_c3(%x0: tensor<4xf32>, %x1: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}
// -----
// sort_c3: reject
func.func @sort_c3(%x0: tensor<4xf32>, %x1: tensor<5xi32>) -> (tensor<4xf32>, tensor<5xi32>) {
  // expected-error@+1 {{[sort_c3] shapes must be the same, got [4] and [5]}}
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>, tensor<5xi32>) -> (tensor<4xf32>, tensor<5xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<5xi32>
}
// -----
// sort_c4: accept
func.func @sort_c4(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// sort_c4: reject
func.func @sort_c4(%x0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[sort_c4] dimension must be in range [-1, 1), got 1}}
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// sort_c5: accept
func.func @sort_c5(%x0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// sort_c5: reject
func.func @sort_c5(%x0: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{[sort_c5] comparator must return tensor<i1>, got tensor<f32>}}
  %0 = "stablehlo.sort"(%x0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
