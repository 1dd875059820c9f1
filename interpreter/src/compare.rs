//! Comparing results with expectations.

use crate::element::Float;

/// How many representable values lie between two floats, counted through zero: 0 for equal bits, for −0 and +0, and
/// for two NaNs; the largest number when only one is finite or infinities differ.
pub fn ulp_distance<T: Float>(a: T, b: T) -> u64 {
    let (x, y) = (a.to_bits(), b.to_bits());
    if x == y || (a.is_nan() && b.is_nan()) {
        return 0;
    }
    if !(a.is_finite() && b.is_finite()) {
        return u64::MAX;
    }
    let sign = T::FORMAT.sign_bit() as u64;
    let (x_size, y_size) = (x & !sign, y & !sign);
    if (x ^ y) & sign != 0 { x_size + y_size } else { x_size.abs_diff(y_size) }
}
