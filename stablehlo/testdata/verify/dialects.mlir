// Dialects that frameworks mix in are left alone; so are attributes and types of any dialect.
module @jax attributes {mhlo.num_partitions = 1 : i32, jax.uses_shape_polymorphism = false} {
  func.func public @main(%x: tensor<4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = "mhlo.erf"(%x) {somewhere.attribute = #else.where<x>} : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

func.func @unknown(%x: tensor<4xf32>) {
  // expected-error[dialect/unregistered]@+1 {{`nobody.knows` belongs to the unknown dialect `nobody`}}
  %0 = "nobody.knows"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}
