//! Rounding `f64` to narrower formats, once.
//!
//! The conversions of crate `half` are not used for this: on hardware with F16C they go through `f32`, and its software
//! path drops the lowest 32 bits before it rounds, so that ties are broken wrongly in both.

use half::{bf16, f16};

use super::format::{FloatFormat, NonFinite};

/// The bit pattern of `value` in a format of at most 32 bits, rounded once to nearest even, as `convert` has it:
/// infinities become the format's infinity, else NaN, else the largest number; NaN keeps its sign where it can; in
/// `f8E8M0FNU` zeros and negative numbers are NaN.
#[inline]
pub const fn round_f64(value: f64, format: &FloatFormat) -> u32 {
    let bits = value.to_bits();
    let negative = bits >> 63 != 0;
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if exponent == 0x7ff {
        return match (fraction, format.signed || !negative) {
            (0, true) => format.overflow(negative) as u32,
            _ => format.nan(negative) as u32,
        };
    }
    if !format.has_zero && (negative || bits << 1 == 0) {
        return format.nan(false) as u32;
    }
    if exponent == 0 {
        // Subnormals of f64 are far below half of the smallest number of every format here.
        return format.zero(negative) as u32;
    }
    let unit = exponent - 1023 - format.mantissa_bits as i32;
    let min_unit = format.min_exponent();
    let unit = if unit > min_unit { unit } else { min_unit };
    let shift = unit - (exponent - 1023 - 52);
    let quotient = if shift > 63 { 0 } else { shift_nearest_even(fraction | (1 << 52), shift as u32) };
    let steps = (unit - min_unit) as u64;
    let code =
        if format.has_zero { (steps << format.mantissa_bits) + quotient } else { steps + quotient.saturating_sub(1) };
    encode(negative, code, format)
}

/// Rounded to `bf16` once.
#[inline]
pub const fn bf16_from_f64(value: f64) -> bf16 {
    bf16::from_bits(round_f64(value, &FloatFormat::BF16) as u16)
}

/// Rounded to `f16` once.
#[inline]
pub const fn f16_from_f64(value: f64) -> f16 {
    f16::from_bits(round_f64(value, &FloatFormat::F16) as u16)
}

#[inline]
const fn encode(negative: bool, code: u64, format: &FloatFormat) -> u32 {
    let end = 1u64 << (format.exponent_bits + format.mantissa_bits);
    let max = match format.non_finite {
        NonFinite::Ieee => end - (1 << format.mantissa_bits) - 1,
        NonFinite::NanOnes => end - 2,
        NonFinite::NanNegativeZero | NonFinite::Nothing => end - 1,
    };
    if code > max {
        format.overflow(negative) as u32
    } else if code == 0 {
        format.zero(negative) as u32
    } else {
        code as u32 | if negative { format.sign_bit() as u32 } else { 0 }
    }
}

/// `value / 2^shift` to the nearest integer, ties to even; `1 <= shift <= 63`.
#[inline]
const fn shift_nearest_even(value: u64, shift: u32) -> u64 {
    let quotient = value >> shift;
    let half = 1u64 << (shift - 1);
    let rest = value & (half | (half - 1));
    quotient + (rest > half || (rest == half && quotient & 1 == 1)) as u64
}
