//! Functions of `f64` lanes, computed in `f64`, without branches.
//!
//! They count on fused multiply-add: machines without it use the interpreter's functions. Errors are at most 2 ulp, which the
//! tests hold against the interpreter's, themselves within 1 ulp. Series are plain ones (of Taylor, of the area tangent),
//! cut off where the rest is below a quarter ulp.

#![allow(clippy::inline_always, reason = "the compiler makes vectors of what it sees")]

use interpreter::element::Elementary;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::BASELINE_FMA;
use super::arith::{Double, Long, One};
use super::double::split;
use crate::kernels::isa::Isa;
use crate::kernels::lanes::{StepFn, step};

/// Adding and subtracting it rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2, its leading 33 bits, whose products with whole numbers up to 2^20 are exact, and the rest.
const LN2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];
/// π/2 in pieces of 33 bits, and the rest.
const QUARTER_TURN: [f64; 4] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_711_166_5e-21, 8.478_427_660_368_9e-32];

/// 1 / (n + 2)!.
const EXP: [f64; 12] = {
    let mut series = [0.5; 12];
    let mut at = 1;
    while at < 12 {
        series[at] = series[at - 1] / (at as f64 + 2.0);
        at += 1;
    }
    series
};

/// e^r − 1 for |r| ≤ ln 2 / 2.
#[inline(always)]
fn small_exponential<D: Double>(r: D) -> D {
    (r * r).fma(r.polynomial(EXP), r)
}

/// The whole `n` and the `r` with `x = n ln 2 + r`.
#[inline(always)]
fn halvings<D: Double>(x: D) -> (D, D) {
    let n = x.fma(x.c(std::f64::consts::LOG2_E), x.c(ROUND)) - x.c(ROUND);
    (n, n.fma(x.c(-LN2[1]), n.fma(x.c(-LN2[0]), x)))
}

/// e^x.
#[inline(always)]
pub fn exponential<D: Double>(x: D) -> D {
    let (n, r) = halvings(x.limited(-746.0, 710.0));
    (small_exponential(r) + x.c(1.0)).scaled(n)
}

/// e^x − 1.
#[inline(always)]
pub fn exponential_minus_one<D: Double>(x: D) -> D {
    let (n, r) = halvings(x.limited(-40.0, 710.0));
    let q = small_exponential(r);
    // Half of everything, so that 2^1024 is not needed.
    let half = (n - x.c(1.0)).power_of_two();
    let value = half.fma(q, half - x.c(0.5)) * x.c(2.0);
    // The sum loses the sign of zero.
    D::choose(n.eq(x.c(0.0)), q, value).copysign(x)
}

/// 1 / (1 + e^−x).
#[inline(always)]
pub fn logistic<D: Double>(x: D) -> D {
    let e = exponential(-x.abs());
    D::choose(x.lt(x.c(0.0)), e, x.c(1.0)) / (e + x.c(1.0))
}

/// Hyperbolic tangent: (e^2x − 1) / (e^2x + 1).
#[inline(always)]
pub fn tanh<D: Double>(x: D) -> D {
    let size = x.abs();
    let e = exponential_minus_one((size + size).at_most(44.0));
    (e / (e + x.c(2.0))).copysign(x)
}

/// 2 / (2n + 3).
const AREA_TANGENT: [f64; 10] = over_odd(2.0, 3.0);

/// `numerator` over every other number from `first` on.
const fn over_odd<const N: usize>(numerator: f64, first: f64) -> [f64; N] {
    let mut series = [0.0; N];
    let mut at = 0;
    while at < N {
        series[at] = numerator / (2.0 * at as f64 + first);
        at += 1;
    }
    series
}

/// `e ln 2 + ln(1 + f)` for √½ − 1 ≤ f ≤ √2 − 1.
#[inline(always)]
fn log_of_parts<D: Double>(e: D, f: D) -> D {
    // With s = f / (2 + f): ln(1 + f) = 2 artanh(s) = f − f²/2 + s (f²/2 + R), R the series from its third power on.
    let half_square = f * f * f.c(0.5);
    let s = f / (f + f.c(2.0));
    let z = s * s;
    let rest = z * z.polynomial(AREA_TANGENT);
    let small = s.fma(half_square + rest, e * f.c(LN2[1]));
    e.fma(f.c(LN2[0]), f - (half_square - small))
}

