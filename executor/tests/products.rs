//! Contractions and convolutions against the interpreter: all kinds of operands, at every level of vector instructions and
//! with one and two threads, which must not change a bit of the result.

#![allow(clippy::unwrap_used, clippy::allow_attributes, reason = "a test that cannot go on fails")]

use executor::{Executor, Isa, Plan};
use interpreter::compare::{Rule, compare};
use interpreter::element::{bf16, f16};
use interpreter::{Config, Host, Tensor, Value};
use stablehlo::element::ElementType;
use stablehlo::ir::Literal;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

/// Numbers in [−1, 1), or all integers.
fn random(element: ElementType, shape: &[usize], state: &mut u64) -> Literal {
    let mut data: Vec<u8> = Vec::new();
    for _ in 0..shape.iter().product() {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (*state >> 40) as f32 / (1 << 23) as f32 - 1.0;
        match element {
            ElementType::F32 => data.extend(number.to_le_bytes()),
            ElementType::F64 => data.extend(f64::from(number).to_le_bytes()),
            ElementType::BF16 => data.extend(bf16::from_f32(number).to_bits().to_le_bytes()),
            ElementType::ComplexF32 => {
                data.extend([number, 0.5 - number * number].map(f32::to_le_bytes).as_flattened())
            }
            ElementType::F16 => data.extend(f16::from_f32(number).to_bits().to_le_bytes()),
            _ => data.extend(&(*state >> 32).to_le_bytes()[..element.byte_width().min(4)]),
        }
        data.resize(data.len().next_multiple_of(element.byte_width()), 0);
    }
    Literal::new(element, shape.to_vec(), data).unwrap()
}

fn agrees(mlir: &str) {
    let parsed = parse("test", mlir);
    let parsed = if parsed.diagnostics.is_empty() { parsed } else { panic!("{:?}\n{mlir}", parsed.diagnostics) };
    let verified = verify(&parsed.module, mlir).unwrap_or_else(|faults| panic!("{faults:?}\n{mlir}"));
    let main = parsed.module.function("main").unwrap();
    let mut state = 7;
    let plan = Plan::new(verified, main, Isa::Baseline).unwrap();
    let inputs: Vec<Literal> =
        plan.inputs().iter().map(|port| random(port.element.unwrap(), &port.shape, &mut state)).collect();
    let values = inputs.iter().map(|input| Value::Tensor(Tensor::from(input))).collect();
    let expected = interpreter::run(verified, main, values, &Config::default(), &mut Host::default()).unwrap().results;
    let expected = expected[0].tensor().unwrap();
    let rule = match expected.element() {
        ElementType::F32 | ElementType::ComplexF32 => Rule { atol: 1e-4, rtol: 1e-5, ulp: 0 },
        ElementType::F64 | ElementType::ComplexF64 => Rule { atol: 1e-12, rtol: 1e-12, ulp: 0 },
        ElementType::BF16 => Rule { atol: 1e-3, rtol: 1e-2, ulp: 1 },
        ElementType::F16 => Rule { atol: 1e-3, rtol: 1e-3, ulp: 1 },
        _ => Rule::EXACT,
    };
    for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
        let plan = Plan::new(verified, main, isa).unwrap();
        assert!(expected.is_empty() || plan.left_to_interpreter().is_empty(), "{plan}\n{mlir}");
        let mut first: Option<Literal> = None;
        for n_threads in [1, 2] {
            let results =
                Executor::new(n_threads).run(&plan, &inputs, &Config::default(), &mut Host::default()).unwrap();
            let found = compare(&Tensor::from(&results[0]), expected, rule);
            assert!(found.passes(), "{isa}, {n_threads} threads: {found:?}\n{mlir}\n{plan}");
            let first = first.get_or_insert_with(|| results[0].clone());
            assert_eq!(first.data(), results[0].data(), "{isa}: the number of threads matters\n{mlir}");
        }
    }
}

fn tensor(shape: &[usize], element: &str) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{element}>")
}

fn program(op: &str, shapes: [&[usize]; 3], element: &str, result: &str) -> String {
    let [lhs, rhs] = [shapes[0], shapes[1]].map(|shape| tensor(shape, element));
    let result = tensor(shapes[2], result);
    format!(
        "func.func @main(%a: {lhs}, %b: {rhs}) -> {result} {{\n  %0 = stablehlo.{op} : ({lhs}, {rhs}) -> {result}\n  \
         return %0 : {result}\n}}\n"
    )
}

