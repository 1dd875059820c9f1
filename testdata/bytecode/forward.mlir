module {
  %0 = "test.use"(%1, %1, %2) : (i32, i32, i32) -> i32
  "test.use"(%1) : (i32) -> ()
  %1:2 = "test.def"(%0, %2) : (i32, i32) -> (i32, i32)
  %2 = "test.def"(%2, %1) : (i32, i32) -> i32
  "test.use"(%1, %0, %1#1, %1#1) : (i32, i32, i32, i32) -> ()
  func.func private @blocks(%p: i1) -> i32 {
    "test.br"(%p)[^bb2] : (i1) -> ()
  ^bb1:
    "test.use"(%x, %x) : (i32, i32) -> ()
    "test.in"(%x)({
      "test.use"(%x, %y) : (i32, i32) -> ()
    }) : (i32) -> ()
    "test.end"(%y) : (i32) -> ()
  ^bb2:
    %x = "test.def"() : () -> i32
    %y = "test.def"(%x) : (i32) -> i32
    "test.use"(%x, %y) : (i32, i32) -> ()
    "test.br"(%x)[^bb1] : (i32) -> ()
  }
}
