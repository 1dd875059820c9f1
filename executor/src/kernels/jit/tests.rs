//! Machine code against the step functions: the same bits, for every type and op, any number of elements, all accesses.

#![cfg(target_arch = "x86_64")]

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use interpreter::element::{CompareType, Direction};

use crate::kernels::elementwise::{self, Detail, Operation};
use crate::kernels::fused::{Access, Input, Instr, Loop, Reg};
use crate::kernels::isa::Isa;
use crate::kernels::lanes::StepFn;
use crate::kernels::memory::{Buffer, Memory, SlotId};
use crate::kernels::pool::Pool;
use crate::kernels::strided::Strided;
use crate::kernels::vector_math::tests::SPECIAL;

const TYPES: [ElementType; 13] = [
    ElementType::I1,
    ElementType::I8,
    ElementType::I16,
    ElementType::I32,
    ElementType::I64,
    ElementType::UI8,
    ElementType::UI16,
    ElementType::UI32,
    ElementType::UI64,
    ElementType::BF16,
    ElementType::F16,
    ElementType::F32,
    ElementType::F64,
];

const SIZES: [usize; 8] = [1, 15, 16, 17, 33, 129, 511, 1000];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0.rotate_left(32)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 8) as usize % n
    }

    /// An element of any bits, often special or near to one.
    fn element(&mut self, element: ElementType) -> [u8; 8] {
        let word = self.next();
        let small = ((word % 4096) as f64 - 2048.0) / 128.0;
        let bits = match (self.next() >> 60, element) {
            (0, _) => 0,
            (1, _) => 1 << (word % 64),
            (2, _) => !(u64::MAX >> (word % 64)),
            (3, _) => u64::MAX >> (word % 64),
            (4, _) => word & 0xff,
            (5, _) => (word & 0xff).wrapping_neg(),
            (6, _) => (word | 0x7ff0_7f80_7c00_7f80) & 0xffff_ffff_ffff_ff80,
            (7..12, ElementType::F32) => u64::from((small as f32).to_bits()),
            (7..12, ElementType::F64) => small.to_bits(),
            (7..12, ElementType::BF16) => u64::from((small as f32).to_bits() >> 16),
            _ => word,
        };
        let bits = if element == ElementType::I1 { bits & 1 } else { bits };
        bits.to_le_bytes()
    }

    fn buffer(&mut self, element: ElementType, n: usize) -> Buffer {
        let width = element.byte_width();
        let bytes: Vec<u8> = (0..n).flat_map(|_| self.element(element)[..width].to_vec()).collect();
        Buffer::of(&bytes)
    }
}

fn step(op: &Operation) -> Option<StepFn> {
    let isa = Isa::Avx512;
    match (op.kind, op.detail) {
        (OpKind::Compare, Detail::Compare(direction, _)) => {
            elementwise::compare(isa, op.from, direction, CompareType::Float)
        }
        (OpKind::Select, _) => elementwise::select(isa, op.to),
        (OpKind::Convert, _) => elementwise::convert(isa, op.from, op.to),
        (OpKind::BitcastConvert | OpKind::Reshape, _) => Some(elementwise::copy(op.to)),
        (OpKind::ReducePrecision, Detail::Precision(e, m)) => elementwise::reduce_precision(isa, op.from, e, m),
        _ => elementwise::simple(isa, op.kind, op.from),
    }
}

/// Whether two elements have the same bits or are both NaN.
fn same(element: ElementType, a: &[u8], b: &[u8]) -> bool {
    let is_nan = |x: &[u8]| match element {
        ElementType::F32 => f32::from_le_bytes(x.try_into().unwrap()).is_nan(),
        ElementType::F64 => f64::from_le_bytes(x.try_into().unwrap()).is_nan(),
        ElementType::BF16 => u16::from_le_bytes(x.try_into().unwrap()) & 0x7fff > 0x7f80,
        ElementType::F16 => u16::from_le_bytes(x.try_into().unwrap()) & 0x7fff > 0x7c00,
        _ => false,
    };
    a == b || is_nan(a) && is_nan(b)
}

/// Functions that are computed in another way than the step does.
const OTHERWISE: [OpKind; 7] =
    [OpKind::Cosine, OpKind::Erf, OpKind::Erfc, OpKind::Power, OpKind::Sine, OpKind::Tanh, OpKind::ErfInv];

