//! Literals as jaxlib 0.10.2 reads and prints them; the laws that hold for all of them.

use proptest::prelude::*;

use super::*;
use crate::element::{Decoded, FloatFormat};
use crate::ir::FloatKind;

fn formats() -> impl Iterator<Item = &'static FloatFormat> {
    FloatKind::ALL.iter().map(|kind| kind.format())
}

fn format(name: &str) -> &'static FloatFormat {
    FloatKind::from_name(name).unwrap().format()
}

fn printed(bits: u128, format: &FloatFormat) -> String {
    let mut out = String::new();
    print_float(bits, format, &mut out);
    out
}

fn read(text: &str, format: &FloatFormat) -> Result<u128, ParseFloatError> {
    if text.starts_with("0x") { parse_hex_bits(text, format) } else { parse_decimal(text, format) }
}

#[track_caller]
fn check(name: &str, input: &str, expected: &str) {
    let bits = read(input, format(name)).unwrap();
    assert_eq!(printed(bits, format(name)), expected, "{input} : {name}");
}

#[test]
fn literals_print_as_recorded_from_jaxlib() {
    check("f64", "1.0", "1.000000e+00");
    check("f32", "1.", "1.000000e+00");
    check("f32", "1.e5", "1.000000e+05");
    check("f32", "0.1", "1.000000e-01");
    check("f64", "0.998", "0.998");
    check("f32", "0.998", "9.980000e-01");
    check("f64", "3.14159265358979", "3.14159265358979");
    check("f32", "2.718281828", "2.71828175");
    check("bf16", "0.3333", "3.339840e-01");
    check("f16", "0.1", "9.997550e-02");
    check("f16", "65504.0", "6.550400e+04");
    check("f16", "65520.0", "0x7C00");
    check("f32", "1.0e40", "0x7F800000");
    check("f64", "1.0e400", "0x7FF0000000000000");
    check("f32", "-1.0e40", "0xFF800000");
    check("f32", "-0.0", "-0.000000e+00");
    check("f32", "0x7FC00000", "0x7FC00000");
    check("f32", "1.0e-45", "1.401300e-45");
    check("f64", "5.0e-324", "4.940660e-324");
    check("f64", "123456.789", "123456.789");
    check("f32", "1000000.0", "1.000000e+06");
    check("f32", "1234567.0", "0x4996B438");
    check("f32", "16777216.0", "0x4B800000");
    check("f32", "12345.678", "12345.6777");
    check("f32", "0.0001234567", "1.23456703E-4");
    check("f32", "0.001234567", "0.00123456703");
    check("f64", "123456789.0", "0x419D6F3454000000");
    check("f8E4M3FN", "448.0", "4.480000e+02");
    check("f8E4M3FN", "500.0", "0x7F");
    check("f4E2M1FN", "100.0", "6.000000e+00");
    check("f8E5M2", "0.1", "9.375000e-02");
    check("f8E8M0FNU", "3.0", "4.000000e+00");
    check("f8E8M0FNU", "0.0", "5.877470e-39");
    check("tf32", "1.1", "1.099610e+00");
}

#[test]
fn literals_are_rounded_once() {
    // jaxlib goes through f64 and prints 1.10000000000000008882 and 1.000000e+00; newer builds agree with these.
    check("f80", "1.1", "1.100000e+00");
    check("f32", "1.00000005960464477539063", "1.00000012");
    // A tie of f16 (1 + 2^-11) with a digit far behind it, or none.
    let tie = "1.00048828125";
    assert_eq!(parse_decimal(tie, &FloatFormat::F16), Ok(0x3c00));
    assert_eq!(parse_decimal(&format!("{tie}{}", "0".repeat(20_000)), &FloatFormat::F16), Ok(0x3c00));
    assert_eq!(parse_decimal(&format!("{tie}{}1", "0".repeat(20_000)), &FloatFormat::F16), Ok(0x3c01));
    assert_eq!(parse_decimal("448.0", &FloatFormat::F8E4M3FN), Ok(0x7e));
    assert_eq!(parse_decimal("464.0", &FloatFormat::F8E4M3FN), Ok(0x7e));
    assert_eq!(parse_decimal("464.00000000000000000001", &FloatFormat::F8E4M3FN), Ok(0x7f));
    assert_eq!(parse_decimal("-0.0", &FloatFormat::F8E4M3FNUZ), Ok(0));
    assert_eq!(parse_decimal("-1.0e9", &FloatFormat::F8E4M3FNUZ), Ok(0x80));
    assert_eq!(parse_decimal("-1.0e9", &FloatFormat::F6E3M2FN), Ok(0x3f));
}

#[test]
fn wide_formats_read_back_what_they_mean() {
    assert_eq!(parse_decimal("1.0", &FloatFormat::F128), Ok(0x3fff << 112));
    assert_eq!(parse_decimal("-2.5", &FloatFormat::F128), Ok((0xc000 << 112) | (1 << 110)));
    assert_eq!(parse_decimal("1.0", &FloatFormat::F80), Ok((0x3fff << 64) | (1 << 63)));
    // Largest finite f128 and the tie above it; smallest subnormal and half of it.
    let max = (0x7fff << 112) - 1;
    assert_eq!(parse_decimal("1.18973149535723176508575932662800702e4932", &FloatFormat::F128), Ok(max));
    assert_eq!(parse_decimal("1.2e4932", &FloatFormat::F128), Ok(0x7fff << 112));
    assert_eq!(parse_decimal("6.5e-4966", &FloatFormat::F128), Ok(1));
    assert_eq!(parse_decimal("3.2e-4966", &FloatFormat::F128), Ok(0));
    assert_eq!(printed(1, &FloatFormat::F128), "6.475180e-4966");
}

