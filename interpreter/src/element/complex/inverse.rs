//! Inverse circular and hyperbolic functions of complex numbers, in `f64`.
//!
//! Sine and cosine follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions using
//! exception handling" (1997); the tangent follows Kahan. The cuts are those of C99: asin and acos on the real axis
//! beyond ±1, atan on the imaginary axis beyond ±i, and so on.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

use num_complex::Complex;

use super::functions::{times_i, times_minus_i};
use crate::element::functions as real;

type C = Complex<f64>;

/// Beyond this, one is nothing beside a number, even squared.
const HUGE: f64 = 1e150;

/// Below this, the square of an imaginary part is nothing, or is lost.
const TINY: f64 = 1e-150;

/// asin and acos of a point of the first quadrant, `x, y ≥ 0` and finite: `(asin.re, acos.re, im)` with `im ≥ 0`; the
/// imaginary parts of both have this size.
fn arcs(x: f64, y: f64) -> (f64, f64, f64) {
    if x.max(y) > HUGE {
        // |z| / 2 does not overflow.
        let im = real::log(real::hypot(x / 2.0, y / 2.0)) + 2.0 * LN_2;
        return (real::atan2(x, y), real::atan2(y, x), im);
    }
    if y < TINY {
        return arcs_on_real_axis(x, y);
    }
    let (r, s) = (real::hypot(x + 1.0, y), real::hypot(x - 1.0, y));
    let a = (r + s) / 2.0;
    let b = x / a;
    // s − |x − 1| without cancellation.
    let near = if x < 1.0 { y * y / (s + (1.0 - x)) } else { s + (x - 1.0) };
    let (asin, acos) = if b <= 0.6417 {
        (real::asin(b), real::acos(b))
    } else {
        let sum = a + x;
        let side = if x <= 1.0 {
            (0.5 * sum * (y * y / (r + x + 1.0) + (s + (1.0 - x)))).sqrt()
        } else {
            y * (0.5 * (sum / (r + x + 1.0) + sum / (s + (x - 1.0)))).sqrt()
        };
        (real::atan2(x, side), real::atan2(side, x))
    };
    let im = if a <= 1.5 {
        let beyond = 0.5 * (y * y / (r + x + 1.0) + near);
        real::log_plus_one(beyond + (beyond * (a + 1.0)).sqrt())
    } else {
        real::log(a + (a * a - 1.0).sqrt())
    };
    (asin, acos, im)
}

/// [`arcs`] for an imaginary part so small that its square vanishes.
fn arcs_on_real_axis(x: f64, y: f64) -> (f64, f64, f64) {
    if x < 1.0 {
        let im = y / ((1.0 - x) * (1.0 + x)).sqrt();
        (real::asin(x), real::acos(x), im)
    } else if x == 1.0 {
        let root = y.sqrt();
        (FRAC_PI_2 - root, root, root)
    } else {
        let side = ((x - 1.0) * (x + 1.0)).sqrt();
        (FRAC_PI_2, y / side, real::log_plus_one((x - 1.0) + side))
    }
}

/// Inverse sine.
pub fn asin(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_infinite() || y.is_infinite() {
        let re = match (x.is_infinite(), y.is_infinite()) {
            (true, true) => FRAC_PI_4,
            (true, false) if y.is_nan() => return C::new(f64::NAN, x),
            (true, false) => FRAC_PI_2,
            _ if x.is_nan() => return C::new(f64::NAN, y),
            _ => 0.0,
        };
        return C::new(re.copysign(x), f64::INFINITY.copysign(y));
    }
    if x.is_nan() || y.is_nan() {
        return C::new(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    let (re, _, im) = arcs(x.abs(), y.abs());
    C::new(re.copysign(x), im.copysign(y))
}

/// Inverse cosine.
pub fn acos(z: C) -> C {
    let (x, y) = (z.re, z.im);
    if x.is_infinite() || y.is_infinite() {
        let im = f64::INFINITY.copysign(-y);
        let re = match (x.is_infinite(), y.is_infinite()) {
            (true, true) if x > 0.0 => FRAC_PI_4,
            (true, true) => 3.0 * FRAC_PI_4,
            (true, false) if y.is_nan() => return C::new(f64::NAN, f64::INFINITY),
            (true, false) if x > 0.0 => 0.0,
            (true, false) => PI,
            _ if x.is_nan() => return C::new(f64::NAN, im),
            _ => FRAC_PI_2,
        };
        return C::new(re, im);
    }
    if x.is_nan() || y.is_nan() {
        return C::new(if x == 0.0 { FRAC_PI_2 } else { f64::NAN }, f64::NAN);
    }
    let (_, re, im) = arcs(x.abs(), y.abs());
    C::new(if x.is_sign_negative() { PI - re } else { re }, im.copysign(-y))
}

/// Inverse hyperbolic sine: −i·asin(iz).
pub fn asinh(z: C) -> C {
    times_minus_i(asin(times_i(z)))
}

/// Inverse hyperbolic cosine: ±i·acos(z), with a real part that is not negative.
pub fn acosh(z: C) -> C {
    let angle = acos(z);
    C::new(angle.im.abs(), angle.re.copysign(z.im))
}

/// Inverse hyperbolic tangent.
pub fn atanh(z: C) -> C {
    let (x, y) = (z.re.abs(), z.im.abs());
    let quarter_turn = FRAC_PI_2.copysign(z.im);
    if x.is_infinite() || y.is_infinite() {
        let im = if z.im.is_nan() { f64::NAN } else { quarter_turn };
        return C::new(0.0f64.copysign(z.re), im);
    }
    if x.is_nan() || y.is_nan() {
        return C::new(if x == 0.0 { z.re } else { f64::NAN }, f64::NAN);
    }
    if x.max(y) > HUGE {
        // x / |z|² from |z| / 2, which does not overflow; only the last division may leave the normal numbers.
        let half = real::hypot(x / 2.0, y / 2.0);
        return C::new((x / half / 4.0 / half).copysign(z.re), quarter_turn);
    }
    let re = if x == 1.0 && y < TINY {
        (LN_2 - real::log(y)) / 2.0
    } else {
        real::log_plus_one(4.0 * x / ((1.0 - x) * (1.0 - x) + y * y)) / 4.0
    };
    let im = real::atan2(2.0 * y, (1.0 - x) * (1.0 + x) - y * y) / 2.0;
    C::new(re.copysign(z.re), im.copysign(z.im))
}

/// Inverse tangent: −i·atanh(iz).
pub fn atan(z: C) -> C {
    times_minus_i(atanh(times_i(z)))
}
