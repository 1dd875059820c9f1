//! The eleven floating-point types of at most eight bits.
//!
//! A value is its bit pattern in a byte (bits above the format's width are zero). Widening is exact and reads a table;
//! narrowing rounds once, to nearest even, by the rules of `convert`:
//!
//! | type | too large, infinity | NaN |
//! |---|---|---|
//! | `f8E5M2`, `f8E4M3`, `f8E3M4` | infinity | NaN with its sign |
//! | `f8E4M3FN` | NaN with the sign | NaN with its sign |
//! | `f8E4M3FNUZ`, `f8E5M2FNUZ`, `f8E4M3B11FNUZ` | `0x80`, the only NaN; there is no −0 | `0x80` |
//! | `f4E2M1FN`, `f6E2M3FN`, `f6E3M2FN` | the largest number | the sign bit alone |
//! | `f8E8M0FNU` | `0xFF`, also for zeros and negative numbers; ties go up | `0xFF` |

use std::fmt;

use crate::element::format::FloatFormat;
use crate::element::round::round_f64;

macro_rules! small_floats {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "` in the lower bits of a byte. Equality is equality of bits.")]
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
        #[repr(transparent)]
        pub struct $name(pub u8);

        impl $name {
            /// The bit layout.
            pub const FORMAT: &'static FloatFormat = &FloatFormat::$name;

            /// Bits that belong to the value.
            pub const MASK: u8 = FloatFormat::$name.bit_mask() as u8;

            /// The value with this bit pattern; bits above the width are dropped.
            #[inline]
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits & Self::MASK)
            }

            /// The bit pattern.
            #[inline]
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// The value, exactly; NaN is quiet.
            #[inline]
            pub fn to_f32(self) -> f32 {
                static TABLE: [f32; 256] = widen_all(&FloatFormat::$name);
                TABLE[self.0 as usize]
            }

            /// The value, exactly; NaN is quiet.
            #[inline]
            pub fn to_f64(self) -> f64 {
                f64::from(self.to_f32())
            }

            /// Rounded once to nearest even, by the rules in the module's table.
            #[inline]
            pub const fn from_f64(value: f64) -> Self {
                Self(round_f64(value, &FloatFormat::$name) as u8)
            }

            /// Rounded once to nearest even, by the rules in the module's table.
            #[inline]
            pub const fn from_f32(value: f32) -> Self {
                Self::from_f64(value as f64)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:#04x} = {})", stringify!($name), self.0, self.to_f32())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    )*};
}

small_floats! {
    F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3B11FNUZ F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0FNU
}

/// The value of every byte in a format of at most 8 bits.
const fn widen_all(format: &FloatFormat) -> [f32; 256] {
    let mut table = [0.0; 256];
    let mut bits = 0;
    while bits < 256 {
        table[bits] = f32::from_bits(FloatFormat::F32.convert(bits as u128, format) as u32);
        bits += 1;
    }
    table
}

#[cfg(test)]
mod tests;
