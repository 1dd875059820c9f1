//! Complex functions in `f64`: division, roots, exponential, logarithm, circular and hyperbolic functions.
//!
//! Special values follow the tables of C99 Annex G; the comments name only what the formulas do not give by themselves.

use num_complex::Complex;

pub use super::inverse::{acos, acosh, asin, asinh, atan, atanh};
use crate::element::functions::{self as real, scale};

type C = Complex<f64>;

/// e^x overflows a little above this.
const EXP_LIMIT: f64 = 709.0;

/// Far below this, sine is the identity and cosine is one.
const TINY_ANGLE: f64 = 1e-30;

pub(super) fn times_i(z: C) -> C {
    C::new(-z.im, z.re)
}

pub(super) fn times_minus_i(z: C) -> C {
    C::new(z.im, -z.re)
}

/// Binary exponent of a positive finite number, near enough for scaling.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

fn larger(z: C) -> f64 {
    z.re.abs().max(z.im.abs())
}

/// `e^x · factor · share` for `x` above [`EXP_LIMIT`], in as many factors as it takes for a small `factor` to bring the
/// product back into range, whatever its size.
fn exp_times(x: f64, factor: f64, share: f64) -> f64 {
    let steps = if x > 2.0 * EXP_LIMIT { 4 } else { 2 };
    let root = real::exponential(x / f64::from(steps));
    (1..steps).fold(factor * root * share, |product, _| product * root)
}

/// Square: `(x − y)(x + y) + 2xy·i`, so that the real part is lost neither to cancellation nor to the overflow of both
/// squares.
pub fn square(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let re = if x.abs() == y.abs() && x.is_finite() { 0.0 } else { (x - y) * (x + y) };
    C::new(re, x * y + x * y)
}

/// `lhs / rhs`, scaled so that nothing overflows on the way; zero divisors and infinities by Annex G.5.1.
pub fn divide(lhs: C, rhs: C) -> C {
    let quotient = divide_scaled(lhs, rhs);
    if !(larger(lhs).is_finite() && larger(rhs).is_finite()) || (rhs.re != 0.0) == (rhs.im != 0.0) {
        return quotient;
    }
    // A divisor on an axis: two quotients, of which the scaling may have lost the smaller. Its zeros have the signs.
    let (re, im) = if rhs.im == 0.0 { (lhs.re / rhs.re, lhs.im / rhs.re) } else { (lhs.im / rhs.im, -lhs.re / rhs.im) };
    let either = |exact: f64, scaled: f64| if exact == 0.0 { scaled } else { exact };
    C::new(either(re, quotient.re), either(im, quotient.im))
}

fn divide_scaled(lhs: C, rhs: C) -> C {
    let (l, r) = (larger(lhs), larger(rhs));
    let shift = |x: f64| if x.is_finite() && x > 0.0 { exponent(x) } else { 0 };
    let (l_shift, r_shift) = (shift(l), shift(r));
    let (a, b) = (scale(lhs.re, -l_shift), scale(lhs.im, -l_shift));
    let (c, d) = (scale(rhs.re, -r_shift), scale(rhs.im, -r_shift));
    let denominator = c * c + d * d;
    let back = l_shift - r_shift;
    let quotient = C::new(scale((a * c + b * d) / denominator, back), scale((b * c - a * d) / denominator, back));
    if !(quotient.re.is_nan() && quotient.im.is_nan()) {
        return quotient;
    }
    let boxed = |x: f64| f64::from(u8::from(x.is_infinite())).copysign(x);
    if denominator == 0.0 && !(a.is_nan() && b.is_nan()) {
        let infinity = f64::INFINITY.copysign(c);
        C::new(infinity * a, infinity * b)
    } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
        let (a, b) = (boxed(a), boxed(b));
        C::new(f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d))
    } else if r.is_infinite() && a.is_finite() && b.is_finite() {
        let (c, d) = (boxed(c), boxed(d));
        C::new(0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
    } else {
        quotient
    }
}

/// `z / |z|`; zero for zero, NaN in both parts for a NaN.
pub fn sign(z: C) -> C {
    if z.re.is_nan() || z.im.is_nan() {
        return C::new(f64::NAN, f64::NAN);
    }
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, 0.0);
    }
    let shift = if larger(z).is_finite() { exponent(larger(z)) } else { 0 };
    let z = C::new(scale(z.re, -shift), scale(z.im, -shift));
    let abs = real::hypot(z.re, z.im);
    C::new(z.re / abs, z.im / abs)
}

