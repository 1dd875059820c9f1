//! `reduce_precision`.

use stablehlo::element::{Decoded, FloatFormat};

/// The bits of a value of `format` after rounding it to a format with fewer exponent and mantissa bits, and back.
///
/// The mantissa is rounded to nearest even; beyond the smaller exponent range lie the infinities, below it signed
/// zeros: there are no subnormals. A field that is not smaller than the format's own changes nothing. NaN stays NaN.
pub fn reduce(format: &FloatFormat, bits: u64, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let sign = bits & format.sign_bit() as u64;
    let negative = sign != 0;
    let magnitude = match format.decode(u128::from(bits)) {
        Decoded::Nan { .. } => return format.nan(false) as u64,
        Decoded::Infinity { .. } | Decoded::Finite { significand: 0, .. } => return bits,
        Decoded::Finite { .. } => bits & !(format.sign_bit() as u64),
    };
    let rounded = match format.mantissa_bits.checked_sub(mantissa_bits) {
        Some(dropped) if dropped > 0 => round_low_bits(magnitude, dropped),
        _ => magnitude,
    };
    if rounded > format.max_finite(false) as u64 {
        return format.overflow(negative) as u64;
    }
    if exponent_bits < format.exponent_bits {
        let exponent = (rounded >> format.mantissa_bits) as i64 - i64::from(format.bias);
        let bias = if exponent_bits == 0 { 0 } else { (1 << (exponent_bits - 1)) - 1 };
        if exponent > bias {
            return format.overflow(negative) as u64;
        }
        if exponent < 1 - bias {
            return format.zero(negative) as u64;
        }
    }
    sign | rounded
}

/// Clears the lowest `dropped` bits, rounding to nearest, ties to an even bit above them.
fn round_low_bits(magnitude: u64, dropped: u32) -> u64 {
    let below_half = (1u64 << (dropped - 1)) - 1;
    let odd = (magnitude >> dropped) & 1;
    ((magnitude + below_half + odd) >> dropped) << dropped
}
