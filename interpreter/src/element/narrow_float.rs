//! Floats of at most 16 bits: computed in `f64` and rounded once.
//!
//! For `+ − × ÷` and `sqrt` this is exactly the correctly rounded result: 53 significand bits are more than twice those
//! of these types, so that rounding to `f64` first cannot matter.

use std::cmp::Ordering;

use stablehlo::element::{NonFinite, bf16_from_f64, bf16_to_f32, f16_from_f64, f16_to_f32};

use super::*;

/// The value nearest to an integer, in a format of at most 32 bits, rounded once.
fn round_integer<T: Float>(value: i128) -> T {
    if value.unsigned_abs() < 1 << 53 {
        return T::from_f64(value as f64);
    }
    T::from_bits(T::FORMAT.round(value < 0, value.unsigned_abs(), 0, false) as u64)
}

/// Position in the total order.
fn total_order_key<T: Float>(value: T) -> i64 {
    let sign = T::FORMAT.sign_bit() as u64;
    let is_negative = value.to_bits() & sign != 0;
    match value.position() {
        0 if is_negative && T::FORMAT.non_finite == NonFinite::NanNegativeZero => i64::MAX,
        // −0 comes before +0.
        position => position - i64::from(is_negative),
    }
}

fn total_order<T: Float>(lhs: T, rhs: T) -> Ordering {
    total_order_key(lhs).cmp(&total_order_key(rhs))
}

/// The larger (or smaller) number; NaN wins. A format with NaN but without negative zero has equal bits where the
/// values are equal.
fn extremum<T: Float>(lhs: T, rhs: T, wanted: Ordering) -> T {
    if lhs.is_nan() || rhs.is_nan() {
        return T::rounded(f64::NAN);
    }
    if total_order(lhs, rhs) == wanted { lhs } else { rhs }
}

/// Flips the sign bit and nothing else; without a sign there is no negative number, and without a negative zero zero
/// and NaN stay what they are.
fn flip_sign<T: Float>(value: T) -> T {
    let sign = T::FORMAT.sign_bit() as u64;
    let bits = value.to_bits();
    match T::FORMAT.non_finite {
        _ if sign == 0 => T::rounded(f64::NAN),
        NonFinite::NanNegativeZero if bits & !sign == 0 => value,
        _ => T::from_bits(bits ^ sign),
    }
}

fn clear_sign<T: Float>(value: T) -> T {
    let sign = T::FORMAT.sign_bit() as u64;
    match T::FORMAT.non_finite {
        NonFinite::NanNegativeZero if value.to_bits() == sign => value,
        _ => T::from_bits(value.to_bits() & !sign),
    }
}

fn sign<T: Float>(value: T) -> T {
    let number = value.to_f64();
    if number == 0.0 { value } else { T::rounded(Number::sign(number)) }
}

#[inline]
fn bf16_to_f64(value: bf16) -> f64 {
    f64::from(bf16_to_f32(value))
}

#[inline]
fn f16_to_f64(value: f16) -> f64 {
    f64::from(f16_to_f32(value))
}