/// `e` and the `m` with `x = m × 2^e` and √½ ≤ m < √2, for a positive `x`.
#[inline(always)]
fn split_any<D: Double>(x: D) -> (D, D) {
    let is_subnormal = x.lt(x.c(f64::MIN_POSITIVE));
    let (e, m) = split(D::choose(is_subnormal, x * x.c(18_014_398_509_481_984.0), x));
    (D::choose(is_subnormal, e - x.c(54.0), e), m)
}

/// Logarithms of numbers that are not positive and finite.
#[inline(always)]
fn with_special_values<D: Double>(x: D, log: D) -> D {
    let log = D::choose(x.eq(x.c(0.0)), x.c(f64::NEG_INFINITY), log);
    let log = D::choose(x.lt(x.c(0.0)), x.c(f64::NAN), log);
    D::choose(x.lt(x.c(f64::INFINITY)), log, x)
}

/// Natural logarithm.
#[inline(always)]
pub fn log<D: Double>(x: D) -> D {
    let (e, m) = split_any(x);
    with_special_values(x, log_of_parts(e, m - x.c(1.0)))
}

/// ln(1 + x).
#[inline(always)]
pub fn log_plus_one<D: Double>(x: D) -> D {
    let one = x.c(1.0);
    let sum = x + one;
    // What the sum has lost.
    let lost = D::choose(x.lt(one), x - (sum - one), one - (sum - x));
    let (e, m) = split(sum);
    let f = (m - one) + lost * (-e.at_most(1000.0)).power_of_two();
    // The sign of zero, and numbers that the sum does not know of.
    let value = with_special_values(sum, log_of_parts(e, f));
    D::choose(x.abs().lt(x.c(1e-17)), x, value)
}

/// Reciprocal square root.
#[inline(always)]
pub fn rsqrt<D: Double>(x: D) -> D {
    x.c(1.0) / x.sqrt()
}

/// `a + b` and what it has lost.
#[inline(always)]
fn two_sum<D: Double>(a: D, b: D) -> (D, D) {
    let sum = a + b;
    let b_in = sum - a;
    (sum, (a - (sum - b_in)) + (b - b_in))
}

/// 1 / (2n + 5).
const AFTER_THIRD: [f64; 11] = over_odd(1.0, 5.0);
/// One third, and what is left of it.
const THIRD: [f64; 2] = [1.0 / 3.0, 1.850_371_707_708_594e-17];

/// Natural logarithm of a positive number as a sum of two, to some 2^−65 of itself.
#[inline(always)]
fn exact_log<D: Double>(x: D) -> (D, D) {
    let (e, m) = split_any(x);
    let (one, two) = (x.c(1.0), x.c(2.0));
    // s = f / (2 + f), in two parts as all that follows.
    let f = m - one;
    let below = f + two;
    let below_low = f - (below - two);
    let inverse = one / below;
    let s = f * inverse;
    let s_low = (-s).fma(below_low, (-s).fma(below, f)) * inverse;
    let z = s * s;
    let z_low = s.fma(s, -z) + (s + s) * s_low;
    // artanh(s) / s − 1 = z/3 + z²/5 + …
    let third = z * x.c(THIRD[0]);
    let third_low = z.fma(x.c(THIRD[0]), -third) + z.fma(x.c(THIRD[1]), z_low * x.c(THIRD[0]));
    let more = z * z * z.polynomial(AFTER_THIRD);
    let u = third + more;
    let u_low = (third - u) + more + third_low;
    let p = s * u;
    let p_low = s.fma(u, -p) + s.fma(u_low, s_low * u);
    let half = s + p;
    let half_low = ((s - half) + p) + (p_low + s_low);
    let (sum, lost) = two_sum(e * x.c(LN2[0]), half + half);
    let low = e.fma(x.c(LN2[1]), lost + (half_low + half_low));
    let high = sum + low;
    (high, (sum - high) + low)
}

