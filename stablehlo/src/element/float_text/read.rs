//! Reading of float literals.

use super::bignum::Natural;
use crate::element::{Decoded, FloatFormat};

/// Why a text is no literal of a floating-point type.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseFloatError {
    /// Not of the form `digits[.digits][e±digits]`.
    #[error("`{0}` is not a decimal floating-point number")]
    Decimal(String),
    /// Not of the form `0x` and hexadecimal digits.
    #[error("`{0}` is not a hexadecimal bit pattern")]
    Hex(String),
    /// A bit pattern with more bits than the type has.
    #[error("bit pattern `{text}` does not fit the {bits} bits of {ty}")]
    TooWide {
        /// The pattern.
        text: String,
        /// Width of the type.
        bits: u32,
        /// MLIR spelling of the type.
        ty: &'static str,
    },
    /// A negative number for a type without sign.
    #[error("`{text}` is negative, but {ty} has no negative numbers")]
    Negative {
        /// The number.
        text: String,
        /// MLIR spelling of the type.
        ty: &'static str,
    },
}

/// The bits of a decimal literal (with an optional sign, which MLIR has as a token of its own), rounded once to nearest
/// even. Too large numbers become infinity, or NaN in types without it, or the largest number in types without both;
/// numbers too small for `f8E8M0FNU`, and zero, become its smallest.
pub fn parse_decimal(text: &str, format: &FloatFormat) -> Result<u128, ParseFloatError> {
    let (negative, number) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if negative && !format.signed {
        return Err(ParseFloatError::Negative { text: text.to_owned(), ty: format.name });
    }
    round_decimal(negative, number, format).ok_or_else(|| ParseFloatError::Decimal(text.to_owned()))
}

/// The bits of a literal `0x…`, checked against the width of the format. A leading minus is not allowed.
pub fn parse_hex_bits(text: &str, format: &FloatFormat) -> Result<u128, ParseFloatError> {
    let digits = text.strip_prefix("0x").unwrap_or_default();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(ParseFloatError::Hex(text.to_owned()));
    }
    let significant = match digits.trim_start_matches('0') {
        "" => "0",
        significant => significant,
    };
    match u128::from_str_radix(significant, 16) {
        Ok(bits) if bits <= format.bit_mask() => Ok(bits),
        _ => Err(ParseFloatError::TooWide { text: text.to_owned(), bits: format.bits, ty: format.name }),
    }
}

/// A decimal number without sign, as its literal's parts.
struct Decimal<'a> {
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Decimal<'a> {
    fn parse(text: &'a str) -> Option<Decimal<'a>> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], parse_exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        (!whole.is_empty() && all_digits(whole) && all_digits(fraction)).then_some(Decimal {
            whole,
            fraction,
            exponent,
        })
    }
}

/// An exponent that saturates far outside of every format's range.
fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = digits.bytes().fold(0i64, |value, digit| (value * 10 + i64::from(digit - b'0')).min(1 << 50));
    Some(if negative { -value } else { value })
}

/// [`parse_decimal`] for a number whose sign is known; none if it is malformed.
pub(super) fn round_decimal(negative: bool, text: &str, format: &FloatFormat) -> Option<u128> {
    let decimal = Decimal::parse(text)?;
    let sign = if negative { format.sign_bit() } else { 0 };
    if *format == FloatFormat::F64 {
        return Some(sign | u128::from(text.parse::<f64>().ok()?.to_bits()));
    }
    if *format == FloatFormat::F32 {
        return Some(sign | u128::from(text.parse::<f32>().ok()?.to_bits()));
    }
    if format.bits <= 32 {
        // f64 is precise enough unless a neighbour of the f64 rounds elsewhere: then the number is close to a tie.
        let near = text.parse::<f64>().ok()?;
        let below = round_magnitude(negative, near.next_down().max(0.0), format);
        let above = round_magnitude(negative, near.next_up(), format);
        if below == above {
            return Some(below);
        }
    }
    Some(round_exactly(negative, &decimal, format))
}

fn round_magnitude(negative: bool, value: f64, format: &FloatFormat) -> u128 {
    match FloatFormat::F64.decode(u128::from(value.to_bits())) {
        Decoded::Finite { significand, exponent, .. } => format.round(negative, significand, exponent, false),
        _ => format.overflow(negative),
    }
}

/// Digits that decide every rounding: a tie of f128 has fewer significant digits than this, so that of further digits
/// only matters whether there are any.
const DECISIVE_DIGITS: usize = 12_000;

/// Powers of ten beyond which every format overflows (f128 ends at 10^4932) or has nothing left (10^−4966).
const MAX_POWER_OF_TEN: i64 = 5_100;

fn round_exactly(negative: bool, decimal: &Decimal<'_>, format: &FloatFormat) -> u128 {
    let all = || decimal.whole.bytes().chain(decimal.fraction.bytes());
    let zeros = all().take_while(|&digit| digit == b'0').count();
    let length = decimal.whole.len() + decimal.fraction.len() - zeros;
    if length == 0 {
        return format.zero(negative);
    }
    // The number is below 10^magnitude and not below a tenth of that.
    let magnitude = decimal.exponent + length as i64 - decimal.fraction.len() as i64;
    if magnitude > MAX_POWER_OF_TEN {
        return format.overflow(negative);
    }
    if magnitude < -MAX_POWER_OF_TEN {
        return format.zero(negative);
    }
    let used = length.min(DECISIVE_DIGITS);
    let mut number = Natural::new(0);
    for digit in all().skip(zeros).take(used) {
        number.multiply_add(10, u64::from(digit - b'0'));
    }
    let mut sticky = all().skip(zeros + used).any(|digit| digit != b'0');
    let power_of_ten = (magnitude - used as i64) as i32;
    let mut power_of_two = power_of_ten;
    if power_of_ten >= 0 {
        number.multiply_pow5(power_of_ten.unsigned_abs());
        // A dropped tail needs room below the number.
        number.shift_left(128);
        power_of_two -= 128;
    } else {
        let fives = power_of_ten.unsigned_abs();
        // log2(5) < 2.322, so that at least 130 bits remain.
        let room = 131 + (u64::from(fives) * 2322).div_ceil(1000);
        let room = room.saturating_sub(number.bit_length()) as u32;
        number.shift_left(room);
        power_of_two -= room as i32;
        sticky |= number.divide_pow5(fives);
    }
    let beyond = number.bit_length().saturating_sub(128);
    sticky |= number.shift_right(beyond);
    format.round(negative, number.low_u128(), power_of_two + beyond as i32, sticky)
}