/// Square root with a real part that is not negative; the cut is the negative real axis.
pub fn sqrt(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x == 0.0 && y == 0.0 {
        return C::new(0.0, y);
    }
    if y.is_infinite() {
        return C::new(f64::INFINITY, y);
    }
    if x.is_infinite() {
        let small = if y.is_nan() { y } else { 0.0 };
        return if x > 0.0 { C::new(x, small.copysign(y)) } else { C::new(small, f64::INFINITY.copysign(y)) };
    }
    if x.is_nan() || y.is_nan() {
        return C::new(f64::NAN, f64::NAN);
    }
    let shift = exponent(larger(z)) & !1;
    let (x, y) = (scale(x, -shift), scale(y, -shift));
    let root = ((x.abs() + real::hypot(x, y)) / 2.0).sqrt();
    let root = scale(root, shift / 2);
    // Of the part as it was given: scaled, it may have vanished.
    let other = z.im.abs() / (2.0 * root);
    let (re, im) = if x >= 0.0 { (root, other) } else { (other, root) };
    C::new(re, im.copysign(y))
}

/// `1 / sqrt(z)`.
pub fn rsqrt(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    if x.is_finite() && y / x < TINY_ANGLE {
        // Near the axis, where the smaller part of the root may be too small a number.
        let (long, short) = (1.0 / x.sqrt(), y / x / (2.0 * x.sqrt()));
        let (re, im) = if z.re > 0.0 { (long, short) } else { (short, long) };
        return C::new(re, im.copysign(-z.im));
    }
    divide(C::new(1.0, 0.0), sqrt(z))
}

/// The principal cube root, with an angle of at most a third of π.
pub fn cbrt(z: C) -> C {
    if z.re == 0.0 && z.im == 0.0 {
        return C::new(0.0, z.im);
    }
    let shift = exponent(larger(z)).div_euclid(3);
    let radius = scale(real::cbrt(real::hypot(scale(z.re, -3 * shift), scale(z.im, -3 * shift))), shift);
    let angle = real::atan2(z.im, z.re) / 3.0;
    if angle.abs() < TINY_ANGLE && radius.is_finite() {
        // The angle may be too small a number where its product with the radius is not.
        return C::new(radius, z.im / (3.0 * radius * radius));
    }
    C::new(radius * real::cosine(angle), radius * real::sine(angle))
}

/// e^z.
pub fn exponential(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(real::exponential(x), y);
    }
    if !y.is_finite() {
        return match x {
            f64::NEG_INFINITY => C::new(0.0, 0.0f64.copysign(y)),
            f64::INFINITY => C::new(x, f64::NAN),
            _ => C::new(f64::NAN, f64::NAN),
        };
    }
    let (sine, cosine) = (real::sine(y), real::cosine(y));
    if x > EXP_LIMIT {
        return C::new(exp_times(x, cosine, 1.0), exp_times(x, sine, 1.0));
    }
    let size = real::exponential(x);
    C::new(size * cosine, size * sine)
}

/// e^z − 1, accurate near zero.
pub fn exponential_minus_one(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(real::exponential_minus_one(x), y);
    }
    if !y.is_finite() || x.is_nan() || x > EXP_LIMIT {
        let power = exponential(z);
        return C::new(power.re - 1.0, power.im);
    }
    let half_sine = real::sine(y / 2.0);
    let re = real::exponential_minus_one(x) * real::cosine(y) - 2.0 * half_sine * half_sine;
    C::new(re, real::exponential(x) * real::sine(y))
}

/// ln |z|, accurate also where |z| is near 1.
fn log_abs(x: f64, y: f64) -> f64 {
    let (large, small) = if x.abs() > y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
    if !(large.is_finite() && small.is_finite()) || large == 0.0 {
        return real::log(real::hypot(x, y));
    }
    if (0.5..2.0).contains(&large) {
        let (square, error) = real::two_product(large, large);
        let (beyond, beyond_error) = real::two_sum(square, -1.0);
        let (sum, sum_error) = real::two_sum(beyond, small * small);
        let sum = sum + (sum_error + beyond_error + error);
        if sum.abs() < 0.5 {
            return real::log_plus_one(sum) / 2.0;
        }
    }
    let shift = exponent(large);
    let scaled = real::log(real::hypot(scale(x, -shift), scale(y, -shift)));
    scaled + f64::from(shift) * std::f64::consts::LN_2
}

/// Natural logarithm; the cut is the negative real axis.
pub fn log(z: C) -> C {
    C::new(log_abs(z.re, z.im), real::atan2(z.im, z.re))
}

/// ln(1 + z), accurate near zero; the sign of a zero imaginary part is kept.
pub fn log_plus_one(z: C) -> C {
    let (x, y) = (z.re, z.im);
    let (one_x, error) = real::two_sum(1.0, x);
    let angle = real::atan2(y, one_x);
    if x.abs() <= 4.0 && y.abs() <= 4.0 {
        // |1 + z|² − 1, where x(2 + x) and y² may cancel.
        let (factor, factor_error) = real::two_sum(2.0, x);
        let (product, product_error) = real::two_product(x, factor);
        let (square, square_error) = real::two_product(y, y);
        let (sum, sum_error) = real::two_sum(product, square);
        let beyond = sum + (sum_error + product_error + square_error + x * factor_error);
        if beyond.abs() < 0.5 {
            return C::new(real::log_plus_one(beyond) / 2.0, angle);
        }
    }
    let size = log_abs(one_x, y);
    let correction = if size.is_finite() && one_x != 0.0 && y.abs() <= one_x.abs() { error / one_x } else { 0.0 };
    C::new(size + correction, angle)
}

