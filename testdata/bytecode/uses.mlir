module {
  func.func @captured(%p: tensor<i1>, %x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<f32>
      %2 = stablehlo.select %p, %1, %x : tensor<i1>, tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }, {
      stablehlo.return %x : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %3 = stablehlo.select %p, %0, %x : tensor<i1>, tensor<f32>
    %c = stablehlo.constant dense<10> : tensor<i32>
    %4:2 = stablehlo.while(%i = %c, %j = %n) : tensor<i32>, tensor<i32>
      cond {
        %5 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %5 : tensor<i1>
      } do {
        %6 = stablehlo.add %i, %n : tensor<i32>
        %7 = stablehlo.add %j, %c : tensor<i32>
        stablehlo.return %6, %7 : tensor<i32>, tensor<i32>
      }
    return %3 : tensor<f32>
  }
  func.func @replaced(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<4xf32>) -> tensor<f32> {
    %0 = stablehlo.exponential %a : tensor<f32>
    %1 = stablehlo.exponential %b : tensor<f32>
    %2 = stablehlo.exponential %c : tensor<f32>
    %3 = stablehlo.add %0, %0 : tensor<f32>
    %4 = stablehlo.add %0, %1 : tensor<f32>
    %5 = stablehlo.add %a, %b : tensor<f32>
    %6 = stablehlo.add %c, %c : tensor<f32>
    %7 = stablehlo.tanh %a : tensor<f32>
    %8 = stablehlo.tanh %7 : tensor<f32>
    %9 = stablehlo.add %7, %7 : tensor<f32>
    %10 = stablehlo.add %7, %8 : tensor<f32>
    %11:2 = "stablehlo.sort"(%d, %d) ({
    ^bb0(%e: tensor<f32>, %f: tensor<f32>, %g: tensor<f32>, %h: tensor<f32>):
      %12 = stablehlo.tanh %e : tensor<f32>
      %13 = stablehlo.tanh %g : tensor<f32>
      %14 = stablehlo.compare LT, %e, %f : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %15 = stablehlo.compare LT, %g, %g : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    }) {dimension = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %16 = stablehlo.exponential %11#0 : tensor<4xf32>
    %17 = stablehlo.exponential %11#1 : tensor<4xf32>
    %18 = stablehlo.add %11#0, %11#1 : tensor<4xf32>
    %20 = stablehlo.abs %b : tensor<f32>
    %21 = stablehlo.abs %b : tensor<f32>
    %22 = stablehlo.abs %b : tensor<f32>
    %23 = stablehlo.abs %b : tensor<f32>
    %24 = stablehlo.abs %b : tensor<f32>
    %25 = stablehlo.abs %b : tensor<f32>
    %26 = stablehlo.exponential %b : tensor<f32>
    return %10 : tensor<f32>
  }
}
