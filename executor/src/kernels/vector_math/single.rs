//! Functions of `f32` lanes, computed in `f32`, without branches.
//!
//! Errors are in units of the last place (ulp) of the exact result; the worst ones of all operands stand in the tests
//! beside this file. NaNs come out as any NaN.

#![allow(clippy::inline_always, reason = "the compiler makes vectors of what it sees")]

use super::arith::{Double, Int, Long, Real, Single};
use super::pieces::{self, Pieces};

/// Adding and subtracting it rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// ln 2, its leading bits: products with integers of 15 bits are exact.
const LN2_HIGH: f32 = 355.0 / 512.0;
/// What is left of it.
const LN2_LOW: f32 = -2.121_944_4e-4;

/// (e^r − 1 − r) / r² for |r| ≤ ln 2 / 2.
const EXP: [f32; 6] = [0.5, 0.166_666_67, 0.041_666_463, 0.008_333_310_5, 0.001_393_382_1, 0.000_198_911_8];

/// The whole `n` and `e^r − 1` for the `r` with `x = n ln 2 + r`; `x` below 2^8.
#[inline(always)]
fn exponential_parts<F: Single>(x: F) -> (F, F) {
    let n = x.fma(x.c(std::f32::consts::LOG2_E), x.c(ROUND)) - x.c(ROUND);
    let r = n.fma(x.c(-LN2_HIGH), x);
    let r = n.fma(x.c(-LN2_LOW), r);
    (n, (r * r).fma(r.polynomial(EXP), r))
}

/// e^x.
#[inline(always)]
pub fn exponential<F: Single>(x: F) -> F {
    let (n, q) = exponential_parts(x.limited(-104.0, 89.0));
    (q + x.c(1.0)).scaled(n)
}

/// e^x − 1.
#[inline(always)]
pub fn exponential_minus_one<F: Single>(x: F) -> F {
    let (n, q) = exponential_parts(x.limited(-30.0, 89.0));
    // Half of everything, so that 2^128 is not needed.
    let half = (n - x.c(1.0)).power_of_two();
    let value = half.fma(q, half - x.c(0.5)) * x.c(2.0);
    // The sum loses small operands without a fused operation, and the sign of zero.
    F::choose(n.eq(x.c(0.0)), q, value).copysign(x)
}

/// 1 / (1 + e^−x).
#[inline(always)]
pub fn logistic<F: Single>(x: F) -> F {
    let e = exponential(-x.abs());
    F::choose(x.lt(x.c(0.0)), e, x.c(1.0)) / (e + x.c(1.0))
}

/// A function by its pieces, for magnitudes below 15.
#[inline(always)]
fn piecewise<F: Single>(size: F, pieces: &Pieces) -> F {
    let piece = (size + size.c(1.0)).to_bits().sar(21);
    let distance = size - piece.lookup(&pieces.centres);
    let [rest @ .., last] = &pieces.coefficients;
    rest.iter().rev().fold(piece.lookup(last), |value, row| value.fma(distance, piece.lookup(row)))
}

/// An odd function that is 1 from 14 on, by its pieces.
#[inline(always)]
fn odd_piecewise<F: Single>(x: F, pieces: &Pieces) -> F {
    let size = x.abs().at_most(14.0);
    (piecewise(size, pieces) * size.at_most(1.0)).copysign(x)
}

/// Error function, where looking up is fast.
#[inline(always)]
pub fn erf<F: Single>(x: F) -> F {
    odd_piecewise(x, &pieces::ERF)
}

/// 1 − erf(x), where looking up is fast.
#[inline(always)]
pub fn erfc<F: Single>(x: F) -> F {
    let size = x.abs().at_most(10.3);
    // e^−(high + low) with all bits of the square.
    let high = -(size * size);
    let low = size.fma(size, high);
    let n = high.fma(x.c(std::f32::consts::LOG2_E), x.c(ROUND)) - x.c(ROUND);
    let r = n.fma(x.c(-LN2_HIGH), high) + n.fma(x.c(-LN2_LOW), -low);
    let q = (r * r).fma(r.polynomial(EXP), r);
    let factor = piecewise(size, &pieces::ERFCX);
    let value = factor.fma(q, factor).scaled(n);
    F::choose(x.lt(x.c(0.0)), x.c(2.0) - value, value)
}

/// Hyperbolic tangent.
#[inline(always)]
pub fn tanh<F: Single>(x: F) -> F {
    if F::LOOKS_UP {
        return odd_piecewise(x, &pieces::TANH);
    }
    // (e^2x − 1) / (e^2x + 1); from 9.02 on that rounds to 1.
    let size = x.abs();
    let (n, q) = exponential_parts((size + size).at_most(20.0));
    let power = n.power_of_two();
    let minus_one = power.fma(q, power - x.c(1.0));
    (minus_one / (minus_one + x.c(2.0))).copysign(x)
}

/// (ln(1 + f) − f + f²/2) / f³ between √½ − 1 and √2 − 1.
const LOG: [f32; 9] = [
    0.333_333_3,
    -0.249_999_97,
    0.200_007_17,
    -0.166_678_07,
    0.142_490_07,
    -0.124_255_23,
    0.116_857_85,
    -0.114_812_12,
    0.069_725_186,
];

/// `e` and the `m` with `x = m × 2^e` and √½ ≤ m < √2, for a normal positive `x`.
#[inline(always)]
fn split<F: Single>(x: F) -> (F::Int, F) {
    let bits = x.to_bits();
    let e = (bits - bits.c(std::f32::consts::FRAC_1_SQRT_2.to_bits() as i32)).sar(23);
    (e, (bits - e.shl(23)).as_bits())
}

