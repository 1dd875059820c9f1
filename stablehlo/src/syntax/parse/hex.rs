//! Hexadecimal blobs: `"0x…"` strings of any size.

use super::error::{PResult, fault};
use super::lexical::Input;

/// Digits that one step of the fast loop takes.
const STEP: usize = 64;

/// Decodes hexadecimal digits, none when one of them is none or their count is odd.
///
/// The loop has no branches and no table, so that the compiler turns it into vector code.
pub(super) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let mut bytes = vec![0u8; digits.len() / 2];
    let mut wrong = 0u8;
    let mut chunks = digits.chunks_exact(STEP);
    let mut outputs = bytes.chunks_exact_mut(STEP / 2);
    for (chunk, output) in (&mut chunks).zip(&mut outputs) {
        let mut values = [0u8; STEP];
        for (value, digit) in values.iter_mut().zip(chunk) {
            let (nibble, bad) = digit_value(*digit);
            *value = nibble;
            wrong |= bad;
        }
        for (byte, pair) in output.iter_mut().zip(values.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
    }
    for (byte, pair) in outputs.into_remainder().iter_mut().zip(chunks.remainder().chunks_exact(2)) {
        let ((high, bad_high), (low, bad_low)) = (digit_value(pair[0]), digit_value(pair[1]));
        *byte = high << 4 | low;
        wrong |= bad_high | bad_low;
    }
    (wrong == 0).then_some(bytes)
}

/// The value of a digit, and whether it is none (not zero then).
#[inline(always)]
pub(super) fn digit_value(digit: u8) -> (u8, u8) {
    let decimal = digit.wrapping_sub(b'0');
    let letter = (digit | 0x20).wrapping_sub(b'a');
    let is_decimal = u8::from(decimal < 10);
    let is_letter = u8::from(letter < 6);
    let value = (decimal & is_decimal.wrapping_neg()) | (letter.wrapping_add(10) & is_letter.wrapping_neg());
    (value, 1 ^ (is_decimal | is_letter))
}

/// A string literal `"0x…"` at the beginning of `i`, decoded.
///
/// # Errors
/// When the string is not of that form.
pub(super) fn hex_string(i: Input<'_>) -> PResult<'_, Vec<u8>> {
    let wrong = || fault(i, "parse/invalid-hex", "expected string containing hex digits starting with `0x`");
    let digits = i.strip_prefix(b"\"0x").ok_or_else(wrong)?;
    let end = memchr::memchr(b'"', digits).ok_or_else(wrong)?;
    let bytes = decode(&digits[..end]).ok_or_else(wrong)?;
    Ok((&digits[end + 1..], bytes))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn digits_of_both_cases_at_every_position_of_the_fast_loop() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in [0, 1, 2, 31, 32, 33, 64, 100, 256] {
            let upper: String = bytes[..length].iter().map(|byte| format!("{byte:02X}")).collect();
            let lower = upper.to_lowercase();
            assert_eq!(decode(upper.as_bytes()).as_deref(), Some(&bytes[..length]));
            assert_eq!(decode(lower.as_bytes()).as_deref(), Some(&bytes[..length]));
        }
    }

    #[test]
    fn everything_else_is_rejected() {
        for byte in 0..=255u8 {
            for position in [0, 7, 63, 64, 65] {
                let mut digits = vec![b'7'; 66];
                digits[position] = byte;
                assert_eq!(decode(&digits).is_some(), byte.is_ascii_hexdigit(), "{byte:#x} at {position}");
            }
        }
        assert_eq!(decode(b"123"), None);
    }
}