fn dot(shapes: [&[usize]; 3], numbers: &str, element: &str, result: &str) {
    agrees(&program(&format!("dot_general %a, %b, {numbers}"), shapes, element, result));
}

const TYPES: &[(&str, &str)] = &[
    ("f32", "f32"),
    ("f64", "f64"),
    ("bf16", "bf16"),
    ("bf16", "f32"),
    ("f16", "f16"),
    ("i8", "i32"),
    ("i8", "i8"),
    ("ui8", "i32"),
    ("i16", "i16"),
    ("i32", "i32"),
    ("ui32", "ui32"),
    ("i64", "i64"),
    ("i8", "i64"),
    ("complex<f32>", "complex<f32>"),
];

#[test]
fn matrices_of_all_types_in_both_orders() {
    for (element, result) in TYPES {
        for (m, k, n) in [(1, 1, 1), (1, 33, 70), (3, 8, 65), (13, 65, 33), (37, 130, 97), (70, 40, 1), (25, 700, 49)] {
            dot([&[m, k], &[k, n], &[m, n]], "contracting_dims = [1] x [0]", element, result);
            dot([&[k, m], &[k, n], &[m, n]], "contracting_dims = [0] x [0]", element, result);
            dot([&[m, k], &[n, k], &[m, n]], "contracting_dims = [1] x [1]", element, result);
            dot([&[k, m], &[n, k], &[m, n]], "contracting_dims = [0] x [1]", element, result);
        }
    }
}

#[test]
fn operands_of_several_blocks() {
    for (element, result) in [("f32", "f32"), ("bf16", "bf16")] {
        let (m, k, n) = (14, 1300, 900);
        dot([&[m, k], &[k, n], &[m, n]], "contracting_dims = [1] x [0]", element, result);
        dot([&[k, m], &[n, k], &[m, n]], "contracting_dims = [0] x [1]", element, result);
    }
    dot([&[14, 3000], &[3000, 40], &[14, 40]], "contracting_dims = [1] x [0]", "i8", "i32");
}

#[test]
fn batches_and_several_contracting_dimensions() {
    for (element, result) in [("f32", "f32"), ("bf16", "bf16"), ("i8", "i32"), ("i32", "i32")] {
        let dot = |shapes, numbers| dot(shapes, numbers, element, result);
        let batched = "batching_dims = [0] x [0], contracting_dims = [2] x [1]";
        dot([&[3, 5, 7], &[3, 7, 4], &[3, 5, 4]], batched);
        dot([&[300, 4, 8], &[300, 8, 16], &[300, 4, 16]], batched);
        dot([&[40, 1, 64], &[40, 64, 1], &[40, 1, 1]], batched);
        dot([&[7, 3, 5], &[4, 7, 3], &[3, 5, 4]], "batching_dims = [1] x [2], contracting_dims = [0] x [1]");
        let heads = "batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]";
        dot([&[2, 5, 3, 7], &[2, 6, 3, 7], &[2, 3, 5, 6]], heads);
        dot([&[4, 5, 6], &[6, 4, 8], &[5, 8]], "contracting_dims = [0, 2] x [1, 0]");
        dot([&[4, 5, 6], &[5, 6, 8], &[4, 8]], "contracting_dims = [1, 2] x [0, 1]");
    }
}

#[test]
fn nothing_to_multiply_and_nothing_to_sum() {
    dot([&[4, 0], &[0, 8], &[4, 8]], "contracting_dims = [1] x [0]", "f32", "f32");
    dot([&[4, 0], &[0, 8], &[4, 8]], "contracting_dims = [1] x [0]", "i8", "i32");
    dot([&[0, 4], &[4, 8], &[0, 8]], "contracting_dims = [1] x [0]", "f32", "f32");
    dot([&[4, 5], &[6, 7], &[4, 5, 6, 7]], "contracting_dims = [] x []", "f32", "f32");
    dot([&[64], &[64], &[]], "contracting_dims = [0] x [0]", "f32", "f32");
}

#[test]
fn lines_without_elements_take_no_memory() {
    dot([&[1 << 50, 0], &[0, 0], &[1 << 50, 0]], "contracting_dims = [1] x [0]", "f32", "f32");
}

