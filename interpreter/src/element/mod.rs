//! The arithmetic of all element types, as traits over native Rust values.
//!
//! One Rust type stands for each element type: `bool`, the native integers, [`I2`], [`I4`], [`U2`], [`U4`], the small
//! floats of [`stablehlo::element`], `bf16`, `f16`, `f32`, `f64` and `Complex` of the last two. Traits say what is
//! defined on which class, so that an op that the specification does not define for a type cannot be written down:
//!
//! | trait | types | ops |
//! |---|---|---|
//! | [`Element`] | all | add, multiply, maximum, minimum, compare, convert, storage |
//! | [`Bits`] | boolean, integers | and, or, xor, not |
//! | [`Number`] | all but boolean | subtract, divide, negate, power, abs, sign |
//! | [`Real`] | integers, floats | remainder |
//! | [`Integer`] | integers | shifts, popcnt, count_leading_zeros, mulhi |
//! | [`Elementary`] | floats, complex | sqrt … atan2, the inverse and hyperbolic functions of CHLO, real, imag, conj |
//! | [`Float`] | floats | rounding, is_finite, reduce_precision, the special functions of CHLO |
//! | [`ComplexElement`] | complex | complex |
//!
//! An op's body is generic over one of them; the [`dispatch`] macros choose the type once per op.
//!
//! # Accuracy
//!
//! `+ − × ÷ sqrt` are correctly rounded in every type. Functions on types narrower than `f64` are computed in `f64` and
//! rounded once, or so that the result is the same: see `single.rs`. The functions in `f64` come from `pxfm`, which is pure
//! Rust. Against arithmetic of 200 and more bits, on 3,000 points per function in its usual range and 1,500 at extreme
//! arguments, all of them are correctly rounded except
//!
//! | function | worst error in `f64` | not correctly rounded |
//! |---|---|---|
//! | `erf_inv` | 0.87 ulp, near ±1 | 3 % |
//! | `digamma`, negative arguments | 0.52 ulp | 0.1 % |
//! | `bessel_i1e` | 0.63 ulp | 2 % |
//! | `polygamma` of order 1 | 1.25 ulp | 4 % |
//!
//! On 200,000 points each, all functions that are used have the same bits whether compiled for machines with fused
//! multiply-add or without. Special functions of our own: [`special`]; complex functions: [`complex`]; what had to be
//! repaired: [`functions`].
//!
//! # NaN
//!
//! Arithmetic answers with the positive quiet NaN, whatever the hardware prefers; [`Number::abs`], [`Number::negate`]
//! and moves keep all bits; conversions keep the sign.

pub mod boolean;
pub mod compare;
pub mod complex;
pub mod convert;
pub mod dispatch;
mod elementary;
pub mod float;
pub mod functions;
pub mod integer;
pub mod narrow_float;
pub mod narrow_integer;
pub mod precision;
mod single;
pub mod special;

use std::fmt::Debug;

pub use compare::{CompareType, Direction};
pub use convert::{Exact, convert};
pub use half::{bf16, f16};
pub use narrow_integer::{I2, I4, U2, U4};
pub use num_complex::Complex;
pub use stablehlo::element::{
    ElementType, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
    F8E8M0FNU, FloatFormat,
};

