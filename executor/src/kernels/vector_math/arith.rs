//! The arithmetic that formulas are written in, so that one text serves for several ways of computing.
//!
//! The formulas of `single.rs` and `double.rs` are generic over [`Single`] and its companions. With [`One`] they are
//! functions of one number, of which the compiler makes vector code; the builder of machine code has lanes of its own
//! that write down what is to be computed. Both do the same operations in the same order and so give the same bits.

#![allow(clippy::inline_always, reason = "the compiler makes vectors of what it sees")]

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// Truth values.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {}

impl Mask for bool {}

/// What floats of both sizes have.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Truth values of these lanes.
    type Mask: Mask;
    /// The type of a constant.
    type Constant: Copy;
    /// A constant in the lanes of `self`.
    fn c(self, value: Self::Constant) -> Self;
    /// `self × b + c`, rounded once where the machine can.
    fn fma(self, b: Self, c: Self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// The magnitude with the sign of another number.
    fn copysign(self, sign: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Whether `self < rhs`.
    fn lt(self, rhs: Self) -> Self::Mask;
    /// Whether `self == rhs`.
    fn eq(self, rhs: Self) -> Self::Mask;
    /// Whether the sign bit is set.
    fn is_negative(self) -> Self::Mask;
    /// One or the other.
    fn choose(mask: Self::Mask, on_true: Self, on_false: Self) -> Self;
    /// Not below `low`; NaN stays.
    fn at_least(self, low: Self::Constant) -> Self;
    /// Not above `high`; NaN stays.
    fn at_most(self, high: Self::Constant) -> Self;
    /// `self × 2^n` for whole `n` of at most twice the largest exponent, rounded once.
    fn scaled(self, n: Self) -> Self;
    /// The nearest whole number, ties to even.
    fn round(self) -> Self;
    /// 2^n for whole `n = self` between the smallest and the largest exponent of normal numbers.
    fn power_of_two(self) -> Self;

    /// Whether `self` is a NaN.
    #[inline(always)]
    fn is_nan(self) -> Self::Mask {
        !self.eq(self)
    }
    /// Between two numbers; NaN stays.
    #[inline(always)]
    fn limited(self, low: Self::Constant, high: Self::Constant) -> Self {
        self.at_least(low).at_most(high)
    }
    /// The polynomial with these coefficients at `self`, the constant one first.
    #[inline(always)]
    fn polynomial<const N: usize>(self, coefficients: [Self::Constant; N]) -> Self {
        let mut value = self.c(coefficients[N - 1]);
        let mut at = N - 1;
        while at > 0 {
            at -= 1;
            value = value.fma(self, self.c(coefficients[at]));
        }
        value
    }
}

/// Lanes of `f32`.
pub trait Single: Real<Constant = f32> {
    /// Lanes of `i32`.
    type Int: Int<Single = Self, Mask = Self::Mask>;
    /// As many lanes of `f64`.
    type Double: Double<Single = Self, Mask = Self::Mask>;
    /// Whether looking up is one instruction and fused operations are fused, so that formulas that count on both pay.
    const LOOKS_UP: bool;
    /// The bits.
    fn to_bits(self) -> Self::Int;
    /// The same number.
    fn widen(self) -> Self::Double;
}

/// Lanes of `i32`; arithmetic wraps.
pub trait Int:
    Copy + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// Truth values of these lanes.
    type Mask: Mask;
    /// Lanes of `f32`.
    type Single;
    /// A constant in the lanes of `self`.
    fn c(self, value: i32) -> Self;
    /// Shifts to the left.
    fn shl(self, by: u8) -> Self;
    /// Shifts to the right and keeps the sign.
    fn sar(self, by: u8) -> Self;
    /// Whether `self == rhs`.
    fn eq(self, rhs: Self) -> Self::Mask;
    /// The smaller of two.
    fn min(self, rhs: Self) -> Self;
    /// One or the other.
    fn choose(mask: Self::Mask, on_true: Self, on_false: Self) -> Self;
    /// The floats with these bits.
    fn as_bits(self) -> Self::Single;
    /// The floats nearest to the numbers.
    fn to_single(self) -> Self::Single;
    /// The entries of a table by the lowest four bits.
    fn lookup(self, table: &[f32; 16]) -> Self::Single;
}

