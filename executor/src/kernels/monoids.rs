//! What the bodies are that a [`Folder`](super::monoid::Folder) folds with: how elements become accumulators, meet, and are
//! elements again.

use std::marker::PhantomData;

use interpreter::element::{Bits, Element, Float, bf16, f16};

/// What a body does.
pub trait Monoid: Copy + 'static {
    /// The elements.
    type T: Element;
    /// What they are folded into.
    type Acc: Copy;
    /// An element as an accumulator.
    fn lift(value: Self::T) -> Self::Acc;
    /// Two of them folded.
    fn combine(a: Self::Acc, b: Self::Acc) -> Self::Acc;
    /// The element that an accumulator is.
    fn lower(acc: Self::Acc) -> Self::T;
}

macro_rules! monoids {
    ($($name:ident: $class:ident, $f:ident;)*) => {$(
        #[doc = concat!("A body: `", stringify!($name), "`.")]
        #[derive(Copy, Clone)]
        pub struct $name<T>(PhantomData<T>);
        impl<T: $class> Monoid for $name<T> {
            type T = T;
            type Acc = T;
            #[inline(always)]
            fn lift(value: T) -> T {
                value
            }
            #[inline(always)]
            fn combine(a: T, b: T) -> T {
                <T as $class>::$f(a, b)
            }
            #[inline(always)]
            fn lower(acc: T) -> T {
                acc
            }
        }
    )*};
}
monoids! {
    Sum: Element, add;
    Product: Element, multiply;
    Larger: Element, maximum;
    Smaller: Element, minimum;
    BitAnd: Bits, and;
    BitOr: Bits, or;
}

/// Floats whose sums and products are taken in a type with hardware for them, NaN put into its one form at the end.
pub trait Wide: Float {
    /// That type.
    type Acc: Float + std::ops::Add<Output = Self::Acc> + std::ops::Mul<Output = Self::Acc>;
    /// The same number in it.
    fn widen(self) -> Self::Acc;
    /// The number rounded.
    fn narrow(acc: Self::Acc) -> Self;
}

impl Wide for f32 {
    type Acc = f32;
    #[inline(always)]
    fn widen(self) -> f32 {
        self
    }
    #[inline(always)]
    fn narrow(acc: f32) -> f32 {
        if acc.is_nan() { f32::NAN } else { acc }
    }
}

impl Wide for f64 {
    type Acc = f64;
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(acc: f64) -> f64 {
        if acc.is_nan() { f64::NAN } else { acc }
    }
}

impl Wide for bf16 {
    type Acc = f32;
    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
    #[inline(always)]
    fn narrow(acc: f32) -> bf16 {
        Float::rounded(f64::from(acc))
    }
}

impl Wide for f16 {
    type Acc = f32;
    #[inline(always)]
    fn widen(self) -> f32 {
        let bits = u32::from(self.to_bits());
        let magnitude = (bits & 0x7fff) << 13;
        // The exponent's bias differs by 112; the multiplication also brings subnormal numbers into form.
        let scaled = f32::from_bits(magnitude) * f32::from_bits((127 + 112) << 23);
        let special = f32::from_bits(magnitude | 0x7f80_0000);
        let value = if magnitude >= 0x7c00 << 13 { special } else { scaled };
        f32::from_bits(value.to_bits() | (bits & 0x8000) << 16)
    }
    #[inline(always)]
    fn narrow(acc: f32) -> f16 {
        Float::rounded(f64::from(acc))
    }
}

macro_rules! wide_monoids {
    ($($name:ident: |$a:ident, $b:ident| $combine:expr;)*) => {$(
        #[doc = concat!("A body: `", stringify!($name), "`.")]
        #[derive(Copy, Clone)]
        pub struct $name<T>(PhantomData<T>);
        impl<T: Wide> Monoid for $name<T> {
            type T = T;
            type Acc = T::Acc;
            #[inline(always)]
            fn lift(value: T) -> T::Acc {
                value.widen()
            }
            #[inline(always)]
            fn combine($a: T::Acc, $b: T::Acc) -> T::Acc {
                $combine
            }
            #[inline(always)]
            fn lower(acc: T::Acc) -> T {
                T::narrow(acc)
            }
        }
    )*};
}
wide_monoids! {
    WideSum: |a, b| a + b;
    WideProduct: |a, b| a * b;
    WideLarger: |a, b| Element::maximum(a, b);
    WideSmaller: |a, b| Element::minimum(a, b);
}