/// The distance of two floats in representable numbers; of others whether they are the same.
fn distance(element: ElementType, a: &[u8], b: &[u8]) -> u64 {
    let order = |bits: i64, sign: i64| if bits & sign == 0 { bits } else { -(bits & !sign) };
    match element {
        _ if same(element, a, b) => 0,
        ElementType::F32 => {
            let bits = |x: &[u8]| order(i64::from(u32::from_le_bytes(x.try_into().unwrap())), 1 << 31);
            bits(a).abs_diff(bits(b))
        }
        ElementType::BF16 | ElementType::F16 => {
            let bits = |x: &[u8]| order(i64::from(u16::from_le_bytes(x.try_into().unwrap())), 1 << 15);
            bits(a).abs_diff(bits(b))
        }
        _ => u64::MAX,
    }
}

/// Runs a loop both ways on the same inputs. The last slots are the outputs. Whether there is machine code.
fn check(mut fused: Loop, widths: &[usize], inputs: &[Buffer], outputs: &[ElementType], what: &str) -> bool {
    fused.assign_tiles(widths);
    fused.compile(Isa::Avx512, |_| None);
    if fused.machine.is_none() {
        return false;
    }
    let run = |fused: &Loop| {
        let results: Vec<Buffer> = outputs.iter().map(|element| Buffer::new(fused.n * element.byte_width())).collect();
        let slots = inputs.iter().chain(&results).map(|buffer| (buffer.as_ptr(), buffer.bytes().len()));
        fused.run(&Memory::new(slots), &Pool::new(1));
        results
    };
    let by_code = run(&fused);
    fused.machine = None;
    let by_steps = run(&fused);
    for ((element, a), b) in outputs.iter().zip(&by_code).zip(&by_steps) {
        let width = element.byte_width();
        for (index, (a, b)) in a.bytes().chunks(width).zip(b.bytes().chunks(width)).enumerate() {
            let operands: Vec<_> = inputs
                .iter()
                .zip(widths)
                .map(|(input, width)| input.bytes().get(index * width..(index + 1) * width))
                .collect();
            let is_good = match fused.code.iter().any(|instr| OTHERWISE.contains(&instr.op.unwrap().kind)) {
                // Each of them is within two of the exact number.
                true => fused.code.len() > 1 || distance(*element, a, b) <= 3,
                false => same(*element, a, b),
            };
            assert!(is_good, "{what}, n = {}, element {index}: {a:x?}, not {b:x?}, of {operands:x?}", fused.n);
        }
    }
    true
}

fn linear(slot: usize, element: ElementType) -> Input {
    Input { slot: SlotId(slot as u32), width: element.byte_width(), access: Access::Linear { offset: 0 } }
}

fn empty(n: usize, inputs: Vec<Input>, code: Vec<Instr>, outputs: Vec<(Reg, SlotId, usize)>) -> Loop {
    Loop { n, inputs, code, outputs, tiles: Vec::new(), scratch: 0, small: None, machine: None, is_cached: false }
}

/// One op on linear operands.
fn one(op: Operation, operands: &[ElementType], seed: u64) -> bool {
    let Some(f) = step(&op) else { return false };
    let mut is_covered = false;
    for n in SIZES {
        let mut random = Random(seed + n as u64);
        let buffers: Vec<Buffer> = operands.iter().map(|element| random.buffer(*element, n)).collect();
        let inputs = operands.iter().enumerate().map(|(slot, element)| linear(slot, *element)).collect();
        let out = operands.len() as Reg;
        let arg = |at: usize| if at < operands.len() { at as Reg } else { 0 };
        let code = vec![Instr { f, op: Some(op), name: "", out, args: [arg(0), arg(1), arg(2)] }];
        let fused = empty(n, inputs, code, vec![(out, SlotId(u32::from(out)), op.to.byte_width())]);
        let widths: Vec<usize> = operands.iter().chain([&op.to]).map(|element| element.byte_width()).collect();
        is_covered |= check(fused, &widths, &buffers, &[op.to], &format!("{op:?}"));
    }
    is_covered
}

