//! Rounding `f64` to narrower formats, once.
//!
//! The conversions of crate `half` are not used for this: on hardware with F16C they go through `f32`, and its software
//! path drops the lowest 32 bits before it rounds, so that ties are broken wrongly in both.

use half::{bf16, f16};

use super::format::FloatFormat;

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
    format.encode(negative, code as u128) as u32
}

/// Rounded to `bf16` once. The same as [`round_f64`], without branches, so that loops over it can be vectorised.
#[inline]
pub fn bf16_from_f64(value: f64) -> bf16 {
    let bits = f32_to_odd(value).to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let nan = (bits >> 16) | 0x7fc0;
    bf16::from_bits(if value.is_nan() { nan as u16 & 0xffc0 } else { rounded as u16 })
}

/// Rounded to `f16` once. The same as [`round_f64`], without branches.
#[inline]
pub fn f16_from_f64(value: f64) -> f16 {
    const REBIAS: u32 = (127 - 15) << 23;
    let odd = f32_to_odd(value).to_bits();
    let (sign, magnitude) = ((odd >> 16) & 0x8000, odd & 0x7fff_ffff);
    // Beyond 2^16 all is infinite; the largest numbers below carry into infinity by themselves.
    let limited = magnitude.min(0x4780_0000);
    let normal = (limited + 0xfff + ((limited >> 13) & 1)).wrapping_sub(REBIAS) >> 13;
    // Beside one half the lowest bit of an f32 has the place of f16's lowest subnormal bit.
    let subnormal = (f32::from_bits(limited) + 0.5).to_bits() - 0.5f32.to_bits();
    let rounded = if limited < 0x3880_0000 { subnormal } else { normal };
    f16::from_bits((sign | if value.is_nan() { 0x7e00 } else { rounded }) as u16)
}

/// The value, exactly; NaN keeps its payload. Without branches, unlike the conversion of crate `half`.
#[inline]
pub fn f16_to_f32(value: f16) -> f32 {
    let bits = u32::from(value.to_bits());
    let magnitude = (bits & 0x7fff) << 13;
    // The exponents of f16 stand 112 below those of f32, for subnormal numbers too.
    let scaled = f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23);
    let is_finite = magnitude < 0x0f80_0000;
    let widened = if is_finite { scaled.to_bits() } else { magnitude | 0x7f80_0000 };
    f32::from_bits(widened | (bits & 0x8000) << 16)
}

/// The value, exactly; NaN keeps its payload.
#[inline]
pub fn bf16_to_f32(value: bf16) -> f32 {
    f32::from_bits(u32::from(value.to_bits()) << 16)
}

/// `value` as an `f32`, rounded to odd: if it is no `f32` then the neighbour with an odd pattern. Rounding that to fewer
/// bits gives what rounding `value` would, as an odd neighbour is never a tie and lies on the right side of every one.
#[inline]
fn f32_to_odd(value: f64) -> f32 {
    let near = value as f32;
    let bits = near.to_bits();
    let (distance, size) = (value.abs(), f64::from(near.abs()));
    let to_odd = if distance > size {
        bits + 1
    } else if distance < size {
        bits - 1
    } else {
        bits
    };
    f32::from_bits(if bits & 1 == 0 { to_odd } else { bits })
}

/// `value / 2^shift` to the nearest integer, ties to even; `1 <= shift <= 63`.
#[inline]
const fn shift_nearest_even(value: u64, shift: u32) -> u64 {
    let quotient = value >> shift;
    let half = 1u64 << (shift - 1);
    let rest = value & (half | (half - 1));
    quotient + (rest > half || (rest == half && quotient & 1 == 1)) as u64
}