/// 1 / (1 + e^−z).
pub fn logistic(z: C) -> C {
    let one = C::new(1.0, 0.0);
    if z.im == 0.0 {
        return C::new(real::logistic(z.re), z.im);
    }
    if z.re.abs() < 0.5 && z.im.is_finite() {
        // Near the poles on the imaginary axis the tangent keeps the real part.
        let tanh = tanh(z / 2.0);
        C::new((1.0 + tanh.re) / 2.0, tanh.im / 2.0)
    } else if z.re < 0.0 {
        let power = exponential(z);
        divide(power, one + power)
    } else {
        divide(one, one + exponential(-z))
    }
}

/// Hyperbolic sine.
pub fn sinh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(real::sinh(x), y);
    }
    if !y.is_finite() {
        let re = if x == 0.0 || x.is_infinite() { x } else { f64::NAN };
        return C::new(re, f64::NAN);
    }
    let (cosine, sine) = (real::cosine(y), real::sine(y));
    if x.abs() > EXP_LIMIT && x.is_finite() {
        return C::new(exp_times(x.abs(), cosine, 0.5) * x.signum(), exp_times(x.abs(), sine, 0.5));
    }
    C::new(real::sinh(x) * cosine, real::cosh(x) * sine)
}

/// Hyperbolic cosine.
pub fn cosh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 || x == 0.0 {
        // The imaginary part is a zero with the sign of x·y.
        let zero = if y.is_nan() || x.is_nan() { 0.0 } else { 0.0 * x.signum() * y.signum() };
        let re = if y == 0.0 { real::cosh(x) } else { real::cosine(y) };
        return C::new(re, zero);
    }
    if !y.is_finite() {
        let re = if x.is_infinite() { f64::INFINITY } else { f64::NAN };
        return C::new(re, f64::NAN);
    }
    let (cosine, sine) = (real::cosine(y), real::sine(y));
    if x.abs() > EXP_LIMIT && x.is_finite() {
        return C::new(exp_times(x.abs(), cosine, 0.5), exp_times(x.abs(), sine, 0.5) * x.signum());
    }
    C::new(real::cosh(x) * cosine, real::sinh(x) * sine)
}

/// Hyperbolic tangent.
pub fn tanh(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if y == 0.0 {
        return C::new(real::tanh(x), y);
    }
    if x.is_infinite() {
        let sine = if y.is_finite() { real::sine(2.0 * y) } else { 0.0f64.copysign(y) };
        return C::new(1.0f64.copysign(x), 0.0f64.copysign(sine));
    }
    if !y.is_finite() || x.is_nan() {
        let re = if x == 0.0 { x } else { f64::NAN };
        return C::new(re, f64::NAN);
    }
    let (cosine, sine) = (real::cosine(y), real::sine(y));
    if x.abs() > 20.0 {
        let small = real::exponential(-x.abs());
        return C::new(1.0f64.copysign(x), 4.0 * sine * cosine * small * small);
    }
    // Kahan's form, multiplied by cos² so that no tangent can be large.
    let (sinh, cosh) = (real::sinh(x), real::cosh(x));
    let denominator = cosine * cosine + sinh * sinh;
    C::new(sinh * cosh / denominator, sine * cosine / denominator)
}

/// Sine: −i·sinh(iz).
pub fn sine(z: C) -> C {
    times_minus_i(sinh(times_i(z)))
}

/// Cosine: cosh(iz).
pub fn cosine(z: C) -> C {
    cosh(times_i(z))
}

/// Tangent: −i·tanh(iz).
pub fn tan(z: C) -> C {
    times_minus_i(tanh(times_i(z)))
}

/// `z^w`: 1 for w = 0, else e^(w·ln z). A zero base gives zero for exponents with a positive real part,
/// NaN for all others.
pub fn power(z: C, w: C) -> C {
    if w.re == 0.0 && w.im == 0.0 {
        return C::new(1.0, 0.0);
    }
    if z.re == 0.0 && z.im == 0.0 {
        // Without a direction there is no infinity to go to.
        let value = if w.re > 0.0 { 0.0 } else { f64::NAN };
        return C::new(value, value);
    }
    if z.im == 0.0 && w.im == 0.0 && z.re > 0.0 {
        return C::new(real::power(z.re, w.re), 0.0);
    }
    let log = log(z);
    exponential(C::new(w.re * log.re - w.im * log.im, w.re * log.im + w.im * log.re))
}

/// −i·ln((x + iy) / √(x² + y²)) for `atan2(y, x)`.
pub fn atan2(y: C, x: C) -> C {
    let size = larger(x).max(larger(y));
    let shift = if size.is_finite() { exponent(size) } else { 0 };
    let scaled = |z: C| C::new(scale(z.re, -shift), scale(z.im, -shift));
    let (y, x) = (scaled(y), scaled(x));
    let direction = divide(x + times_i(y), sqrt(x * x + y * y));
    times_minus_i(log(direction))
}
