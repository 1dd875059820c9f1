//! The short ways of `f32` against the long ones, through `f64`.

use super::*;

#[track_caller]
fn same(found: f32, long: f64, what: &dyn Debug) {
    assert_eq!(found.to_bits(), f32::rounded(long).to_bits(), "{what:?}: {found:e}");
}

#[test]
fn circular_functions_are_those_in_f64_rounded() {
    // All exponents and signs, and those operands at which the library's own f32 functions are wrong.
    let hard = [
        "5922aa80", "3e19205e", "408174dd", "536b7a05", "54b1e095", "56807d7f", "5d5873ae", "5ffd33a4", "61f0c8e2",
        "61fe289f", "673657c5", "690c97ba", "694ec991",
    ];
    let hard = hard.map(|bits| u32::from_str_radix(bits, 16).unwrap());
    let spread = (0..=u32::MAX).step_by(19_997);
    for bits in spread.chain(hard.into_iter().flat_map(|bits| [bits, bits | 1 << 31])) {
        let x = f32::from_bits(bits);
        same(Elementary::sine(x), functions::sine(f64::from(x)), &("sine", x));
        same(Elementary::cosine(x), functions::cosine(f64::from(x)), &("cosine", x));
        same(Elementary::tan(x), functions::tan(f64::from(x)), &("tan", x));
    }
    // By arithmetic of 400 bits.
    assert_eq!(Elementary::cosine(f32::from_bits(0x5922_aa80)).to_bits(), 0x3f08_aebf);
    assert_eq!(Elementary::tan(f32::from_bits(0x3e19_205e)).to_bits(), 0x3e1a_4733);
    assert_eq!(Elementary::sine(-0f32).to_bits(), (-0f32).to_bits());
    assert_eq!(Elementary::tan(f32::NEG_INFINITY).to_bits(), f32::NAN.to_bits());
}

#[test]
fn powers_are_those_in_f64_rounded() {
    let check = |x: f32, y: f32| same(x.power(y), functions::power(f64::from(x), f64::from(y)), &(x, y));
    let special = [0.0, 0.5, 1.0, 2.0, 3.0, 2.5, 127.0, 128.0, 149.0, 1e-45, f32::MAX, f32::INFINITY, f32::NAN];
    for x in special.iter().flat_map(|x| [*x, -x]) {
        special.iter().flat_map(|y| [*y, -y]).for_each(|y| check(x, y));
    }
    // Small fractions have powers that are exact, or ties.
    for x in -40..40i16 {
        (-40..40i16).for_each(|y| check(f32::from(x) / 8.0, f32::from(y) / 4.0));
    }
    let mut state = 1u64;
    for _ in 0..50_000 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let y = (state as u16 as f32 - 32768.0) / 1024.0;
        check(f32::from_bits((state >> 32) as u32), y);
        // Bases near one, for which large exponents matter.
        check(1.0 + (state >> 40) as f32 * 2f32.powi(-30), y * 1000.0);
    }
}