/// Lanes of `f64`.
pub trait Double: Real<Constant = f64> {
    /// Lanes of `i64`.
    type Long: Long<Double = Self, Mask = Self::Mask, Int = <Self::Single as Single>::Int>;
    /// As many lanes of `f32`.
    type Single: Single;
    /// The bits.
    fn to_bits(self) -> Self::Long;
    /// The nearest `f32`.
    fn narrow(self) -> Self::Single;
}

/// Lanes of `i64`; arithmetic wraps.
pub trait Long: Copy + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self> + BitOr<Output = Self> {
    /// Truth values of these lanes.
    type Mask: Mask;
    /// Lanes of `f64`.
    type Double;
    /// As many lanes of `i32`.
    type Int;
    /// A constant in the lanes of `self`.
    fn c(self, value: i64) -> Self;
    /// Shifts to the left.
    fn shl(self, by: u8) -> Self;
    /// Shifts to the right and fills with zeros.
    fn shr(self, by: u8) -> Self;
    /// Whether `self == rhs`.
    fn eq(self, rhs: Self) -> Self::Mask;
    /// The floats with these bits.
    fn as_bits(self) -> Self::Double;
    /// The lower halves.
    fn low(self) -> Self::Int;
}

/// One number, for a machine with or without fused multiply-add: without it a fused operation would be a call, and the
/// formulas are accurate enough.
#[derive(Copy, Clone, Debug)]
#[repr(transparent)]
pub struct One<T, const FMA: bool>(pub T);

macro_rules! operators {
    ($T:ty: $($Trait:ident $method:ident $f:expr;)*) => {$(
        impl<const FMA: bool> $Trait for One<$T, FMA> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                let f: fn($T, $T) -> $T = $f;
                One(f(self.0, rhs.0))
            }
        }
    )*};
}

macro_rules! real {
    ($T:ident, $bits:ident, $int:ident, $bias:expr, $mantissa:expr) => {
        operators! { $T: Add add |a, b| a + b; Sub sub |a, b| a - b; Mul mul |a, b| a * b; Div div |a, b| a / b; }

        impl<const FMA: bool> Neg for One<$T, FMA> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                One(-self.0)
            }
        }

        impl<const FMA: bool> Real for One<$T, FMA> {
            type Mask = bool;
            type Constant = $T;
            #[inline(always)]
            fn c(self, value: $T) -> Self {
                One(value)
            }
            #[inline(always)]
            fn fma(self, b: Self, c: Self) -> Self {
                One(if FMA { self.0.mul_add(b.0, c.0) } else { self.0 * b.0 + c.0 })
            }
            #[inline(always)]
            fn abs(self) -> Self {
                One(self.0.abs())
            }
            #[inline(always)]
            fn copysign(self, sign: Self) -> Self {
                One(self.0.copysign(sign.0))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                One(self.0.sqrt())
            }
            #[inline(always)]
            fn lt(self, rhs: Self) -> bool {
                self.0 < rhs.0
            }
            #[inline(always)]
            fn eq(self, rhs: Self) -> bool {
                self.0 == rhs.0
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.0.is_sign_negative()
            }
            #[inline(always)]
            fn choose(mask: bool, on_true: Self, on_false: Self) -> Self {
                if mask { on_true } else { on_false }
            }
            #[inline(always)]
            fn at_least(self, low: $T) -> Self {
                One(if self.0 < low { low } else { self.0 })
            }
            #[inline(always)]
            fn at_most(self, high: $T) -> Self {
                One(if self.0 > high { high } else { self.0 })
            }
            #[inline(always)]
            fn scaled(self, n: Self) -> Self {
                // In two steps, of which the first is exact, so that neither power is out of range.
                let shifted = n.0 + ROUND.$T;
                let n = (shifted.to_bits() as $int).wrapping_sub(ROUND.$T.to_bits() as $int);
                let power = |n: $int| <$T>::from_bits((n.wrapping_add($bias) << $mantissa) as $bits);
                let half = n >> 1;
                One(self.0 * power(half) * power(n.wrapping_sub(half)))
            }
            #[inline(always)]
            fn round(self) -> Self {
                // Magnitudes without fractions are left alone.
                let size = self.0.abs();
                let rounded = ((size + WHOLE.$T) - WHOLE.$T).copysign(self.0);
                One(if size < WHOLE.$T { rounded } else { self.0 })
            }
            #[inline(always)]
            fn power_of_two(self) -> Self {
                let shifted = self.0 + ROUND.$T;
                let one = ($bias as $bits) << $mantissa;
                One(<$T>::from_bits((shifted.to_bits() << $mantissa).wrapping_add(one)))
            }
        }
    };
}

