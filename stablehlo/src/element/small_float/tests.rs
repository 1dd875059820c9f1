//! Every encoding against recorded values; rounding around every pair of neighbours against plain comparison.

use half::{bf16, f16};

use super::*;
use crate::element::{bf16_from_f64, bf16_to_f32, f16_from_f64, f16_to_f32};

/// One small format behind plain functions.
struct Format {
    format: &'static FloatFormat,
    to_f32: fn(u8) -> f32,
    from_f64: fn(f64) -> u8,
    from_f32: fn(f32) -> u8,
}

macro_rules! formats {
    ($($name:ident)*) => {
        [$(Format {
            format: $name::FORMAT,
            to_f32: |bits| $name::from_bits(bits).to_f32(),
            from_f64: |value| $name::from_f64(value).to_bits(),
            from_f32: |value| $name::from_f32(value).to_bits(),
        },)*]
    };
}

fn formats() -> [Format; 11] {
    formats! {
        F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3B11FNUZ F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0FNU
    }
}

#[test]
fn every_encoding_has_its_recorded_value() {
    let recorded = include_str!("../../../testdata/element/small_floats.txt");
    let rows: Vec<Vec<&str>> =
        recorded.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect()).collect();
    assert_eq!(rows.len(), 11);
    for (row, format) in rows.iter().zip(formats()) {
        assert_eq!(row[0], format.format.name);
        assert_eq!(row.len() - 1, 1 << format.format.bits);
        for (bits, expected) in row[1..].iter().enumerate() {
            let expected = u32::from_str_radix(expected, 16).unwrap();
            let value = (format.to_f32)(bits as u8);
            if f32::from_bits(expected).is_nan() {
                assert!(value.is_nan() && value.to_bits() & (1 << 22) != 0, "{} {bits:#x}", row[0]);
            } else {
                assert_eq!(value.to_bits(), expected, "{} {bits:#x}", row[0]);
            }
        }
    }
}

#[test]
fn every_value_narrows_to_its_own_encoding() {
    for format in formats() {
        for bits in 0..=format.format.bit_mask() as u8 {
            let value = (format.to_f32)(bits);
            if !value.is_nan() {
                assert_eq!((format.from_f64)(f64::from(value)), bits, "{}", format.format.name);
                assert_eq!((format.from_f32)(value), bits, "{}", format.format.name);
            }
        }
    }
}

#[test]
fn the_smallest_positive_number_is_the_first_pattern_that_is_one() {
    for Format { format, to_f32, .. } in formats() {
        let values = (0..=format.bit_mask() as u8).map(|bits| f64::from(to_f32(bits)));
        let smallest = values.filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
        assert_eq!(format.to_f64(format.min_positive()), smallest, "{}", format.name);
    }
}

/// Between two neighbours the nearer one wins, and the even encoding at the midpoint; one ulp of f64 beside it decides.
#[test]
fn midpoints_go_to_even_and_one_ulp_beside_to_the_nearer() {
    for format in formats() {
        let name = format.format.name;
        let end = format.format.max_finite(false) as u8;
        for low in 0..end {
            let (low_value, high_value) = (f64::from((format.to_f32)(low)), f64::from((format.to_f32)(low + 1)));
            let middle = (low_value + high_value) / 2.0;
            // All f8E8M0FNU numbers have the one-bit significand 1, so a tie goes to the next power of two.
            let even = if !format.format.has_zero || low % 2 == 1 { low + 1 } else { low };
            assert_eq!((format.from_f64)(middle), even, "{name} {middle:e}");
            assert_eq!((format.from_f64)(middle.next_down()), low, "{name} {middle:e}");
            assert_eq!((format.from_f64)(middle.next_up()), low + 1, "{name} {middle:e}");
            if format.format.signed {
                let sign = format.format.sign_bit() as u8;
                let negative = |bits: u8| format.format.zero(true) as u8 | if bits == 0 { 0 } else { bits | sign };
                assert_eq!((format.from_f64)(-middle), negative(even), "{name} {middle:e}");
                assert_eq!((format.from_f64)(-middle.next_up()), negative(low + 1), "{name} {middle:e}");
            }
        }
    }
}

