//! Functions of `f32` that are computed in `f64`, without branches, and rounded once: within 0.51 ulp.
//!
//! Half as many fit a vector, but no care is needed for accuracy, subnormal numbers are normal here, and what is too
//! large or too small falls into place when it is rounded. `FMA` as in `single.rs`.

#![allow(clippy::inline_always, clippy::manual_clamp, reason = "the compiler makes vectors of what it sees")]

/// `a × b + c`.
#[inline(always)]
fn fma<const FMA: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// The polynomial with these coefficients, the constant one first.
#[inline(always)]
fn polynomial<const FMA: bool, const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut value = coefficients[N - 1];
    let mut at = N - 1;
    while at > 0 {
        at -= 1;
        value = fma::<FMA>(value, x, coefficients[at]);
    }
    value
}

/// Adding and subtracting it rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// `x` between two numbers; NaN stays.
#[inline(always)]
fn limited(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `value × 2^n` for a normal result, where `n` stands in the lowest bits of `shifted`.
#[inline(always)]
fn scaled(value: f64, shifted: f64) -> f64 {
    f64::from_bits(value.to_bits().wrapping_add(shifted.to_bits() << 52))
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
fn exponential_parts<const FMA: bool>(x: f64) -> (f64, f64) {
    let shifted = fma::<FMA>(x, std::f64::consts::LOG2_E, ROUND);
    let r = fma::<FMA>(shifted - ROUND, -std::f64::consts::LN_2, x);
    (fma::<FMA>(r * r, polynomial::<FMA, 6>(r, EXP), r), shifted)
}

/// e^x for |x| < 700.
#[inline(always)]
fn exponential<const FMA: bool>(x: f64) -> f64 {
    let (q, shifted) = exponential_parts::<FMA>(x);
    scaled(1.0 + q, shifted)
}

/// `e^x − 1` for |x| < 700, with its own relative accuracy.
#[inline(always)]
fn exponential_minus_one<const FMA: bool>(x: f64) -> f64 {
    let (q, shifted) = exponential_parts::<FMA>(x);
    let power = scaled(1.0, shifted);
    fma::<FMA>(power, q, power - 1.0)
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
fn split(x: f64) -> (f64, f64) {
    const ONE: u64 = 1023 << 52;
    let bits = x.to_bits();
    let biased = bits.wrapping_sub(std::f64::consts::FRAC_1_SQRT_2.to_bits()).wrapping_add(ONE) >> 52;
    // The number 2^52 + biased has these bits.
    let e = f64::from_bits(biased | (1075 << 52)) - (4_503_599_627_370_496.0 + 1023.0);
    (e, f64::from_bits(bits.wrapping_sub(biased << 52).wrapping_add(ONE)))
}

/// Natural logarithm of a normal positive number.
#[inline(always)]
fn log<const FMA: bool>(x: f64) -> f64 {
    let (e, m) = split(x);
    let f = m - 1.0;
    fma::<FMA>(e, std::f64::consts::LN_2, f * polynomial::<FMA, 15>(f, LOG))
}

/// ln(1 + x) for x > −1.
#[inline(always)]
fn log_plus_one<const FMA: bool>(x: f64) -> f64 {
    let sum = 1.0 + x;
    let lost = if x < 1.0 { x - (sum - 1.0) } else { 1.0 - (sum - x) };
    let (e, m) = split(sum);
    let inverse = f64::from_bits(((1023.0 - limited(e, -1000.0, 1000.0)) + 4_503_599_627_370_496.0).to_bits() << 52);
    let f = (m - 1.0) + lost * inverse;
    fma::<FMA>(e, std::f64::consts::LN_2, f * polynomial::<FMA, 15>(f, LOG))
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
fn exp2<const FMA: bool>(x: f64) -> f64 {
    let x = limited(x, -200.0, 200.0);
    let shifted = x + ROUND;
    let r = x - (shifted - ROUND);
    scaled(fma::<FMA>(r, polynomial::<FMA, 8>(r, EXP2), 1.0), shifted)
}

/// x^y.
#[inline(always)]
pub fn power<const FMA: bool>(x: f32, y: f32) -> f32 {
    let size = x.abs();
    let (wide_y, wide) = (f64::from(y), f64::from(size));
    let log2 = log::<FMA>(wide) * std::f64::consts::LOG2_E;
    let log2 = if size == 0.0 { f64::NEG_INFINITY } else { log2 };
    let log2 = if size < f32::INFINITY { log2 } else { wide };
    let value = exp2::<FMA>(wide_y * log2) as f32;
    // Integers of 2^24 and more are even.
    let limited_y = limited(wide_y, -33_554_432.0, 33_554_432.0);
    let is_integer = (limited_y + ROUND) - ROUND == limited_y;
    let half = limited_y * 0.5;
    let is_odd = is_integer & ((half + ROUND) - ROUND != half);
    let sign = if is_odd { x.to_bits() & 0x8000_0000 } else { 0 };
    let value = f32::from_bits(value.to_bits() ^ sign);
    let is_undefined = (x < 0.0) & (size < f32::INFINITY) & !is_integer & !y.is_nan();
    let value = if is_undefined { f32::NAN } else { value };
    let is_one = (y == 0.0) | (x == 1.0) | ((size == 1.0) & (y.abs() == f32::INFINITY));
    if is_one { 1.0 } else { value }
}

/// Cube root.
#[inline(always)]
pub fn cbrt<const FMA: bool>(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let root = exp2::<FMA>(log::<FMA>(size) * (std::f64::consts::LOG2_E / 3.0));
    // ∛(m × 2^e) from the logarithm is good to 2^−38 only; one step of Newton's makes sure of exact roots.
    let root = root - (root - size / (root * root)) * (1.0 / 3.0);
    let root = root as f32;
    let is_plain = (x != 0.0) & (x.abs() < f32::INFINITY);
    if is_plain { root.copysign(x) } else { x }
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
fn angle<const FMA: bool>(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, PI};
    let (size_y, size_x) = (y.abs(), x.abs());
    let is_steep = size_y > size_x;
    let (small, large) = if is_steep { (size_x, size_y) } else { (size_y, size_x) };
    // 0 / 0 counts as 0 and ∞ / ∞ as 1.
    let quotient = small / large;
    let quotient = if large == 0.0 { 0.0 } else { quotient };
    let quotient = if small == f64::INFINITY { 1.0 } else { quotient };
    let angle = quotient * polynomial::<FMA, 13>(quotient * quotient, ATAN);
    let angle = if is_steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() { PI - angle } else { angle };
    let angle = if x.is_nan() | y.is_nan() { f64::NAN } else { angle };
    angle.copysign(y)
}

/// Angle of the point (`x`, `y`).
#[inline(always)]
pub fn atan2<const FMA: bool>(y: f32, x: f32) -> f32 {
    angle::<FMA>(f64::from(y), f64::from(x)) as f32
}

/// Inverse tangent.
#[inline(always)]
pub fn atan<const FMA: bool>(x: f32) -> f32 {
    angle::<FMA>(f64::from(x), 1.0) as f32
}

/// Inverse sine.
#[inline(always)]
pub fn asin<const FMA: bool>(x: f32) -> f32 {
    let x = f64::from(x);
    angle::<FMA>(x, ((1.0 - x) * (1.0 + x)).sqrt()) as f32
}

/// Inverse cosine.
#[inline(always)]
pub fn acos<const FMA: bool>(x: f32) -> f32 {
    let x = f64::from(x);
    angle::<FMA>(((1.0 - x) * (1.0 + x)).sqrt(), x) as f32
}

/// Hyperbolic sine.
#[inline(always)]
pub fn sinh<const FMA: bool>(x: f32) -> f32 {
    let e = exponential_minus_one::<FMA>(limited(f64::from(x.abs()), 0.0, 120.0));
    ((0.5 * (e + e / (e + 1.0))) as f32).copysign(x)
}

/// Hyperbolic cosine.
#[inline(always)]
pub fn cosh<const FMA: bool>(x: f32) -> f32 {
    let e = exponential::<FMA>(limited(f64::from(x.abs()), 0.0, 120.0));
    (0.5 * (e + 1.0 / e)) as f32
}

/// Inverse hyperbolic sine.
#[inline(always)]
pub fn asinh<const FMA: bool>(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let value = log_plus_one::<FMA>(size + size * size / (1.0 + (size * size + 1.0).sqrt())) as f32;
    let value = if x.abs() < f32::INFINITY { value } else { x };
    value.copysign(x)
}

/// Inverse hyperbolic cosine.
#[inline(always)]
pub fn acosh<const FMA: bool>(x: f32) -> f32 {
    let above = f64::from(x) - 1.0;
    let value = log_plus_one::<FMA>(above + (above * (above + 2.0)).sqrt()) as f32;
    let value = if x < f32::INFINITY { value } else { x };
    if x < 1.0 { f32::NAN } else { value }
}

/// Inverse hyperbolic tangent.
#[inline(always)]
pub fn atanh<const FMA: bool>(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let value = 0.5 * log_plus_one::<FMA>(2.0 * size / (1.0 - size));
    let value = if size == 1.0 { f64::INFINITY } else { value };
    let value = if size > 1.0 { f64::NAN } else { value };
    (value as f32).copysign(x)
}

/// Magnitude up to which [`tan`] is good.
pub const CIRCULAR_LIMIT: f32 = 1_000_000.0;

/// Tangent, for |x| up to [`CIRCULAR_LIMIT`].
#[inline(always)]
pub fn tan<const FMA: bool>(x: f32) -> f32 {
    let wide = f64::from(x);
    let shifted = wide * std::f64::consts::FRAC_2_PI + ROUND;
    let whole = shifted - ROUND;
    // π/2 in pieces of 33 bits, whose products are exact.
    let r = wide - whole * 1.570_796_326_734_125_6;
    let r = r - whole * 6.077_100_506_303_966e-11;
    let r = r - whole * 2.022_266_248_795_950_6e-21;
    let u = r * r;
    let sine = [
        -0.166_666_666_638_327_63,
        0.008_333_331_865_959_415,
        -0.000_198_400_820_127_655_37,
        2.724_931_405_469_880_4e-6,
    ];
    let sine = fma::<FMA>(u * r, polynomial::<FMA, 4>(u, sine), r);
    let cosine = [
        0.041_666_666_664_302_4,
        -0.001_388_888_766_471_361_2,
        2.480_059_643_562_199_8e-5,
        -2.730_044_861_948_835_3e-7,
    ];
    let cosine = fma::<FMA>(u * u, polynomial::<FMA, 4>(u, cosine), fma::<FMA>(u, -0.5, 1.0));
    let is_odd = shifted.to_bits() & 1 == 1;
    let (numerator, denominator) = if is_odd { (-cosine, sine) } else { (sine, cosine) };
    let value = (numerator / denominator) as f32;
    if x == 0.0 { x } else { value }
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
fn complement<const FMA: bool>(x: f64) -> f64 {
    let inverse = 1.0 / (x + 2.5);
    let t = (x - 2.5) * inverse;
    exponential::<FMA>(-(x * x)) * inverse * polynomial::<FMA, 13>(t, ERFC)
}

/// Error function.
#[inline(always)]
pub fn erf<const FMA: bool>(x: f32) -> f32 {
    let wide = limited(f64::from(x.abs()), 0.0, 10.2);
    let near = wide * polynomial::<FMA, 9>(wide * wide, ERF);
    let far = 1.0 - complement::<FMA>(wide);
    ((if wide < 1.0 { near } else { far }) as f32).copysign(x)
}

/// 1 − erf(x).
#[inline(always)]
pub fn erfc<const FMA: bool>(x: f32) -> f32 {
    let far = complement::<FMA>(limited(f64::from(x.abs()), 0.0, 10.2));
    (if x < 0.0 { 2.0 - far } else { far }) as f32
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
pub fn erf_inv<const FMA: bool>(x: f32) -> f32 {
    let wide = f64::from(x);
    let w = -log::<FMA>(limited((1.0 - wide) * (1.0 + wide), 1e-9, 1.0));
    let near = polynomial::<FMA, 13>(w * 0.4 - 1.0, ERF_INV_NEAR);
    let far = polynomial::<FMA, 11>((w.sqrt() - 3.118_033_988_749_895) * (1.0 / 0.881_966_011_250_105_1), ERF_INV_FAR);
    let value = (wide * if w < 5.0 { near } else { far }) as f32;
    let value = if x.abs() == 1.0 { f32::INFINITY.copysign(x) } else { value };
    if x.abs() > 1.0 { f32::NAN } else { value }
}
