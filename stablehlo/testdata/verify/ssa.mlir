// Dominance: inside a block, into nested regions, out of them, across blocks.

func.func @order(%x: tensor<f32>) -> tensor<f32> {
  // expected-error[ssa/use-before-definition]@+2 {{operand #1 is used before it is defined}}
  // expected-note@+2 {{defined here}}
  %0 = stablehlo.add %x, %1 : tensor<f32>
  %1 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @own_result(%x: tensor<f32>) -> tensor<f32> {
  // expected-error[ssa/use-before-definition]@+1
  %0 = stablehlo.add %x, %0 : tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @into_regions(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.negate %x : tensor<f32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    %1 = "stablehlo.if"(%p) ({
      stablehlo.return %x : tensor<f32>
    }, {
      stablehlo.return %y : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @own_result_in_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    // expected-error[ssa/use-before-definition]@+1
    stablehlo.return %0 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @later_in_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    // expected-error[ssa/use-before-definition]@+1
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %y = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Nothing inside async_start sees values from outside.
func.func @isolated(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error[ssa/undefined-value]@+1
    %1 = "stablehlo.slice"(%y) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<4xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

// A use before the definition may reach another function by its name, but not see into it.
func.func @user() {
  // expected-error[ssa/out-of-scope]@+1
  %0 = stablehlo.negate %x : tensor<2xf32>
  return
}
func.func @definer() {
  %x = stablehlo.constant dense<1.0> : tensor<2xf32>
  return
}

// -----

// Several errors in one run, and none that only follow from others.
func.func @several(%x: tensor<f32>, %i: tensor<i32>) -> tensor<f32> {
  // expected-error[add_c1]@+1
  %0 = "stablehlo.add"(%x, %i) : (tensor<f32>, tensor<i32>) -> tensor<f32>
  // expected-error[ssa/use-before-definition]@+1
  %1 = stablehlo.add %0, %2 : tensor<f32>
  %2 = stablehlo.add %1, %1 : tensor<f32>
  // expected-error[func_return_c2]@+1
  return %i : tensor<i32>
}
