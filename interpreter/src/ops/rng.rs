//! `rng`: random numbers of a distribution.
//!
//! The specification leaves the numbers open. Here they follow from the run's seed and from how many were drawn before in
//! the run: blocks of Philox-4x32, 64 bits for each number.

use stablehlo::element::ElementType;
use stablehlo::ir::RngDistribution;
use stablehlo::ops::attr_classes::RngDistributionAttr;

use super::rng_bit_generator::philox_block;
use super::shapes::{one, sizes};
use crate::element::{Element, Exact, Float, functions};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;
use crate::value::Values;
use crate::{dispatch_bits, dispatch_float};

/// Reads the op and draws from its distribution.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let (a, b, shape) = (cx.tensor(0)?, cx.tensor(1)?, sizes(&cx.tensor(2)?)?);
    let element = cx.result_element(0)?;
    let count = cx.memory().check(element, &shape)?;
    cx.memory().check(ElementType::F64, &shape)?;
    cx.tick(count)?;
    let bits = Bits { key: cx.config().seed, first: cx.draw(count as u64) };
    let data = match cx.required::<RngDistributionAttr>("rng_distribution")? {
        RngDistribution::Normal => {
            dispatch_float!(element, T => normal::<T>(cx, &bits, a.get(0), b.get(0), count))
        }
        RngDistribution::Uniform if element.is_float() => {
            dispatch_float!(element, T => uniform_float::<T>(cx, &bits, a.get(0), b.get(0), count))
        }
        RngDistribution::Uniform => {
            dispatch_bits!(element, T => uniform_integer::<T>(cx, &bits, a.integer(0), b.integer(0), count))
        }
    };
    let data = data.ok_or_else(|| EvalError::unsupported(format!("rng is not defined on {element}")))??;
    Tensor::new(element, &shape, data).map(one).ok_or_else(|| EvalError::bug("as many numbers as elements"))
}

/// Random bits by number.
struct Bits {
    key: u64,
    first: u64,
}

impl Bits {
    fn at(&self, index: usize) -> u64 {
        let number = self.first.wrapping_add(index as u64);
        let [w0, w1, w2, w3] = philox_block(self.key, u128::from(number / 2)).map(u64::from);
        if number.is_multiple_of(2) { w0 | w1 << 32 } else { w2 | w3 << 32 }
    }

    /// A number in [0, 1), on a grid of 2^−53.
    fn fraction(&self, index: usize) -> f64 {
        (self.at(index) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn write<T: Element>(count: usize, value: impl Fn(usize) -> T) -> Vec<u8> {
    crate::element::write_all(&(0..count).map(value).collect::<Vec<T>>())
}

/// Numbers a + (b − a) u, u in [0, 1). Those that rounding moves to b become the number before it.
fn uniform_float<T: Float>(cx: &Cx<'_>, bits: &Bits, a: T, b: T, count: usize) -> Result<Vec<u8>> {
    let (low, high) = (a.to_f64(), b.to_f64());
    if low == high {
        cx.touch("rng-uniform-bounds");
        return Ok(write(count, |_| a));
    }
    // Also with NaN.
    if !(low < high && low.is_finite() && high.is_finite()) {
        cx.touch("rng-uniform-bounds");
        return Err(bounds(&format!("{low}"), &format!("{high}")));
    }
    Ok(write(count, |index| {
        let fraction = bits.fraction(index);
        let number = T::rounded(low * (1.0 - fraction) + high * fraction);
        if number.to_f64() < high { number } else { b.next_after(a) }
    }))
}

fn uniform_integer<T: Element>(
    cx: &Cx<'_>,
    bits: &Bits,
    a: Option<i128>,
    b: Option<i128>,
    count: usize,
) -> Result<Vec<u8>> {
    let (Some(a), Some(b)) = (a, b) else {
        return Err(EvalError::bug("bounds are of the result's type"));
    };
    if a >= b {
        cx.touch("rng-uniform-bounds");
        return Err(bounds(&a.to_string(), &b.to_string()));
    }
    // The high half of a product of 64-bit numbers is below b − a.
    let range = (b - a) as u128;
    Ok(write(count, |index| T::from_exact(Exact::Integer(a + ((u128::from(bits.at(index)) * range) >> 64) as i128))))
}

fn bounds(a: &str, b: &str) -> EvalError {
    EvalError::invalid("exec/rng-bounds", format!("UNIFORM needs a < b, got {a} and {b}"))
}

/// Box–Muller, one number from each pair of fractions; a pair is the two halves of the bits.
fn normal<T: Float>(cx: &Cx<'_>, bits: &Bits, a: T, b: T, count: usize) -> Result<Vec<u8>> {
    let (mean, deviation) = (a.to_f64(), b.to_f64());
    if deviation <= 0.0 {
        cx.touch("rng-normal-deviation");
    }
    if deviation < 0.0 {
        let message = format!("NORMAL needs a deviation of at least 0, got {deviation}");
        return Err(EvalError::invalid("exec/rng-bounds", message));
    }
    Ok(write(count, |index| {
        let word = bits.at(index);
        let half = |bits: u64| (bits as u32 as f64 + 0.5) / (1u64 << 32) as f64;
        let (radius, angle) = (half(word), half(word >> 32));
        let standard = (-2.0 * functions::log(radius)).sqrt() * functions::cosine(std::f64::consts::TAU * angle);
        T::rounded(if deviation == 0.0 { mean } else { mean + deviation * standard })
    }))
}
