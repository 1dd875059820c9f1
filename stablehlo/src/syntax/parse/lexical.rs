//! Tokens, read on demand from the bytes that are left.
//!
//! Every function skips white space and comments before its token and leaves the input right behind it. The byte
//! predicates are shared with the token stream for editors ([`crate::syntax::lex`]).

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

use super::error::{POptional, PResult, expected, fault};
use super::hex::digit_value;

/// What a production gets: the bytes that are left, always a suffix of the source.
pub type Input<'s> = &'s [u8];

const LETTER: u8 = 1;
const DIGIT: u8 = 2;
/// `_`
const UNDERSCORE: u8 = 4;
/// `$` and `.`
const INNER: u8 = 8;
/// `-`
const DASH: u8 = 16;
const SPACE: u8 = 32;
const HEX_LETTER: u8 = 64;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        classes[byte] = match b {
            b'a'..=b'f' | b'A'..=b'F' => LETTER | HEX_LETTER,
            b'g'..=b'z' | b'G'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'$' | b'.' => INNER,
            b'-' => DASH,
            b' ' | b'\t' | b'\n' | b'\r' | 0 => SPACE,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn is(byte: u8, classes: u8) -> bool {
    CLASSES[byte as usize] & classes != 0
}

/// Begins a bare identifier.
pub fn begins_word(byte: u8) -> bool {
    is(byte, LETTER | UNDERSCORE)
}

/// Continues a bare identifier.
pub fn in_word(byte: u8) -> bool {
    is(byte, LETTER | UNDERSCORE | DIGIT | INNER)
}

/// Begins the named form of a prefixed identifier (`%a`, `#-`).
fn begins_suffix(byte: u8) -> bool {
    is(byte, LETTER | UNDERSCORE | INNER | DASH)
}

/// Continues the named form of a prefixed identifier.
fn in_suffix(byte: u8) -> bool {
    is(byte, LETTER | UNDERSCORE | INNER | DASH | DIGIT)
}

/// White space between tokens; NUL counts as such.
pub fn is_space(byte: u8) -> bool {
    is(byte, SPACE)
}

/// Length of the leading bytes that satisfy `test`.
pub(crate) fn run(i: &[u8], test: impl Fn(u8) -> bool) -> usize {
    i.iter().position(|byte| !test(*byte)).unwrap_or(i.len())
}

/// Skips white space and comments.
#[inline]
pub fn skip(i: Input<'_>) -> Input<'_> {
    match i {
        [first, ..] if !is(*first, SPACE) && *first != b'/' => i,
        [b' ', second, ..] if !is(*second, SPACE) && *second != b'/' => &i[1..],
        _ => skip_slowly(i),
    }
}

fn skip_slowly(mut i: Input<'_>) -> Input<'_> {
    loop {
        i = &i[run(i, is_space)..];
        match i {
            [b'/', b'/', ..] => i = &i[memchr2(b'\n', b'\r', i).unwrap_or(i.len())..],
            _ => return i,
        }
    }
}

/// The first byte of the next token, NUL at the end (NUL begins no token).
#[inline]
pub fn peek(i: Input<'_>) -> u8 {
    skip(i).first().copied().unwrap_or(0)
}

/// Reads punctuation if it is next: one of `-> : , = < > { } [ ] ( ) - + ? * | ...`; `-` is not the beginning of `->`.
#[inline]
pub fn accept<'s>(i: Input<'s>, token: &str) -> Option<Input<'s>> {
    let i = skip(i);
    let rest = i.strip_prefix(token.as_bytes())?;
    (token != "-" || rest.first() != Some(&b'>')).then_some(rest)
}

/// Reads punctuation that must be next; `quoted` is how a diagnostic shows it.
#[inline]
pub fn expect<'s>(i: Input<'s>, token: &'static str, quoted: &'static str) -> PResult<'s, ()> {
    match accept(i, token) {
        Some(rest) => Ok((rest, ())),
        None => Err(expected(i, "parse/expected-punctuation", quoted)),
    }
}