/// `e ln 2 + ln(1 + f)`.
#[inline(always)]
fn log_of_parts<F: Single>(e: F, f: F) -> F {
    let square = f * f;
    let tail = square * f * f.polynomial(LOG);
    let tail = e.fma(f.c(LN2_LOW), tail);
    let tail = square.fma(f.c(-0.5), tail);
    e.fma(f.c(LN2_HIGH), f + tail)
}

/// The logarithm, given its value for positive numbers.
#[inline(always)]
fn with_special_values<F: Single>(x: F, value: F) -> F {
    let value = F::choose(x.lt(x.c(f32::INFINITY)), value, x);
    let value = F::choose(x.lt(x.c(0.0)), x.c(f32::NAN), value);
    F::choose(x.eq(x.c(0.0)), x.c(f32::NEG_INFINITY), value)
}

/// Natural logarithm.
#[inline(always)]
pub fn log<F: Single>(x: F) -> F {
    let is_subnormal = x.lt(x.c(f32::MIN_POSITIVE));
    let (e, m) = split(F::choose(is_subnormal, x * x.c(8_388_608.0), x));
    let e = e.to_single() - F::choose(is_subnormal, x.c(23.0), x.c(0.0));
    with_special_values(x, log_of_parts(e, m - x.c(1.0)))
}

/// ln(1 + x).
#[inline(always)]
pub fn log_plus_one<F: Single>(x: F) -> F {
    let one = x.c(1.0);
    let sum = x + one;
    // What rounding took from the sum.
    let lost = F::choose(x.lt(one), x - (sum - one), one - (sum - x));
    let (e, m) = split(sum);
    let f = (m - one) + lost * (-e.min(e.c(100)).to_single()).power_of_two();
    with_special_values(sum, log_of_parts(e.to_single(), f)).copysign(x)
}

/// Adding and subtracting it rounds an `f64` to the nearest integer.
const ROUND_F64: f64 = 6_755_399_441_055_744.0;

/// The number of quarter turns nearest to `x`, and the angle that is left, for |x| below [`CIRCULAR_LIMIT`].
#[inline(always)]
fn quarter_turns<F: Single>(x: F) -> (F::Int, F) {
    let x = x.widen();
    let shifted = x.fma(x.c(std::f64::consts::FRAC_2_PI), x.c(ROUND_F64));
    let whole = shifted - x.c(ROUND_F64);
    // π/2 in pieces of 33 bits, whose products are exact.
    let rest = whole.fma(x.c(-1.570_796_326_734_125_6), x);
    let rest = whole.fma(x.c(-6.077_100_506_303_966e-11), rest);
    let rest = whole.fma(x.c(-2.022_266_248_795_950_6e-21), rest);
    (shifted.to_bits().low(), rest.narrow())
}

/// Magnitude up to which [`sine`] and [`cosine`] are good.
pub const CIRCULAR_LIMIT: f32 = 1_000_000.0;

/// Magnitude up to which they are good where fused operations are fused.
pub const SHORT_CIRCULAR_LIMIT: f32 = 100_000.0;

/// As [`quarter_turns`], below [`SHORT_CIRCULAR_LIMIT`]. The first difference is exact, and so are the products.
#[inline(always)]
fn short_quarter_turns<F: Single>(x: F) -> (F::Int, F) {
    let shifted = x.fma(x.c(std::f32::consts::FRAC_2_PI), x.c(ROUND));
    let whole = shifted - x.c(ROUND);
    let rest = whole.fma(x.c(-std::f32::consts::FRAC_PI_2), x);
    let rest = whole.fma(x.c(4.371_139e-8), rest);
    (shifted.to_bits(), whole.fma(x.c(1.715_124_5e-15), rest))
}

/// Sine of `x` plus `turns` quarter turns.
#[inline(always)]
fn turned_sine<F: Single>(x: F, turns: i32) -> F {
    let (quarter, r) = if F::LOOKS_UP { short_quarter_turns(x) } else { quarter_turns(x) };
    let quarter = if turns == 0 { quarter } else { quarter + quarter.c(turns) };
    let u = r * r;
    let sine = u.polynomial([-0.166_666_67, 0.008_333_332, -0.000_198_400_83, 2.724_931_4e-6]);
    let sine = (u * r).fma(sine, r);
    let cosine = u.polynomial([0.041_666_668, -0.001_388_888_8, 2.480_059_6e-5, -2.730_044_7e-7]);
    let cosine = (u * u).fma(cosine, u.fma(u.c(-0.5), u.c(1.0)));
    let is_even = (quarter & quarter.c(1)).eq(quarter.c(0));
    let value = F::choose(is_even, sine, cosine);
    (value.to_bits() ^ (quarter & quarter.c(2)).shl(30)).as_bits()
}

/// Sine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn sine<F: Single>(x: F) -> F {
    // −0 must keep its sign; the angle that is left of it has lost it.
    F::choose(x.eq(x.c(0.0)), x, turned_sine(x, 0))
}

/// Cosine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn cosine<F: Single>(x: F) -> F {
    turned_sine(x, 1)
}

/// Square root.
#[inline(always)]
pub fn sqrt<F: Single>(x: F) -> F {
    x.sqrt()
}

/// Reciprocal square root.
#[inline(always)]
pub fn rsqrt<F: Single>(x: F) -> F {
    x.c(1.0) / x.sqrt()
}