const UNARY: [OpKind; 41] = [
    OpKind::Abs,
    OpKind::Acos,
    OpKind::Acosh,
    OpKind::Asin,
    OpKind::Asinh,
    OpKind::Atan,
    OpKind::Atanh,
    OpKind::Cbrt,
    OpKind::Ceil,
    OpKind::Cosh,
    OpKind::Cosine,
    OpKind::CountLeadingZeros,
    OpKind::Erf,
    OpKind::ErfInv,
    OpKind::Erfc,
    OpKind::Exponential,
    OpKind::ExponentialMinusOne,
    OpKind::Floor,
    OpKind::IsFinite,
    OpKind::IsInf,
    OpKind::IsNegInf,
    OpKind::IsPosInf,
    OpKind::Log,
    OpKind::LogPlusOne,
    OpKind::Logistic,
    OpKind::Negate,
    OpKind::Not,
    OpKind::Popcnt,
    OpKind::RoundNearestAfz,
    OpKind::RoundNearestEven,
    OpKind::Rsqrt,
    OpKind::Sign,
    OpKind::Sine,
    OpKind::Sinh,
    OpKind::Sqrt,
    OpKind::Square,
    OpKind::Tan,
    OpKind::ChloTan,
    OpKind::Tanh,
    OpKind::Reshape,
    OpKind::BitcastConvert,
];

const BINARY: [OpKind; 16] = [
    OpKind::Add,
    OpKind::And,
    OpKind::Atan2,
    OpKind::Divide,
    OpKind::Maximum,
    OpKind::Minimum,
    OpKind::Multiply,
    OpKind::Or,
    OpKind::Power,
    OpKind::Remainder,
    OpKind::ShiftLeft,
    OpKind::ShiftRightArithmetic,
    OpKind::ShiftRightLogical,
    OpKind::Subtract,
    OpKind::Xor,
    OpKind::Mulhi,
];

fn is_predicate(kind: OpKind) -> bool {
    matches!(kind, OpKind::IsFinite | OpKind::IsInf | OpKind::IsNegInf | OpKind::IsPosInf)
}

#[test]
fn every_op_of_every_type_has_the_bits_of_its_step() {
    if !Isa::Avx512.is_available() {
        return;
    }
    let mut n_covered = 0;
    for element in TYPES {
        for kind in UNARY {
            let to = if is_predicate(kind) { ElementType::I1 } else { element };
            n_covered += usize::from(one(Operation { kind, from: element, to, detail: Detail::None }, &[element], 1));
        }
        for kind in BINARY {
            let op = Operation { kind, from: element, to: element, detail: Detail::None };
            n_covered += usize::from(one(op, &[element; 2], 2));
        }
        let op = Operation { kind: OpKind::Clamp, from: element, to: element, detail: Detail::None };
        n_covered += usize::from(one(op, &[element; 3], 3));
        let op = Operation { kind: OpKind::Select, from: ElementType::I1, to: element, detail: Detail::None };
        n_covered += usize::from(one(op, &[ElementType::I1, element, element], 4));
        for direction in [Direction::Eq, Direction::Ne, Direction::Ge, Direction::Gt, Direction::Le, Direction::Lt] {
            let detail = Detail::Compare(direction, false);
            let op = Operation { kind: OpKind::Compare, from: element, to: ElementType::I1, detail };
            n_covered += usize::from(one(op, &[element; 2], 5));
        }
        for to in TYPES {
            let op = Operation { kind: OpKind::Convert, from: element, to, detail: Detail::None };
            n_covered += usize::from(element != to && one(op, &[element], 6));
        }
    }
    let op = Operation {
        kind: OpKind::ReducePrecision,
        from: ElementType::F32,
        to: ElementType::F32,
        detail: Detail::Precision(8, 7),
    };
    n_covered += usize::from(one(op, &[ElementType::F32], 7));
    assert!(n_covered > 450, "{n_covered} are covered");
}

/// Bitcasts between types of one width.
#[test]
fn bitcasts_have_the_bits_of_their_step() {
    if !Isa::Avx512.is_available() {
        return;
    }
    for from in TYPES {
        for to in TYPES.into_iter().filter(|to| to.bits() == from.bits()) {
            one(Operation { kind: OpKind::BitcastConvert, from, to, detail: Detail::None }, &[from], 8);
        }
    }
}

/// Loops of many ops with operands of all accesses, so that registers run out.
#[test]
fn random_loops_have_the_bits_of_their_steps() {
    if !Isa::Avx512.is_available() {
        return;
    }
    let mut n_covered = 0;
    for seed in 0..240u64 {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        n_covered += usize::from(random_loop(&mut random, seed));
    }
    assert!(n_covered > 120, "{n_covered} of 240 loops are covered");
}

