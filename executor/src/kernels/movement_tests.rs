//! Data movement, random bits and transforms: the same as the interpreter's.

use interpreter::io::{generate, signature};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::element::ElementType;
use stablehlo::ir::Literal;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

use crate::{Executor, Isa, Plan};

/// Both engines give the same, up to `tolerance` of the largest number; nothing is left to the interpreter.
fn agrees_within(mlir: &str, seed: u64, tolerance: f64) -> String {
    let parsed = parse("test.mlir", mlir);
    assert!(parsed.diagnostics.is_empty(), "{:#?}\n{mlir}", parsed.diagnostics);
    let verified = verify(&parsed.module, mlir).unwrap_or_else(|faults| panic!("{faults:#?}\n{mlir}"));
    let function = interpreter::entry(&parsed.module).unwrap();
    let arguments = signature::arguments(&parsed.module, function).unwrap();
    let make = |(index, argument): (usize, &interpreter::io::inputs::Argument)| {
        let shape: Vec<usize> = argument.shape.iter().map(|size| size.unwrap()).collect();
        let text = format!("rand:seed={}", seed * 100 + index as u64);
        generate::generate(&text, argument.element, &shape, 1 << 30).unwrap().unwrap()
    };
    let inputs: Vec<Tensor> = arguments.iter().enumerate().map(make).collect();
    let values = inputs.iter().cloned().map(Value::Tensor).collect();
    let expected = interpreter::run(verified, function, values, &Config::default(), &mut Host::default()).unwrap();
    let literals: Vec<Literal> = inputs.iter().map(Literal::from).collect();
    let mut text = String::new();
    for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
        let plan = Plan::new(verified, function, isa).unwrap();
        text = plan.to_string();
        assert!(!text.contains("interpreter"), "{mlir}\n{text}");
        for n_threads in [1, 2] {
            let executor = Executor::new(n_threads);
            let results = executor.run(&plan, &literals, &Config::default(), &mut Host::default()).unwrap();
            for (result, expected) in results.iter().zip(&expected.results) {
                let (result, expected) = (Tensor::from(result), expected.tensor().unwrap());
                if tolerance == 0.0 {
                    assert_eq!(result.shape(), expected.shape());
                    let all = |tensor: &Tensor| {
                        (0..tensor.len()).flat_map(|at| tensor.element_bytes(at).to_vec()).collect::<Vec<u8>>()
                    };
                    assert!(
                        all(&result) == all(expected),
                        "{isa} {n_threads}\n{mlir}\n{text}\n{result:?}\n{expected:?}"
                    );
                } else {
                    let (result, expected) = (numbers(&result), numbers(expected));
                    let largest = expected.iter().fold(1e-30f64, |largest, x| largest.max(x.abs()));
                    for (a, b) in result.iter().zip(&expected) {
                        let is_near = (a - b).abs() <= tolerance * largest || (a.is_nan() && b.is_nan());
                        assert!(is_near, "{isa}: {a} and {b}\n{mlir}");
                    }
                }
            }
        }
    }
    text
}

fn agrees(mlir: &str, seed: u64) -> String {
    agrees_within(mlir, seed, 0.0)
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    let bytes = |at: usize| tensor.element_bytes(at);
    let narrow = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().unwrap()));
    let wide = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
    (0..tensor.len())
        .flat_map(|at| match tensor.element() {
            ElementType::F32 => vec![narrow(bytes(at))],
            ElementType::F64 => vec![wide(bytes(at))],
            ElementType::ComplexF32 => bytes(at).chunks(4).map(narrow).collect(),
            ElementType::ComplexF64 => bytes(at).chunks(8).map(wide).collect(),
            other => panic!("{other}"),
        })
        .collect()
}

const TYPES: [&str; 6] = ["f32", "bf16", "i8", "complex<f32>", "i1", "complex<f64>"];

