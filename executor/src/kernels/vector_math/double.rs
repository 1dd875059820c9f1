//! Functions of `f32` that are computed in `f64`, without branches, and rounded once: within 0.51 ulp.
//!
//! Half as many fit a vector, but no care is needed for accuracy, subnormal numbers are normal here, and what is too
//! large or too small falls into place when it is rounded.

#![allow(clippy::inline_always, reason = "the compiler makes vectors of what it sees")]

use super::arith::{Double, Long, Real, Single};
use super::single::with_sign_of_power;

/// Adding and subtracting it rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `value × 2^n` for a normal result, where `n` stands in the lowest bits of `shifted`.
#[inline(always)]
fn scaled<D: Double>(value: D, shifted: D) -> D {
    (value.to_bits() + shifted.to_bits().shl(52)).as_bits()
}

/// (e^r − 1 − r) / r² for |r| ≤ ln 2 / 2, to 2^−30.
const EXP: [f64; 6] = [
    0.500_000_001_362_013_8,
    0.166_666_666_817_946_26,
    0.041_666_463_386_339_524,
    0.008_333_310_754_576_892,
    0.001_393_382_048_977_602,
    0.000_198_911_801_582_821_43,
];

/// `e^r − 1` and the sum whose lowest bits are the `n` with `x = n ln 2 + r`, for |x| < 700.
#[inline(always)]
fn exponential_parts<D: Double>(x: D) -> (D, D) {
    let shifted = x.fma(x.c(std::f64::consts::LOG2_E), x.c(ROUND));
    let r = (shifted - x.c(ROUND)).fma(x.c(-std::f64::consts::LN_2), x);
    ((r * r).fma(r.polynomial(EXP), r), shifted)
}

/// e^x for |x| < 700.
#[inline(always)]
fn exponential<D: Double>(x: D) -> D {
    let (q, shifted) = exponential_parts(x);
    scaled(q + x.c(1.0), shifted)
}

/// `e^x − 1` for |x| < 700, with its own relative accuracy.
#[inline(always)]
fn exponential_minus_one<D: Double>(x: D) -> D {
    let (q, shifted) = exponential_parts(x);
    let power = scaled(x.c(1.0), shifted);
    power.fma(q, power - x.c(1.0))
}

/// ln(1 + f) / f between √½ − 1 and √2 − 1, to 2^−40.
const LOG: [f64; 15] = [
    1.000_000_000_000_218_5,
    -0.499_999_999_985_070_55,
    0.333_333_333_113_083_7,
    -0.250_000_004_344_378_9,
    0.200_000_038_213_801_75,
    -0.166_666_321_554_738_12,
    0.142_854_574_077_458_08,
    -0.125_010_768_755_015_88,
    0.111_194_337_160_586_99,
    -0.099_873_676_925_546_26,
    0.089_539_377_346_265_28,
    -0.083_171_554_750_401_76,
    0.087_512_238_382_111_58,
    -0.084_697_841_836_810_28,
    0.042_737_678_712_534_56,
];

/// `e` and the `m` with `x = m × 2^e` and √½ ≤ m < √2, for a normal positive `x`.
#[inline(always)]
pub fn split<D: Double>(x: D) -> (D, D) {
    const ONE: i64 = 1023 << 52;
    let bits = x.to_bits();
    let offset = ONE.wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64);
    let biased = (bits + bits.c(offset)).shr(52);
    // The number 2^52 + biased has these bits.
    let e = (biased | biased.c(1075 << 52)).as_bits() - x.c(4_503_599_627_370_496.0 + 1023.0);
    (e, (bits - biased.shl(52) + bits.c(ONE)).as_bits())
}

/// Natural logarithm of a normal positive number.
#[inline(always)]
fn log<D: Double>(x: D) -> D {
    let (e, m) = split(x);
    let f = m - x.c(1.0);
    e.fma(x.c(std::f64::consts::LN_2), f * f.polynomial(LOG))
}

/// ln(1 + x) for x > −1.
#[inline(always)]
fn log_plus_one<D: Double>(x: D) -> D {
    let one = x.c(1.0);
    let sum = x + one;
    let lost = D::choose(x.lt(one), x - (sum - one), one - (sum - x));
    let (e, m) = split(sum);
    let inverse = (x.c(1023.0) - e.limited(-1000.0, 1000.0)) + x.c(4_503_599_627_370_496.0);
    let f = (m - one) + lost * inverse.to_bits().shl(52).as_bits();
    e.fma(x.c(std::f64::consts::LN_2), f * f.polynomial(LOG))
}

