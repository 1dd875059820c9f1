//! Steps that must give the interpreter's bits: arithmetic, comparisons and conversions.

use interpreter::element::{
    CompareType, Direction, Element, ElementType, Float, Number, Real, bf16, convert, f16, read_all, write_all,
};
use stablehlo::ops::OpKind;

use crate::kernels::elementwise;
use crate::kernels::isa::Isa;
use crate::kernels::lanes::StepFn;

/// Elements per operand: whole blocks and a rest.
const N: usize = 4001;

/// Elements of any bits, many of them with few bits set or cleared, so that special values are among them.
fn operand<T: Element>(seed: u64) -> Vec<T> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = state.rotate_left(32);
        match state >> 60 {
            0 => 0,
            1 => 1 << (word % 64),
            2 => !(u64::MAX >> (word % 64)),
            3 => u64::MAX >> (word % 64),
            4 => word & 0xff,
            5 => (word & 0xff).wrapping_neg(),
            6 => (word | 0x7ff0_7f80_7c00_7f80) & 0xffff_ffff_ffff_ff80,
            _ => word,
        }
    };
    (0..N).map(|_| T::read_le(&next().to_le_bytes())).collect()
}

/// Runs the step on every instruction set of this machine and compares with `expected`. NaNs are all alike.
fn check<R: Element>(what: &str, step: impl Fn(Isa) -> Option<StepFn>, operands: &[Vec<u8>], expected: &[R]) {
    for isa in Isa::ALL.iter().copied().filter(|isa| isa.is_available()) {
        let f = step(isa).unwrap_or_else(|| panic!("{what} has no step"));
        let at = |index: usize| operands[index.min(operands.len() - 1)].as_ptr();
        let mut out = vec![0; N * R::WIDTH];
        // SAFETY: all have N elements of the step's types.
        unsafe { f(N, out.as_mut_ptr(), at(0), at(1), at(2)) };
        for (index, (result, expected)) in read_all::<R>(&out).into_iter().zip(expected).enumerate() {
            let (mut bits, mut wanted) = ([0; 16], [0; 16]);
            result.write_le(&mut bits);
            expected.write_le(&mut wanted);
            #[expect(clippy::eq_op, reason = "NaN")]
            let both_nan = result != result && expected != expected;
            assert!(bits == wanted || both_nan, "{what} on {isa}, element {index}: {result:?}, not {expected:?}");
        }
    }
}

fn unary<T: Element, R: Element>(kind: OpKind, f: fn(T) -> R) {
    let x: Vec<T> = operand(1);
    let expected: Vec<R> = x.iter().map(|x| f(*x)).collect();
    check(
        &format!("{kind:?} of {}", T::TYPE),
        |isa| elementwise::simple(isa, kind, T::TYPE),
        &[write_all(&x)],
        &expected,
    );
}

fn binary<T: Element>(kind: OpKind, f: fn(T, T) -> T) {
    let (x, y): (Vec<T>, Vec<T>) = (operand(2), operand(3));
    let expected: Vec<T> = x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect();
    let operands = [write_all(&x), write_all(&y)];
    check(&format!("{kind:?} of {}", T::TYPE), |isa| elementwise::simple(isa, kind, T::TYPE), &operands, &expected);
}

fn any<T: Element>() {
    binary::<T>(OpKind::Add, T::add);
    binary::<T>(OpKind::Multiply, T::multiply);
    binary::<T>(OpKind::Maximum, T::maximum);
    binary::<T>(OpKind::Minimum, T::minimum);
    let (x, y, z): (Vec<T>, Vec<T>, Vec<T>) = (operand(4), operand(5), operand(6));
    let operands = [write_all(&x), write_all(&y), write_all(&z)];
    let expected: Vec<T> = (0..N).map(|i| T::minimum(T::maximum(y[i], x[i]), z[i])).collect();
    check(
        &format!("clamp of {}", T::TYPE),
        |isa| elementwise::simple(isa, OpKind::Clamp, T::TYPE),
        &operands,
        &expected,
    );
    let pred: Vec<bool> = operand(7);
    let expected: Vec<T> = (0..N).map(|i| if pred[i] { x[i] } else { y[i] }).collect();
    let operands = [write_all(&pred), write_all(&x), write_all(&y)];
    check(&format!("select of {}", T::TYPE), |isa| elementwise::select(isa, T::TYPE), &operands, &expected);
    for direction in [Direction::Eq, Direction::Ne, Direction::Ge, Direction::Gt, Direction::Le, Direction::Lt] {
        for compare_type in [CompareType::Float, CompareType::TotalOrder] {
            let expected: Vec<bool> = (0..N).map(|i| T::compare(x[i], y[i], direction, compare_type)).collect();
            let what = format!("{direction:?} {compare_type:?} of {}", T::TYPE);
            let step = |isa| elementwise::compare(isa, T::TYPE, direction, compare_type);
            check(&what, step, &operands[1..], &expected);
        }
    }
}