#[test]
fn malformed_literals_are_rejected() {
    for text in ["", ".5", "1e", "1.0e+", "nan", "inf", "1.0.0", "--1.0", "1_0.0", "0x10", "1.0 ", "é"] {
        assert!(matches!(parse_decimal(text, &FloatFormat::F32), Err(ParseFloatError::Decimal(_))), "{text}");
    }
    for text in ["", "0x", "0xg", "-0x0", "3f800000", "0x+1"] {
        assert!(matches!(parse_hex_bits(text, &FloatFormat::F32), Err(ParseFloatError::Hex(_))), "{text}");
    }
    let error = parse_hex_bits("0x13F800000", &FloatFormat::F32).unwrap_err();
    assert_eq!(error.to_string(), "bit pattern `0x13F800000` does not fit the 32 bits of f32");
    assert_eq!(parse_hex_bits("0x000000000000000000000000000000000000003c00", &FloatFormat::F16), Ok(0x3c00));
    let error = parse_decimal("-1.0", &FloatFormat::F8E8M0FNU).unwrap_err();
    assert_eq!(error.to_string(), "`-1.0` is negative, but f8E8M0FNU has no negative numbers");
}

#[test]
fn huge_exponents_and_numbers_cost_nothing() {
    for name in ["f16", "f64", "f128"] {
        assert_eq!(parse_decimal("1.0e99999999999999999999", format(name)), Ok(format(name).overflow(false)));
        assert_eq!(parse_decimal("1.0e-99999999999999999999", format(name)), Ok(0));
        let long = format!("0.{}1e100000", "0".repeat(99_999));
        assert_eq!(parse_decimal(&long, format(name)), parse_decimal("1.0", format(name)), "{name}");
    }
}

/// Every pattern of every format up to 16 bits prints to something that reads back to it.
#[test]
fn print_then_read_is_identity_on_short_formats() {
    for format in formats().filter(|format| format.bits <= 16) {
        for bits in 0..1 << format.bits {
            let text = printed(bits, format);
            assert_eq!(read(&text, format), Ok(bits), "{text} : {}", format.name);
        }
    }
}

/// The nearest number of a format by comparing exact fractions, for every pair of neighbours: reading the exact decimal
/// expansion of a number gives it, and of a midpoint gives the even one.
#[test]
fn midpoints_go_to_even() {
    for format in formats().filter(|format| format.bits <= 8 && format.has_zero) {
        let mut numbers: Vec<(f64, u128)> = (0..1 << (format.bits - 1))
            .filter_map(|bits| match format.decode(bits) {
                Decoded::Finite { significand, exponent, .. } => {
                    Some((significand as f64 * f64::from(exponent).exp2(), bits))
                }
                _ => None,
            })
            .collect();
        numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in numbers.windows(2) {
            let [(low, low_bits), (high, high_bits)] = pair else { unreachable!() };
            let even = if low_bits % 2 == 0 { low_bits } else { high_bits };
            let middle = format!("{:.40}", (low + high) / 2.0);
            assert_eq!(parse_decimal(&middle, format), Ok(*even), "{middle} : {}", format.name);
            assert_eq!(parse_decimal(&format!("{low:.40}"), format), Ok(*low_bits));
        }
    }
}

proptest! {
    #[test]
    fn print_then_read_is_identity_on_f32(bits: u32) {
        let bits = u128::from(bits);
        prop_assert_eq!(read(&printed(bits, &FloatFormat::F32), &FloatFormat::F32), Ok(bits));
    }

    #[test]
    fn print_then_read_is_identity_on_f64(bits: u64) {
        let bits = u128::from(bits);
        prop_assert_eq!(read(&printed(bits, &FloatFormat::F64), &FloatFormat::F64), Ok(bits));
    }

    #[test]
    fn print_then_read_is_identity_on_f128(bits: u128) {
        prop_assert_eq!(read(&printed(bits, &FloatFormat::F128), &FloatFormat::F128), Ok(bits));
    }

    #[test]
    fn the_exact_path_agrees_with_the_standard_library(mantissa: u64, exponent in -400i32..400) {
        let text = format!("{mantissa}.5e{exponent}");
        // A twin of f64 under another name takes the exact path.
        let twin = FloatFormat { name: "twin", ..FloatFormat::F64 };
        prop_assert_eq!(parse_decimal(&text, &twin), parse_decimal(&text, &FloatFormat::F64));
        let twin = FloatFormat { name: "twin", ..FloatFormat::F32 };
        prop_assert_eq!(parse_decimal(&text, &twin), parse_decimal(&text, &FloatFormat::F32));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,12}") {
        for format in formats() {
            let _ = parse_decimal(&text, format);
            let _ = parse_hex_bits(&text, format);
        }
    }
}
