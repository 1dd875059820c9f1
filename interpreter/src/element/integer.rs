//! Integers: everything wraps, nothing traps.

use super::{Bits, CompareType, Direction, Element, ElementType, Exact, Integer, Number, Real};
use super::{I2, I4, U2, U4};

/// `base^exponent` by squaring. A negative exponent gives 0, but ±1 for the bases ±1.
fn power<T: Integer>(base: T, exponent: T) -> T {
    if exponent.to_i128() < 0 {
        let odd = exponent.to_bits() & 1 == 1;
        return match base.to_i128() {
            1 => T::one(),
            -1 if odd => base,
            -1 => T::one(),
            _ => T::zero(),
        };
    }
    let mut rest = exponent.to_bits();
    let (mut square, mut result) = (base, T::one());
    while rest > 0 {
        if rest & 1 == 1 {
            result = result.multiply(square);
        }
        square = square.multiply(square);
        rest >>= 1;
    }
    result
}

macro_rules! integers {
    ($($native:ty, $variant:ident, $float:expr;)*) => {$(
        impl Element for $native {
            const TYPE: ElementType = ElementType::$variant;
            type Part = $native;

            #[inline]
            fn zero() -> Self {
                <$native>::from_bits(0)
            }

            #[inline]
            fn one() -> Self {
                <$native>::from_bits(1)
            }

            #[inline]
            fn read_le(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(Self::zero(), |&bytes| <$native>::from_le_bytes(bytes))
            }

            #[inline]
            fn write_le(self, bytes: &mut [u8]) {
                if let Some(chunk) = bytes.first_chunk_mut() {
                    *chunk = self.to_le_bytes();
                }
            }

            #[inline]
            fn to_exact(self) -> Exact {
                Exact::Integer(self.to_i128())
            }

            #[inline]
            fn from_exact(value: Exact) -> Self {
                match value {
                    Exact::Integer(value) => <$native>::from_bits(value as u64),
                    Exact::Float(value) | Exact::Complex(value, _) => $float(value),
                }
            }

            #[inline]
            fn add(self, rhs: Self) -> Self {
                self.wrapping_add(rhs)
            }

            #[inline]
            fn multiply(self, rhs: Self) -> Self {
                self.wrapping_mul(rhs)
            }

            #[inline]
            fn maximum(self, rhs: Self) -> Self {
                self.max(rhs)
            }

            #[inline]
            fn minimum(self, rhs: Self) -> Self {
                self.min(rhs)
            }

            #[inline]
            fn compare(self, rhs: Self, direction: Direction, _: CompareType) -> bool {
                direction.of_operators(&self, &rhs)
            }
        }

        impl Bits for $native {
            #[inline]
            fn and(self, rhs: Self) -> Self {
                self & rhs
            }

            #[inline]
            fn or(self, rhs: Self) -> Self {
                self | rhs
            }

            #[inline]
            fn xor(self, rhs: Self) -> Self {
                self ^ rhs
            }

            #[inline]
            fn not(self) -> Self {
                !self
            }
        }

        impl Number for $native {
            #[inline]
            fn subtract(self, rhs: Self) -> Self {
                self.wrapping_sub(rhs)
            }

            #[inline]
            fn divide(self, rhs: Self) -> Self {
                if rhs == Self::zero() { !Self::zero() } else { self.wrapping_div(rhs) }
            }

            #[inline]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }

            fn power(self, rhs: Self) -> Self {
                power(self, rhs)
            }

            #[inline]
            fn abs(self) -> Self {
                if self < Self::zero() { self.wrapping_neg() } else { self }
            }

            #[inline]
            fn sign(self) -> Self {
                match self.cmp(&Self::zero()) {
                    std::cmp::Ordering::Less => !Self::zero(),
                    std::cmp::Ordering::Equal => self,
                    std::cmp::Ordering::Greater => Self::one(),
                }
            }
        }

        impl Real for $native {
            #[inline]
            fn remainder(self, rhs: Self) -> Self {
                if rhs == Self::zero() { self } else { self.wrapping_rem(rhs) }
            }
        }
    )*};
}

macro_rules! native_integers {
    ($($native:ty, $unsigned:ty, $variant:ident;)*) => {
        integers! { $($native, $variant, |value: f64| value as $native;)* }

        $(impl Integer for $native {
            #[inline]
            fn to_bits(self) -> u64 {
                self as $unsigned as u64
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                bits as $native
            }

            #[inline]
            fn to_i128(self) -> i128 {
                self as i128
            }
        })*
    };
}

native_integers! {
    i8, u8, I8;
    i16, u16, I16;
    i32, u32, I32;
    i64, u64, I64;
    u8, u8, UI8;
    u16, u16, UI16;
    u32, u32, UI32;
    u64, u64, UI64;
}

integers! {
    I2, I2, I2::saturating;
    I4, I4, I4::saturating;
    U2, UI2, U2::saturating;
    U4, UI4, U4::saturating;
}