#[test]
fn views_are_written_out() {
    for ty in TYPES {
        agrees(&format!("func.func @main(%a: tensor<3x37x70x{ty}>) -> (tensor<70x37x3x{ty}>, tensor<17x12x3x{ty}>, tensor<3x37x70x{ty}>, tensor<2x3x37x70x{ty}>) {{
            %0 = stablehlo.transpose %a, dims = [2, 1, 0] : (tensor<3x37x70x{ty}>) -> tensor<70x37x3x{ty}>
            %1 = stablehlo.slice %0 [1:69:4, 0:36:3, 0:3] : (tensor<70x37x3x{ty}>) -> tensor<17x12x3x{ty}>
            %2 = stablehlo.reverse %a, dims = [0, 2] : tensor<3x37x70x{ty}>
            %3 = stablehlo.broadcast_in_dim %2, dims = [1, 2, 3] : (tensor<3x37x70x{ty}>) -> tensor<2x3x37x70x{ty}>
            return %0, %1, %2, %3 : tensor<70x37x3x{ty}>, tensor<17x12x3x{ty}>, tensor<3x37x70x{ty}>, tensor<2x3x37x70x{ty}>
          }}"), 1);
    }
}

#[test]
fn concatenate_and_pad_agree() {
    for ty in TYPES {
        agrees(&format!("func.func @main(%a: tensor<5x7x{ty}>, %b: tensor<7x3x{ty}>, %c: tensor<0x7x{ty}>) -> tensor<8x7x{ty}> {{
            %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<7x3x{ty}>) -> tensor<3x7x{ty}>
            %0 = stablehlo.concatenate %a, %c, %t, dim = 0 : (tensor<5x7x{ty}>, tensor<0x7x{ty}>, tensor<3x7x{ty}>) -> tensor<8x7x{ty}>
            return %0 : tensor<8x7x{ty}>
          }}"), 2);
    }
    for (low, high, interior, shape) in [
        ("1, 2", "0, 3", "0, 0", "6x12"),
        ("1, 2", "0, 3", "2, 1", "14x18"),
        ("-1, -2", "0, -3", "0, 0", "4x2"),
        ("-3, 1", "1, -4", "2, 3", "11x22"),
        ("-5, 1", "0, 0", "0, 0", "0x8"),
        ("-7, 0", "9, 0", "0, 0", "7x7"),
        ("0, 0", "0, 0", "0, 0", "5x7"),
        ("-2, 1", "-1, 1", "3, 0", "14x9"),
    ] {
        agrees(&format!("func.func @main(%a: tensor<5x7xf32>, %p: tensor<f32>) -> tensor<{shape}xf32> {{
            %0 = stablehlo.pad %a, %p, low = [{low}], high = [{high}], interior = [{interior}] : (tensor<5x7xf32>, tensor<f32>) -> tensor<{shape}xf32>
            return %0 : tensor<{shape}xf32>
          }}"), 3);
    }
}

#[test]
fn dynamic_slices_agree() {
    for (ty, index) in [("f32", "i32"), ("i8", "i64"), ("bf16", "ui8"), ("complex<f64>", "i8")] {
        for seed in 0..6 {
            agrees(&format!("func.func @main(%a: tensor<9x11x{ty}>, %u: tensor<4x3x{ty}>, %i: tensor<{index}>, %j: tensor<{index}>) -> (tensor<4x3x{ty}>, tensor<9x11x{ty}>, tensor<11x9x{ty}>) {{
                %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [4, 3] : (tensor<9x11x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<4x3x{ty}>
                %1 = stablehlo.dynamic_update_slice %a, %u, %i, %j : (tensor<9x11x{ty}>, tensor<4x3x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<9x11x{ty}>
                %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<9x11x{ty}>) -> tensor<11x9x{ty}>
                %s = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x3x{ty}>) -> tensor<3x4x{ty}>
                %2 = stablehlo.dynamic_update_slice %t, %s, %i, %j : (tensor<11x9x{ty}>, tensor<3x4x{ty}>, tensor<{index}>, tensor<{index}>) -> tensor<11x9x{ty}>
                return %0, %1, %2 : tensor<4x3x{ty}>, tensor<9x11x{ty}>, tensor<11x9x{ty}>
              }}"), seed);
        }
    }
}

