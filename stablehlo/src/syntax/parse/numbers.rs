//! Integers and floats of a given type.

use super::error::{Checked, PResult, SyntaxError, expected, fault, fault_with_help};
use super::lexical::{Input, Number, accept, accept_number, integer_value, skip};
use crate::element::{FloatFormat, parse_decimal, parse_hex_bits};
use crate::ir::{Signedness, Type};

/// Bits of a value of an integer type, and whether it is read as unsigned.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct IntegerFormat {
    pub(super) width: u32,
    pub(super) signedness: Signedness,
    /// `index`: 64 bits, signed range, signless otherwise.
    pub(super) index: bool,
}

impl IntegerFormat {
    /// The format of an integer type or `index`.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        match *ty {
            Type::Integer { width, signedness } => Some(Self { width, signedness, index: false }),
            Type::Index => Some(Self { width: 64, signedness: Signedness::Signless, index: true }),
            _ => None,
        }
    }

    /// The value of a literal: signless types take −2^(N−1) to 2^N − 1 (and wrap), signed types and `index` the signed
    /// range, unsigned types no minus. Booleans are 0 and 1.
    pub(super) fn value(self, negative: bool, text: &[u8]) -> Option<i128> {
        let magnitude = integer_value(text)?;
        // The longest literal has 127 bits, so wider types have room for every one of them.
        let width = self.width.min(127);
        let unsigned = self.signedness == Signedness::Unsigned;
        let limit = 1i128.checked_shl(width).filter(|limit| *limit > 0).unwrap_or(i128::MAX);
        if width == 0 {
            return (magnitude == 0 && !negative).then_some(0);
        }
        let half = 1i128 << (width - 1);
        if negative {
            let fits = !unsigned && magnitude > 0 && (magnitude <= half || self.width > 127);
            let is_boolean = width == 1 && self.signedness == Signedness::Signless;
            return fits.then_some(if is_boolean { 1 } else { -magnitude });
        }
        if self.width > 127 {
            return Some(magnitude);
        }
        if magnitude >= limit {
            return None;
        }
        let strictly_signed = self.index || self.signedness == Signedness::Signed;
        if strictly_signed && magnitude >= half {
            return None;
        }
        let wraps = self.signedness == Signedness::Signless && !self.index && width > 1 && magnitude >= half;
        Some(if wraps { magnitude - limit } else { magnitude })
    }
}

/// The complaint about an integer literal that its type does not take.
#[cold]
pub(super) fn integer_fault<'s>(at: Input<'s>, negative: bool, format: IntegerFormat) -> nom::Err<SyntaxError<'s>> {
    if negative && format.signedness == Signedness::Unsigned {
        return fault(at, "parse/integer-range", "negative integer literal not valid for unsigned integer type");
    }
    fault(at, "parse/integer-range", "integer constant out of range for attribute")
}

/// The bits of a float literal: decimal with a point, or the bit pattern in hexadecimal. `at` is where its sign or first
/// digit stands.
pub(super) fn float_bits<'s>(
    at: Input<'s>,
    negative: bool,
    number: Number<'s>,
    format: &FloatFormat,
) -> Checked<'s, u128> {
    let text = number.text();
    let bits = match number {
        Number::Integer([b'0', b'x', ..]) if negative => {
            let message = "hexadecimal float literal should not have a leading minus";
            return Err(fault(at, "parse/invalid-float", message));
        }
        Number::Integer([b'0', b'x', ..]) => parse_hex_bits(str(text), format),
        Number::Integer(_) => {
            let message = "unexpected decimal integer literal for a floating point value";
            return Err(fault_with_help(at, "parse/expected-float", message, "add a trailing dot to make it a float"));
        }
        Number::Float(_) if !negative => parse_decimal(str(text), format),
        // The sign normally touches the number.
        Number::Float(_) if at.get(1..).is_some_and(|digits| digits.as_ptr() == text.as_ptr()) => {
            parse_decimal(str(&at[..text.len() + 1]), format)
        }
        Number::Float(_) => parse_decimal(&format!("-{}", str(text)), format),
    };
    bits.map_err(|error| fault(at, "parse/invalid-float", error.to_string()))
}

/// A number with an optional sign, as written.
pub(super) fn accept_signed_number<'s>(i: Input<'s>) -> Option<(Input<'s>, bool, Number<'s>)> {
    let (rest, negative) = match accept(i, "-") {
        Some(rest) => (rest, true),
        None => (i, false),
    };
    let (rest, number) = accept_number(rest)?;
    Some((rest, negative, number))
}

/// The bits of a number (decimal with a point, or a bit pattern) that must be next.
pub(super) fn float_literal<'s>(i: Input<'s>, format: &FloatFormat) -> PResult<'s, u128> {
    let at = skip(i);
    let Some((rest, negative, number)) = accept_signed_number(at) else {
        return Err(expected(at, "parse/expected-float", "a floating-point number"));
    };
    Ok((rest, float_bits(at, negative, number, format)?))
}

/// The same as f64.
pub(super) fn f64_literal(i: Input<'_>) -> PResult<'_, f64> {
    let (i, bits) = float_literal(i, &FloatFormat::F64)?;
    Ok((i, f64::from_bits(bits as u64)))
}

/// Appends the `n_bytes` bytes of a stored number; integers wider than 128 bits continue the sign.
#[inline]
pub(super) fn push_bits(bits: u128, n_bytes: usize, data: &mut Vec<u8>) {
    data.extend_from_slice(&bits.to_le_bytes()[..n_bytes.min(16)]);
    let fill = if (bits as i128) < 0 { 0xff } else { 0 };
    data.resize(data.len() + n_bytes.saturating_sub(16), fill);
}

/// The text of a number, which is ASCII.
fn str(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or_default()
}
