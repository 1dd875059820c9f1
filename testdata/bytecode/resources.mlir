module attributes {test.things = [unit, @a::@b, array<i32: 1, -2>, array<i1: true, false>, array<i64: 7>, affine_map<(d0)[s0] -> (d0 + s0)>, #other.thing<1>, !other.kind, dense<"text"> : tensor<2x!other.kind>, 1.5 : f64, -3 : i5, 200 : ui8]} {
  func.func @main() -> tensor<2xi32> {
    %0 = stablehlo.constant dense_resource<blob> : tensor<2xi32>
    %1 = "other.op"(%0) <{a = 1 : i32}> ({
    ^bb0(%x: tensor<i32>):
      "other.jump"(%x)[^bb1] : (tensor<i32>) -> ()
    ^bb1:
      "other.done"() {b} : () -> ()
    }) {c = "d"} : (tensor<2xi32>) -> !other.kind
    return %0 : tensor<2xi32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x080000000100000002000000"
    }
  }
#-}
