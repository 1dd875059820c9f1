//! Conversion between any two element types, through an exact intermediate.
//!
//! - Integers to integers keep the low bits; floats to integers truncate and saturate, NaN gives 0.
//! - To floats there is one rounding, to nearest even; what is out of range follows
//!   [`stablehlo::element::small_float`].
//! - To boolean: everything but ±0 is true, NaN too.
//! - Complex to anything else drops the imaginary part; anything else to complex has the imaginary part +0.

use super::Element;

/// A number without loss.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Exact {
    /// An integer, or 0 and 1 for a boolean.
    Integer(i128),
    /// A float.
    Float(f64),
    /// Real and imaginary part.
    Complex(f64, f64),
}

/// `value` as the specification's `convert` has it.
#[inline]
pub fn convert<A: Element, B: Element>(value: A) -> B {
    B::from_exact(value.to_exact())
}
