//! Functions of `f32` with a shorter way to the value that `f64` and one rounding give.
//!
//! Sine, cosine and tangent of `pxfm` 0.1.30 in `f32` were compared with those in `f64`, rounded, on all 2^32 operands:
//! compiled without fused multiply-add, with it, and choosing it at run time. Sine is the same everywhere. Cosine differs
//! at one operand and tangent at twelve, and at their negatives; by arithmetic of 400 bits the rounded `f64` value is the
//! right one at each, so that these operands go through `f64`.

use super::{Float, functions};

/// Operands whose cosine is wrong by rounding in `f32`, without their signs.
const HARD_FOR_COSINE: [u32; 1] = [0x5922_aa80];

/// The same for the tangent.
const HARD_FOR_TANGENT: [u32; 12] = [
    0x3e19_205e,
    0x4081_74dd,
    0x536b_7a05,
    0x54b1_e095,
    0x5680_7d7f,
    0x5d58_73ae,
    0x5ffd_33a4,
    0x61f0_c8e2,
    0x61fe_289f,
    0x6736_57c5,
    0x690c_97ba,
    0x694e_c991,
];

/// A circular function of `x` from its two forms.
#[inline]
fn circular(x: f32, hard: &[u32], single: fn(f32) -> f32, double: fn(f64) -> f64) -> f32 {
    if !x.is_finite() {
        f32::NAN
    } else if hard.contains(&x.abs().to_bits()) {
        double(f64::from(x)) as f32
    } else {
        single(x)
    }
}

/// Sine.
#[inline]
pub fn sine(x: f32) -> f32 {
    circular(x, &[], pxfm::f_sinf, functions::sine)
}

/// Cosine.
#[inline]
pub fn cosine(x: f32) -> f32 {
    circular(x, &HARD_FOR_COSINE, pxfm::f_cosf, functions::cosine)
}

/// Tangent.
#[inline]
pub fn tan(x: f32) -> f32 {
    circular(x, &HARD_FOR_TANGENT, pxfm::f_tanf, functions::tan)
}

/// x^y.
pub fn power(x: f32, y: f32) -> f32 {
    short_power(x, y).unwrap_or_else(|| f32::rounded(functions::power(f64::from(x), f64::from(y))))
}

/// x^y as e^(y ln |x|), where that leaves no doubt about the rounding.
///
/// ln and exp in `f64` are correctly rounded as far as is known; were they wrong by four ulp, the relative error of the
/// logarithm would be below 2^−50, so that of the product below 2^−49.8. The product is below 2^6.5, so its absolute error,
/// which is the relative error of the power, is below 2^−43.3; that of exp, 2^−50, adds little. If all numbers within
/// 2^−42 round alike, so does the exact one. Special values, ties and results that are not normal are left to others.
fn short_power(x: f32, y: f32) -> Option<f32> {
    let is_odd = y % 2.0 != 0.0;
    if x < 0.0 && y != y.trunc() {
        return None;
    }
    let product = f64::from(y) * functions::log(f64::from(x.abs()));
    // Not with NaN, of which there is one for zeros, infinities and NaNs.
    if !(-87.0..88.0).contains(&product) {
        return None;
    }
    let value = functions::exponential(product);
    let doubt = value * 2f64.powi(-42);
    let (low, high) = ((value - doubt) as f32, (value + doubt) as f32);
    let value = if x < 0.0 && is_odd { -low } else { low };
    (low == high).then_some(value)
}
