//! The functions against the interpreter's.

use interpreter::element::{Element, ElementType, Elementary, Float, Number, bf16, f16};
use stablehlo::ops::OpKind;

use super::step;
use crate::kernels::isa::Isa;

/// A function of one element.
type Reference<T> = fn(T) -> T;

/// All functions of one operand, and how many ulp they may be off in `f32`.
fn functions<T: Float + Elementary>() -> Vec<(OpKind, Reference<T>, i64)> {
    vec![
        (OpKind::Acos, T::acos, 1),
        (OpKind::Acosh, T::acosh, 1),
        (OpKind::Asin, T::asin, 1),
        (OpKind::Asinh, T::asinh, 1),
        (OpKind::Atan, T::atan, 1),
        (OpKind::Atanh, T::atanh, 1),
        (OpKind::Cbrt, T::cbrt, 1),
        (OpKind::Cosh, T::cosh, 1),
        (OpKind::Cosine, T::cosine, 2),
        (OpKind::Erf, T::erf, 1),
        (OpKind::ErfInv, T::erf_inv, 1),
        (OpKind::Erfc, T::erfc, 1),
        (OpKind::Exponential, T::exponential, 1),
        (OpKind::ExponentialMinusOne, T::exponential_minus_one, 1),
        (OpKind::Log, T::log, 1),
        (OpKind::LogPlusOne, T::log_plus_one, 1),
        (OpKind::Logistic, T::logistic, 2),
        (OpKind::Rsqrt, T::rsqrt, 1),
        (OpKind::Sine, T::sine, 2),
        (OpKind::Sinh, T::sinh, 1),
        (OpKind::Sqrt, T::sqrt, 0),
        (OpKind::Tan, T::tan, 1),
        (OpKind::Tanh, T::tanh, 2),
    ]
}

/// How far `value` is from what is expected, in steps of the type; the sign of zero must be right, NaNs are all alike.
fn distance<T: Float>(value: T, expected: T) -> i64 {
    if value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan() {
        return 0;
    }
    let sign = T::FORMAT.sign_bit() as u64;
    if value.is_nan() || expected.is_nan() || (value.to_bits() ^ expected.to_bits()) & sign != 0 {
        return i64::MAX;
    }
    (value.position() - expected.position()).abs()
}

/// Compares one function on the operands with the given bits. Says how many results were not the expected ones.
fn compare<T: Float>(
    isa: Isa,
    kind: OpKind,
    reference: Reference<T>,
    limit: i64,
    bits: impl Iterator<Item = u64>,
) -> usize {
    let f = step(isa, kind, T::TYPE).expect("it has vector code");
    let operands: Vec<T> = bits.map(T::from_bits).collect();
    let mut bytes: Vec<u8> = interpreter::element::write_all(&operands);
    // SAFETY: in place, on as many elements as there are.
    unsafe { f(operands.len(), bytes.as_mut_ptr(), bytes.as_ptr(), bytes.as_ptr(), bytes.as_ptr()) };
    let results: Vec<T> = interpreter::element::read_all(&bytes);
    let mut n_off = 0;
    for (x, result) in operands.iter().zip(&results) {
        let expected = reference(*x);
        let off = distance(*result, expected);
        n_off += usize::from(off != 0);
        assert!(
            off <= limit,
            "{kind:?} on {isa}: {:#x} gives {:#x}, not {:#x}",
            x.to_bits(),
            result.to_bits(),
            expected.to_bits()
        );
    }
    n_off
}

fn isas() -> impl Iterator<Item = Isa> {
    Isa::ALL.iter().copied().filter(|isa| isa.is_available())
}

#[test]
fn f32_functions_are_within_their_bounds_on_a_sample_of_all_operands() {
    for (kind, reference, limit) in functions::<f32>() {
        for isa in isas() {
            compare::<f32>(isa, kind, reference, limit, (0..1u64 << 32).step_by(200_003));
            let ends = [0u64, 1, 0x7f_ffff, 0x80_0000, 0x3f7f_ffff, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000];
            let ends = ends.iter().chain(&[0x7f80_0001, 0x7fff_ffff]).flat_map(|bits| [*bits, *bits | 0x8000_0000]);
            compare::<f32>(isa, kind, reference, limit, ends);
        }
    }
}