/// Rows 34–38 of the semantics table: what is outside of the range.
#[test]
fn out_of_range_goes_where_the_format_says() {
    #[track_caller]
    fn check(from: fn(f64) -> u8, cases: &[(f64, u8)]) {
        for &(value, expected) in cases {
            assert_eq!(from(value), expected, "{value:?}");
        }
    }
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let e5m2 = |value| F8E5M2::from_f64(value).0;
    check(e5m2, &[(61440.0, 0x7c), (61439.0, 0x7b), (-inf, 0xfc), (nan, 0x7e), (-nan, 0xfe), (-1e-9, 0x80)]);
    let e4m3 = |value| F8E4M3::from_f64(value).0;
    check(e4m3, &[(248.0, 0x78), (247.9, 0x77), (inf, 0x78), (nan, 0x7c)]);
    let e3m4 = |value| F8E3M4::from_f64(value).0;
    check(e3m4, &[(15.75, 0x70), (15.7, 0x6f), (-inf, 0xf0), (-nan, 0xf8)]);
    let e4m3fn = |value| F8E4M3FN::from_f64(value).0;
    check(
        e4m3fn,
        &[(464.0, 0x7e), (464.0f64.next_up(), 0x7f), (-465.0, 0xff), (inf, 0x7f), (-inf, 0xff), (-nan, 0xff)],
    );
    let fnuz = |value| F8E4M3FNUZ::from_f64(value).0;
    check(fnuz, &[(248.0, 0x80), (247.9, 0x7f), (-inf, 0x80), (nan, 0x80), (-0.0, 0), (-1e-9, 0)]);
    let fnuz = |value| F8E5M2FNUZ::from_f64(value).0;
    check(fnuz, &[(61440.0, 0x80), (-0.0, 0), (-1e-9, 0), (inf, 0x80), (-57344.0, 0xff)]);
    let fnuz = |value| F8E4M3B11FNUZ::from_f64(value).0;
    check(fnuz, &[(31.0, 0x80), (30.9, 0x7f), (-0.0, 0), (nan, 0x80)]);
    let f4 = |value| F4E2M1FN::from_f64(value).0;
    check(f4, &[(1e300, 0x7), (-inf, 0xf), (nan, 0x8), (-0.0, 0x8), (0.25, 0), (-0.25, 0x8), (5.0, 0x6)]);
    let f6 = |value| F6E2M3FN::from_f64(value).0;
    check(f6, &[(8.0, 0x1f), (-inf, 0x3f), (-nan, 0x20), (nan, 0x20)]);
    let f6 = |value| F6E3M2FN::from_f64(value).0;
    check(f6, &[(inf, 0x1f), (nan, 0x20), (29.9, 0x1f)]);
    let e8m0 = |value| F8E8M0FNU::from_f64(value).0;
    let top = 127f64.exp2();
    check(e8m0, &[(1.5, 128), (3.0, 129), (6.0, 130), (1e-300, 0), (1.5 * top, 0xff), (1.49 * top, 0xfe)]);
    check(e8m0, &[(0.0, 0xff), (-0.0, 0xff), (-1.0, 0xff), (-1e-300, 0xff), (inf, 0xff), (-inf, 0xff), (nan, 0xff)]);
    assert_eq!(e8m0(5e-324), 0);
}

#[test]
fn sixteen_bit_types_widen_exactly() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        for (found, expected) in [(f16_to_f32(half), half.to_f32()), (bf16_to_f32(brain), brain.to_f32())] {
            if expected.is_nan() {
                assert!(found.is_nan() && found.is_sign_negative() == (bits >> 15 == 1));
            } else {
                assert_eq!(found.to_bits(), expected.to_bits());
            }
        }
    }
}

/// `f64` to the sixteen-bit types: exact ties, and ties with one more bit far below, where rounding twice goes wrong.
#[test]
fn sixteen_bit_types_are_rounded_once() {
    assert_eq!(bf16_from_f64(f64::from_bits(0x3FF0_1000_0000_0001)).to_bits(), 0x3f81);
    assert_eq!(bf16_from_f64(f64::from_bits(0x3FF0_1000_0000_0000)).to_bits(), 0x3f80);
    for bits in 0..0x7c00u16 {
        let low = f16::from_bits(bits).to_f64();
        let high = if bits == 0x7bff { 65536.0 } else { f16::from_bits(bits + 1).to_f64() };
        let middle = (low + high) / 2.0;
        assert_eq!(f16_from_f64(low).to_bits(), bits);
        assert_eq!(f16_from_f64(middle).to_bits(), bits + bits % 2);
        assert_eq!(f16_from_f64(middle.next_up()).to_bits(), bits + 1);
        assert_eq!(f16_from_f64(-middle.next_down()).to_bits(), bits | 0x8000);
    }
    for bits in 0..0x7f80u16 {
        let low = bf16::from_bits(bits).to_f64();
        let high = if bits == 0x7f7f { 128f64.exp2() } else { bf16::from_bits(bits + 1).to_f64() };
        let middle = (low + high) / 2.0;
        assert_eq!(bf16_from_f64(low).to_bits(), bits);
        assert_eq!(bf16_from_f64(middle).to_bits(), bits + bits % 2);
        assert_eq!(bf16_from_f64(middle.next_up()).to_bits(), bits + 1);
        assert_eq!(bf16_from_f64(-middle.next_down()).to_bits(), bits | 0x8000);
    }
    for value in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 0.0, -0.0, 5e-324, 1e-45, -1e-46] {
        assert_eq!(u32::from(bf16_from_f64(value).to_bits()), round_f64(value, &FloatFormat::BF16), "{value}");
        assert_eq!(u32::from(f16_from_f64(value).to_bits()), round_f64(value, &FloatFormat::F16), "{value}");
    }
    assert!(bf16_from_f64(f64::NAN).is_nan() && f16_from_f64(-f64::NAN).is_nan());
    assert_eq!(f16_from_f64(f64::NEG_INFINITY), f16::NEG_INFINITY);
}

proptest::proptest! {
    /// The fast paths are the general one.
    #[test]
    fn fast_rounding_is_rounding(bits: u64, exponent in 0x360u64..0x4a0, low in 0u64..4) {
        let around = (bits & 0x800f_ffff_0000_0000) | (exponent << 52) | (low << 30) | (bits & low);
        for value in [f64::from_bits(bits), f64::from_bits(around), f64::from_bits(around & !0x3ff_ffff_ffff | (low << 41))] {
            let expected = round_f64(value, &FloatFormat::BF16) as u16;
            proptest::prop_assert_eq!(bf16_from_f64(value).to_bits(), expected, "{:e}", value);
            let expected = round_f64(value, &FloatFormat::F16) as u16;
            proptest::prop_assert_eq!(f16_from_f64(value).to_bits(), expected, "{:e}", value);
        }
    }
}