#[test]
fn operands_that_are_views() {
    agrees(
        "func.func @main(%a: tensor<8x6x40xf32>, %b: tensor<40x80xf32>) -> tensor<6x4x20xf32> {
          %0 = stablehlo.transpose %a, dims = [1, 0, 2] : (tensor<8x6x40xf32>) -> tensor<6x8x40xf32>
          %1 = stablehlo.slice %0 [0:6, 1:8:2, 0:40] : (tensor<6x8x40xf32>) -> tensor<6x4x40xf32>
          %2 = stablehlo.slice %b [0:40, 3:63:3] : (tensor<40x80xf32>) -> tensor<40x20xf32>
          %3 = stablehlo.dot_general %1, %2, contracting_dims = [2] x [0]
            : (tensor<6x4x40xf32>, tensor<40x20xf32>) -> tensor<6x4x20xf32>
          return %3 : tensor<6x4x20xf32>
        }",
    );
    agrees(
        "func.func @main(%a: tensor<9xf32>, %b: tensor<9x33xf32>) -> tensor<5x33xf32> {
          %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<9xf32>) -> tensor<5x9xf32>
          %1 = stablehlo.reverse %b, dims = [0, 1] : tensor<9x33xf32>
          %2 = stablehlo.dot %0, %1 : (tensor<5x9xf32>, tensor<9x33xf32>) -> tensor<5x33xf32>
          return %2 : tensor<5x33xf32>
        }",
    );
}

/// A convolution of two spatial dimensions.
struct Conv {
    base: [usize; 2],
    features: (usize, usize),
    size: [usize; 2],
    stride: [usize; 2],
    pad: [[i64; 2]; 2],
    lhs_dilate: [usize; 2],
    rhs_dilate: [usize; 2],
    groups: usize,
    reverse: [bool; 2],
}

const PLAIN: Conv = Conv {
    base: [9, 11],
    features: (5, 7),
    size: [3, 3],
    stride: [1, 1],
    pad: [[1, 1], [1, 1]],
    lhs_dilate: [1, 1],
    rhs_dilate: [1, 1],
    groups: 1,
    reverse: [false, false],
};

