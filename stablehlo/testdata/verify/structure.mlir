func.func @counts(%x: tensor<f32>) {
  // expected-error[structure/operand-count]@+1 {{wrong number of operands: expected 2, got 1}}
  %0 = "stablehlo.add"(%x) : (tensor<f32>) -> tensor<f32>
  // expected-error[structure/result-count]@+1 {{wrong number of results: expected 1, got 2}}
  %1:2 = "stablehlo.add"(%x, %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  // expected-error[structure/region-count]@+1 {{wrong number of regions: expected 2, got 0}}
  %2 = "stablehlo.while"(%x) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @attributes(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error[pad_i5]@+1 {{attribute `interior_padding` is missing}}
  %0 = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  // expected-error[pad_i4]@+1 {{attribute `edge_padding_high` must be a list like `array<i64: 1, 2>`, got 0 : i64}}
  %1 = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: 0>, edge_padding_high = 0 : i64, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @classes(%x: tensor<2xf32>, %v: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error[pad_i2]@+1 {{operand #1 (`padding_value`) must be}}
  %0 = "stablehlo.pad"(%x, %v) <{edge_padding_low = array<i64: 0>, edge_padding_high = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // expected-error[structure/result-type]@+1 {{result #0 (`result`) must be token, got tensor<2xf32>}}
  %1 = "stablehlo.after_all"(%t) : (!stablehlo.token) -> tensor<2xf32>
  return
}

// -----

func.func @terminators(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error[structure/terminator]@+2 {{the region must end with `stablehlo.return`, got `stablehlo.negate`}}
  // expected-note@+2 {{the last op of the block}}
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

// expected-error[structure/terminator]@+1 {{the region must end with `func.return`, got `stablehlo.negate`}}
func.func @no_return(%x: tensor<f32>) {
  %0 = stablehlo.negate %x : tensor<f32>
}

// -----

func.func @early_return(%x: tensor<f32>) {
  // expected-error[structure/terminator]@+1 {{`func.return` must be the last op of its block}}
  return
  return
}

// -----

func.func @blocks(%p: tensor<i1>, %x: tensor<f32>) {
  // expected-error[if_i2]@+1 {{region `true_branch` must have exactly one block, got 0}}
  %0 = "stablehlo.if"(%p) ({
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // expected-error[structure/empty-block]@+1 {{a block must not be empty: it ends with a terminator}}
  %1 = "stablehlo.if"(%p) ({
  ^bb0:
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return
}

// -----

func.func @segments(%x: tensor<4xf32>, %i: tensor<f32>) {
  // expected-error[structure/segment-sizes]@+1 {{operand segment sizes must be 2 numbers that add up to 2, got [1, 2]}}
  %0:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 2>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>):
    stablehlo.return %c, %c : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