fn random_input(random: &mut Random, slot: usize, element: ElementType, n: usize) -> (Input, Buffer) {
    let width = element.byte_width();
    let rows = (1..=n).filter(|rows| n.is_multiple_of(*rows)).nth(random.below(4) % 2).unwrap_or(1);
    let columns = n / rows;
    let step = width as isize;
    let strided =
        |dims: &[(usize, isize)]| Access::Strided(Strided { dims: SmallVec::from_slice(dims), offset: 0, width });
    let (access, size) = match random.below(7) {
        0 => (Access::Splat { offset: width }, 2),
        1 => (strided(&[(rows, 0), (columns, step)]), columns),
        2 => (strided(&[(rows, step), (columns, 0)]), rows),
        3 => (strided(&[(columns, step), (rows, step * columns as isize)]), n),
        4 if element != ElementType::I1 => (Access::Iota { divisor: 1, size: n.max(1), element }, 1),
        5 if element != ElementType::I1 => (Access::Iota { divisor: columns, size: rows, element }, 1),
        _ => (Access::Linear { offset: 0 }, n),
    };
    (Input { slot: SlotId(slot as u32), width, access }, random.buffer(element, size))
}

fn random_loop(random: &mut Random, seed: u64) -> bool {
    let n = [1, 7, 16, 17, 64, 130, 511, 1000, 1056, 2000][random.below(10)];
    let first = TYPES[random.below(TYPES.len())];
    let mut types = Vec::new();
    let (mut inputs, mut buffers) = (Vec::new(), Vec::new());
    for slot in 0..1 + random.below(14) {
        let element = if random.below(4) == 0 { TYPES[random.below(TYPES.len())] } else { first };
        let (input, buffer) = random_input(random, slot, element, n);
        types.push(element);
        inputs.push(input);
        buffers.push(buffer);
    }
    let n_inputs = inputs.len();
    let mut code: Vec<Instr> = Vec::new();
    for _ in 0..3 + random.below(40) {
        let a = random.below(types.len());
        let of_type = |random: &mut Random, element: ElementType, types: &[ElementType]| {
            let same: Vec<usize> = (0..types.len()).filter(|reg| types[*reg] == element).collect();
            (!same.is_empty()).then(|| same[random.below(same.len())])
        };
        let from = types[a];
        let b = of_type(random, from, &types).unwrap_or(a);
        let c = of_type(random, from, &types).unwrap_or(a);
        let simple = |kind| Operation { kind, from, to: from, detail: Detail::None };
        let (op, args) = match random.below(8) {
            0 => {
                let kind = UNARY[random.below(UNARY.len())];
                let kind = if OTHERWISE.contains(&kind) { OpKind::Exponential } else { kind };
                let to = if is_predicate(kind) { ElementType::I1 } else { from };
                (Operation { to, ..simple(kind) }, [a, a, a])
            }
            1..4 => {
                let kind = BINARY[random.below(BINARY.len())];
                (simple(if kind == OpKind::Power { OpKind::Atan2 } else { kind }), [a, b, a])
            }
            4 => (simple(OpKind::Clamp), [a, b, c]),
            5 => {
                let detail = Detail::Compare([Direction::Lt, Direction::Ne][random.below(2)], false);
                (Operation { kind: OpKind::Compare, from, to: ElementType::I1, detail }, [a, b, a])
            }
            6 => match of_type(random, ElementType::I1, &types) {
                Some(pred) => (
                    Operation { kind: OpKind::Select, from: ElementType::I1, to: from, detail: Detail::None },
                    [pred, a, b],
                ),
                None => continue,
            },
            _ => {
                let to = TYPES[random.below(TYPES.len())];
                (Operation { kind: OpKind::Convert, from, to, detail: Detail::None }, [a, a, a])
            }
        };
        let op = if op.from == op.to && op.kind == OpKind::Convert { simple(OpKind::Reshape) } else { op };
        let Some(f) = step(&op) else { continue };
        // Only what has machine code, so that most loops have.
        if !one(op, &operands_of(&op), seed) {
            continue;
        }
        code.push(Instr { f, op: Some(op), name: "", out: types.len() as Reg, args: args.map(|arg| arg as Reg) });
        types.push(op.to);
    }
    if code.is_empty() {
        return false;
    }
    let mut outputs: Vec<usize> = (0..1 + random.below(4)).map(|_| n_inputs + random.below(code.len())).collect();
    outputs.sort_unstable();
    outputs.dedup();
    let stored = outputs.iter().enumerate();
    let stored = stored.map(|(index, reg)| (*reg as Reg, SlotId((n_inputs + index) as u32), types[*reg].byte_width()));
    let fused = empty(n, inputs, code, stored.collect());
    let widths: Vec<usize> = types.iter().map(|element| element.byte_width()).collect();
    let elements: Vec<ElementType> = outputs.iter().map(|reg| types[*reg]).collect();
    check(fused, &widths, &buffers, &elements, &format!("loop {seed}"))
}

