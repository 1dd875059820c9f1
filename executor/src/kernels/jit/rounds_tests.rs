//! `while` loops of few elements as machine code against the interpreter.

use crate::testing::agrees;

const WORDS: &str = "while as";

fn check(program: &str) {
    let agreed = agrees(program, 3).without_interpreter();
    if crate::Isa::Avx512.is_available() {
        agreed.with(WORDS);
    }
}

#[test]
fn a_state_is_carried() {
    check(
        "func.func @main(%a: tensor<5xf32>, %b: tensor<f32>) -> (tensor<5xf32>, tensor<i32>) {
           %c = stablehlo.constant dense<0> : tensor<i32>
           %n = stablehlo.constant dense<37> : tensor<i32>
           %0:4 = stablehlo.while(%i = %c, %x = %a, %s = %b, %m = %n) : tensor<i32>, tensor<5xf32>, tensor<f32>, tensor<i32>
           cond {
             %1 = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %1 : tensor<i1>
           } do {
             %one = stablehlo.constant dense<1> : tensor<i32>
             %1 = stablehlo.add %i, %one : tensor<i32>
             %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<5xf32>
             %3 = stablehlo.multiply %x, %2 : tensor<5xf32>
             %4 = stablehlo.maximum %3, %x : tensor<5xf32>
             %5 = stablehlo.negate %s : tensor<f32>
             stablehlo.return %1, %4, %5, %m : tensor<i32>, tensor<5xf32>, tensor<f32>, tensor<i32>
           }
           return %0#1, %0#0 : tensor<5xf32>, tensor<i32>
         }",
    );
}

#[test]
fn values_change_places() {
    for (ty, width) in [("i64", ""), ("ui8", ""), ("bf16", ""), ("f64", ""), ("i16", "7x"), ("f16", "3x"), ("i1", "")] {
        check(&format!(
            "func.func @main(%a: tensor<{width}{ty}>, %b: tensor<{width}{ty}>, %c: tensor<{width}{ty}>)
                 -> (tensor<{width}{ty}>, tensor<{width}{ty}>, tensor<{width}{ty}>) {{
               %z = stablehlo.constant dense<0> : tensor<i32>
               %0:4 = stablehlo.while(%i = %z, %x = %a, %y = %b, %w = %c)
                   : tensor<i32>, tensor<{width}{ty}>, tensor<{width}{ty}>, tensor<{width}{ty}>
               cond {{
                 %n = stablehlo.constant dense<11> : tensor<i32>
                 %1 = stablehlo.compare NE, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %1 : tensor<i1>
               }} do {{
                 %one = stablehlo.constant dense<1> : tensor<i32>
                 %1 = stablehlo.add %i, %one : tensor<i32>
                 %2 = stablehlo.add %x, %y : tensor<{width}{ty}>
                 stablehlo.return %1, %w, %2, %x : tensor<i32>, tensor<{width}{ty}>, tensor<{width}{ty}>, tensor<{width}{ty}>
               }}
               return %0#1, %0#2, %0#3 : tensor<{width}{ty}>, tensor<{width}{ty}>, tensor<{width}{ty}>
             }}"
        ));
    }
}

#[test]
fn windows_are_read_and_written() {
    for (ty, index) in [("f32", "i32"), ("i8", "ui32"), ("f64", "i64"), ("bf16", "i32")] {
        check(&format!(
            "func.func @main(%a: tensor<12x5x{ty}>, %s: tensor<{index}>, %t: tensor<12x5x{ty}>) -> (tensor<12x5x{ty}>, tensor<{index}>) {{
               %z = stablehlo.constant dense<0> : tensor<{index}>
               %0:3 = stablehlo.while(%i = %z, %x = %a, %j = %s) : tensor<{index}>, tensor<12x5x{ty}>, tensor<{index}>
               cond {{
                 %n = stablehlo.constant dense<40> : tensor<{index}>
                 %1 = stablehlo.compare LT, %i, %n : (tensor<{index}>, tensor<{index}>) -> tensor<i1>
                 stablehlo.return %1 : tensor<i1>
               }} do {{
                 %one = stablehlo.constant dense<1> : tensor<{index}>
                 %zero = stablehlo.constant dense<0> : tensor<{index}>
                 %1 = stablehlo.add %i, %one : tensor<{index}>
                 %three = stablehlo.constant dense<3> : tensor<{index}>
                 %2 = stablehlo.multiply %i, %three : tensor<{index}>
                 %3 = stablehlo.add %2, %j : tensor<{index}>
                 %4 = stablehlo.dynamic_slice %x, %3, %one, sizes = [2, 5] : (tensor<12x5x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<2x5x{ty}>
                 %5 = stablehlo.dynamic_slice %t, %2, %zero, sizes = [2, 5] : (tensor<12x5x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<2x5x{ty}>
                 %6 = stablehlo.add %4, %5 : tensor<2x5x{ty}>
                 %7 = stablehlo.dynamic_update_slice %x, %6, %i, %zero : (tensor<12x5x{ty}>, tensor<2x5x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<12x5x{ty}>
                 stablehlo.return %1, %7, %3 : tensor<{index}>, tensor<12x5x{ty}>, tensor<{index}>
               }}
               return %0#1, %0#2 : tensor<12x5x{ty}>, tensor<{index}>
             }}"
        ));
    }
}

#[test]
fn many_rounds_and_none() {
    for n in [0, 1, 4095, 4096, 4097, 10_000] {
        check(&format!(
            "func.func @main(%a: tensor<ui32>) -> (tensor<ui32>, tensor<i32>) {{
               %z = stablehlo.constant dense<0> : tensor<i32>
               %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<ui32>
               cond {{
                 %n = stablehlo.constant dense<{n}> : tensor<i32>
                 %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 stablehlo.return %1 : tensor<i1>
               }} do {{
                 %one = stablehlo.constant dense<1> : tensor<i32>
                 %1 = stablehlo.add %i, %one : tensor<i32>
                 %k = stablehlo.constant dense<1664525> : tensor<ui32>
                 %2 = stablehlo.multiply %x, %k : tensor<ui32>
                 %3 = stablehlo.convert %1 : (tensor<i32>) -> tensor<ui32>
                 %4 = stablehlo.xor %2, %3 : tensor<ui32>
                 stablehlo.return %1, %4 : tensor<i32>, tensor<ui32>
               }}
               return %0#1, %0#0 : tensor<ui32>, tensor<i32>
             }}"
        ));
    }
}
