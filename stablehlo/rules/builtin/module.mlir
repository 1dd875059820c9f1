// builtin_module_c1: accept
module attributes {mhlo.num_partitions = 1 : i32} {
}
// -----
// builtin_module_c1: reject
// expected-error@+1 {{[builtin_module_c1] attributes of a module must start with a dialect's name, got `partitions`}}
module attributes {partitions = 1 : i32} {
}
// -----
// builtin_module_c2: accept
module {
}
// -----
// builtin_module_c2: reject
module {
  // expected-error@+1 {{[builtin_module_c2] the block of a module has no arguments, got 1}}
  "builtin.module"() ({
  ^bb0(%a: tensor<f32>):
  }) : () -> ()
}