macro_rules! narrow_floats {
    ($($name:ident, $bits:ty, $variant:ident, $from_f64:path, $to_f64:path;)*) => {$(
        impl Element for $name {
            const TYPE: ElementType = ElementType::$variant;
            type Part = $name;

            #[inline]
            fn zero() -> Self {
                <$name as Float>::from_f64(0.0)
            }

            #[inline]
            fn one() -> Self {
                <$name as Float>::from_f64(1.0)
            }

            #[inline]
            fn read_le(bytes: &[u8]) -> Self {
                let bits = bytes.first_chunk().map_or(0, |&bytes| <$bits>::from_le_bytes(bytes));
                $name::from_bits(bits)
            }

            #[inline]
            fn write_le(self, bytes: &mut [u8]) {
                if let Some(chunk) = bytes.first_chunk_mut() {
                    *chunk = $name::to_bits(self).to_le_bytes();
                }
            }

            #[inline]
            fn to_exact(self) -> Exact {
                Exact::Float($to_f64(self))
            }

            #[inline]
            fn from_exact(value: Exact) -> Self {
                match value {
                    Exact::Integer(value) => round_integer(value),
                    Exact::Float(value) | Exact::Complex(value, _) => $from_f64(value),
                }
            }

            #[inline]
            fn add(self, rhs: Self) -> Self {
                Self::rounded($to_f64(self) + $to_f64(rhs))
            }

            #[inline]
            fn multiply(self, rhs: Self) -> Self {
                Self::rounded($to_f64(self) * $to_f64(rhs))
            }

            fn maximum(self, rhs: Self) -> Self {
                extremum(self, rhs, Ordering::Greater)
            }

            fn minimum(self, rhs: Self) -> Self {
                extremum(self, rhs, Ordering::Less)
            }

            #[inline]
            fn compare(self, rhs: Self, direction: Direction, compare_type: CompareType) -> bool {
                if compare_type == CompareType::TotalOrder {
                    direction.holds(total_order(self, rhs))
                } else {
                    direction.of_operators(&$to_f64(self), &$to_f64(rhs))
                }
            }
        }

        impl Number for $name {
            #[inline]
            fn subtract(self, rhs: Self) -> Self {
                Self::rounded($to_f64(self) - $to_f64(rhs))
            }

            #[inline]
            fn divide(self, rhs: Self) -> Self {
                Self::rounded($to_f64(self) / $to_f64(rhs))
            }

            fn negate(self) -> Self {
                flip_sign(self)
            }

            fn power(self, rhs: Self) -> Self {
                self.rounded_power(rhs)
            }

            fn abs(self) -> Self {
                clear_sign(self)
            }

            fn sign(self) -> Self {
                sign(self)
            }
        }

        impl Real for $name {
            #[inline]
            fn remainder(self, rhs: Self) -> Self {
                Self::rounded($to_f64(self) % $to_f64(rhs))
            }
        }

        impl Float for $name {
            const FORMAT: &'static FloatFormat = &FloatFormat::$variant;

            #[inline]
            fn to_f64(self) -> f64 {
                $to_f64(self)
            }

            #[inline]
            fn from_f64(value: f64) -> Self {
                $from_f64(value)
            }

            #[inline]
            fn to_bits(self) -> u64 {
                u64::from($name::to_bits(self))
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                $name::from_bits(bits as $bits)
            }
        }
    )*};
}

narrow_floats! {
    bf16, u16, BF16, bf16_from_f64, bf16_to_f64;
    f16, u16, F16, f16_from_f64, f16_to_f64;
    F4E2M1FN, u8, F4E2M1FN, F4E2M1FN::from_f64, F4E2M1FN::to_f64;
    F6E2M3FN, u8, F6E2M3FN, F6E2M3FN::from_f64, F6E2M3FN::to_f64;
    F6E3M2FN, u8, F6E3M2FN, F6E3M2FN::from_f64, F6E3M2FN::to_f64;
    F8E3M4, u8, F8E3M4, F8E3M4::from_f64, F8E3M4::to_f64;
    F8E4M3, u8, F8E4M3, F8E4M3::from_f64, F8E4M3::to_f64;
    F8E4M3B11FNUZ, u8, F8E4M3B11FNUZ, F8E4M3B11FNUZ::from_f64, F8E4M3B11FNUZ::to_f64;
    F8E4M3FN, u8, F8E4M3FN, F8E4M3FN::from_f64, F8E4M3FN::to_f64;
    F8E4M3FNUZ, u8, F8E4M3FNUZ, F8E4M3FNUZ::from_f64, F8E4M3FNUZ::to_f64;
    F8E5M2, u8, F8E5M2, F8E5M2::from_f64, F8E5M2::to_f64;
    F8E5M2FNUZ, u8, F8E5M2FNUZ, F8E5M2FNUZ::from_f64, F8E5M2FNUZ::to_f64;
    F8E8M0FNU, u8, F8E8M0FNU, F8E8M0FNU::from_f64, F8E8M0FNU::to_f64;
}
