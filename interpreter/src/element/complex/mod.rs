//! `complex<f32>` and `complex<f64>`.
//!
//! Addition, subtraction and multiplication are the textbook formulas in the type itself. Everything else is computed in
//! [`functions`] on `complex<f64>`, with the branch cuts and special values of C99 Annex G, and rounded once per part.
//! The accuracy in `complex<f64>` is within 8 eps of the result's absolute value, not of each part.

pub mod functions;
mod inverse;

use num_complex::Complex;

use super::{CompareType, ComplexElement, Direction, Element, ElementType, Elementary, Exact, Float, Number};

/// Lexicographic comparison: the imaginary parts decide between equal real parts. NaN is unordered.
fn compare<T: Float>(lhs: Complex<T>, rhs: Complex<T>, direction: Direction, compare_type: CompareType) -> bool {
    let real = |direction| lhs.re.compare(rhs.re, direction, compare_type);
    let imag = |direction| lhs.im.compare(rhs.im, direction, compare_type);
    let (equal_real, strictly) = match direction {
        Direction::Eq => return real(Direction::Eq) && imag(Direction::Eq),
        Direction::Ne => return real(Direction::Ne) || imag(Direction::Ne),
        Direction::Ge | Direction::Gt => (real(Direction::Eq), real(Direction::Gt)),
        Direction::Le | Direction::Lt => (real(Direction::Eq), real(Direction::Lt)),
    };
    strictly || (equal_real && imag(direction))
}

macro_rules! complex_elements {
    ($($part:ident, $variant:ident;)*) => {$(
        impl Element for Complex<$part> {
            const TYPE: ElementType = ElementType::$variant;
            type Part = $part;

            #[inline]
            fn zero() -> Self {
                Complex::new(0.0, 0.0)
            }

            #[inline]
            fn one() -> Self {
                Complex::new(1.0, 0.0)
            }

            #[inline]
            fn read_le(bytes: &[u8]) -> Self {
                match bytes.split_at_checked($part::WIDTH) {
                    Some((real, imag)) => Complex::new($part::read_le(real), $part::read_le(imag)),
                    None => Self::zero(),
                }
            }

            #[inline]
            fn write_le(self, bytes: &mut [u8]) {
                if let Some((real, imag)) = bytes.split_at_mut_checked($part::WIDTH) {
                    self.re.write_le(real);
                    self.im.write_le(imag);
                }
            }

            #[inline]
            fn to_exact(self) -> Exact {
                Exact::Complex(f64::from(self.re), f64::from(self.im))
            }

            #[inline]
            fn from_exact(value: Exact) -> Self {
                match value {
                    Exact::Complex(real, imag) => Complex::new(real as $part, imag as $part),
                    number => Complex::new($part::from_exact(number), 0.0),
                }
            }

            #[inline]
            fn add(self, rhs: Self) -> Self {
                Complex::new(self.re.add(rhs.re), self.im.add(rhs.im))
            }

            #[inline]
            fn multiply(self, rhs: Self) -> Self {
                let ((a, b), (c, d)) = ((self.re, self.im), (rhs.re, rhs.im));
                Complex::new((a * c).subtract(b * d), (a * d).add(b * c))
            }

            fn maximum(self, rhs: Self) -> Self {
                if compare(self, rhs, Direction::Gt, CompareType::Float) { self } else { rhs }
            }

            fn minimum(self, rhs: Self) -> Self {
                if compare(self, rhs, Direction::Lt, CompareType::Float) { self } else { rhs }
            }

            fn compare(self, rhs: Self, direction: Direction, compare_type: CompareType) -> bool {
                compare(self, rhs, direction, compare_type)
            }
        }

        impl Number for Complex<$part> {
            #[inline]
            fn subtract(self, rhs: Self) -> Self {
                Complex::new(self.re.subtract(rhs.re), self.im.subtract(rhs.im))
            }

            fn divide(self, rhs: Self) -> Self {
                rounded(functions::divide(widened(self), widened(rhs)))
            }

            #[inline]
            fn negate(self) -> Self {
                Complex::new(-self.re, -self.im)
            }

            fn power(self, rhs: Self) -> Self {
                rounded(functions::power(widened(self), widened(rhs)))
            }

            fn abs(self) -> $part {
                <$part as Float>::rounded(super::functions::hypot(f64::from(self.re), f64::from(self.im)))
            }

            fn sign(self) -> Self {
                rounded(functions::sign(widened(self)))
            }
        }

        impl Elementary for Complex<$part> {
            through_functions! {
                sqrt rsqrt cbrt exponential exponential_minus_one log log_plus_one logistic sine cosine tan tanh
                acos acosh asin asinh atan atanh sinh cosh square
            }

            fn atan2(self, rhs: Self) -> Self {
                rounded(functions::atan2(widened(self), widened(rhs)))
            }

            #[inline]
            fn real(self) -> $part {
                self.re
            }

            #[inline]
            fn imag(self) -> $part {
                self.im
            }

            #[inline]
            fn conj(self) -> Self {
                Complex::new(self.re, -self.im)
            }
        }

        impl ComplexElement for Complex<$part> {
            #[inline]
            fn complex(real: $part, imag: $part) -> Self {
                Complex::new(real, imag)
            }
        }
    )*};
}

macro_rules! through_functions {
    ($($name:ident)*) => {$(
        fn $name(self) -> Self {
            rounded(functions::$name(widened(self)))
        }
    )*};
}

fn widened<T: Float>(value: Complex<T>) -> Complex<f64> {
    Complex::new(value.re.to_f64(), value.im.to_f64())
}

fn rounded<T: Float>(value: Complex<f64>) -> Complex<T> {
    Complex::new(T::rounded(value.re), T::rounded(value.im))
}

complex_elements! {
    f32, ComplexF32;
    f64, ComplexF64;
}