/// (2^r − 1) / r for |r| ≤ ½, to 2^−38.
const EXP2: [f64; 8] = [
    0.693_147_180_556_782_3,
    0.240_226_506_958_881_54,
    0.055_504_109_068_067_35,
    0.009_618_129_135_569_293,
    0.001_333_347_783_375_67,
    0.000_154_034_747_431_842_52,
    1.530_390_509_058_455e-5,
    1.325_094_711_138_749_5e-6,
];

/// 2^x, as far as an `f32` can tell; NaN stays.
#[inline(always)]
fn exp2<D: Double>(x: D) -> D {
    let x = x.limited(-200.0, 200.0);
    let shifted = x + x.c(ROUND);
    let r = x - (shifted - x.c(ROUND));
    scaled(r.fma(r.polynomial(EXP2), x.c(1.0)), shifted)
}

/// x^y.
#[inline(always)]
pub fn power<F: Single>(x: F, y: F) -> F {
    let size = x.abs();
    let (wide_y, wide) = (y.widen(), size.widen());
    let c = |value| wide.c(value);
    let log2 = log(wide) * c(std::f64::consts::LOG2_E);
    let log2 = F::Double::choose(size.eq(x.c(0.0)), c(f64::NEG_INFINITY), log2);
    let log2 = F::Double::choose(size.lt(x.c(f32::INFINITY)), log2, wide);
    let value = with_sign_of_power(x, y, exp2(wide_y * log2).narrow());
    let is_one = y.eq(x.c(0.0)) | x.eq(x.c(1.0)) | (size.eq(x.c(1.0)) & y.abs().eq(x.c(f32::INFINITY)));
    F::choose(is_one, x.c(1.0), value)
}

/// Cube root.
#[inline(always)]
pub fn cbrt<F: Single>(x: F) -> F {
    let size = x.abs().widen();
    let root = exp2(log(size) * size.c(std::f64::consts::LOG2_E / 3.0));
    // ∛(m × 2^e) from the logarithm is good to 2^−38 only; one step of Newton's makes sure of exact roots.
    let root = root - (root - size / (root * root)) * size.c(1.0 / 3.0);
    let is_plain = !x.eq(x.c(0.0)) & x.abs().lt(x.c(f32::INFINITY));
    F::choose(is_plain, root.narrow().copysign(x), x)
}

/// atan(q) / q as a polynomial in q² for |q| ≤ 1, to 2^−36.
const ATAN: [f64; 13] = [
    0.999_999_999_988_738_1,
    -0.333_333_329_516_572_2,
    0.199_999_783_362_170_84,
    -0.142_852_256_081_602_1,
    0.111_053_067_324_244_64,
    -0.090_491_790_937_205_77,
    0.074_952_623_780_996_96,
    -0.060_221_963_879_374_33,
    0.043_646_589_442_816_67,
    -0.026_005_995_977_608_62,
    0.011_427_633_277_375_594,
    -0.003_195_425_240_736_394_4,
    0.000_419_227_860_112_728_97,
];

/// The angle of (x, y); zeros and infinities are told apart, NaN comes of NaN.
#[inline(always)]
fn angle<D: Double>(y: D, x: D) -> D {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (size_y, size_x) = (y.abs(), x.abs());
    let is_steep = size_x.lt(size_y);
    let (small, large) = (D::choose(is_steep, size_x, size_y), D::choose(is_steep, size_y, size_x));
    // 0 / 0 counts as 0 and ∞ / ∞ as 1.
    let quotient = D::choose(large.eq(x.c(0.0)), x.c(0.0), small / large);
    let quotient = D::choose(small.eq(x.c(f64::INFINITY)), x.c(1.0), quotient);
    let angle = quotient * (quotient * quotient).polynomial(ATAN);
    let angle = D::choose(is_steep, x.c(FRAC_PI_2) - angle, angle);
    let angle = D::choose(x.is_negative(), x.c(PI) - angle, angle);
    let angle = D::choose(x.is_nan() | y.is_nan(), x.c(f64::NAN), angle);
    angle.copysign(y)
}

/// Angle of the point (`x`, `y`).
#[inline(always)]
pub fn atan2<F: Single>(y: F, x: F) -> F {
    angle(y.widen(), x.widen()).narrow()
}