#[test]
fn a_loop_updates_in_place() {
    let text = agrees("func.func @main(%a: tensor<40xf32>, %n: tensor<i32>) -> (tensor<40xf32>, tensor<i32>) {
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %0:2 = stablehlo.while(%c = %a, %i = %zero) : tensor<40xf32>, tensor<i32>
         cond {
          %limit = stablehlo.constant dense<30> : tensor<i32>
          %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %half = stablehlo.constant dense<1.5> : tensor<4xf32>
          %s = stablehlo.dynamic_slice %c, %i, sizes = [4] : (tensor<40xf32>, tensor<i32>) -> tensor<4xf32>
          %m = stablehlo.multiply %s, %half : tensor<4xf32>
          %next = stablehlo.add %i, %one : tensor<i32>
          %u = stablehlo.dynamic_update_slice %c, %m, %next : (tensor<40xf32>, tensor<4xf32>, tensor<i32>) -> tensor<40xf32>
          stablehlo.return %u, %next : tensor<40xf32>, tensor<i32>
        }
        return %0#0, %0#1 : tensor<40xf32>, tensor<i32>
      }", 4);
    assert!(text.contains("dynamic update slice in place"), "{text}");
}

#[test]
fn gathers_agree() {
    for (ty, index) in [("f32", "i32"), ("i8", "i64"), ("bf16", "ui8"), ("complex<f64>", "i8")] {
        // Rows; single elements by pairs; windows with the vectors first; batches.
        agrees(&format!("func.func @main(%a: tensor<9x11x{ty}>, %i: tensor<6x{index}>) -> tensor<6x11x{ty}> {{
            %0 = \"stablehlo.gather\"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 11>}}> : (tensor<9x11x{ty}>, tensor<6x{index}>) -> tensor<6x11x{ty}>
            return %0 : tensor<6x11x{ty}>
          }}"), 5);
        agrees(&format!("func.func @main(%a: tensor<9x11x{ty}>, %i: tensor<6x2x5x{index}>) -> tensor<6x5x{ty}> {{
            %0 = \"stablehlo.gather\"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}}> : (tensor<9x11x{ty}>, tensor<6x2x5x{index}>) -> tensor<6x5x{ty}>
            return %0 : tensor<6x5x{ty}>
          }}"), 6);
        agrees(&format!("func.func @main(%b: tensor<11x9x{ty}>, %i: tensor<2x6x{index}>) -> tensor<3x6x2x{ty}> {{
            %a = stablehlo.transpose %b, dims = [1, 0] : (tensor<11x9x{ty}>) -> tensor<9x11x{ty}>
            %0 = \"stablehlo.gather\"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 3, 2>}}> : (tensor<9x11x{ty}>, tensor<2x6x{index}>) -> tensor<3x6x2x{ty}>
            return %0 : tensor<3x6x2x{ty}>
          }}"), 7);
        agrees(&format!("func.func @main(%a: tensor<4x9x3x{ty}>, %i: tensor<6x4x1x{index}>) -> tensor<6x4x2x{ty}> {{
            %0 = \"stablehlo.gather\"(%a, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>}}> : (tensor<4x9x3x{ty}>, tensor<6x4x1x{index}>) -> tensor<6x4x2x{ty}>
            return %0 : tensor<6x4x2x{ty}>
          }}"), 8);
    }
}

