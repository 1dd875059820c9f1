module @control attributes {test.text = "a\00b", test.flag} {
  func.func @main(%x: tensor<4xf32> loc("x"), %p: tensor<i1>) -> (tensor<4xf32> {test.result = 1 : i64}, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32> loc("f.py":3:7)
    %n = stablehlo.constant dense<3> : tensor<i32> loc(unknown)
    %mask = stablehlo.constant dense<[true, false, true, true, false, true, false, false, true]> : tensor<9xi1>
    %weights = stablehlo.constant dense<[1.5, -2.0, 0x7FC00000, 3.25]> : tensor<4xf32>
    %r:2 = stablehlo.while(%i = %n, %acc = %x) : tensor<i32>, tensor<4xf32>
      cond {
        %c = stablehlo.constant dense<0> : tensor<i32>
        %go = stablehlo.compare GT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.subtract %i, %one : tensor<i32>
        %new = stablehlo.multiply %acc, %weights : tensor<4xf32>
        stablehlo.return %next, %new : tensor<i32>, tensor<4xf32>
      } loc(callsite("loop"("f.py":9:1) at fused<"meta">["a", "b"("g.py":1:1)]))
    %sorted = "stablehlo.sort"(%r#1) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %lt = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<4xf32>) -> tensor<4xf32>
    %sum = stablehlo.reduce(%sorted init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %y = func.call @helper(%sorted, %p) : (tensor<4xf32>, tensor<i1>) -> tensor<4xf32>
    return %y, %sum : tensor<4xf32>, tensor<f32>
  }
  func.func private @helper(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
    %y = "stablehlo.if"(%p) ({
      %e = stablehlo.tanh %x : tensor<4xf32>
      stablehlo.return %e : tensor<4xf32>
    }, {
      stablehlo.return %x : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  func.func private @declared(tensor<?x3xf64>) -> tensor<*xf32>
}
