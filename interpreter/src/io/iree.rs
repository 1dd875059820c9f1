//! IREE's notation of a tensor: `2x3xf32=1 2 3 4 5 6`, `f32=3.14`, `4xi32=0`.
//!
//! Elements are separated by spaces, commas or brackets, which are not looked at further; a single one stands for all;
//! none at all mean zeros. Floats are decimal, `nan`, `inf`, `-inf`, or `0x` and their bits; complex numbers are
//! `(1,2)`. Element types are MLIR's names and those that HLO and others use for the same (`pred`, `s32`, `u8`).

use std::fmt::Write as _;

use stablehlo::element::{ElementType, parse_decimal, parse_hex_bits};

use super::error::{InputError, Result};
use super::notation::Notation;
use super::npy;
use crate::tensor::{Dims, Tensor, n_bytes};

/// Element type and shape: `2x3xf32`, `f32`. None when the text is nothing of that kind.
pub fn parse_type(text: &str) -> Option<(ElementType, Dims)> {
    let mut shape = Dims::new();
    let mut rest = text.trim();
    while let Some((size, after)) = rest.split_once('x') {
        // `complex<…>` has an x that separates nothing.
        let Ok(size) = size.parse() else { break };
        shape.push(size);
        rest = after;
    }
    Some((element_type(rest)?, shape))
}

/// An element type by any of its usual names.
pub fn element_type(name: &str) -> Option<ElementType> {
    let known = |name: &str| ElementType::ALL.iter().copied().find(|element| element.name().eq_ignore_ascii_case(name));
    known(name).or_else(|| match name {
        "pred" | "bool" => Some(ElementType::I1),
        "c64" | "complex64" => Some(ElementType::ComplexF32),
        "c128" | "complex128" => Some(ElementType::ComplexF64),
        _ => match name.strip_prefix(['s', 'u']) {
            Some(width) if !width.starts_with('i') => {
                let prefix = if name.starts_with('s') { "i" } else { "ui" };
                known(&format!("{prefix}{width}")).filter(|element| element.is_integer())
            }
            _ => name
                .strip_prefix("si")
                .and_then(|width| known(&format!("i{width}")))
                .or_else(|| npy::element_by_name(name)),
        },
    })
}

/// The tensor of this type whose elements are written in `text`; `max_bytes` is the most it may take.
///
/// # Errors
/// `input/element` for a text that is no element, `input/count` for a wrong number of them, `input/too-large`.
pub fn parse_elements(element: ElementType, shape: &[usize], text: &str, max_bytes: usize) -> Result<Tensor> {
    let size = n_bytes(element, shape).filter(|size| *size <= max_bytes);
    let words = words(text);
    let mut data = Vec::new();
    for word in &words {
        parse_element(element, word, &mut data)?;
    }
    let splat = match words.len() {
        0 => Tensor::splat(element, shape, vec![0; element.byte_width()]),
        1 => Tensor::splat(element, shape, data.clone()),
        _ => None,
    };
    let size = size.ok_or_else(|| InputError::too_large(element, shape));
    let wrong = || {
        let count = n_bytes(element, shape).map_or(0, |bytes| bytes / element.byte_width());
        let message = format!("shape {shape:?} has {count} elements, {} are given", words.len());
        InputError::new("input/count", message)
    };
    match splat {
        Some(splat) if words.len() < 2 => Ok(splat),
        _ => size.and_then(|_| Tensor::new(element, shape, data).ok_or_else(wrong)),
    }
}