#[test]
fn scatters_agree() {
    let regions = [
        "stablehlo.add %x, %y",
        "stablehlo.maximum %y, %x",
        "stablehlo.multiply %x, %y",
        "stablehlo.subtract %y, %x",
        "replace",
    ];
    for ty in ["f32", "i32", "bf16", "f64"] {
        for region in regions {
            let body = match region {
                "replace" => format!("stablehlo.return %y : tensor<{ty}>"),
                op => format!("%r = {op} : tensor<{ty}>\n stablehlo.return %r : tensor<{ty}>"),
            };
            let op = |dims: &str, types: &str| {
                format!(
                    "\"stablehlo.scatter\"(%a, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<{dims}>}}> ({{
                ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>):
                  {body}
              }}) : {types}"
                )
            };
            let rows = op(
                "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
                &format!("(tensor<9x40x{ty}>, tensor<6xi32>, tensor<6x40x{ty}>) -> tensor<9x40x{ty}>"),
            );
            let windows = op(
                "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1",
                &format!("(tensor<9x40x{ty}>, tensor<6x2xi64>, tensor<6x3x4x{ty}>) -> tensor<9x40x{ty}>"),
            );
            let elements = op(
                "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
                &format!("(tensor<9x{ty}>, tensor<60xi32>, tensor<60x{ty}>) -> tensor<9x{ty}>"),
            );
            let batches = op(
                "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
                &format!("(tensor<4x9x3x{ty}>, tensor<6x4x1xi32>, tensor<6x4x3x{ty}>) -> tensor<4x9x3x{ty}>"),
            );
            for (op, a, i, u) in [
                (rows, "9x40", "6xi32", "6x40"),
                (windows, "9x40", "6x2xi64", "6x3x4"),
                (elements, "9", "60xi32", "60"),
                (batches, "4x9x3", "6x4x1xi32", "6x4x3"),
            ] {
                for seed in 0..2 {
                    agrees(&format!("func.func @main(%a: tensor<{a}x{ty}>, %i: tensor<{i}>, %u: tensor<{u}x{ty}>) -> tensor<{a}x{ty}> {{
                        %0 = {op}
                        return %0 : tensor<{a}x{ty}>
                      }}"), seed);
                }
            }
        }
    }
}

#[test]
fn scatters_of_any_body_agree() {
    // Half of what is there plus the update where that is larger, and a count of the updates.
    let body = |ty: &str| {
        format!(
            "^bb0(%x: tensor<{ty}>, %n: tensor<i8>, %y: tensor<{ty}>, %m: tensor<i8>):
               %p = stablehlo.compare LT, %x, %y : (tensor<{ty}>, tensor<{ty}>) -> tensor<i1>
               %s = stablehlo.add %x, %y : tensor<{ty}>
               %r = stablehlo.select %p, %s, %x : tensor<i1>, tensor<{ty}>
               %k = stablehlo.add %n, %m : tensor<i8>
               stablehlo.return %r, %k : tensor<{ty}>, tensor<i8>"
        )
    };
    let cases = [
        (
            "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
            "9x40",
            "6xi32",
            "6x40",
        ),
        (
            "update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1",
            "9x40",
            "6x2xi64",
            "6x3x4",
        ),
        ("inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", "9", "60xi32", "60"),
        (
            "update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1",
            "5x9",
            "20xi32",
            "5x20",
        ),
        (
            "update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
            "4x9x3",
            "6x4x1xi32",
            "6x4x3",
        ),
    ];
    for ty in ["f32", "i64", "bf16", "ui4"] {
        for (dims, a, i, u) in cases {
            let text = agrees(&format!("func.func @main(%a: tensor<{a}x{ty}>, %b: tensor<{a}xi8>, %i: tensor<{i}>, %u: tensor<{u}x{ty}>, %v: tensor<{u}xi8>) -> (tensor<{a}x{ty}>, tensor<{a}xi8>, tensor<{a}xi8>) {{
                %0:2 = \"stablehlo.scatter\"(%a, %b, %i, %u, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<{dims}>}}> ({{
                  {}
                }}) : (tensor<{a}x{ty}>, tensor<{a}xi8>, tensor<{i}>, tensor<{u}x{ty}>, tensor<{u}xi8>) -> (tensor<{a}x{ty}>, tensor<{a}xi8>)
                %1 = \"stablehlo.scatter\"(%b, %i, %v) <{{scatter_dimension_numbers = #stablehlo.scatter<{dims}>}}> ({{
                ^bb0(%x: tensor<i8>, %y: tensor<i8>):
                  %two = stablehlo.constant dense<2> : tensor<i8>
                  %d = stablehlo.divide %x, %two : tensor<i8>
                  %s = stablehlo.add %d, %y : tensor<i8>
                  stablehlo.return %s : tensor<i8>
                }}) : (tensor<{a}xi8>, tensor<{i}>, tensor<{u}xi8>) -> tensor<{a}xi8>
                return %0#0, %0#1, %1 : tensor<{a}x{ty}>, tensor<{a}xi8>, tensor<{a}xi8>
              }}", body(ty)), 12);
            assert!(text.contains("of 2 operands by a body"), "{text}");
        }
    }
}

