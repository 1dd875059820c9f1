//! [`Elementary`] for floats: through the functions in `f64`, rounded once.

use super::{Element, Elementary, Float, functions};

macro_rules! through_f64 {
    ($($name:ident)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            Self::rounded(functions::$name(self.to_f64()))
        }
    )*};
}

impl<T: Float> Elementary for T {
    through_f64! {
        rsqrt cbrt exponential exponential_minus_one log log_plus_one logistic tanh
        acos acosh asin asinh atan atanh sinh cosh
    }

    #[inline]
    fn sine(self) -> Self {
        self.rounded_sine()
    }

    #[inline]
    fn cosine(self) -> Self {
        self.rounded_cosine()
    }

    #[inline]
    fn tan(self) -> Self {
        self.rounded_tan()
    }

    #[inline]
    fn sqrt(self) -> Self {
        Self::rounded(self.to_f64().sqrt())
    }

    #[inline]
    fn atan2(self, rhs: Self) -> Self {
        Self::rounded(functions::atan2(self.to_f64(), rhs.to_f64()))
    }

    #[inline]
    fn real(self) -> Self {
        self
    }

    #[inline]
    fn imag(self) -> Self {
        <Self as Element>::zero()
    }

    #[inline]
    fn conj(self) -> Self {
        self
    }
}