fn real<T: Real>() {
    any::<T>();
    binary::<T>(OpKind::Subtract, T::subtract);
    binary::<T>(OpKind::Divide, T::divide);
    binary::<T>(OpKind::Remainder, T::remainder);
    unary::<T, T::Part>(OpKind::Abs, T::abs);
    unary::<T, T>(OpKind::Negate, T::negate);
    unary::<T, T>(OpKind::Sign, Number::sign);
}

fn float<T: Float>() {
    real::<T>();
    unary::<T, T>(OpKind::Ceil, T::ceil);
    unary::<T, T>(OpKind::Floor, T::floor);
    unary::<T, T>(OpKind::RoundNearestAfz, T::round_nearest_afz);
    unary::<T, T>(OpKind::RoundNearestEven, T::round_nearest_even);
    unary::<T, bool>(OpKind::IsFinite, T::is_finite);
}

#[test]
fn arithmetic_has_the_interpreters_bits() {
    any::<bool>();
    real::<i8>();
    real::<i16>();
    real::<i32>();
    real::<i64>();
    real::<u8>();
    real::<u32>();
    real::<u64>();
    float::<f32>();
    float::<f64>();
    float::<bf16>();
    float::<f16>();
}

fn conversion<A: Element, B: Element>() {
    let x: Vec<A> = operand(8);
    let expected: Vec<B> = x.iter().map(|x| convert(*x)).collect();
    let what = format!("convert of {} to {}", A::TYPE, B::TYPE);
    check(&what, |isa| elementwise::convert(isa, A::TYPE, B::TYPE), &[write_all(&x)], &expected);
}

#[test]
fn conversions_have_the_interpreters_bits() {
    fn from<A: Element>() {
        conversion::<A, bool>();
        conversion::<A, i8>();
        conversion::<A, i16>();
        conversion::<A, i32>();
        conversion::<A, i64>();
        conversion::<A, u8>();
        conversion::<A, u16>();
        conversion::<A, u32>();
        conversion::<A, f32>();
        conversion::<A, f64>();
        conversion::<A, bf16>();
        conversion::<A, f16>();
    }
    from::<bool>();
    from::<i8>();
    from::<i16>();
    from::<i32>();
    from::<i64>();
    from::<u8>();
    from::<f32>();
    from::<f64>();
    from::<bf16>();
    from::<f16>();
}

#[test]
fn reduce_precision_has_the_interpreters_bits() {
    fn all<T: Float>() {
        let x: Vec<T> = operand(9);
        for (exponent, mantissa) in [(5, 10), (8, 7), (8, 10), (8, 23), (4, 3), (5, 2)] {
            let expected: Vec<T> = x.iter().map(|x| x.reduce_precision(exponent, mantissa)).collect();
            let what = format!("reduce_precision of {} to {exponent} {mantissa}", T::TYPE);
            let (exponent, mantissa) = (i64::from(exponent), i64::from(mantissa));
            let step = |isa| elementwise::reduce_precision(isa, T::TYPE, exponent, mantissa);
            check(&what, step, &[write_all(&x)], &expected);
        }
    }
    all::<f32>();
    all::<bf16>();
    all::<f16>();
    assert!(elementwise::reduce_precision(Isa::Baseline, ElementType::F32, 3, 3).is_none());
}
