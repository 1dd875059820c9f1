//! Functions of one `f32`, computed in `f32`, without branches, so that a loop over them becomes vector code.
//!
//! `FMA` says whether the loop is compiled for a machine with fused multiply-add; without it the same formulas are
//! accurate enough, and a fused operation would be a call. Errors are in units of the last place (ulp) of the exact
//! result; the worst ones of all operands stand in the tests beside this file. NaNs come out as any NaN.

#![allow(clippy::inline_always, clippy::manual_clamp, reason = "the compiler makes vectors of what it sees")]

/// `a × b + c`.
#[inline(always)]
fn fma<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The polynomial with these coefficients, the constant one first.
#[inline(always)]
fn polynomial<const FMA: bool, const N: usize>(x: f32, coefficients: [f32; N]) -> f32 {
    let mut value = coefficients[N - 1];
    let mut at = N - 1;
    while at > 0 {
        at -= 1;
        value = fma::<FMA>(value, x, coefficients[at]);
    }
    value
}

/// Adding and subtracting it rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// ln 2, its leading bits: products with integers of 15 bits are exact.
const LN2_HIGH: f32 = 355.0 / 512.0;
/// What is left of it.
const LN2_LOW: f32 = -2.121_944_4e-4;

/// (e^r − 1 − r) / r² for |r| ≤ ln 2 / 2.
const EXP: [f32; 6] = [0.5, 0.166_666_67, 0.041_666_463, 0.008_333_310_5, 0.001_393_382_1, 0.000_198_911_8];