/// x^y.
#[inline(always)]
pub fn power<D: Double>(x: D, y: D) -> D {
    let size = x.abs();
    let (log, log_low) = exact_log(size);
    let log = D::choose(size.eq(x.c(0.0)), x.c(f64::NEG_INFINITY), log);
    let log = D::choose(size.lt(x.c(f64::INFINITY)), log, size);
    let exponent = y * log;
    let low = y.fma(log, -exponent) + y * log_low;
    let low = D::choose(exponent.abs().lt(x.c(800.0)), low, x.c(0.0));
    let exponent = exponent.limited(-800.0, 800.0);
    let n = exponent.fma(x.c(std::f64::consts::LOG2_E), x.c(ROUND)) - x.c(ROUND);
    let near = n.fma(x.c(-LN2[0]), exponent);
    let r = n.fma(x.c(-LN2[1]), near);
    let r_low = n.fma(x.c(-LN2[1]), near - r) + low;
    let q = small_exponential(r);
    let value = (q + q.fma(r_low, r_low) + x.c(1.0)).scaled(n);
    with_sign_of_power(x, y, value)
}

/// x^y, given |x|^y.
#[inline(always)]
fn with_sign_of_power<D: Double>(x: D, y: D, value: D) -> D {
    // Numbers from 2^53 on are even.
    let is_integer = y.round().eq(y);
    let half = y * x.c(0.5);
    let is_odd = is_integer & !half.round().eq(half);
    let value = D::choose(x.is_negative() & is_odd, -value, value);
    let is_undefined = x.lt(x.c(0.0)) & x.abs().lt(x.c(f64::INFINITY)) & !is_integer & !y.is_nan();
    let value = D::choose(is_undefined, x.c(f64::NAN), value);
    let is_unit = x.abs().eq(x.c(1.0)) & y.abs().eq(x.c(f64::INFINITY));
    D::choose(y.eq(x.c(0.0)) | x.eq(x.c(1.0)) | is_unit, x.c(1.0), value)
}

/// Magnitude up to which [`sine`] and [`cosine`] are good.
pub const CIRCULAR_LIMIT: f64 = 1_000_000.0;

/// (−1)ⁿ / (2n + 3)! and (−1)ⁿ / (2n + 4)!.
const SINE: [f64; 8] = alternating(3);
const COSINE: [f64; 7] = alternating(4);

/// The series ±1 / (2n + first)!, the first term positive when `first` is 4 and negative when it is 3.
const fn alternating<const N: usize>(first: usize) -> [f64; N] {
    let mut series = [0.0; N];
    let mut term = if first == 3 { -1.0 / 6.0 } else { 1.0 / 24.0 };
    let mut at = 0;
    while at < N {
        series[at] = term;
        let next = (first + 2 * at + 1) as f64;
        term /= -(next * (next + 1.0));
        at += 1;
    }
    series
}

/// Sine of `x` plus `turns` quarter turns.
#[inline(always)]
fn turned_sine<D: Double>(x: D, turns: i64) -> D {
    let shifted = x.fma(x.c(std::f64::consts::FRAC_2_PI), x.c(ROUND));
    let whole = shifted - x.c(ROUND);
    // The first difference is exact; of the others what they lose is kept.
    let [first, second, third, rest] = QUARTER_TURN;
    let near = whole.fma(x.c(-first), x);
    let (near, lost) = two_sum(near, -(whole * x.c(second)));
    let (near, lost_too) = two_sum(near, -(whole * x.c(third)));
    let low = whole.fma(x.c(-rest), lost + lost_too);
    let r = near + low;
    let r_low = (near - r) + low;
    let z = r * r;
    let half = z * x.c(0.5);
    let one = x.c(1.0);
    let sine = r + (z * r).fma(z.polynomial(SINE), r_low * (one - half));
    let about = one - half;
    let cosine = about + (((one - about) - half) + (z * z).fma(z.polynomial(COSINE), -(r * r_low)));
    let quarter = shifted.to_bits();
    let quarter = if turns == 0 { quarter } else { quarter + quarter.c(turns) };
    let is_clear = |bit: i64| (quarter & quarter.c(bit)).eq(quarter.c(0));
    let value = D::choose(is_clear(1), sine, cosine);
    D::choose(is_clear(2), value, -value)
}

/// Sine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn sine<D: Double>(x: D) -> D {
    // −0 must keep its sign; the angle that is left of it has lost it.
    D::choose(x.eq(x.c(0.0)), x, turned_sine(x, 0))
}

