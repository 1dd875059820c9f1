//! Functions of `complex<f32>` that transforms and rotary embeddings are full of: short formulas for ordinary operands, the
//! interpreter's functions for the others.

use interpreter::element::{Complex, Elementary, Number};
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::BASELINE_FMA;
use super::arith::One;
use super::single;
use crate::kernels::isa::Isa;
use crate::kernels::lanes::{StepFn, step};

type Z = Complex<f32>;

/// Absolute value: squares are exact in `f64` and neither over- nor underflow.
fn abs(z: Z) -> f32 {
    let (re, im) = (f64::from(z.re), f64::from(z.im));
    let size = (re * re + im * im).sqrt() as f32;
    // Infinity wins against NaN.
    let size = if z.re.is_infinite() | z.im.is_infinite() { f32::INFINITY } else { size };
    if size.is_nan() { f32::NAN } else { size }
}

/// Quotient: products are exact in `f64`.
fn divide(lhs: Z, rhs: Z) -> Z {
    let (a, b) = (f64::from(lhs.re), f64::from(lhs.im));
    let (c, d) = (f64::from(rhs.re), f64::from(rhs.im));
    let inverse = 1.0 / (c * c + d * d);
    let quotient = Z::new(((a * c + b * d) * inverse) as f32, ((b * c - a * d) * inverse) as f32);
    // Zeros have signs, and what is not finite has rules of its own.
    let is_plain = |part: f32| part.is_finite() && part != 0.0;
    if is_plain(quotient.re) && is_plain(quotient.im) { quotient } else { Number::divide(lhs, rhs) }
}

/// e^z where neither part of it can overflow or vanish.
fn exponential<const FMA: bool>(z: Z) -> Z {
    if z.re.abs() <= 80.0 && z.im.abs() <= single::CIRCULAR_LIMIT && z.im != 0.0 {
        let (size, angle) = (single::exponential(One::<f32, FMA>(z.re)), One::<f32, FMA>(z.im));
        Z::new((size * single::cosine(angle)).0, (size * single::sine(angle)).0)
    } else {
        Elementary::exponential(z)
    }
}

/// The step of a function of `complex<f32>`; none for what has no code of its own.
pub fn step(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
    if element != ElementType::ComplexF32 || isa == Isa::Baseline && !BASELINE_FMA {
        return None;
    }
    Some(match kind {
        OpKind::Abs => step!(isa, map1 [Z, f32], abs),
        OpKind::Divide => step!(isa, map2 [Z, Z, Z], divide),
        OpKind::Exponential => step!(isa, map1 [Z, Z], exponential::<true>),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use interpreter::Tensor;
    use interpreter::element::Complex;

    use crate::testing::{agrees_on, ulps};

    /// Pairs of parts of many magnitudes, of both signs, and special ones.
    fn operands(n: usize, seed: u32) -> Tensor {
        let special = [0.0, -0.0, 1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, 3e38, -1e-30, 88.0, -90.0];
        let mut state = seed;
        let mut part = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let unit = (state >> 8) as f32 / (1 << 23) as f32 - 1.0;
            match state >> 4 & 15 {
                0 => special[(state >> 9) as usize % special.len()],
                1 => unit * 1e30,
                2 => unit * 1e-30,
                _ => unit * 20.0,
            }
        };
        let numbers: Vec<Complex<f32>> = (0..n).map(|_| Complex::new(part(), part())).collect();
        Tensor::from_vec::<Complex<f32>>(&[n], &numbers).unwrap()
    }

    #[test]
    fn functions_of_complex_numbers_agree() {
        let n = 20_000;
        let (z, r) = (format!("tensor<{n}xcomplex<f32>>"), format!("tensor<{n}xf32>"));
        let program = |op: &str, result: &str| {
            format!("func.func @main(%x: {z}, %y: {z}) -> {result} {{ %0 = {op} return %0 : {result} }}")
        };
        let inputs = [operands(n, 1), operands(n, 2)];
        for (mlir, limit) in [
            (program(&format!("stablehlo.abs %x : ({z}) -> {r}"), &r), 1),
            (program(&format!("stablehlo.divide %x, %y : {z}"), &z), 1),
            (program(&format!("stablehlo.exponential %x : {z}"), &z), 4),
        ] {
            agrees_on(&mlir, &inputs, Some(ulps(limit))).without_interpreter();
        }
    }
}