#[test]
#[ignore = "takes an hour: every f32 of every function"]
fn f32_functions_are_within_their_bounds_on_all_operands() {
    for (kind, reference, limit) in functions::<f32>() {
        for start in (0..1u64 << 32).step_by(1 << 20) {
            compare::<f32>(Isa::best(), kind, reference, limit, start..start + (1 << 20));
        }
    }
}

#[test]
fn functions_of_16_bits_are_within_one_ulp_on_all_operands() {
    fn all<T: Float + Elementary>() {
        for (kind, reference, _) in functions::<T>() {
            for isa in isas() {
                let n_off = compare::<T>(isa, kind, reference, 1, 0..1 << 16);
                assert!(n_off < 40, "{kind:?} of {} on {isa}: {n_off} results are not the nearest", T::TYPE);
            }
        }
    }
    all::<bf16>();
    all::<f16>();
}

/// Operands at which powers and angles tend to be wrong.
pub(crate) const SPECIAL: [f32; 38] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    -0.5,
    3.0,
    -3.0,
    2.5,
    -2.5,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    1e-45,
    -1e-45,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    1.000_000_1,
    0.999_999_94,
    -0.999_999_94,
    16_777_216.0,
    16_777_215.0,
    -16_777_215.0,
    33_554_432.0,
    8_388_607.5,
    8_388_609.0,
    4_194_305.5,
    1e30,
    -1e30,
    128.0,
    -149.0,
    -150.0,
    127.0,
    0.1,
    1.7,
];

#[test]
fn powers_and_angles_have_their_special_values() {
    let random = (0..20_000u64).map(|seed| f32::from_bits((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32));
    let near = random.clone().map(|x| 1.0 + (x.to_bits() % 4096) as f32 / 512.0);
    let pairs: Vec<(f32, f32)> = SPECIAL
        .iter()
        .flat_map(|x| SPECIAL.iter().map(|y| (*x, *y)))
        .chain(random.clone().zip(random.skip(7)))
        .chain(near.clone().zip(near.skip(3)))
        .collect();
    let (x, y): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
    type Reference = (OpKind, fn(f32, f32) -> f32);
    let references: [Reference; 2] = [(OpKind::Power, Number::power), (OpKind::Atan2, Elementary::atan2)];
    for (kind, reference) in references {
        for isa in isas() {
            let f = step(isa, kind, ElementType::F32).expect("it has vector code");
            let (a, b) = (interpreter::element::write_all(&x), interpreter::element::write_all(&y));
            let mut out = vec![0; a.len()];
            // SAFETY: all have as many elements.
            unsafe { f(x.len(), out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), b.as_ptr()) };
            for (at, result) in interpreter::element::read_all::<f32>(&out).into_iter().enumerate() {
                let expected = reference(x[at], y[at]);
                assert!(
                    distance(result, expected) <= 1,
                    "{kind:?}({:e}, {:e}) = {result:e}, not {expected:e}",
                    x[at],
                    y[at]
                );
            }
        }
    }
}

#[test]
fn lanes_of_16_bits_widen_and_narrow_as_the_interpreter_does() {
    use super::lane::{Bf16, F16, Lane};
    for bits in 0..=u16::MAX {
        let (wide, expected) = (Bf16(bits).widen(), Float::to_f64(bf16::from_bits(bits)) as f32);
        assert!(wide == expected || wide.is_nan() && expected.is_nan(), "{bits:#x}");
        let (wide, expected) = (F16(bits).widen(), Float::to_f64(f16::from_bits(bits)) as f32);
        assert!(wide == expected || wide.is_nan() && expected.is_nan(), "{bits:#x}");
    }
    for bits in (0..=u32::MAX).step_by(1 << 11).chain((0..=u32::MAX).step_by(65_521)) {
        let value = f32::from_bits(bits);
        assert_eq!(Bf16::narrow(value).0, bf16::from_f64_of(value).to_bits(), "{bits:#x}");
        assert_eq!(F16::narrow(value).0, f16::from_f64_of(value).to_bits(), "{bits:#x}");
    }
}

/// `convert` from `f32`.
trait FromSingle {
    fn from_f64_of(value: f32) -> Self;
}

impl<T: Element> FromSingle for T {
    fn from_f64_of(value: f32) -> Self {
        interpreter::element::convert(value)
    }
}
