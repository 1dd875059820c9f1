//! `f32` and `f64`: native operations, with one NaN on every machine.

use super::{CompareType, Direction, Element, ElementType, Exact, Float, FloatFormat, Number, Real, single};

macro_rules! native_floats {
    ($($native:ident, $bits:ident, $variant:ident, $integer:expr, { $($functions:item)* };)*) => {$(
        impl Element for $native {
            const TYPE: ElementType = ElementType::$variant;
            type Part = $native;

            #[inline]
            fn zero() -> Self {
                0.0
            }

            #[inline]
            fn one() -> Self {
                1.0
            }

            #[inline]
            fn read_le(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or(0.0, |&bytes| $native::from_le_bytes(bytes))
            }

            #[inline]
            fn write_le(self, bytes: &mut [u8]) {
                if let Some(chunk) = bytes.first_chunk_mut() {
                    *chunk = self.to_le_bytes();
                }
            }

            #[inline]
            fn to_exact(self) -> Exact {
                Exact::Float(f64::from(self))
            }

            #[inline]
            fn from_exact(value: Exact) -> Self {
                match value {
                    Exact::Integer(value) => $integer(value),
                    Exact::Float(value) | Exact::Complex(value, _) => value as $native,
                }
            }

            #[inline]
            fn add(self, rhs: Self) -> Self {
                quiet(self + rhs, $native::NAN)
            }

            #[inline]
            fn multiply(self, rhs: Self) -> Self {
                quiet(self * rhs, $native::NAN)
            }

            #[inline]
            fn maximum(self, rhs: Self) -> Self {
                // Equal numbers have equal bits, except for zeros, of which AND finds the positive one.
                let equal = $native::from_bits(self.to_bits() & rhs.to_bits());
                let unordered = if self == rhs { equal } else { $native::NAN };
                if self > rhs { self } else if rhs > self { rhs } else { unordered }
            }

            #[inline]
            fn minimum(self, rhs: Self) -> Self {
                let equal = $native::from_bits(self.to_bits() | rhs.to_bits());
                let unordered = if self == rhs { equal } else { $native::NAN };
                if self < rhs { self } else if rhs < self { rhs } else { unordered }
            }

            #[inline]
            fn compare(self, rhs: Self, direction: Direction, compare_type: CompareType) -> bool {
                if compare_type == CompareType::TotalOrder {
                    direction.holds(self.total_cmp(&rhs))
                } else {
                    direction.of_operators(&self, &rhs)
                }
            }
        }

        impl Number for $native {
            #[inline]
            fn subtract(self, rhs: Self) -> Self {
                quiet(self - rhs, $native::NAN)
            }

            #[inline]
            fn divide(self, rhs: Self) -> Self {
                quiet(self / rhs, $native::NAN)
            }

            #[inline]
            fn negate(self) -> Self {
                -self
            }

            fn power(self, rhs: Self) -> Self {
                self.rounded_power(rhs)
            }

            #[inline]
            fn abs(self) -> Self {
                $native::abs(self)
            }

            #[inline]
            fn sign(self) -> Self {
                if self.is_nan() {
                    $native::NAN
                } else if self == 0.0 {
                    self
                } else {
                    $native::copysign(1.0, self)
                }
            }
        }

        impl Real for $native {
            #[inline]
            fn remainder(self, rhs: Self) -> Self {
                quiet(self % rhs, $native::NAN)
            }
        }

        impl Float for $native {
            const FORMAT: &'static FloatFormat = &FloatFormat::$variant;

            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            #[inline]
            fn from_f64(value: f64) -> Self {
                value as $native
            }

            #[inline]
            fn to_bits(self) -> u64 {
                u64::from($native::to_bits(self))
            }

            #[inline]
            fn from_bits(bits: u64) -> Self {
                $native::from_bits(bits as $bits)
            }

            $($functions)*
        }
    )*};
}

/// The given NaN for any NaN. Hardware disagrees about the sign of the NaN that an invalid operation makes.
#[inline]
fn quiet<T: PartialEq + Copy>(value: T, nan: T) -> T {
    #[expect(clippy::eq_op, reason = "this is how a number differs from NaN")]
    if value == value { value } else { nan }
}

native_floats! {
    f32, u32, F32, |value| match i64::try_from(value) {
        Ok(value) => value as f32,
        Err(_) => value as f32,
    }, {
        #[inline]
        fn rounded_sine(self) -> Self {
            single::sine(self)
        }

        #[inline]
        fn rounded_cosine(self) -> Self {
            single::cosine(self)
        }

        #[inline]
        fn rounded_tan(self) -> Self {
            single::tan(self)
        }

        #[inline]
        fn rounded_power(self, rhs: Self) -> Self {
            single::power(self, rhs)
        }
    };
    f64, u64, F64, |value| match i64::try_from(value) {
        Ok(value) => value as f64,
        Err(_) => value as f64,
    }, {};
}
