//! Whole types: every value of the 16-bit and smaller types.

use super::*;
use crate::dispatch_integer;

/// The value of a type nearest to `x`, found by looking at all finite ones; a tie goes to the even bit pattern.
fn nearest<T: Float>(values: &[(f64, T)], x: f64) -> T {
    let after = values.partition_point(|(value, _)| *value < x);
    let Some(&(high, high_value)) = values.get(after) else { return values[values.len() - 1].1 };
    let Some(&(low, low_value)) = after.checked_sub(1).and_then(|at| values.get(at)) else { return high_value };
    match (x - low).total_cmp(&(high - x)) {
        std::cmp::Ordering::Less => low_value,
        std::cmp::Ordering::Greater => high_value,
        std::cmp::Ordering::Equal if low_value.to_bits() % 2 == 0 => low_value,
        std::cmp::Ordering::Equal => high_value,
    }
}

fn sorted<T: Float>() -> Vec<(f64, T)> {
    let mut values: Vec<(f64, T)> = all::<T>().into_iter().filter(|x| x.is_finite()).map(|x| (x.to_f64(), x)).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    values
}

/// Sums, products and quotients of small floats are the nearest values, wherever the exact result is in range: the
/// exact result of these operands fits into `f64`, or its rounding to `f64` cannot become a tie.
fn check_small_arithmetic<T: Float>() {
    let values = sorted::<T>();
    let limit = values[values.len() - 1].0;
    for &a in all::<T>().iter().filter(|x| x.is_finite()).step_by(3) {
        for &b in all::<T>().iter().filter(|x| x.is_finite()).step_by(5) {
            let (x, y) = (a.to_f64(), b.to_f64());
            for (exact, found) in
                [(x + y, a.add(b)), (x - y, a.subtract(b)), (x * y, a.multiply(b)), (x / y, a.divide(b))]
            {
                if exact.abs() <= limit && exact != 0.0 {
                    let expected = nearest(&values, exact);
                    assert_eq!(found.to_f64(), expected.to_f64(), "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn small_float_arithmetic_is_correctly_rounded() {
    check_small_arithmetic::<F4E2M1FN>();
    check_small_arithmetic::<F6E2M3FN>();
    check_small_arithmetic::<F6E3M2FN>();
    check_small_arithmetic::<F8E3M4>();
    check_small_arithmetic::<F8E4M3>();
    check_small_arithmetic::<F8E4M3B11FNUZ>();
    check_small_arithmetic::<F8E4M3FN>();
    check_small_arithmetic::<F8E4M3FNUZ>();
    check_small_arithmetic::<F8E5M2>();
    check_small_arithmetic::<F8E5M2FNUZ>();
}

/// A function on every value of a 16-bit type, against the nearest value to the same function from the host's library
/// in `f64`; an error of that library of a few ulp cannot matter, except next to a tie, which is skipped.
fn check_function<T: Float>(name: &str, found: fn(T) -> T, host: fn(f64) -> f64) {
    let values = sorted::<T>();
    let limit = values[values.len() - 1].0;
    for x in all::<T>() {
        let (exact, found) = (host(x.to_f64()), found(x).to_f64());
        if exact.is_nan() {
            assert!(found.is_nan(), "{name} {x:?}");
        } else if exact.abs() <= limit {
            let around = [exact * (1.0 - 4e-16), exact * (1.0 + 4e-16)].map(|x| nearest(&values, x).to_f64());
            if around[0] == around[1] {
                assert_eq!(found, around[0], "{name} {x:?}");
            }
        } else if exact.is_infinite() || exact.abs() > limit * 1.01 {
            assert_eq!(found, f64::INFINITY.copysign(exact), "{name} {x:?}");
        }
    }
}

fn check_functions<T: Float>() {
    check_function::<T>("exponential", T::exponential, f64::exp);
    check_function::<T>("exponential_minus_one", T::exponential_minus_one, f64::exp_m1);
    check_function::<T>("log", T::log, f64::ln);
    check_function::<T>("log_plus_one", T::log_plus_one, f64::ln_1p);
    check_function::<T>("sqrt", T::sqrt, f64::sqrt);
    check_function::<T>("cbrt", T::cbrt, f64::cbrt);
    check_function::<T>("rsqrt", T::rsqrt, |x| 1.0 / x.sqrt());
    check_function::<T>("sine", T::sine, f64::sin);
    check_function::<T>("cosine", T::cosine, f64::cos);
    check_function::<T>("tan", T::tan, f64::tan);
    check_function::<T>("tanh", T::tanh, f64::tanh);
    check_function::<T>("asin", T::asin, f64::asin);
    check_function::<T>("acos", T::acos, f64::acos);
    check_function::<T>("atan", T::atan, f64::atan);
    check_function::<T>("sinh", T::sinh, f64::sinh);
    check_function::<T>("cosh", T::cosh, f64::cosh);
    check_function::<T>("acosh", T::acosh, f64::acosh);
    check_function::<T>("floor", T::floor, f64::floor);
    check_function::<T>("ceil", T::ceil, f64::ceil);
    check_function::<T>("round_nearest_even", T::round_nearest_even, f64::round_ties_even);
    check_function::<T>("round_nearest_afz", T::round_nearest_afz, f64::round);
    check_function::<T>("logistic", T::logistic, |x| {
        // Neither form is accurate on the other side.
        if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) }
    });
}

#[test]
fn functions_of_all_f16_are_nearest() {
    check_functions::<f16>();
}

#[test]
fn functions_of_all_bf16_are_nearest() {
    check_functions::<bf16>();
}

/// Odd functions keep the sign of zero.
#[test]
fn negative_zero_stays_negative_zero() {
    fn check<T: Float>() {
        let functions: [fn(T) -> T; 18] = [
            T::sine,
            T::tan,
            T::tanh,
            T::asin,
            T::atan,
            T::asinh,
            T::atanh,
            T::sinh,
            T::cbrt,
            T::sqrt,
            T::erf,
            T::erf_inv,
            T::exponential_minus_one,
            T::log_plus_one,
            T::bessel_i1e,
            T::sign,
            T::floor,
            T::round_nearest_afz,
        ];
        let zero = T::from_f64(-0.0);
        for (at, function) in functions.iter().enumerate() {
            assert_eq!(function(zero).to_bits(), zero.to_bits(), "{at} of {}", T::TYPE);
        }
    }
    check::<f64>();
    check::<f32>();
    check::<bf16>();
    check::<F8E5M2>();
}

/// Integers of eight bits and less against arithmetic on `i64`, for all pairs.
#[test]
fn small_integers_wrap() {
    for ty in [ElementType::I2, ElementType::I4, ElementType::I8, ElementType::UI2, ElementType::UI4, ElementType::UI8]
    {
        dispatch_integer!(ty, T => {
            let wrap = |value: i64| T::from_bits(value as u64);
            for a in all::<T>() {
                assert_eq!(T::read_le(&bytes(a)), a);
                assert_eq!(a.negate(), wrap(-(a.to_i128() as i64)));
                assert_eq!(<T as Number>::abs(a), wrap((a.to_i128() as i64).abs()));
                assert_eq!(a.popcnt(), wrap((0..T::BITS).filter(|bit| a.to_bits() >> bit & 1 == 1).count() as i64));
                for b in all::<T>() {
                    let (x, y) = (a.to_i128() as i64, b.to_i128() as i64);
                    assert_eq!(a.add(b), wrap(x + y));
                    assert_eq!(a.subtract(b), wrap(x - y));
                    assert_eq!(a.multiply(b), wrap(x * y));
                    assert_eq!(a.divide(b), if y == 0 { wrap(-1) } else { wrap(x / y) }, "{x} {y}");
                    assert_eq!(a.remainder(b), if y == 0 { a } else { wrap(x % y) }, "{x} {y}");
                    assert_eq!(a.maximum(b), wrap(x.max(y)));
                    assert_eq!(a.minimum(b), wrap(x.min(y)));
                    assert_eq!(a.mulhi(b), wrap((x * y).checked_shr(T::BITS).unwrap_or(0)));
                    let amount = b.to_bits();
                    let inside = amount < u64::from(T::BITS);
                    assert_eq!(a.shift_left(b), if inside { wrap(x << amount) } else { wrap(0) });
                    assert_eq!(a.shift_right_logical(b), if inside { wrap((a.to_bits() >> amount) as i64) } else { wrap(0) });
                    if T::SIGNED {
                        assert_eq!(a.shift_right_arithmetic(b), wrap(x >> amount.min(63)));
                    }
                }
            }
        })
        .unwrap();
    }
}

/// Converting any value to any type and back through a wider one changes nothing.
#[test]
fn widening_conversions_are_exact() {
    fn check<T: Float>() {
        for x in all::<T>() {
            let wide: f64 = convert(x);
            let back: T = convert(wide);
            assert!(x.is_nan() == back.is_nan());
            if !x.is_nan() {
                assert_eq!(back.to_bits(), x.to_bits());
                assert_eq!(convert::<T, Complex<f32>>(x), Complex::new(wide as f32, 0.0));
            }
        }
    }
    check::<bf16>();
    check::<f16>();
    check::<F8E4M3FNUZ>();
    check::<F8E8M0FNU>();
    check::<F6E2M3FN>();
}

/// Large integers into short floats, with one rounding: 2^60 + 2^52 is a tie of bf16, and one more is not.
#[test]
fn integers_are_rounded_once() {
    let tie = (1i64 << 60) + (1 << 52);
    assert_eq!(convert::<i64, bf16>(tie).to_bits(), 0x5d80);
    assert_eq!(convert::<i64, bf16>(tie + 1).to_bits(), 0x5d81);
    assert_eq!(convert::<i64, bf16>(-tie - 1).to_bits(), 0xdd81);
    assert_eq!(convert::<u64, f32>(u64::MAX), 18_446_744_073_709_551_616.0);
    assert_eq!(convert::<i64, f32>((1 << 54) + (1 << 30) + 1), 18_014_400_656_965_632.0);
    assert_eq!(convert::<u64, F8E5M2>(u64::MAX), F8E5M2::from_bits(0x7c));
    assert_eq!(convert::<u64, F8E8M0FNU>(3 << 62), F8E8M0FNU::from_bits(127 + 64));
    assert_eq!(convert::<i32, F8E8M0FNU>(0), F8E8M0FNU::from_bits(0xff));
}