/// Reads punctuation that must be next: `punct!(i, ",")?`.
macro_rules! punct {
    ($i:expr, $token:literal) => {
        $crate::syntax::parse::lexical::expect($i, $token, concat!("`", $token, "`"))
    };
}
pub(crate) use punct;

/// `item (',' item)*`
#[inline]
pub fn separated<'s>(mut i: Input<'s>, mut item: impl FnMut(Input<'s>) -> PResult<'s, ()>) -> PResult<'s, ()> {
    loop {
        (i, ()) = item(i)?;
        match accept(i, ",") {
            Some(rest) => i = rest,
            None => return Ok((i, ())),
        }
    }
}

/// `(item (',' item)*)?` and the token `close`, which a diagnostic shows as `quoted`.
#[inline]
pub fn separated_until<'s>(
    i: Input<'s>,
    close: &'static str,
    quoted: &'static str,
    item: impl FnMut(Input<'s>) -> PResult<'s, ()>,
) -> PResult<'s, ()> {
    if let Some(rest) = accept(i, close) {
        return Ok((rest, ()));
    }
    let (i, ()) = separated(i, item)?;
    expect(i, close, quoted)
}

/// A bare identifier if one is next.
#[inline]
pub fn accept_word<'s>(i: Input<'s>) -> Option<(Input<'s>, &'s [u8])> {
    let i = skip(i);
    if !begins_word(*i.first()?) {
        return None;
    }
    let length = run(i, in_word);
    Some((&i[length..], &i[..length]))
}

/// bare-id: `[A-Za-z_][A-Za-z0-9_$.]*`
pub fn bare_id(i: Input<'_>) -> PResult<'_, &[u8]> {
    accept_word(i).ok_or_else(|| expected(i, "parse/expected-keyword", "an identifier"))
}

/// Reads the keyword `word` if it is next, as a whole.
#[inline]
pub fn accept_keyword<'s>(i: Input<'s>, word: &str) -> Option<Input<'s>> {
    let rest = skip(i).strip_prefix(word.as_bytes())?;
    match rest.first() {
        Some(byte) if in_word(*byte) => None,
        _ => Some(rest),
    }
}

/// Reads the keyword that must be next; `quoted` is how a diagnostic shows it.
pub fn expect_keyword<'s>(i: Input<'s>, word: &'static str, quoted: &'static str) -> PResult<'s, ()> {
    match accept_keyword(i, word) {
        Some(rest) => Ok((rest, ())),
        None => Err(expected(i, "parse/expected-keyword", quoted)),
    }
}

/// Reads a keyword that must be next: `keyword!(i, "init")?`.
macro_rules! keyword {
    ($i:expr, $word:literal) => {
        $crate::syntax::parse::lexical::expect_keyword($i, $word, concat!("`", $word, "`"))
    };
}
pub(crate) use keyword;

/// suffix-id after `prefix` (one of `% # ! ^`), without the prefix: digits, or `[A-Za-z$._-][A-Za-z0-9$._-]*`.
#[inline]
pub fn accept_suffix_id<'s>(i: Input<'s>, prefix: u8) -> Option<(Input<'s>, &'s [u8])> {
    let i = skip(i);
    if i.first() != Some(&prefix) {
        return None;
    }
    let name = &i[1..];
    let first = *name.first()?;
    let length = if is(first, DIGIT) {
        run(name, |byte| is(byte, DIGIT))
    } else if begins_suffix(first) {
        run(name, in_suffix)
    } else {
        return None;
    };
    Some((&name[length..], &name[..length]))
}

/// Decimal digits, if any are next.
pub fn accept_digits<'s>(i: Input<'s>) -> Option<(Input<'s>, &'s [u8])> {
    let i = skip(i);
    let length = run(i, |byte| is(byte, DIGIT));
    (length > 0).then(|| (&i[length..], &i[..length]))
}

/// A number as written, without sign.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Number<'s> {
    /// Decimal digits or `0x` with hexadecimal digits.
    Integer(&'s [u8]),
    /// `1.`, `1.5e+3`
    Float(&'s [u8]),
}

impl<'s> Number<'s> {
    /// The text.
    pub fn text(self) -> &'s [u8] {
        match self {
            Number::Integer(text) | Number::Float(text) => text,
        }
    }
}