/// A value of one element type.
pub trait Element: Copy + Send + Sync + 'static + PartialEq + Debug {
    /// The element type.
    const TYPE: ElementType;
    /// Bytes of one element in storage.
    const WIDTH: usize = Self::TYPE.byte_width();
    /// The type of the absolute value: that of the parts for complex types, `Self` for all others.
    type Part: Element;

    /// The number 0, or `false`. `f8E8M0FNU` has no zero: NaN.
    fn zero() -> Self;
    /// The number 1, or `true`.
    fn one() -> Self;

    /// Reads the storage form: [`Element::WIDTH`] bytes, little-endian; bits beyond the type's width are ignored
    /// (any non-zero byte is `true`). Fewer bytes read as zero.
    fn read_le(bytes: &[u8]) -> Self;
    /// Writes the storage form to the first [`Element::WIDTH`] bytes; shorter slices are left alone.
    fn write_le(self, bytes: &mut [u8]);

    /// The value without loss, for [`convert`].
    fn to_exact(self) -> Exact;
    /// The value of this type that `convert` makes of a number.
    fn from_exact(value: Exact) -> Self;

    /// Sum; on booleans OR. Integers wrap.
    fn add(self, rhs: Self) -> Self;
    /// Product; on booleans AND. Integers wrap; complex numbers use the textbook formula.
    fn multiply(self, rhs: Self) -> Self;
    /// The larger one; NaN wins, and +0 over −0. Complex numbers are ordered lexicographically.
    fn maximum(self, rhs: Self) -> Self;
    /// The smaller one; NaN wins, and −0 over +0. Complex numbers are ordered lexicographically.
    fn minimum(self, rhs: Self) -> Self;
    /// The specification's `compare`. Only floats and complex numbers look at the compare type.
    fn compare(self, rhs: Self, direction: Direction, compare_type: CompareType) -> bool;
}

/// Booleans and integers.
pub trait Bits: Element {
    /// Bitwise AND.
    fn and(self, rhs: Self) -> Self;
    /// Bitwise OR.
    fn or(self, rhs: Self) -> Self;
    /// Bitwise exclusive OR.
    fn xor(self, rhs: Self) -> Self;
    /// Complement.
    fn not(self) -> Self;
}

/// Everything but booleans.
pub trait Number: Element {
    /// Difference. Integers wrap.
    fn subtract(self, rhs: Self) -> Self;
    /// Quotient. Integers truncate toward zero, wrap, and give all ones for a zero divisor.
    fn divide(self, rhs: Self) -> Self;
    /// The negative. Unsigned integers use two's complement; floats keep all other bits.
    fn negate(self) -> Self;
    /// `self^rhs`. Integers wrap; a negative exponent gives 0 except for the bases 1 and −1.
    fn power(self, rhs: Self) -> Self;
    /// Absolute value. The smallest signed integer is its own.
    fn abs(self) -> Self::Part;
    /// −1, 0 or 1; signed zeros are kept; complex numbers are divided by their absolute value.
    fn sign(self) -> Self;
}

/// Integers and floats.
pub trait Real: Number {
    /// Remainder of the division that truncates: it has the sign of the dividend, is exact for floats, and is the
    /// dividend for an integer divided by zero.
    fn remainder(self, rhs: Self) -> Self;
}

/// Signed and unsigned integers.
pub trait Integer: Real + Bits {
    /// Width in bits.
    const BITS: u32 = Self::TYPE.bits();
    /// Whether the type is signed.
    const SIGNED: bool = Self::TYPE.is_signed();

    /// The bits of the value, zero-extended.
    fn to_bits(self) -> u64;
    /// The value with these lowest bits.
    fn from_bits(bits: u64) -> Self;
    /// The value.
    fn to_i128(self) -> i128;

    /// Shift by `amount` bits, read as unsigned; amounts of the width and more leave nothing.
    #[inline]
    fn shift_left(self, amount: Self) -> Self {
        let amount = amount.to_bits();
        if amount >= u64::from(Self::BITS) { Self::from_bits(0) } else { Self::from_bits(self.to_bits() << amount) }
    }

    /// Shift that fills with the top bit, also for unsigned types.
    #[inline]
    fn shift_right_arithmetic(self, amount: Self) -> Self {
        let amount = amount.to_bits().min(u64::from(Self::BITS) - 1);
        let unused = 64 - Self::BITS;
        let extended = ((self.to_bits() << unused) as i64) >> unused;
        Self::from_bits((extended >> amount) as u64)
    }

    /// Shift that fills with zeros.
    #[inline]
    fn shift_right_logical(self, amount: Self) -> Self {
        let amount = amount.to_bits();
        if amount >= u64::from(Self::BITS) { Self::from_bits(0) } else { Self::from_bits(self.to_bits() >> amount) }
    }

    /// Number of one bits.
    #[inline]
    fn popcnt(self) -> Self {
        Self::from_bits(u64::from(self.to_bits().count_ones()))
    }