#[test]
fn maps_agree() {
    for ty in ["f32", "i8", "bf16", "complex<f64>", "f8E5M2"] {
        let text = agrees(&format!("func.func @main(%a: tensor<70x300x{ty}>, %b: tensor<300x70x{ty}>, %p: tensor<70x300xi1>) -> tensor<70x300x{ty}> {{
            %t = stablehlo.transpose %b, dims = [1, 0] : (tensor<300x70x{ty}>) -> tensor<70x300x{ty}>
            %0 = \"stablehlo.map\"(%a, %t, %p) <{{dimensions = array<i64: 0, 1>}}> ({{
            ^bb0(%x: tensor<{ty}>, %y: tensor<{ty}>, %q: tensor<i1>):
              %1 = stablehlo.multiply %x, %y : tensor<{ty}>
              %2 = stablehlo.select %q, %1, %x : tensor<i1>, tensor<{ty}>
              stablehlo.return %2 : tensor<{ty}>
            }}) : (tensor<70x300x{ty}>, tensor<70x300x{ty}>, tensor<70x300xi1>) -> tensor<70x300x{ty}>
            return %0 : tensor<70x300x{ty}>
          }}"), 13);
        assert!(text.contains("map of"), "{text}");
    }
}

#[test]
fn bits_are_read_otherwise() {
    for (from, to) in [
        ("5x4xi8", "5xi32"),
        ("5xi32", "5x4xi8"),
        ("7xf64", "7x4xui16"),
        ("3x2xui32", "3xf64"),
        ("3x2xf8E5M2", "3xbf16"),
    ] {
        agrees(
            &format!(
                "func.func @main(%a: tensor<{from}>) -> tensor<{to}> {{
            %0 = stablehlo.bitcast_convert %a : (tensor<{from}>) -> tensor<{to}>
            return %0 : tensor<{to}>
          }}"
            ),
            14,
        );
    }
}

#[test]
fn nothing_is_computed_of_nothing() {
    agrees("func.func @main(%a: tensor<6x8xf32>, %i: tensor<0x1xi32>, %s: tensor<0x5xf32>) -> (tensor<0x8xf32>, tensor<0x5xf32>) {
        %0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<6x8xf32>, tensor<0x1xi32>) -> tensor<0x8xf32>
        %1 = \"stablehlo.sort\"(%s) <{dimension = 1 : i64}> ({
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %2 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %2 : tensor<i1>
        }) : (tensor<0x5xf32>) -> tensor<0x5xf32>
        return %0, %1 : tensor<0x8xf32>, tensor<0x5xf32>
      }", 15);
}

#[test]
fn random_bits_are_the_interpreters() {
    for (algorithm, states) in [("THREE_FRY", &[2][..]), ("PHILOX", &[2, 3]), ("DEFAULT", &[3])] {
        for state in states {
            for ty in ["ui32", "ui64", "i8", "ui4", "bf16", "f64", "i16"] {
                for shape in ["1000", "7", "3x10x3", "5x3x7", "1x1", "4x0", "300x2"] {
                    agrees(&format!("func.func @main(%s: tensor<{state}xui64>) -> (tensor<{state}xui64>, tensor<{shape}x{ty}>) {{
                        %0:2 = stablehlo.rng_bit_generator %s, algorithm = {algorithm} : (tensor<{state}xui64>) -> (tensor<{state}xui64>, tensor<{shape}x{ty}>)
                        return %0#0, %0#1 : tensor<{state}xui64>, tensor<{shape}x{ty}>
                      }}"), 9);
                }
            }
        }
    }
}

