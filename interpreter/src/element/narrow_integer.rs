//! Integers of two and four bits, held in a byte.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use super::Integer;

macro_rules! narrow_integers {
    ($($name:ident($base:ident), $bits:literal, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[repr(transparent)]
        pub struct $name($base);

        impl $name {
            /// The value with the lowest bits of this one.
            #[inline]
            pub const fn wrapping(value: $base) -> Self {
                const UNUSED: u32 = 8 - $bits;
                Self((value << UNUSED) >> UNUSED)
            }

            /// The value.
            #[inline]
            pub const fn get(self) -> $base {
                self.0
            }

            /// Truncated to an integer and moved into the range; NaN is 0.
            #[inline]
            pub fn saturating(value: f64) -> Self {
                Self((value as $base).clamp(Self::min_value().0, Self::max_value().0))
            }

            /// The smallest value.
            pub const fn min_value() -> Self {
                Self($base::MIN >> (8 - $bits))
            }

            /// The largest value.
            pub const fn max_value() -> Self {
                Self($base::MAX >> (8 - $bits))
            }

            pub(super) fn from_le_bytes([byte]: [u8; 1]) -> Self {
                Self::wrapping(byte as $base)
            }

            pub(super) fn to_le_bytes(self) -> [u8; 1] {
                [self.0 as u8 & (u8::MAX >> (8 - $bits))]
            }

            pub(super) fn wrapping_add(self, rhs: Self) -> Self {
                Self::wrapping(self.0.wrapping_add(rhs.0))
            }

            pub(super) fn wrapping_sub(self, rhs: Self) -> Self {
                Self::wrapping(self.0.wrapping_sub(rhs.0))
            }

            pub(super) fn wrapping_mul(self, rhs: Self) -> Self {
                Self::wrapping(self.0.wrapping_mul(rhs.0))
            }

            pub(super) fn wrapping_div(self, rhs: Self) -> Self {
                Self::wrapping(self.0.wrapping_div(rhs.0))
            }

            pub(super) fn wrapping_rem(self, rhs: Self) -> Self {
                Self::wrapping(self.0.wrapping_rem(rhs.0))
            }

            pub(super) fn wrapping_neg(self) -> Self {
                Self::wrapping(self.0.wrapping_neg())
            }
        }

        impl BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, rhs: Self) -> Self {
                Self(self.0 & rhs.0)
            }
        }

        impl BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, rhs: Self) -> Self {
                Self(self.0 | rhs.0)
            }
        }

        impl BitXor for $name {
            type Output = Self;
            #[inline]
            fn bitxor(self, rhs: Self) -> Self {
                Self(self.0 ^ rhs.0)
            }
        }

        impl Not for $name {
            type Output = Self;
            #[inline]
            fn not(self) -> Self {
                Self::wrapping(!self.0)
            }
        }

        impl Integer for $name {
            #[inline]
            fn to_bits(self) -> u64 {
                u64::from(self.to_le_bytes()[0])
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                Self::wrapping(bits as $base)
            }

            #[inline]
            fn to_i128(self) -> i128 {
                i128::from(self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }
    )*};
}

narrow_integers! {
    I2(i8), 2, "`i2`: −2 to 1, sign-extended to a byte.";
    I4(i8), 4, "`i4`: −8 to 7, sign-extended to a byte.";
    U2(u8), 2, "`ui2`: 0 to 3.";
    U4(u8), 4, "`ui4`: 0 to 15.";
}