    /// Number of leading zero bits within the type's width.
    #[inline]
    fn count_leading_zeros(self) -> Self {
        Self::from_bits(u64::from(self.to_bits().leading_zeros() + Self::BITS - 64))
    }

    /// The upper half of the double-width product (CHLO `mulhi`).
    #[inline]
    fn mulhi(self, rhs: Self) -> Self {
        let high = if Self::SIGNED {
            ((self.to_i128() * rhs.to_i128()) >> Self::BITS) as u64
        } else {
            ((u128::from(self.to_bits()) * u128::from(rhs.to_bits())) >> Self::BITS) as u64
        };
        Self::from_bits(high)
    }
}

/// Floats and complex numbers: the functions that are defined on both. Complex functions take principal values with
/// the branch cuts and special values of C99 Annex G.
pub trait Elementary: Number {
    /// Square root.
    fn sqrt(self) -> Self;
    /// Reciprocal square root.
    fn rsqrt(self) -> Self;
    /// Cube root; of a complex number the principal one.
    fn cbrt(self) -> Self;
    /// e^x.
    fn exponential(self) -> Self;
    /// e^x − 1.
    fn exponential_minus_one(self) -> Self;
    /// Natural logarithm.
    fn log(self) -> Self;
    /// ln(1 + x).
    fn log_plus_one(self) -> Self;
    /// 1 / (1 + e^−x).
    fn logistic(self) -> Self;
    /// Sine.
    fn sine(self) -> Self;
    /// Cosine.
    fn cosine(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Angle of the point (`rhs`, `self`).
    fn atan2(self, rhs: Self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse hyperbolic cosine.
    fn acosh(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse hyperbolic sine.
    fn asinh(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Inverse hyperbolic tangent.
    fn atanh(self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Real part; a float is its own.
    fn real(self) -> Self::Part;
    /// Imaginary part; +0 for a float.
    fn imag(self) -> Self::Part;
    /// Complex conjugate; a float is its own.
    fn conj(self) -> Self;

    /// `self × self`.
    #[inline]
    fn square(self) -> Self {
        self.multiply(self)
    }
}

/// Complex numbers.
pub trait ComplexElement: Elementary {
    /// The number with these parts.
    fn complex(real: Self::Part, imag: Self::Part) -> Self;
}

/// Floating-point types. The functions are computed in `f64` and rounded once.
pub trait Float: Real<Part = Self> {
    /// The bit layout.
    const FORMAT: &'static FloatFormat;

    /// The value, exactly.
    fn to_f64(self) -> f64;
    /// Rounded once to nearest even, by the rules of `convert`; NaN keeps its sign where it can.
    fn from_f64(value: f64) -> Self;
    /// The bit pattern.
    fn to_bits(self) -> u64;
    /// The value with this bit pattern.
    fn from_bits(bits: u64) -> Self;

    /// Place in the row of values: both zeros are at 0, the smallest positive number at 1, negative numbers below.
    /// Infinities and NaNs lie beyond the largest numbers.
    #[inline]
    fn position(self) -> i64 {
        let sign = Self::FORMAT.sign_bit() as u64;
        let magnitude = (self.to_bits() & !sign) as i64;
        if self.to_bits() & sign != 0 { -magnitude } else { magnitude }
    }

    /// [`Float::from_f64`] for the result of a computation: NaN is the positive quiet one.
    #[inline]
    fn rounded(value: f64) -> Self {
        Self::from_f64(if value.is_nan() { f64::NAN } else { value })
    }

    /// Largest integer not above.
    #[inline]
    fn floor(self) -> Self {
        Self::rounded(self.to_f64().floor())
    }

    /// Smallest integer not below.
    #[inline]
    fn ceil(self) -> Self {
        Self::rounded(self.to_f64().ceil())
    }

    /// Nearest integer, ties to even.
    #[inline]
    fn round_nearest_even(self) -> Self {
        Self::rounded(self.to_f64().round_ties_even())
    }

    /// Nearest integer, ties away from zero.
    #[inline]
    fn round_nearest_afz(self) -> Self {
        Self::rounded(self.to_f64().round())
    }

    /// Neither infinite nor NaN.
    #[inline]
    fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// NaN.
    #[inline]
    fn is_nan(self) -> bool {
        self.to_f64().is_nan()
    }

    /// An infinity (CHLO `is_inf`).
    #[inline]
    fn is_inf(self) -> bool {
        self.to_f64().is_infinite()
    }

    /// +∞ (CHLO `is_pos_inf`).
    #[inline]
    fn is_pos_inf(self) -> bool {
        self.to_f64() == f64::INFINITY
    }

    /// −∞ (CHLO `is_neg_inf`).
    #[inline]
    fn is_neg_inf(self) -> bool {
        self.to_f64() == f64::NEG_INFINITY
    }

    /// What survives in a format with this many exponent and mantissa bits; see [`precision::reduce`].
    #[inline]
    fn reduce_precision(self, exponent_bits: u32, mantissa_bits: u32) -> Self {
        Self::from_bits(precision::reduce(Self::FORMAT, self.to_bits(), exponent_bits, mantissa_bits))
    }

    /// The next representable value after `self` in the direction of `rhs` (C `nextafter`).
    fn next_after(self, rhs: Self) -> Self {
        special::next_after(self, rhs)
    }

    /// [`Elementary::sine`]. This and the next three go through `f64`, unless a type has a shorter way to the same value.
    #[inline]
    fn rounded_sine(self) -> Self {
        Self::rounded(functions::sine(self.to_f64()))
    }

    /// [`Elementary::cosine`].
    #[inline]
    fn rounded_cosine(self) -> Self {
        Self::rounded(functions::cosine(self.to_f64()))
    }

    /// [`Elementary::tan`].
    #[inline]
    fn rounded_tan(self) -> Self {
        Self::rounded(functions::tan(self.to_f64()))
    }

    /// [`Number::power`].
    #[inline]
    fn rounded_power(self, rhs: Self) -> Self {
        Self::rounded(functions::power(self.to_f64(), rhs.to_f64()))
    }

    /// Error function.
    fn erf(self) -> Self {
        Self::rounded(functions::erf(self.to_f64()))
    }

    /// 1 − erf(x), with full relative accuracy in the tail.
    fn erfc(self) -> Self {
        Self::rounded(functions::erfc(self.to_f64()))
    }

    /// Inverse of the error function; ±1 give ±∞, beyond is NaN.
    fn erf_inv(self) -> Self {
        Self::rounded(functions::erf_inv(self.to_f64()))
    }

    /// ln |Γ(x)|; +∞ at 0 and the negative integers.
    fn lgamma(self) -> Self {
        Self::rounded(functions::lgamma(self.to_f64()))
    }

    /// Γ'(x) / Γ(x); ∓∞ at ±0 and NaN at the negative integers.
    fn digamma(self) -> Self {
        Self::rounded(functions::digamma(self.to_f64()))
    }

    /// The derivative of order `self` of digamma at `x`.
    fn polygamma(self, x: Self) -> Self {
        Self::rounded(special::polygamma(self.to_f64(), x.to_f64()))
    }

    /// Hurwitz zeta: the sum of (k + q)^−`self` over k ≥ 0.
    fn zeta(self, q: Self) -> Self {
        Self::rounded(special::zeta(self.to_f64(), q.to_f64()))
    }

    /// e^−|x| times the modified Bessel function of order 1.
    fn bessel_i1e(self) -> Self {
        Self::rounded(functions::bessel_i1e(self.to_f64()))
    }
}

/// All elements of a buffer in storage form. A rest shorter than an element is ignored.
pub fn read_all<T: Element>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(T::WIDTH).map(T::read_le).collect()
}

/// The storage form of elements.
pub fn write_all<T: Element>(elements: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; elements.len() * T::WIDTH];
    for (chunk, &element) in bytes.chunks_exact_mut(T::WIDTH).zip(elements) {
        element.write_le(chunk);
    }
    bytes
}

#[cfg(test)]
mod tests;