/// Inverse tangent.
#[inline(always)]
pub fn atan<F: Single>(x: F) -> F {
    let x = x.widen();
    angle(x, x.c(1.0)).narrow()
}

/// Inverse sine.
#[inline(always)]
pub fn asin<F: Single>(x: F) -> F {
    let x = x.widen();
    angle(x, ((x.c(1.0) - x) * (x + x.c(1.0))).sqrt()).narrow()
}

/// Inverse cosine.
#[inline(always)]
pub fn acos<F: Single>(x: F) -> F {
    let x = x.widen();
    angle(((x.c(1.0) - x) * (x + x.c(1.0))).sqrt(), x).narrow()
}

/// Hyperbolic sine.
#[inline(always)]
pub fn sinh<F: Single>(x: F) -> F {
    let e = exponential_minus_one(x.abs().widen().at_most(120.0));
    (e.c(0.5) * (e + e / (e + e.c(1.0)))).narrow().copysign(x)
}

/// Hyperbolic cosine.
#[inline(always)]
pub fn cosh<F: Single>(x: F) -> F {
    let e = exponential(x.abs().widen().at_most(120.0));
    (e.c(0.5) * (e + e.c(1.0) / e)).narrow()
}

/// Inverse hyperbolic sine.
#[inline(always)]
pub fn asinh<F: Single>(x: F) -> F {
    let size = x.abs().widen();
    let one = size.c(1.0);
    let square = size * size;
    let value = log_plus_one(size + square / ((square + one).sqrt() + one)).narrow();
    F::choose(x.abs().lt(x.c(f32::INFINITY)), value, x).copysign(x)
}

/// Inverse hyperbolic cosine.
#[inline(always)]
pub fn acosh<F: Single>(x: F) -> F {
    let wide = x.widen();
    let above = wide - wide.c(1.0);
    let value = log_plus_one(above + (above * (above + wide.c(2.0))).sqrt()).narrow();
    let value = F::choose(x.lt(x.c(f32::INFINITY)), value, x);
    F::choose(x.lt(x.c(1.0)), x.c(f32::NAN), value)
}

/// Inverse hyperbolic tangent.
#[inline(always)]
pub fn atanh<F: Single>(x: F) -> F {
    let size = x.abs().widen();
    let one = size.c(1.0);
    let value = log_plus_one((size + size) / (one - size)) * size.c(0.5);
    let value = F::Double::choose(size.eq(one), size.c(f64::INFINITY), value);
    let value = F::Double::choose(one.lt(size), size.c(f64::NAN), value);
    value.narrow().copysign(x)
}

/// Magnitude up to which [`tan`] is good.
pub const CIRCULAR_LIMIT: f32 = 1_000_000.0;

/// Tangent, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn tan<F: Single>(x: F) -> F {
    let wide = x.widen();
    let shifted = wide * wide.c(std::f64::consts::FRAC_2_PI) + wide.c(ROUND);
    let whole = shifted - wide.c(ROUND);
    // π/2 in pieces of 33 bits, whose products are exact.
    let r = wide - whole * wide.c(1.570_796_326_734_125_6);
    let r = r - whole * wide.c(6.077_100_506_303_966e-11);
    let r = r - whole * wide.c(2.022_266_248_795_950_6e-21);
    let u = r * r;
    let sine = [
        -0.166_666_666_638_327_63,
        0.008_333_331_865_959_415,
        -0.000_198_400_820_127_655_37,
        2.724_931_405_469_880_4e-6,
    ];
    let sine = (u * r).fma(u.polynomial(sine), r);
    let cosine = [
        0.041_666_666_664_302_4,
        -0.001_388_888_766_471_361_2,
        2.480_059_643_562_199_8e-5,
        -2.730_044_861_948_835_3e-7,
    ];
    let cosine = (u * u).fma(u.polynomial(cosine), u.fma(u.c(-0.5), u.c(1.0)));
    let bits = shifted.to_bits();
    let is_odd = (bits & bits.c(1)).eq(bits.c(1));
    let numerator = F::Double::choose(is_odd, -cosine, sine);
    let denominator = F::Double::choose(is_odd, sine, cosine);
    F::choose(x.eq(x.c(0.0)), x, (numerator / denominator).narrow())
}