fn operands_of(op: &Operation) -> SmallVec<[ElementType; 3]> {
    match op.kind {
        OpKind::Select => SmallVec::from_slice(&[ElementType::I1, op.to, op.to]),
        OpKind::Clamp => SmallVec::from_slice(&[op.from; 3]),
        kind if BINARY.contains(&kind) || kind == OpKind::Compare => SmallVec::from_slice(&[op.from; 2]),
        _ => SmallVec::from_slice(&[op.from]),
    }
}

/// The functions that are not computed as the steps do, against the interpreter's: how far they are off at most.
fn furthest(kind: OpKind, reference: fn(f32, f32) -> f32, x: &[f32], y: &[f32]) -> u64 {
    let op = Operation { kind, from: ElementType::F32, to: ElementType::F32, detail: Detail::None };
    let code = vec![Instr { f: step(&op).unwrap(), op: Some(op), name: "", out: 2, args: [0, 1, 0] }];
    let inputs = vec![linear(0, ElementType::F32), linear(1, ElementType::F32)];
    let mut fused = empty(x.len(), inputs, code, vec![(2, SlotId(2), 4)]);
    fused.assign_tiles(&[4; 3]);
    fused.compile(Isa::Avx512, |_| None);
    assert!(fused.machine.is_some(), "{kind:?} has machine code");
    let bytes = |x: &[f32]| Buffer::of(&x.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>());
    let slots = [bytes(x), bytes(y), Buffer::new(x.len() * 4)];
    fused.run(&Memory::new(slots.iter().map(|slot| (slot.as_ptr(), slot.bytes().len()))), &Pool::new(1));
    let mut worst = 0;
    for (index, result) in slots[2].bytes().chunks(4).enumerate() {
        let expected = reference(x[index], y[index]).to_le_bytes();
        let off = distance(ElementType::F32, result, &expected);
        assert!(off <= 2, "{kind:?} of {:e} and {:e}: {result:x?}, not {expected:x?}", x[index], y[index]);
        worst = worst.max(off);
    }
    worst
}

#[test]
fn functions_are_within_two_ulp_on_a_sample_of_all_operands() {
    if !Isa::Avx512.is_available() {
        return;
    }
    check_functions(&(0..1u64 << 32).step_by(100_003).map(|bits| f32::from_bits(bits as u32)).collect::<Vec<_>>());
}

#[test]
#[ignore = "takes an hour: every f32 of every function"]
fn functions_are_within_two_ulp_on_all_operands() {
    for start in (0..1u64 << 32).step_by(1 << 20) {
        check_functions(&(start..start + (1 << 20)).map(|bits| f32::from_bits(bits as u32)).collect::<Vec<_>>());
    }
}

fn check_functions(x: &[f32]) {
    use interpreter::element::{Elementary, Float};
    type Reference = (OpKind, fn(f32, f32) -> f32);
    let functions: [Reference; 7] = [
        (OpKind::Tanh, |x, _| Elementary::tanh(x)),
        (OpKind::Erf, |x, _| Float::erf(x)),
        (OpKind::Erfc, |x, _| Float::erfc(x)),
        (OpKind::Sine, |x, _| Elementary::sine(x)),
        (OpKind::Cosine, |x, _| Elementary::cosine(x)),
        (OpKind::Exponential, |x, _| Elementary::exponential(x)),
        (OpKind::Log, |x, _| Elementary::log(x)),
    ];
    for (kind, reference) in functions {
        furthest(kind, reference, x, x);
    }
}

#[test]
fn powers_are_within_two_ulp() {
    use interpreter::element::Number;
    if !Isa::Avx512.is_available() {
        return;
    }
    let mut random = Random(9);
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for a in SPECIAL {
        x.extend([a; SPECIAL.len()]);
        y.extend(SPECIAL);
    }
    for _ in 0..200_000 {
        let near = |random: &mut Random| 1.0 + (random.next() % 65_536) as f32 / 524_288.0 - 0.0625;
        let any = |random: &mut Random| f32::from_bits(random.next() as u32);
        let size = |random: &mut Random| ((random.next() % 65_536) as f32 / 32_768.0 - 1.0) * 1600.0;
        x.extend([near(&mut random), any(&mut random), any(&mut random).abs()]);
        y.extend([size(&mut random), any(&mut random), size(&mut random) / 100.0]);
    }
    furthest(OpKind::Power, Number::power, &x, &y);
}
