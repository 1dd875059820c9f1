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

/// Factors that bring an `m` of 0.6875 ≤ m < 1.375 near to 1, by the leading bits of its significand; their products with
/// `m` are split exactly.
const NEAR_ONE: [f32; 16] = [
    1.0,
    0.914_062_5,
    0.867_187_5,
    0.820_312_5,
    0.781_25,
    0.742_187_5,
    1.421_875,
    1.359_375,
    1.304_687_5,
    1.257_812_5,
    1.210_937_5,
    1.164_062_5,
    1.125,
    1.085_937_5,
    1.046_875,
    1.0,
];
/// −log2 of the factors, as far as sums with exponents are exact.
const LOG2_HIGH: [f32; 16] = [
    0.0,
    0.129_638_67,
    0.205_596_92,
    0.285_766_6,
    0.356_140_14,
    0.430_145_26,
    -0.507_782,
    -0.442_932_13,
    -0.383_697_5,
    -0.330_902_1,
    -0.276_123_05,
    -0.219_177_25,
    -0.169_921_88,
    -0.118_927,
    -0.066_101_074,
    0.0,
];
/// What is left of them.
const LOG2_LOW: [f32; 16] = [
    0.0,
    -3.391_458_4e-6,
    -1.279_017_85e-5,
    -1.211_922_9e-5,
    3.673_506_6e-6,
    -8.720_028_3e-7,
    -1.265_777_7e-5,
    -1.136_694_2e-5,
    -6.782_708_6e-6,
    -1.477_850_5e-5,
    -1.358_399_2e-6,
    8.725_631e-6,
    -3.126_442_4e-6,
    -1.407_077_1e-5,
    1.188_376_1e-5,
    0.0,
];
/// (log2(1 + r) − (r − r²/2) / ln 2) / r³ for |r| ≤ 1/16.
const LOG2: [f32; 5] = [0.480_898_35, -0.360_672_03, 0.288_535_2, -0.241_605_9, 0.207_524_12];
/// (2^f − 1) / f for |f| ≤ ½.
const EXP2: [f32; 7] = [
    std::f32::consts::LN_2,
    0.240_226_5,
    0.055_504_11,
    0.009_618_035,
    0.001_333_342_9,
    0.000_154_676_28,
    1.531_536_3e-5,
];
/// 1 / ln 2 − log2 e as an `f32`.
const LOG2_E_LOW: f32 = 1.925_963e-8;

/// The sum of two numbers that is log2 of `x × 2^n` for a positive normal `x`, to 2^−31 of it. Fused operations must be fused.
#[inline(always)]
fn log2_in_two<F: Single>(x: F, n: F) -> (F, F) {
    let bits = x.to_bits();
    let e = (bits - bits.c(0.6875f32.to_bits() as i32)).sar(23);
    let significand = bits - e.shl(23);
    let (m, piece) = (significand.as_bits(), significand.sar(19));
    let factor = piece.lookup(&NEAR_ONE);
    let near = m * factor;
    // 1 + r with all bits of the product.
    let (r, r_low) = (near - x.c(1.0), m.fma(factor, -near));
    // r − r²/2 in two.
    let half = r * x.c(0.5);
    let square = half * r;
    let square_low = half.fma(r, -square);
    let high = r - square;
    let low = (((r - high) - square) - square_low) + (-r_low).fma(r, r_low);
    // The rest of the logarithm, and all of it.
    let cubic = (r * r) * r * r.polynomial(LOG2);
    let log2_e = x.c(std::f32::consts::LOG2_E);
    let product = high * log2_e;
    let product_low = high.fma(log2_e, -product);
    let product_low = low.fma(log2_e, high.fma(x.c(LOG2_E_LOW), product_low));
    let whole = (e.to_single() + n) + piece.lookup(&LOG2_HIGH);
    let sum = whole + product;
    let sum_low = (whole - sum) + product;
    (sum, (sum_low + (product_low + cubic)) + piece.lookup(&LOG2_LOW))
}

/// x^y, where looking up is fast.
#[inline(always)]
pub fn power<F: Single>(x: F, y: F) -> F {
    let size = x.abs();
    let is_subnormal = size.lt(x.c(f32::MIN_POSITIVE));
    let normal = F::choose(is_subnormal, size * x.c(8_388_608.0), size);
    let (high, low) = log2_in_two(normal, F::choose(is_subnormal, x.c(-23.0), x.c(0.0)));
    let high = F::choose(size.eq(x.c(0.0)), x.c(f32::NEG_INFINITY), high);
    let high = F::choose(size.lt(x.c(f32::INFINITY)), high, size);
    let product = y * high;
    // Beyond these limits the power is 0 or infinite, and the low part may be anything.
    let is_inside = product.abs().lt(x.c(300.0));
    let product_low = y.fma(low, y.fma(high, -product));
    let product = product.limited(-300.0, 300.0);
    let n = product.round();
    let f = (product - n) + F::choose(is_inside, product_low, x.c(0.0));
    let value = f.fma(f.polynomial(EXP2), x.c(1.0)).scaled(n);
    let value = with_sign_of_power(x, y, value);
    let is_one = y.eq(x.c(0.0)) | x.eq(x.c(1.0)) | (size.eq(x.c(1.0)) & y.abs().eq(x.c(f32::INFINITY)));
    F::choose(is_one, x.c(1.0), value)
}

/// x^y, given |x|^y.
#[inline(always)]
pub fn with_sign_of_power<F: Single>(x: F, y: F, value: F) -> F {
    // Numbers from 2^24 on are even.
    let is_integer = y.round().eq(y);
    let half = y * x.c(0.5);
    let is_odd = is_integer & !half.round().eq(half);
    let bits = x.to_bits();
    let sign = F::Int::choose(is_odd, bits & bits.c(i32::MIN), bits.c(0));
    let value = (value.to_bits() ^ sign).as_bits();
    let is_undefined = x.lt(x.c(0.0)) & x.abs().lt(x.c(f32::INFINITY)) & !is_integer & !y.is_nan();
    F::choose(is_undefined, x.c(f32::NAN), value)
}
