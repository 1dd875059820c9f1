func.func private @f()
// expected-error[symbol/redefinition]@+2 {{the symbol `@f` is defined twice}}
// expected-note@-2 {{first defined here}}
func.func private @f()

// -----

// Modules have tables of their own.
module @a {
  func.func private @f()
}
module @b {
  func.func private @f()
}
func.func private @f()

// -----

module @a {
  func.func private @f()
}
func.func @g() {
  // expected-error[func_call_c1]@+1 {{`@f` is not a function of the module around}}
  call @f() : () -> ()
  return
}

// -----

// expected-error[symbol/redefinition]@+2
module @f {}
module @f {}