/// Cosine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn cosine<D: Double>(x: D) -> D {
    turned_sine(x, 1)
}

/// NaN is the interpreter's.
#[inline(always)]
fn result<const FMA: bool>(value: One<f64, FMA>) -> f64 {
    if value.0.is_nan() { f64::NAN } else { value.0 }
}

/// The step of a function of `f64`; none for what has no vector code of its own, and where nothing is fused.
pub fn step(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
    if element != ElementType::F64 || isa == Isa::Baseline && !BASELINE_FMA {
        return None;
    }
    macro_rules! of {
        ($f:ident) => {
            step!(isa, map1 [f64, f64], |x: f64| result($f(One::<f64, true>(x))))
        };
    }
    /// Blocks without large angles are vectors.
    macro_rules! circular {
        ($f:ident) => {
            step!(isa, map1 [f64, f64], |x: f64| {
                if x.abs() <= CIRCULAR_LIMIT { result($f(One::<f64, true>(x))) } else { <f64 as Elementary>::$f(x) }
            })
        };
    }
    Some(match kind {
        OpKind::Cosine => circular!(cosine),
        OpKind::Exponential => of!(exponential),
        OpKind::ExponentialMinusOne => of!(exponential_minus_one),
        OpKind::Log => of!(log),
        OpKind::LogPlusOne => of!(log_plus_one),
        OpKind::Logistic => of!(logistic),
        OpKind::Power => step!(isa, map2 [f64, f64, f64], |x, y| result(power(One::<f64, true>(x), One(y)))),
        OpKind::Rsqrt => of!(rsqrt),
        OpKind::Sine => circular!(sine),
        OpKind::Tanh => of!(tanh),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use interpreter::element::{Element, Elementary, Number};
    use stablehlo::ops::OpKind;

    use super::step;
    use crate::kernels::isa::Isa;
    use crate::testing::{agrees_on, ulps};

    type Function = (OpKind, fn(f64) -> f64, &'static str);

    const FUNCTIONS: [Function; 9] = [
        (OpKind::Cosine, <f64 as Elementary>::cosine, "cosine"),
        (OpKind::Exponential, <f64 as Elementary>::exponential, "exponential"),
        (OpKind::ExponentialMinusOne, <f64 as Elementary>::exponential_minus_one, "exponential_minus_one"),
        (OpKind::Log, <f64 as Elementary>::log, "log"),
        (OpKind::LogPlusOne, <f64 as Elementary>::log_plus_one, "log_plus_one"),
        (OpKind::Logistic, <f64 as Elementary>::logistic, "logistic"),
        (OpKind::Rsqrt, <f64 as Elementary>::rsqrt, "rsqrt"),
        (OpKind::Sine, <f64 as Elementary>::sine, "sine"),
        (OpKind::Tanh, <f64 as Elementary>::tanh, "tanh"),
    ];

    /// Numbers of all magnitudes and signs, many in the usual range, near multiples of π/2 and near 1, and special ones.
    fn operands() -> Vec<f64> {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut numbers: Vec<f64> = (0..20_000).map(|_| f64::from_bits(next())).collect();
        let unit = |bits: u64| (bits >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
        for scale in [1e-9, 0.01, 1.0, 5.0, 40.0, 750.0, 1e5, 2e6] {
            numbers.extend((0..20_000).map(|_| unit(next()) * scale));
        }
        numbers.extend((0..20_000).map(|_| 1.0 + unit(next()) * 0.5));
        let near_turns = (-2000..2000).map(|n| f64::from(n) * std::f64::consts::FRAC_PI_2);
        numbers.extend(near_turns.flat_map(|x| [x, x.next_up(), x.next_down()]));
        let special = [0.0, 1.0, 2.0, 5e-324, 2.2e-308, 1.7e308, 709.78, 745.1, f64::INFINITY, f64::NAN];
        numbers.extend(special.iter().flat_map(|x| [*x, -x]));
        numbers
    }

    fn steps(value: f64, expected: f64) -> u64 {
        if value.to_bits() == expected.to_bits() || value.is_nan() && expected.is_nan() {
            return 0;
        }
        if value.is_nan() || expected.is_nan() || value.is_sign_negative() != expected.is_sign_negative() {
            return u64::MAX;
        }
        value.to_bits().abs_diff(expected.to_bits())
    }

    fn isas() -> impl Iterator<Item = Isa> {
        Isa::ALL.iter().copied().filter(|isa| isa.is_available())
    }

    #[test]
    fn functions_are_within_their_bounds() {
        let operands = operands();
        for (kind, reference, _) in FUNCTIONS {
            let expected: Vec<f64> = operands.iter().map(|x| reference(*x)).collect();
            for isa in isas() {
                let Some(f) = step(isa, kind, <f64 as Element>::TYPE) else { continue };
                let mut results = operands.clone();
                let at = results.as_mut_ptr().cast::<u8>();
                // SAFETY: in place, on as many elements as there are.
                unsafe { f(results.len(), at, at, at, at) };
                for ((x, result), expected) in operands.iter().zip(&results).zip(&expected) {
                    let off = steps(*result, *expected);
                    assert!(off <= 2, "{kind:?}({x:e}) on {isa} is {off} steps off: {result:e}, not {expected:e}");
                }
            }
        }
    }

    #[test]
    fn powers_are_within_their_bounds() {
        let operands = operands();
        let exponents: Vec<f64> =
            operands.iter().rev().enumerate().map(|(at, y)| if at % 3 == 0 { y.round() } else { *y }).collect();
        let mut pairs: Vec<(f64, f64)> = operands.iter().copied().zip(exponents).collect();
        // Large and small powers of numbers near to 1, whose logarithms must be exact, and whole exponents.
        for at in 0..20_000 {
            let x = 0.5 + f64::from(at) / 10_000.0;
            let largest = 700.0 / x.ln().abs().max(1e-6);
            pairs.extend([0.999, -0.97, 0.31, -0.001].map(|part| (x, largest * part)));
            pairs.extend([(-x, f64::from(at % 41) - 20.0), (x, 0.5)]);
        }
        let special = [0.0, 1.0, 0.5, 2.0, 3.0, 1e300, 5e-324, f64::INFINITY, f64::NAN];
        let special: Vec<f64> = special.iter().flat_map(|x| [*x, -x]).collect();
        pairs.extend(special.iter().flat_map(|x| special.iter().map(|y| (*x, *y))));
        for isa in isas() {
            let Some(f) = step(isa, OpKind::Power, <f64 as Element>::TYPE) else { continue };
            let mut results: Vec<f64> = pairs.iter().map(|(x, _)| *x).collect();
            let y: Vec<f64> = pairs.iter().map(|(_, y)| *y).collect();
            let at = results.as_mut_ptr().cast::<u8>();
            // SAFETY: as above.
            unsafe { f(results.len(), at, at, y.as_ptr().cast(), at) };
            for ((x, y), result) in pairs.iter().zip(&results) {
                let expected = <f64 as Number>::power(*x, *y);
                let off = steps(*result, expected);
                assert!(off <= 2, "{x:e}^{y:e} on {isa} is {off} steps off: {result:e}, not {expected:e}");
            }
        }
    }

    #[test]
    fn machine_code_has_the_same_functions() {
        use interpreter::Tensor;
        let operands = operands();
        let n = operands.len();
        for (_, _, name) in FUNCTIONS {
            let mlir = format!(
                "func.func @main(%x: tensor<{n}xf64>) -> tensor<{n}xf64> {{
                   %0 = stablehlo.{name} %x : tensor<{n}xf64>
                   return %0 : tensor<{n}xf64>
                 }}"
            );
            let x = Tensor::from_vec::<f64>(&[n], &operands).unwrap();
            let agreed = agrees_on(&mlir, &[x], Some(ulps(2))).without_interpreter();
            if Isa::best() == Isa::Avx512 {
                agreed.with("machine code");
            }
        }
        let mlir = format!(
            "func.func @main(%x: tensor<{n}xf64>, %y: tensor<{n}xf64>) -> tensor<{n}xf64> {{
               %0 = stablehlo.power %x, %y : tensor<{n}xf64>
               return %0 : tensor<{n}xf64>
             }}"
        );
        let y: Vec<f64> = operands.iter().rev().copied().collect();
        let inputs = [&operands, &y].map(|list| Tensor::from_vec::<f64>(&[n], list).unwrap());
        agrees_on(&mlir, &inputs, Some(ulps(2))).without_interpreter();
    }
}
