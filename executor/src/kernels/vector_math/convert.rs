//! `convert` between floats and from floats to integers, where the language's own casts do not become vector code.

use stablehlo::element::ElementType;

use super::lane::{Bf16, F16, Lane};
use crate::kernels::isa::Isa;
use crate::kernels::lanes::{StepFn, step};

/// The integer nearest to zero from `x`, for limits that an `f32` can be; 0 for NaN.
#[inline(always)]
#[allow(clippy::manual_clamp, reason = "NaN becomes a limit")]
fn truncated(x: f32, low: f32, high: f32) -> i32 {
    let limited = if x > low { x } else { low };
    let limited = if limited < high { limited } else { high };
    // SAFETY: a number between limits that an i32 can be; NaN has become the lower one.
    let value = unsafe { limited.to_int_unchecked::<i32>() };
    if x.is_nan() { 0 } else { value }
}

#[inline(always)]
fn to_i8(x: f32) -> i8 {
    truncated(x, -128.0, 127.0) as i8
}

#[inline(always)]
fn to_u8(x: f32) -> u8 {
    truncated(x, 0.0, 255.0) as u8
}

#[inline(always)]
fn to_i16(x: f32) -> i16 {
    truncated(x, -32_768.0, 32_767.0) as i16
}

#[inline(always)]
fn to_u16(x: f32) -> u16 {
    truncated(x, 0.0, 65_535.0) as u16
}

#[inline(always)]
fn to_i32(x: f32) -> i32 {
    // The largest f32 below 2^31, and what is not below it.
    let value = truncated(x, -2_147_483_648.0, 2_147_483_520.0);
    if x >= 2_147_483_648.0 { i32::MAX } else { value }
}

/// The step of a conversion that has vector code here.
pub fn step_of(isa: Isa, from: ElementType, to: ElementType) -> Option<StepFn> {
    use ElementType::{BF16, F16 as Half, F32, I1, I8, I16, I32, UI8, UI16};
    macro_rules! from_float {
        ($T:ty, $widen:expr) => {
            Some(match to {
                I1 => step!(isa, map1 [$T, bool], |x| $widen(x) != 0.0),
                I8 => step!(isa, map1 [$T, i8], |x| to_i8($widen(x))),
                I16 => step!(isa, map1 [$T, i16], |x| to_i16($widen(x))),
                I32 => step!(isa, map1 [$T, i32], |x| to_i32($widen(x))),
                UI8 => step!(isa, map1 [$T, u8], |x| to_u8($widen(x))),
                UI16 => step!(isa, map1 [$T, u16], |x| to_u16($widen(x))),
                F32 => step!(isa, map1 [$T, f32], $widen),
                BF16 => step!(isa, map1 [$T, u16], |x| Bf16::narrow($widen(x)).0),
                Half => step!(isa, map1 [$T, u16], |x| F16::narrow($widen(x)).0),
                _ => return None,
            })
        };
    }
    /// Integers that an `f32` can be, so that there is one rounding.
    macro_rules! from_small {
        ($T:ty) => {
            Some(match to {
                BF16 => step!(isa, map1 [$T, u16], |x: $T| Bf16::narrow(f32::from(x)).0),
                Half => step!(isa, map1 [$T, u16], |x: $T| F16::narrow(f32::from(x)).0),
                _ => return None,
            })
        };
    }
    match from {
        F32 => from_float!(f32, |x: f32| x),
        BF16 => from_float!(u16, |x: u16| Bf16(x).widen()),
        Half => from_float!(u16, |x: u16| F16(x).widen()),
        I8 => from_small!(i8),
        I16 => from_small!(i16),
        UI8 => from_small!(u8),
        UI16 => from_small!(u16),
        _ => None,
    }
}
