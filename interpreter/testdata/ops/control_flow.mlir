func.func @while_sums() {
  %n = stablehlo.constant dense<10> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %r:2 = stablehlo.while(%i = %zero, %sum = %zero) : tensor<i64>, tensor<i64>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i64>
      %s = stablehlo.add %sum, %i : tensor<i64>
      stablehlo.return %next, %s : tensor<i64>, tensor<i64>
    }
  %e = stablehlo.constant dense<45> : tensor<i64>
  check.expect_eq %r#1, %e : tensor<i64>
  check.expect_eq %r#0, %n : tensor<i64>
  return
}
// -----
func.func @branches_see_values_from_outside() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %p = stablehlo.constant dense<true> : tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %y = stablehlo.add %x, %x : tensor<2xi32>
    stablehlo.return %y : tensor<2xi32>
  }, {
    stablehlo.return %x : tensor<2xi32>
  }) : (tensor<i1>) -> tensor<2xi32>
  %e = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
  check.expect_eq %r, %e : tensor<2xi32>
  %i = stablehlo.constant dense<-1> : tensor<i32>
  %s = "stablehlo.case"(%i) ({
    stablehlo.return %r : tensor<2xi32>
  }, {
    stablehlo.return %x : tensor<2xi32>
  }) : (tensor<i32>) -> tensor<2xi32>
  check.expect_eq %s, %x : tensor<2xi32>
  return
}
// -----
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.add %x, %x : tensor<f32>
  return %y : tensor<f32>
}
func.func @main() {
  %x = stablehlo.constant dense<1.5> : tensor<f32>
  %y = func.call @twice(%x) : (tensor<f32>) -> tensor<f32>
  %z = stablehlo.composite "my.twice" %y {decomposition = @twice} : (tensor<f32>) -> tensor<f32>
  %e = stablehlo.constant dense<6.0> : tensor<f32>
  check.expect_eq %z, %e : tensor<f32>
  return
}
// -----
// error: exec/step-limit
func.func @counts_for_ever() {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r = stablehlo.while(%i = %zero) : tensor<i32>
    cond {
      %c = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  return
}
// -----
// error: exec/endless-loop
func.func @endless_that_changes_nothing() {
  %x = stablehlo.constant dense<true> : tensor<i1>
  %r = stablehlo.while(%i = %x) : tensor<i1>
    cond {
      stablehlo.return %i : tensor<i1>
    } do {
      stablehlo.return %i : tensor<i1>
    }
  return
}
// -----
// error: exec/depth-limit
func.func @main() {
  func.call @main() : () -> ()
  return
}
// -----
// error: exec/memory-limit
func.func @too_much() {
  %r = stablehlo.iota dim = 0 : tensor<1000000x1000000xf32>
  return
}
// -----
func.func @huge_splats_are_cheap() {
  %x = stablehlo.constant dense<2.0> : tensor<65536x65536xf32>
  %y = stablehlo.multiply %x, %x : tensor<65536x65536xf32>
  %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<65536x65536xf32>) -> tensor<65536x65536xf32>
  %s = stablehlo.slice %t [5:7, 0:1] : (tensor<65536x65536xf32>) -> tensor<2x1xf32>
  %e = stablehlo.constant dense<4.0> : tensor<2x1xf32>
  check.expect_eq %s, %e : tensor<2x1xf32>
  return
}
// -----
// error: exec/unknown-custom-call
func.func @foreign() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %r = stablehlo.custom_call @nobody(%x) : (tensor<0xf32>) -> tensor<0xf32>
  return
}
// -----
// error: exec/infeed-empty
func.func @nothing_to_read() {
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.infeed"(%t) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  return
}
// -----
func.func @tuples() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.constant dense<2.0> : tensor<f32>
  %t = "stablehlo.tuple"(%x, %y) : (tensor<i32>, tensor<f32>) -> tuple<tensor<i32>, tensor<f32>>
  %z = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
  check.expect_eq %y, %z : tensor<f32>
  return
}
// -----
// error: exec/check-failed
func.func @nan_is_not_equal() {
  %x = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_eq %x, %x : tensor<f32>
  return
}
// -----
func.func @nan_is_almost_equal() {
  %x = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  check.expect_almost_eq %x, %x : tensor<f32>
  check.expect_close %x, %x, max_ulp_difference = 0 : tensor<f32>, tensor<f32>
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<1.00009> : tensor<f32>
  check.expect_almost_eq %a, %b : tensor<f32>
  return
}
// -----
// error: exec/check-failed
func.func @too_far() {
  %a = stablehlo.constant dense<1.0> : tensor<f32>
  %b = stablehlo.constant dense<1.001> : tensor<f32>
  check.expect_almost_eq %a, %b : tensor<f32>
  return
}
// -----
// error: exec/check-failed
func.func @further_than_three_steps() {
  %a = stablehlo.constant dense<0x3F800000> : tensor<f32>
  %b = stablehlo.constant dense<0x3F800004> : tensor<f32>
  stablehlo.custom_call @check.expect_close(%a, %b) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  return
}
// -----
func.func @asynchronous_slice() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %f = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<4xi32>):
    %s = stablehlo.slice %y [1:3] : (tensor<4xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<4xi32>) -> !stablehlo.future<tensor<2xi32>>
  %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  %e = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  check.expect_eq %r, %e : tensor<2xi32>
  return
}
// -----
func.func @probes_keep_every_value() {
  %n = stablehlo.constant dense<2> : tensor<i64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %r = stablehlo.while(%i = %zero) : tensor<i64>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i64>
      %seen = interpreter.probe %next, probe_id = "next" : tensor<i64>
      stablehlo.return %seen : tensor<i64>
    }
  check.expect_serialized_eq %one, probe_id = "next" : tensor<i64>
  check.expect_serialized_eq %n, probe_id = "next", iter = 1 : tensor<i64>
  return
}