/// integer-literal or float-literal, if one is next.
#[inline]
pub fn accept_number<'s>(i: Input<'s>) -> Option<(Input<'s>, Number<'s>)> {
    let i = skip(i);
    if !is(*i.first()?, DIGIT) {
        return None;
    }
    if let [b'0', b'x', digit, ..] = i
        && is(*digit, DIGIT | HEX_LETTER)
    {
        let length = 2 + run(&i[2..], |byte| is(byte, DIGIT | HEX_LETTER));
        return Some((&i[length..], Number::Integer(&i[..length])));
    }
    let whole = run(i, |byte| is(byte, DIGIT));
    if i.get(whole) != Some(&b'.') {
        return Some((&i[whole..], Number::Integer(&i[..whole])));
    }
    let mut length = whole + 1;
    length += run(&i[length..], |byte| is(byte, DIGIT));
    if let [b'e' | b'E', tail @ ..] = &i[length..] {
        let sign = usize::from(matches!(tail.first(), Some(b'+' | b'-')));
        let digits = run(&tail[sign..], |byte| is(byte, DIGIT));
        if digits > 0 {
            length += 1 + sign + digits;
        }
    }
    Some((&i[length..], Number::Float(&i[..length])))
}

/// The value of an integer literal's text, none when it needs more than 127 bits.
pub fn integer_value(text: &[u8]) -> Option<i128> {
    // The common case: digits that cannot overflow.
    if text.len() <= 18 && text.get(1) != Some(&b'x') {
        return Some(i128::from(
            text.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit.wrapping_sub(b'0'))),
        ));
    }
    let text = std::str::from_utf8(text).ok()?;
    match text.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A signed decimal or hexadecimal integer that fits i64.
#[inline]
pub fn int64(i: Input<'_>) -> PResult<'_, i64> {
    let start = skip(i);
    // The common case: one to a few digits.
    if let [digit @ b'0'..=b'9', after, ..] = start
        && !is(*after, DIGIT | LETTER | INNER)
    {
        return Ok((&start[1..], i64::from(digit - b'0')));
    }
    let (rest, negative) = match accept(start, "-") {
        Some(rest) => (rest, true),
        None => (start, false),
    };
    let Some((rest, Number::Integer(text))) = accept_number(rest) else {
        return Err(expected(i, "parse/expected-integer", "an integer"));
    };
    let value = integer_value(text).map(|value| if negative { -value } else { value });
    match value.and_then(|value| i64::try_from(value).ok()) {
        Some(value) => Ok((rest, value)),
        None => Err(fault(start, "parse/integer-range", "integer does not fit 64 bits")),
    }
}

/// string-literal if one begins next: the bytes, unescaped.
///
/// # Errors
/// An unknown escape, a line break inside, no end.
pub fn accept_string<'s>(i: Input<'s>) -> POptional<'s, Cow<'s, [u8]>> {
    let i = skip(i);
    let [b'"', body @ ..] = i else {
        return Ok(None);
    };
    let Some(quote) = memchr(b'"', body) else {
        return Err(fault(i, "parse/unterminated-string", "string literal has no end"));
    };
    let text = &body[..quote];
    if text.iter().all(|byte| !matches!(byte, b'\\' | b'\n' | 0x0b | 0x0c)) {
        return Ok(Some((&body[quote + 1..], Cow::Borrowed(text))));
    }
    let (rest, bytes) = escaped_string(body, i)?;
    Ok(Some((rest, Cow::Owned(bytes))))
}