impl Conv {
    /// In the order of features last, and of features before places.
    fn agrees(&self, element: &str, result: &str) {
        let out = |dim: usize| {
            let base = (self.base[dim] - 1) * self.lhs_dilate[dim] + 1;
            let base = base as i64 + self.pad[dim][0] + self.pad[dim][1];
            (base as usize - ((self.size[dim] - 1) * self.rhs_dilate[dim] + 1)) / self.stride[dim] + 1
        };
        let ([h, w], [kh, kw], (c, o), b) = (self.base, self.size, self.features, 2);
        let (oh, ow, i) = (out(0), out(1), c / self.groups);
        let window = format!(
            "stride = {:?}, pad = {:?}, lhs_dilate = {:?}, rhs_dilate = {:?}, reverse = {:?}",
            self.stride, self.pad, self.lhs_dilate, self.rhs_dilate, self.reverse
        );
        let op = |numbers: &str| {
            format!(
                "convolution(%a, %b) dim_numbers = {numbers}, window = {{{window}}} {{batch_group_count = 1 : i64, \
                 feature_group_count = {} : i64}}",
                self.groups
            )
        };
        let last = op("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
        agrees(&program(&last, [&[b, h, w, c], &[kh, kw, i, o], &[b, oh, ow, o]], element, result));
        let first = op("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]");
        agrees(&program(&first, [&[b, c, h, w], &[o, i, kh, kw], &[b, o, oh, ow]], element, result));
        let mixed = op("[0, 1, b, f]x[o, 0, i, 1]->[0, b, 1, f]");
        agrees(&program(&mixed, [&[h, w, b, c], &[o, kh, i, kw], &[oh, b, ow, o]], element, result));
    }
}

#[test]
fn convolutions_of_all_kinds() {
    for (element, result) in [("f32", "f32"), ("bf16", "bf16"), ("i8", "i32"), ("i32", "i32")] {
        let cases = [
            PLAIN,
            Conv { features: (33, 35), size: [1, 1], pad: [[0; 2]; 2], ..PLAIN },
            Conv { base: [20, 20], features: (3, 34), size: [7, 7], stride: [2, 2], pad: [[2, 3], [2, 3]], ..PLAIN },
            Conv { features: (64, 33), base: [14, 14], ..PLAIN },
            Conv { features: (4, 8), groups: 2, size: [3, 2], stride: [2, 1], rhs_dilate: [1, 2], ..PLAIN },
            Conv { features: (6, 6), pad: [[2, 2], [1, 3]], reverse: [false, true], ..PLAIN },
            Conv { features: (6, 6), pad: [[-1, 2], [1, -3]], reverse: [true, false], ..PLAIN },
        ];
        cases.iter().for_each(|case| case.agrees(element, result));
    }
}

#[test]
fn small_groups() {
    for (features, groups) in
        [((40, 40), 40), ((20, 40), 20), ((3, 3), 3), ((40, 40), 10), ((24, 24), 3), ((18, 18), 9)]
    {
        let case = Conv { features, groups, ..PLAIN };
        case.agrees("f32", "f32");
        Conv { stride: [2, 2], pad: [[1, 1], [-1, 1]], ..case }.agrees("f32", "f32");
    }
}

#[test]
fn dilated_inputs() {
    for (lhs_dilate, size, stride, pad) in [
        ([2, 2], [4, 4], [1, 1], [[2, 2], [2, 2]]),
        ([2, 3], [3, 3], [1, 1], [[2, 2], [1, 3]]),
        ([3, 1], [1, 2], [1, 1], [[0, 2], [1, 0]]),
        ([2, 1], [3, 3], [1, 2], [[-3, 5], [1, 1]]),
        ([2, 2], [3, 3], [2, 1], [[1, 1], [1, 1]]),
        ([5, 2], [2, 2], [1, 1], [[7, 0], [-2, 4]]),
    ] {
        for reverse in [[false, false], [true, false]] {
            let case = Conv { lhs_dilate, size, stride, pad, reverse, ..PLAIN };
            case.agrees("f32", "f32");
            case.agrees("i8", "i32");
            Conv { features: (20, 20), groups: 20, ..case }.agrees("f32", "f32");
        }
    }
}

#[test]
fn groups_of_the_batch() {
    for (element, result) in [("f32", "f32"), ("bf16", "bf16"), ("i8", "i32")] {
        let op = |numbers: &str| {
            format!(
                "convolution(%a, %b) dim_numbers = {numbers}, window = {{pad = [[1, 0], [0, 2]], lhs_dilate = [2, 1]}} \
                 {{batch_group_count = 3 : i64, feature_group_count = 1 : i64}}"
            )
        };
        let last = op("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
        agrees(&program(&last, [&[6, 5, 5, 4], &[3, 3, 4, 9], &[2, 8, 5, 9]], element, result));
        let first = op("[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]");
        agrees(&program(&first, [&[6, 4, 5, 5], &[9, 4, 3, 3], &[2, 9, 8, 5]], element, result));
    }
}

#[test]
fn zeros_between_elements_are_multiplied() {
    for (element, infinite) in [("f32", "0x7F800000"), ("bf16", "0x7F80"), ("f64", "0xFFF8000000000000")] {
        for (size, n_in, pad, out) in [(3, 2, 2, 7), (2, 1, 0, 4), (4, 3, 3, 8)] {
            let (input, weights) = (format!("1x3x3x{n_in}x{element}"), format!("{size}x{size}x{n_in}x3x{element}"));
            agrees(&format!(
                "func.func @main(%a: tensor<{input}>, %b: tensor<{weights}>) -> tensor<1x{out}x{out}x3x{element}> {{
                   %large = stablehlo.constant dense<0.8> : tensor<{weights}>
                   %special = stablehlo.constant dense<{infinite}> : tensor<{weights}>
                   %is = stablehlo.compare GT, %b, %large : (tensor<{weights}>, tensor<{weights}>)
                     -> tensor<{size}x{size}x{n_in}x3xi1>
                   %w = stablehlo.select %is, %special, %b : tensor<{size}x{size}x{n_in}x3xi1>, tensor<{weights}>
                   %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                     window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]], lhs_dilate = [2, 2]}}
                     {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
                     : (tensor<{input}>, tensor<{weights}>) -> tensor<1x{out}x{out}x3x{element}>
                   return %0 : tensor<1x{out}x{out}x3x{element}>
                 }}"
            ));
        }
    }
}