/// The elements of a text: what brackets, commas and spaces separate; parentheses hold together.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = None;
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let separates = depth == 0 && (c.is_whitespace() || matches!(c, ',' | '[' | ']'));
        match (separates, start) {
            (true, Some(begun)) => {
                words.push(&text[begun..at]);
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    words.extend(start.map(|begun| &text[begun..]));
    words
}

/// Appends the storage bytes of one element.
///
/// # Errors
/// `input/element`.
pub fn parse_element(element: ElementType, word: &str, data: &mut Vec<u8>) -> Result<()> {
    if let Some(part) = element.complex_part() {
        let inside = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        let (real, imag) = match inside.map(|inside| inside.split_once(',')) {
            Some(Some((real, imag))) => (real.trim(), imag.trim()),
            Some(None) => return Err(bad_element(element, word)),
            None => (word, "0"),
        };
        parse_element(part, real, data)?;
        return parse_element(part, imag, data);
    }
    let bits = match element.float_format() {
        Some(_) => float_bits(element, word)?,
        None => integer_bits(element, word)?,
    };
    data.extend_from_slice(&bits.to_le_bytes()[..element.byte_width()]);
    Ok(())
}

fn float_bits(element: ElementType, word: &str) -> Result<u128> {
    let bad = || bad_element(element, word);
    let format = element.float_format().ok_or_else(bad)?;
    if word.starts_with("0x") || word.starts_with("0X") {
        return parse_hex_bits(word, format).map_err(|error| InputError::new("input/element", error.to_string()));
    }
    let (sign, magnitude) = match word.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    if magnitude.eq_ignore_ascii_case("nan") {
        return Ok(format.nan(!sign.is_empty()));
    }
    if magnitude.eq_ignore_ascii_case("inf") || magnitude.eq_ignore_ascii_case("infinity") {
        return format
            .infinity(!sign.is_empty())
            .ok_or_else(|| InputError::new("input/element", format!("{element} has no infinity")));
    }
    // `.5` and `5.` as other tools write them.
    let lead = if magnitude.starts_with('.') { "0" } else { "" };
    let whole = magnitude.replace(".e", ".0e").replace(".E", ".0E");
    let tail = if whole.ends_with('.') { "0" } else { "" };
    parse_decimal(&format!("{sign}{lead}{whole}{tail}"), format)
        .map_err(|error| InputError::new("input/element", error.to_string()))
}

fn integer_bits(element: ElementType, word: &str) -> Result<u128> {
    let bad = || bad_element(element, word);
    let (negative, magnitude) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let value = match magnitude {
        "true" => 1,
        "false" => 0,
        _ => {
            let (digits, radix) = match magnitude.strip_prefix("0x") {
                Some(digits) => (digits, 16),
                None => (magnitude, 10),
            };
            // The standard library would read a second sign here.
            if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
                return Err(bad());
            }
            i128::from_str_radix(digits, radix).map_err(|_| bad())?
        }
    };
    let value = if negative { -value } else { value };
    let (min, max) = element.integer_range().ok_or_else(bad)?;
    if !(min..=max).contains(&value) {
        return Err(InputError::new("input/element", format!("{word} is outside of {element}: {min} to {max}")));
    }
    Ok(value as u128 & (u128::MAX >> (128 - element.bits())))
}

fn bad_element(element: ElementType, word: &str) -> InputError {
    InputError::new("input/element", format!("`{word}` is not a value of type {element}"))
}

/// Spaces between elements, and a pair of brackets around each row and each stack of rows but the whole.
const IREE: Notation =
    Notation { separator: " ", separates_lists: false, n_bare: 1, booleans: ["0", "1"], write_float };

/// The tensor in this notation: `2x2xi32=[1 2][3 4]`, floats with as many digits as identify them.
pub fn print(tensor: &Tensor) -> String {
    let mut text = type_text(tensor);
    text.push('=');
    IREE.write_lists(&mut text, tensor);
    text
}

/// `2x3xf32`
pub fn type_text(tensor: &Tensor) -> String {
    format!("{}{}", crate::tensor::Sizes(tensor.shape()), tensor.element())
}

/// The shortest decimal that reads back as the same float.
fn write_float(text: &mut String, element: ElementType, bytes: &[u8]) {
    let exact = crate::dispatch_float!(element, T => {
        use crate::element::{Element, Float};
        Float::to_f64(T::read_le(bytes))
    });
    let value = exact.unwrap_or(f64::NAN);
    // f32's shortest form identifies every narrower float too.
    let _ = match element {
        ElementType::F64 => write!(text, "{}", Shortest(value)),
        _ => write!(text, "{}", Shortest32(value as f32)),
    };
}

struct Shortest(f64);
struct Shortest32(f32);

/// Plain digits, or an exponent where they would be many.
macro_rules! shortest {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let size = self.0.abs();
                if self.0.is_nan() {
                    f.write_str("nan")
                } else if size == 0.0 || size.is_infinite() || (1e-5..1e16).contains(&size) {
                    write!(f, "{}", self.0)
                } else {
                    write!(f, "{:e}", self.0)
                }
            }
        }
    };
}
shortest!(Shortest);
shortest!(Shortest32);