#[test]
fn transforms_agree() {
    for (real, complex, tolerance) in [("f32", "complex<f32>", 1e-6), ("f64", "complex<f64>", 1e-14)] {
        for (kind, lengths, from, to) in [
            ("FFT", "16", format!("3x16x{complex}"), format!("3x16x{complex}")),
            ("IFFT", "15", format!("3x15x{complex}"), format!("3x15x{complex}")),
            ("FFT", "6, 20", format!("2x6x20x{complex}"), format!("2x6x20x{complex}")),
            ("IFFT", "3, 5, 9", format!("3x5x9x{complex}"), format!("3x5x9x{complex}")),
            ("RFFT", "16", format!("3x16x{real}"), format!("3x9x{complex}")),
            ("RFFT", "15", format!("3x15x{real}"), format!("3x8x{complex}")),
            ("RFFT", "1", format!("3x1x{real}"), format!("3x1x{complex}")),
            ("RFFT", "4, 2", format!("4x2x{real}"), format!("4x2x{complex}")),
            ("IRFFT", "16", format!("3x9x{complex}"), format!("3x16x{real}")),
            ("IRFFT", "15", format!("3x8x{complex}"), format!("3x15x{real}")),
            ("IRFFT", "5, 6", format!("5x4x{complex}"), format!("5x6x{real}")),
            ("RFFT", "5, 6", format!("2x5x6x{real}"), format!("2x5x4x{complex}")),
        ] {
            agrees_within(
                &format!(
                    "func.func @main(%a: tensor<{from}>) -> tensor<{to}> {{
                %0 = stablehlo.fft %a, type = {kind}, length = [{lengths}] : (tensor<{from}>) -> tensor<{to}>
                return %0 : tensor<{to}>
              }}"
                ),
                10,
                tolerance,
            );
        }
    }
}

#[test]
fn triangular_matrices_agree() {
    for (ty, tolerance) in [("f32", 2e-6), ("f64", 1e-14)] {
        for n in [1, 5, 64, 150] {
            for lower in [true, false] {
                // A positive definite matrix: n + 1 on the diagonal.
                let text = format!("func.func @main(%a: tensor<2x{n}x{n}x{ty}>, %b: tensor<2x{n}x7x{ty}>, %c: tensor<2x7x{n}x{ty}>) -> (tensor<2x{n}x{n}x{ty}>, tensor<2x{n}x7x{ty}>, tensor<2x7x{n}x{ty}>, tensor<2x{n}x7x{ty}>) {{
                    %i = stablehlo.iota dim = 1 : tensor<2x{n}x{n}xi32>
                    %j = stablehlo.iota dim = 2 : tensor<2x{n}x{n}xi32>
                    %p = stablehlo.compare EQ, %i, %j : (tensor<2x{n}x{n}xi32>, tensor<2x{n}x{n}xi32>) -> tensor<2x{n}x{n}xi1>
                    %d = stablehlo.constant dense<{n}.5> : tensor<2x{n}x{n}x{ty}>
                    %m = stablehlo.select %p, %d, %a : tensor<2x{n}x{n}xi1>, tensor<2x{n}x{n}x{ty}>
                    %0 = stablehlo.cholesky %m, lower = {lower} : tensor<2x{n}x{n}x{ty}>
                    %1 = \"stablehlo.triangular_solve\"(%m, %b) <{{left_side = true, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}}> : (tensor<2x{n}x{n}x{ty}>, tensor<2x{n}x7x{ty}>) -> tensor<2x{n}x7x{ty}>
                    %2 = \"stablehlo.triangular_solve\"(%m, %c) <{{left_side = false, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}}> : (tensor<2x{n}x{n}x{ty}>, tensor<2x7x{n}x{ty}>) -> tensor<2x7x{n}x{ty}>
                    %3 = \"stablehlo.triangular_solve\"(%m, %b) <{{left_side = true, lower = {lower}, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}}> : (tensor<2x{n}x{n}x{ty}>, tensor<2x{n}x7x{ty}>) -> tensor<2x{n}x7x{ty}>
                    return %0, %1, %2, %3 : tensor<2x{n}x{n}x{ty}>, tensor<2x{n}x7x{ty}>, tensor<2x7x{n}x{ty}>, tensor<2x{n}x7x{ty}>
                  }}");
                agrees_within(&text, 11, tolerance);
            }
        }
    }
}