struct Both {
    f32: f32,
    f64: f64,
}

/// Numbers from these on are whole.
const WHOLE: Both = Both { f32: 8_388_608.0, f64: 4_503_599_627_370_496.0 };

/// Adding one of them rounds to the nearest integer, which then stands in the lowest bits of the sum.
const ROUND: Both = Both { f32: 12_582_912.0, f64: 6_755_399_441_055_744.0 };

real!(f32, u32, i32, 127, 23);
real!(f64, u64, i64, 1023, 52);

impl<const FMA: bool> Single for One<f32, FMA> {
    type Int = One<i32, FMA>;
    type Double = One<f64, FMA>;
    const LOOKS_UP: bool = false;
    #[inline(always)]
    fn to_bits(self) -> One<i32, FMA> {
        One(self.0.to_bits() as i32)
    }
    #[inline(always)]
    fn widen(self) -> One<f64, FMA> {
        One(f64::from(self.0))
    }
}

impl<const FMA: bool> Double for One<f64, FMA> {
    type Long = One<i64, FMA>;
    type Single = One<f32, FMA>;
    #[inline(always)]
    fn to_bits(self) -> One<i64, FMA> {
        One(self.0.to_bits() as i64)
    }
    #[inline(always)]
    fn narrow(self) -> One<f32, FMA> {
        One(self.0 as f32)
    }
}

operators! { i32: Add add i32::wrapping_add; Sub sub i32::wrapping_sub; BitAnd bitand |a, b| a & b; BitOr bitor |a, b| a | b; BitXor bitxor |a, b| a ^ b; }
operators! { i64: Add add i64::wrapping_add; Sub sub i64::wrapping_sub; BitAnd bitand |a, b| a & b; BitOr bitor |a, b| a | b; }

impl<const FMA: bool> Int for One<i32, FMA> {
    type Mask = bool;
    type Single = One<f32, FMA>;
    #[inline(always)]
    fn c(self, value: i32) -> Self {
        One(value)
    }
    #[inline(always)]
    fn shl(self, by: u8) -> Self {
        One(self.0 << by)
    }
    #[inline(always)]
    fn sar(self, by: u8) -> Self {
        One(self.0 >> by)
    }
    #[inline(always)]
    fn eq(self, rhs: Self) -> bool {
        self.0 == rhs.0
    }
    #[inline(always)]
    fn min(self, rhs: Self) -> Self {
        One(if self.0 > rhs.0 { rhs.0 } else { self.0 })
    }
    #[inline(always)]
    fn choose(mask: bool, on_true: Self, on_false: Self) -> Self {
        if mask { on_true } else { on_false }
    }
    #[inline(always)]
    fn as_bits(self) -> One<f32, FMA> {
        One(f32::from_bits(self.0 as u32))
    }
    #[inline(always)]
    fn to_single(self) -> One<f32, FMA> {
        One(self.0 as f32)
    }
    #[inline(always)]
    fn lookup(self, table: &[f32; 16]) -> One<f32, FMA> {
        One(table[(self.0 & 15) as usize])
    }
}

impl<const FMA: bool> Long for One<i64, FMA> {
    type Mask = bool;
    type Double = One<f64, FMA>;
    type Int = One<i32, FMA>;
    #[inline(always)]
    fn c(self, value: i64) -> Self {
        One(value)
    }
    #[inline(always)]
    fn shl(self, by: u8) -> Self {
        One(self.0 << by)
    }
    #[inline(always)]
    fn shr(self, by: u8) -> Self {
        One(((self.0 as u64) >> by) as i64)
    }
    #[inline(always)]
    fn eq(self, rhs: Self) -> bool {
        self.0 == rhs.0
    }
    #[inline(always)]
    fn as_bits(self) -> One<f64, FMA> {
        One(f64::from_bits(self.0 as u64))
    }
    #[inline(always)]
    fn low(self) -> One<i32, FMA> {
        One(self.0 as i32)
    }
}
