// error: exec/step-limit
func.func @window_of_many_places() {
  %x = stablehlo.constant dense<1> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.select_and_scatter"(%x, %x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {window_dimensions = array<i64: 1099511627776>, window_strides = array<i64: 1>, padding = dense<[[0, 1099511627775]]> : tensor<1x2xi64>}
    : (tensor<1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  return
}