/// The rest of a string after its opening quote, which is at `start`.
fn escaped_string<'s>(body: Input<'s>, start: Input<'s>) -> PResult<'s, Vec<u8>> {
    let mut bytes = Vec::new();
    let mut i = body;
    loop {
        i = match i {
            [b'"', rest @ ..] => return Ok((rest, bytes)),
            [b'\\', escape @ (b'"' | b'\\' | b'n' | b't'), rest @ ..] => {
                bytes.push(match escape {
                    b'n' => b'\n',
                    b't' => b'\t',
                    other => *other,
                });
                rest
            }
            [b'\\', high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                bytes.push(digit_value(*high).0 << 4 | digit_value(*low).0);
                rest
            }
            [b'\\', ..] => return Err(fault(i, "parse/unknown-escape", "unknown escape in string literal")),
            [b'\n' | 0x0b | 0x0c, ..] | [] => {
                return Err(fault(start, "parse/unterminated-string", "string literal has no end on its line"));
            }
            [byte, rest @ ..] => {
                bytes.push(*byte);
                rest
            }
        };
    }
}

/// string-literal
pub fn string_literal(i: Input<'_>) -> PResult<'_, Cow<'_, [u8]>> {
    accept_string(i)?.ok_or_else(|| expected(i, "parse/expected-string", "a string"))
}

/// How far a string literal at the beginning of `i` reaches, without looking at its escapes; none when it has no end on its
/// line.
pub(crate) fn string_length(i: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr3(b'"', b'\\', b'\n', i.get(at..)?)?;
        match i[at] {
            b'"' => return Some(at + 1),
            b'\n' => return None,
            _ => at += 2,
        }
    }
}

/// The length of what is left of the line, for strings without an end.
fn line_length(i: &[u8]) -> usize {
    memchr(b'\n', i).unwrap_or(i.len())
}

/// The body of an opaque type or attribute: `i` begins with `<`; the text between it and its closing `>`.
///
/// Brackets must match; `->` does not close; strings are skipped whole.
pub fn opaque_body<'s>(i: Input<'s>) -> PResult<'s, &'s [u8]> {
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    loop {
        let unbalanced = |at: usize| {
            let message = "brackets in the body of a dialect's type or attribute do not match";
            fault(i.get(at..).unwrap_or_default(), "parse/unbalanced", message)
        };
        match i.get(at) {
            None | Some(0) => return Err(unbalanced(at)),
            Some(b'<' | b'(' | b'[' | b'{') => open.push(i[at]),
            Some(b'-') if i.get(at + 1) == Some(&b'>') => at += 1,
            Some(close @ (b'>' | b')' | b']' | b'}')) => {
                let wanted = match close {
                    b'>' => b'<',
                    b')' => b'(',
                    b']' => b'[',
                    _ => b'{',
                };
                if open.pop() != Some(wanted) {
                    return Err(unbalanced(at));
                }
                if open.is_empty() {
                    return Ok((&i[at + 1..], &i[1..at]));
                }
            }
            Some(b'"') => {
                let (rest, _) = string_literal(&i[at..])?;
                at = i.len() - rest.len() - 1;
            }
            Some(_) => {}
        }
        at += 1;
    }
}

/// How far the token at the beginning of `i` (white space skipped before) reaches, for diagnostics and recovery.
pub(crate) fn token_length(i: &[u8]) -> usize {
    let Some(first) = i.first() else {
        return 0;
    };
    match first {
        b'"' => string_length(i).unwrap_or_else(|| line_length(i)),
        b'#' if i.starts_with(b"#-}") => 3,
        b'%' | b'#' | b'!' | b'^' => accept_suffix_id(i, *first).map_or(1, |(rest, _)| i.len() - rest.len()),
        b'@' => match &i[1..] {
            [b'"', ..] => 1 + string_length(&i[1..]).unwrap_or_else(|| line_length(&i[1..])),
            name => 1 + run(name, in_word),
        },
        b'-' if i.get(1) == Some(&b'>') => 2,
        b'{' if i.starts_with(b"{-#") => 3,
        _ if begins_word(*first) => run(i, in_word),
        _ => accept_number(i).map_or(1, |(rest, _)| i.len() - rest.len()),
    }
}

/// The next token in quotes, as diagnostics name it.
pub(crate) fn describe(i: Input<'_>) -> String {
    let i = skip(i);
    if i.is_empty() {
        return "the end of the text".to_owned();
    }
    let token = &i[..token_length(i).min(40)];
    format!("`{}`", String::from_utf8_lossy(token))
}