#[test]
fn kernels_of_three_by_three() {
    let plain = Conv { base: [14, 13], features: (32, 48), ..PLAIN };
    plain.agrees("f32", "f32");
    Conv { pad: [[0, 0], [2, -1]], reverse: [true, false], ..plain }.agrees("f32", "f32");
    Conv { base: [9, 24], features: (48, 32), pad: [[-2, 3], [0, 1]], ..plain }.agrees("f32", "f32");
}

/// The parts of transforms that are kernels of ours: the halves of real spectra, and columns as lines.
#[test]
fn transforms() {
    let cases = [
        ("RFFT", "2x512xf32", "2x257xcomplex<f32>", "512"),
        ("RFFT", "3x2xf32", "3x2xcomplex<f32>", "2"),
        ("RFFT", "3x4xf32", "3x3xcomplex<f32>", "4"),
        ("RFFT", "3x60xf32", "3x31xcomplex<f32>", "60"),
        ("RFFT", "2x34xf64", "2x18xcomplex<f64>", "34"),
        ("RFFT", "2x15xf32", "2x8xcomplex<f32>", "15"),
        ("IRFFT", "2x33xcomplex<f32>", "2x64xf32", "64"),
        ("FFT", "2x48x32xcomplex<f32>", "2x48x32xcomplex<f32>", "48, 32"),
        ("IFFT", "16x20xcomplex<f32>", "16x20xcomplex<f32>", "16, 20"),
        ("FFT", "9x24xcomplex<f32>", "9x24xcomplex<f32>", "9, 24"),
        ("RFFT", "8x16x30xf32", "8x16x16xcomplex<f32>", "8, 16, 30"),
    ];
    for (kind, from, to, length) in cases {
        agrees(&format!(
            "func.func @main(%a: tensor<{from}>) -> tensor<{to}> {{
               %0 = stablehlo.fft %a, type = {kind}, length = [{length}] : (tensor<{from}>) -> tensor<{to}>
               return %0 : tensor<{to}>
             }}"
        ));
    }
}

/// Where features are not neighbours they are copied.
#[test]
fn features_are_copied_beside_each_other() {
    let plan = plan_of(&program(
        "convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} \
         {batch_group_count = 1 : i64, feature_group_count = 1 : i64}",
        [&[2, 32, 14, 14], &[32, 32, 3, 3], &[2, 32, 14, 14]],
        "f32",
        "f32",
    ));
    assert_eq!(plan.contains("copied beside"), Isa::best() > Isa::Baseline, "{plan}");
}

/// The plan for the best instructions in words.
fn plan_of(mlir: &str) -> String {
    let parsed = parse("test", mlir);
    let verified = verify(&parsed.module, mlir).unwrap();
    Plan::new(verified, parsed.module.function("main").unwrap(), Isa::best()).unwrap().to_string()
}

/// A convolution of which some elements are infinite or huge.
fn special(precision: &str, value: &str) -> String {
    let (input, weights, is) = ("2x12x12x32xf32", "3x3x32x32xf32", "2x12x12x32xi1");
    format!(
        "func.func @main(%a: tensor<{input}>, %b: tensor<{weights}>) -> tensor<{input}> {{
           %large = stablehlo.constant dense<0.999> : tensor<{input}>
           %special = stablehlo.constant dense<{value}> : tensor<{input}>
           %is = stablehlo.compare GT, %a, %large : (tensor<{input}>, tensor<{input}>) -> tensor<{is}>
           %x = stablehlo.select %is, %special, %a : tensor<{is}>, tensor<{input}>
           %0 = stablehlo.convolution(%x, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
             window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
             precision_config = [#stablehlo<precision {precision}>, #stablehlo<precision {precision}>]}}
             : (tensor<{input}>, tensor<{weights}>) -> tensor<{input}>
           return %0 : tensor<{input}>
         }}"
    )
}

#[test]
fn infinities_are_where_windows_have_them() {
    agrees(&special("DEFAULT", "0x7F800000"));
    agrees(&special("DEFAULT", "-3.0e38"));
    agrees(&special("HIGHEST", "1.0e10"));
}

#[test]
fn fewer_multiplications_need_the_default_precision() {
    for (precision, is_fewer) in [("DEFAULT", true), ("HIGH", false)] {
        let plan = plan_of(&special(precision, "1.0"));
        assert_eq!(plan.contains("tiles of 2x2"), is_fewer && Isa::best() > Isa::Baseline, "{plan}");
    }
}