/// erf(x) / x as a polynomial in x² for |x| ≤ 1, to 2^−40.
const ERF: [f64; 9] = [
    1.128_379_167_094_676_8,
    -0.376_126_388_896_353_1,
    0.112_837_913_086_045_82,
    -0.026_866_133_235_095_593,
    0.005_223_783_477_189_248,
    -0.000_854_263_799_708_722_9,
    0.000_119_565_625_682_073_3,
    -1.390_934_002_187_459_9e-5,
    1.058_938_064_107_502e-6,
];

/// erfc(x) e^(x²) (x + 2½) as a polynomial in (x − 2½) / (x + 2½) for 0 ≤ x ≤ 10.2, to 2^−33.
const ERFC: [f64; 13] = [
    1.054_031_820_311_394_5,
    -0.804_651_848_217_641_6,
    0.453_914_116_204_602_65,
    -0.171_251_202_097_889_05,
    0.028_361_533_668_885_473,
    0.008_393_794_900_615_939,
    -0.004_818_247_272_524_928,
    -0.000_443_251_403_283_800_5,
    0.000_698_254_700_813_513_3,
    6.734_063_016_233_06e-5,
    -9.833_873_348_898_703e-5,
    -2.413_862_114_405_126_5e-5,
    1.556_368_052_188_027_3e-6,
];

/// `1 − erf(x)` for 0 ≤ x ≤ 10.2.
#[inline(always)]
fn complement<D: Double>(x: D) -> D {
    let inverse = x.c(1.0) / (x + x.c(2.5));
    let t = (x - x.c(2.5)) * inverse;
    exponential(-(x * x)) * inverse * t.polynomial(ERFC)
}

/// Error function.
#[inline(always)]
pub fn erf<F: Single>(x: F) -> F {
    let wide = x.abs().widen().at_most(10.2);
    let near = wide * (wide * wide).polynomial(ERF);
    let far = wide.c(1.0) - complement(wide);
    F::Double::choose(wide.lt(wide.c(1.0)), near, far).narrow().copysign(x)
}

/// 1 − erf(x).
#[inline(always)]
pub fn erfc<F: Single>(x: F) -> F {
    let far = complement(x.abs().widen().at_most(10.2));
    F::Double::choose(x.lt(x.c(0.0)), far.c(2.0) - far, far).narrow()
}

/// erf⁻¹(x) / x with w = −ln(1 − x²) below 5, as a polynomial in w / 2.5 − 1, to 2^−34.
const ERF_INV_NEAR: [f64; 13] = [
    1.501_409_351_110_792,
    0.616_600_691_963_169_4,
    -0.026_108_236_313_375_218,
    -0.019_573_563_806_598_138,
    0.008_525_415_992_185_547,
    -0.000_487_879_047_730_474_56,
    -0.000_834_256_648_619_387_3,
    0.000_292_141_616_418_473_6,
    2.089_156_496_459_831_5e-5,
    -4.140_623_891_110_373e-5,
    7.941_246_815_710_843e-6,
    2.933_237_307_815_743_6e-6,
    -1.263_830_967_653_930_5e-6,
];

/// The same for w from 5 to 16, as a polynomial in (√w − 3.118…) / 0.881…, to 2^−28.
const ERF_INV_FAR: [f64; 11] = [
    2.951_328_578_343_118,
    0.885_158_458_179_909_3,
    0.005_569_363_392_807_63,
    -0.003_709_618_948_265_187,
    0.002_348_978_434_092_215,
    -0.001_375_800_696_207_196,
    0.000_604_111_794_089_096_4,
    -0.000_128_588_134_529_127_35,
    -4.346_131_068_488_859e-5,
    4.107_095_459_538_946e-5,
    -9.294_078_592_276_112e-6,
];

/// Inverse of the error function.
#[inline(always)]
pub fn erf_inv<F: Single>(x: F) -> F {
    let wide = x.widen();
    let one = wide.c(1.0);
    let w = -log(((one - wide) * (wide + one)).limited(1e-9, 1.0));
    let near = (w * w.c(0.4) - one).polynomial(ERF_INV_NEAR);
    let far = (w.sqrt() - w.c(3.118_033_988_749_895)) * w.c(1.0 / 0.881_966_011_250_105_1);
    let value = (wide * F::Double::choose(w.lt(w.c(5.0)), near, far.polynomial(ERF_INV_FAR))).narrow();
    let value = F::choose(x.abs().eq(x.c(1.0)), x.c(f32::INFINITY).copysign(x), value);
    F::choose(x.c(1.0).lt(x.abs()), x.c(f32::NAN), value)
}