/// 2^n for −126 ≤ n ≤ 127.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// `x` between two numbers; NaN stays.
#[inline(always)]
fn limited(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `n`, and `e^r − 1` for the `r` with `high + low = n ln 2 + r`; both together below 2^8, `low` small.
#[inline(always)]
fn exponential_parts<const FMA: bool>(high: f32, low: f32) -> (i32, f32) {
    let shifted = fma::<FMA>(high, std::f32::consts::LOG2_E, ROUND);
    let n = (shifted.to_bits() as i32).wrapping_sub(ROUND.to_bits() as i32);
    let whole = shifted - ROUND;
    let r = fma::<FMA>(whole, -LN2_HIGH, high);
    let r = fma::<FMA>(whole, -LN2_LOW, r) + low;
    (n, fma::<FMA>(r * r, polynomial::<FMA, 6>(r, EXP), r))
}

/// `e^(high + low)`.
#[inline(always)]
fn exponential_of_sum<const FMA: bool>(high: f32, low: f32) -> f32 {
    let (n, q) = exponential_parts::<FMA>(limited(high, -104.0, 89.0), low);
    let half = n >> 1;
    (1.0 + q) * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// e^x.
#[inline(always)]
pub fn exponential<const FMA: bool>(x: f32) -> f32 {
    exponential_of_sum::<FMA>(x, 0.0)
}

/// e^x − 1.
#[inline(always)]
pub fn exponential_minus_one<const FMA: bool>(x: f32) -> f32 {
    let (n, q) = exponential_parts::<FMA>(limited(x, -30.0, 89.0), 0.0);
    // Half of everything, so that 2^128 is not needed.
    let half = power_of_two(n.wrapping_sub(1));
    let value = fma::<FMA>(half, q, half - 0.5) * 2.0;
    // The sum loses small operands without a fused operation, and the sign of zero.
    let value = if n == 0 { q } else { value };
    value.copysign(x)
}

/// 1 / (1 + e^−x).
#[inline(always)]
pub fn logistic<const FMA: bool>(x: f32) -> f32 {
    let e = exponential::<FMA>(-x.abs());
    let numerator = if x < 0.0 { e } else { 1.0 };
    numerator / (1.0 + e)
}

/// Hyperbolic tangent.
#[inline(always)]
pub fn tanh<const FMA: bool>(x: f32) -> f32 {
    // (e^2x − 1) / (e^2x + 1); from 9.02 on that rounds to 1.
    let (n, q) = exponential_parts::<FMA>(limited(2.0 * x.abs(), 0.0, 20.0), 0.0);
    let power = power_of_two(n);
    let minus_one = fma::<FMA>(power, q, power - 1.0);
    (minus_one / (minus_one + 2.0)).copysign(x)
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

/// `e` and the bits of the `m` with `x = m × 2^e` and √½ ≤ m < √2, for a normal positive `x`.
#[inline(always)]
fn split(x: f32) -> (i32, f32) {
    let bits = x.to_bits();
    let e = (bits.wrapping_sub(std::f32::consts::FRAC_1_SQRT_2.to_bits()) as i32) >> 23;
    (e, f32::from_bits(bits.wrapping_sub((e << 23) as u32)))
}

/// `e ln 2 + ln(1 + f)`.
#[inline(always)]
fn log_of_parts<const FMA: bool>(e: f32, f: f32) -> f32 {
    let square = f * f;
    let tail = square * f * polynomial::<FMA, 9>(f, LOG);
    let tail = fma::<FMA>(e, LN2_LOW, tail);
    let tail = fma::<FMA>(square, -0.5, tail);
    fma::<FMA>(e, LN2_HIGH, f + tail)
}

/// The logarithm, given its value for positive numbers.
#[inline(always)]
fn with_special_values(x: f32, value: f32) -> f32 {
    let value = if x < f32::INFINITY { value } else { x };
    let value = if x < 0.0 { f32::NAN } else { value };
    if x == 0.0 { f32::NEG_INFINITY } else { value }
}

/// Natural logarithm.
#[inline(always)]
pub fn log<const FMA: bool>(x: f32) -> f32 {
    let is_subnormal = x < f32::MIN_POSITIVE;
    let (e, m) = split(if is_subnormal { x * 8_388_608.0 } else { x });
    let e = e as f32 - if is_subnormal { 23.0 } else { 0.0 };
    with_special_values(x, log_of_parts::<FMA>(e, m - 1.0))
}

/// ln(1 + x).
#[inline(always)]
pub fn log_plus_one<const FMA: bool>(x: f32) -> f32 {
    let sum = 1.0 + x;
    // What rounding took from the sum.
    let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
    let (e, m) = split(sum);
    let f = (m - 1.0) + lost * power_of_two(0i32.wrapping_sub(if e > 100 { 100 } else { e }));
    with_special_values(sum, log_of_parts::<FMA>(e as f32, f)).copysign(x)
}

/// Adding and subtracting it rounds an `f64` to the nearest integer.
const ROUND_F64: f64 = 6_755_399_441_055_744.0;

/// The number of quarter turns nearest to `x`, and the angle that is left, for |x| below [`CIRCULAR_LIMIT`].
#[inline(always)]
fn quarter_turns<const FMA: bool>(x: f32) -> (u32, f32) {
    let x = f64::from(x);
    let shifted = x * std::f64::consts::FRAC_2_PI + ROUND_F64;
    let whole = shifted - ROUND_F64;
    let rest = if FMA {
        let rest = whole.mul_add(-std::f64::consts::FRAC_PI_2, x);
        whole.mul_add(-6.123_233_995_736_766e-17, rest)
    } else {
        // π/2 in pieces of 33 bits, whose products are exact.
        let rest = x - whole * 1.570_796_326_734_125_6;
        let rest = rest - whole * 6.077_100_506_303_966e-11;
        rest - whole * 2.022_266_248_795_950_6e-21
    };
    (shifted.to_bits() as u32, rest as f32)
}

/// Magnitude up to which [`sine`] and [`cosine`] are good.
pub const CIRCULAR_LIMIT: f32 = 1_000_000.0;

/// Sine of `x` plus `turns` quarter turns.
#[inline(always)]
fn turned_sine<const FMA: bool>(x: f32, turns: u32) -> f32 {
    let (quarter, r) = quarter_turns::<FMA>(x);
    let quarter = quarter.wrapping_add(turns);
    let u = r * r;
    let sine = polynomial::<FMA, 4>(u, [-0.166_666_67, 0.008_333_332, -0.000_198_400_83, 2.724_931_4e-6]);
    let sine = fma::<FMA>(u * r, sine, r);
    let cosine = polynomial::<FMA, 4>(u, [0.041_666_668, -0.001_388_888_8, 2.480_059_6e-5, -2.730_044_7e-7]);
    let cosine = fma::<FMA>(u * u, cosine, fma::<FMA>(u, -0.5, 1.0));
    let value = if quarter & 1 == 0 { sine } else { cosine };
    f32::from_bits(value.to_bits() ^ ((quarter & 2) << 30))
}

/// Sine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn sine<const FMA: bool>(x: f32) -> f32 {
    let value = turned_sine::<FMA>(x, 0);
    // −0 must keep its sign; the angle that is left of it has lost it.
    if x == 0.0 { x } else { value }
}

/// Cosine, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn cosine<const FMA: bool>(x: f32) -> f32 {
    turned_sine::<FMA>(x, 1)
}

/// Square root.
#[inline(always)]
pub fn sqrt<const FMA: bool>(x: f32) -> f32 {
    x.sqrt()
}

/// Reciprocal square root.
#[inline(always)]
pub fn rsqrt<const FMA: bool>(x: f32) -> f32 {
    1.0 / x.sqrt()
}
