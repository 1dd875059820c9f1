//! Small pieces of text: numbers, strings, names, hexadecimal bytes.

use crate::ir::DYNAMIC;

const DIGIT_PAIRS: &str = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
                           5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// Appends a decimal number.
pub fn push_u64(out: &mut String, number: u64) {
    if number >= 100 {
        push_u64(out, number / 100);
        push_pair(out, (number % 100) as usize);
    } else if number >= 10 {
        push_pair(out, number as usize);
    } else {
        out.push(char::from(b'0' + number as u8));
    }
}

fn push_pair(out: &mut String, below_hundred: usize) {
    out.push_str(&DIGIT_PAIRS[below_hundred * 2..below_hundred * 2 + 2]);
}

/// Appends a signed decimal number.
pub fn push_i64(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    push_u64(out, number.unsigned_abs());
}

/// Appends a wide signed decimal number.
pub fn push_i128(out: &mut String, number: i128) {
    if number < 0 {
        out.push('-');
    }
    push_u128(out, number.unsigned_abs());
}

fn push_u128(out: &mut String, number: u128) {
    match u64::try_from(number) {
        Ok(number) => push_u64(out, number),
        Err(_) => {
            push_u128(out, number / 100);
            push_pair(out, (number % 100) as usize);
        }
    }
}

/// Appends a dimension size, `?` for a dynamic one.
pub fn push_dimension(out: &mut String, size: i64) {
    if size == DYNAMIC { out.push('?') } else { push_i64(out, size) }
}

/// Appends `1, 2`.
pub fn push_i64_list(out: &mut String, numbers: &[i64]) {
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        push_i64(out, *number);
    }
}

/// Appends a string literal with its quotes: what is not printable ASCII becomes `\HH`, and so does the quote.
pub fn push_string(out: &mut String, bytes: &[u8]) {
    out.push('"');
    push_escaped(out, bytes);
    out.push('"');
}

fn push_escaped(out: &mut String, bytes: &[u8]) {
    let is_plain = |byte: &u8| matches!(byte, 0x20..=0x7E) && !matches!(byte, b'"' | b'\\');
    let mut rest = bytes;
    loop {
        let plain = rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len());
        push_ascii(out, &rest[..plain]);
        let Some(byte) = rest.get(plain) else { return };
        match byte {
            b'\\' => out.push_str("\\\\"),
            _ => {
                out.push('\\');
                push_ascii(out, &HEX[*byte as usize]);
            }
        }
        rest = &rest[plain + 1..];
    }
}

fn push_ascii(out: &mut String, bytes: &[u8]) {
    out.push_str(std::str::from_utf8(bytes).expect("callers pass ASCII"));
}

/// Whether a name stands without quotes: `[A-Za-z_][A-Za-z0-9_$.]*`.
pub fn is_bare(name: &str) -> bool {
    let bytes = name.as_bytes();
    bytes.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// Appends a name, quoted unless it can stand bare: dictionary keys, resource keys.
pub fn push_key(out: &mut String, name: &str) {
    if is_bare(name) { out.push_str(name) } else { push_string(out, name.as_bytes()) }
}

/// Appends `@name` or `@"odd name"`.
pub fn push_symbol(out: &mut String, name: &str) {
    out.push('@');
    push_key(out, name);
}

/// Appends a name of a dialect with the body of one of its types or attributes: `!dialect.body` where the body looks
/// like a name, possibly with parameters, else `!dialect<body>`.
pub fn push_dialect_symbol(out: &mut String, dialect: &str, body: &str) {
    out.push_str(dialect);
    if is_simple_body(body) {
        out.push('.');
        out.push_str(body);
    } else {
        out.extend(["<", body, ">"]);
    }
}

/// A letter, then letters, digits, dots and underscores, optionally `<…>` up to the end.
fn is_simple_body(body: &str) -> bool {
    let bytes = body.as_bytes();
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let rest = &bytes[bytes.iter().position(|byte| !is_name(byte)).unwrap_or(bytes.len())..];
    rest.is_empty() || (rest[0] == b'<' && rest[rest.len() - 1] == b'>')
}

/// Two upper-case hexadecimal digits for every byte.
const HEX: [[u8; 2]; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut table = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = [DIGITS[byte >> 4], DIGITS[byte & 15]];
        byte += 1;
    }
    table
};

/// Appends upper-case hexadecimal digits, two a byte.
pub fn push_hex(out: &mut String, bytes: &[u8]) {
    const CHUNK: usize = 2048;
    out.reserve(bytes.len() * 2);
    let mut text = [0u8; 2 * CHUNK];
    for chunk in bytes.chunks(CHUNK) {
        for (pair, byte) in text.chunks_exact_mut(2).zip(chunk) {
            pair.copy_from_slice(&HEX[*byte as usize]);
        }
        push_ascii(out, &text[..2 * chunk.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl FnOnce(&mut String)) -> String {
        let mut out = String::new();
        write(&mut out);
        out
    }

    #[test]
    fn numbers() {
        for number in [0, 7, 10, 99, 100, 101, 999, 1000, 12_345, 1_000_000, u64::MAX] {
            assert_eq!(text(|out| push_u64(out, number)), number.to_string());
        }
        for number in [0, -1, 5, i64::MIN, i64::MAX] {
            assert_eq!(text(|out| push_i64(out, number)), number.to_string());
        }
        for number in [0, -1, i128::MIN, i128::MAX, i128::from(u64::MAX) + 1] {
            assert_eq!(text(|out| push_i128(out, number)), number.to_string());
        }
    }

    #[test]
    fn strings_are_escaped_as_bytes() {
        let bytes = b"tab\t nl\n q\" bs\\ A \xE2\x9C\x93 \x00 \x7F";
        assert_eq!(text(|out| push_string(out, bytes)), r#""tab\09 nl\0A q\22 bs\\ A \E2\9C\93 \00 \7F""#);
        assert_eq!(text(|out| push_string(out, b"")), r#""""#);
    }

    #[test]
    fn names_are_quoted_when_needed() {
        for (name, printed) in [("a.b", "a.b"), ("_$", "_$"), ("1a", "\"1a\""), ("a-b", "\"a-b\""), ("", "\"\"")] {
            assert_eq!(text(|out| push_key(out, name)), printed);
        }
        assert_eq!(text(|out| push_symbol(out, "foo bar")), "@\"foo bar\"");
    }

    #[test]
    fn dialect_symbols() {
        for (body, printed) in [
            ("a", "foo.a"),
            ("1", "foo<1>"),
            ("a<1> b", "foo<a<1> b>"),
            ("a.b<1>", "foo.a.b<1>"),
            ("a->b", "foo<a->b>"),
            ("\"x\"", "foo<\"x\">"),
            ("", "foo<>"),
        ] {
            assert_eq!(text(|out| push_dialect_symbol(out, "foo", body)), printed);
        }
    }

    #[test]
    fn hexadecimal() {
        let bytes: Vec<u8> = (0..5000).map(|index| (index * 7) as u8).collect();
        let expected: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        assert_eq!(text(|out| push_hex(out, &bytes)), expected);
    }
}
