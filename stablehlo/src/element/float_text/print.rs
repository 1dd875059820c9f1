//! Printing of float literals.

use std::fmt::Write as _;

use super::digits::{Digits, Scaled};
use super::read::round_decimal;
use crate::element::{Decoded, FloatFormat};

/// Appends the MLIR literal for this bit pattern (bits above the format's width are ignored), without its type.
pub fn print_float(bits: u128, format: &FloatFormat, out: &mut String) {
    let bits = bits & format.bit_mask();
    let Decoded::Finite { negative, significand, exponent } = format.decode(bits) else {
        return print_hex(bits, out);
    };
    if significand == 0 {
        out.push_str(if negative { "-0.000000e+00" } else { "0.000000e+00" });
        return;
    }
    let start = out.len();
    if negative {
        out.push('-');
    }
    let number = out.len();
    let most = 2 + format.precision() * 59 / 196;
    let scaled = Scaled::new(significand, exponent, most.max(6));
    print_six_digits(&scaled.digits(6), out);
    if reads_back(&out[number..], bits & !format.sign_bit(), format) {
        return;
    }
    out.truncate(number);
    print_all_digits(&scaled.digits(most), most, out);
    if !out[number..].contains('.') {
        out.truncate(start);
        print_hex(bits, out);
    }
}

fn print_hex(bits: u128, out: &mut String) {
    write!(out, "0x{bits:X}").expect("writing to a string cannot fail");
}

fn reads_back(number: &str, magnitude: u128, format: &FloatFormat) -> bool {
    round_decimal(false, number, format) == Some(magnitude)
}

/// `d.dddddde±XX`: filled with zeros to six decimals.
fn print_six_digits(digits: &Digits, out: &mut String) {
    let text = digits.text();
    let exponent = digits.exponent + text.len() as i32 - 1;
    let (first, rest) = text.split_at(1);
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(out, "{first}.{rest:0<6}e{sign}{:02}", exponent.unsigned_abs()).expect("writing to a string cannot fail");
}

/// Plain decimal where at most three zeros must be filled in, else `d.dddE±X`.
fn print_all_digits(digits: &Digits, most: u32, out: &mut String) {
    let text = digits.text();
    let length = text.len() as i32;
    let first_exponent = digits.exponent + length - 1;
    let plain = if digits.exponent >= 0 {
        digits.exponent <= 3 && length + digits.exponent <= most as i32
    } else {
        first_exponent >= -3
    };
    if !plain {
        let (first, rest) = text.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        let sign = if first_exponent < 0 { '-' } else { '+' };
        write!(out, "{first}.{rest}E{sign}{}", first_exponent.unsigned_abs()).expect("writing to a string cannot fail");
        return;
    }
    let zeros = |n: i32| "000".get(..n.max(0) as usize).unwrap_or("000");
    if digits.exponent >= 0 {
        out.push_str(text);
        out.push_str(zeros(digits.exponent));
    } else if first_exponent >= 0 {
        let (whole, fraction) = text.split_at(first_exponent as usize + 1);
        out.extend([whole, ".", fraction]);
    } else {
        out.extend(["0.", zeros(-first_exponent - 1), text]);
    }
}
