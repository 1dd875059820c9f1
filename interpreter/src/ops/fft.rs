//! `fft`: discrete Fourier transforms of any length.
//!
//! Computed in `f64` and rounded once (`semantics`: `fft-normalisation`). Lengths are split into small factors;
//! a large prime is turned into a convolution whose length is a power of two (Bluestein).

use std::f64::consts::TAU;

use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ir::FftType;
use stablehlo::ops::attr_classes::{FftTypeAttr, I64Array};

use super::contract::{load, store};
use super::elementwise::map;
use super::positions::lines as lines_along;
use super::shapes::{one, unsigned};
use crate::dispatch_complex;
use crate::element::{Complex, Elementary, functions};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, show};
use crate::value::Values;

type Number = Complex<f64>;

/// Reads the op and applies [`fft`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let fft_length = unsigned(cx.required::<I64Array>("fft_length")?);
    Ok(one(fft(cx, &cx.tensor(0)?, cx.required::<FftTypeAttr>("fft_type")?, &fft_length, cx.result_element(0)?)?))
}

/// The transform of the last dimensions, as many as `fft_length` has. The inverse is divided by the number of elements.
///
/// RFFT transforms the last dimension first and gives the first half of it; IRFFT transforms it last and takes the other
/// half as the mirrored conjugate of the first, so that the imaginary parts of its ends do not matter.
///
/// # Errors
/// `exec/shape-mismatch` when the operand does not have the sizes `fft_length`, `exec/memory-limit`.
pub fn fft(
    cx: &Cx<'_>,
    operand: &Tensor,
    fft_type: FftType,
    fft_length: &[usize],
    result: ElementType,
) -> Result<Tensor> {
    let mut shape: Dims = operand.shape().into();
    let first = shape.len().checked_sub(fft_length.len()).ok_or_else(|| EvalError::bug("fft_length is too long"))?;
    let (Some(length), Some(last)) = (fft_length.last().copied(), shape.len().checked_sub(1)) else {
        return Err(EvalError::bug("fft_length has an entry"));
    };
    let half = if length == 0 { 0 } else { length / 2 + 1 };
    let mut wanted = fft_length.to_vec();
    if let (FftType::Irfft, Some(last)) = (fft_type, wanted.last_mut()) {
        *last = half;
    }
    if shape[first..] != wanted[..] && matches!(fft_type, FftType::Rfft | FftType::Irfft) {
        let message = format!("the last dimensions must be {}, got {}", show(&wanted), show(&shape));
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    let mut data = load::<Number>(cx, operand, ElementType::ComplexF64)?;
    let inverse = matches!(fft_type, FftType::Ifft | FftType::Irfft);
    let outer = first..last;
    match fft_type {
        FftType::Fft | FftType::Ifft => {
            for dim in (first..=last).rev() {
                transform(cx, &mut data, &shape, dim, inverse)?;
            }
        }
        FftType::Rfft => {
            transform(cx, &mut data, &shape, last, inverse)?;
            data = lines(&data, length, |line| line[..half].to_vec());
            shape[last] = half;
            for dim in outer.rev() {
                transform(cx, &mut data, &shape, dim, inverse)?;
            }
        }
        FftType::Irfft => {
            for dim in outer {
                transform(cx, &mut data, &shape, dim, inverse)?;
            }
            shape[last] = length;
            cx.memory().check(ElementType::ComplexF64, &shape)?;
            data = lines(&data, half, |line| mirrored(line, length));
            transform(cx, &mut data, &shape, last, inverse)?;
        }
    }
    if result.is_complex() {
        return store(cx, &data, &shape, result);
    }
    let complex = result.complex_of().ok_or_else(|| EvalError::bug("the result is f32 or f64"))?;
    let full = store(cx, &data, &shape, complex)?;
    dispatch_complex!(complex, T => map(cx, &full, <T as Elementary>::real)).ok_or_else(|| EvalError::bug("complex"))?
}

/// Each line of this length replaced.
fn lines(data: &[Number], length: usize, replace: impl Fn(&[Number]) -> Vec<Number>) -> Vec<Number> {
    if length == 0 { Vec::new() } else { data.chunks(length).flat_map(replace).collect() }
}

/// The whole spectrum of a real signal from its first half.
fn mirrored(line: &[Number], length: usize) -> Vec<Number> {
    (0..length)
        .map(|index| match (index, length - index) {
            (0, _) => Number::new(line[0].re, 0.0),
            (index, mirror) if index == mirror => Number::new(line[index].re, 0.0),
            (index, mirror) if index < mirror => line[index],
            (_, mirror) => line[mirror].conj(),
        })
        .collect()
}

/// Transforms all lines along `dim`.
fn transform(cx: &Cx<'_>, data: &mut [Number], shape: &[usize], dim: usize, inverse: bool) -> Result<()> {
    let n = shape[dim];
    if data.is_empty() || n == 0 {
        return Ok(());
    }
    let (starts, stride) = lines_along(cx, shape, dim)?;
    let plan = Plan::new(cx, n)?;
    let (mut line, mut result) = (vec![Number::default(); n], vec![Number::default(); n]);
    // The inverse is the transform with real and imaginary parts exchanged, before and after.
    let exchanged = |x: Number| if inverse { Number::new(x.im, x.re) } else { x };
    let scale = if inverse { n as f64 } else { 1.0 };
    for start in starts {
        cx.tick(plan.work)?;
        for (index, x) in line.iter_mut().enumerate() {
            *x = exchanged(data[start + index * stride]);
        }
        plan.run(&line, &mut result);
        for (index, x) in result.iter().enumerate() {
            data[start + index * stride] = exchanged(*x) / scale;
        }
    }
    Ok(())
}

/// From this prime on, a convolution is faster than the sums themselves.
const LARGE_PRIME: usize = 64;

/// A transform of length `n`.
struct Plan {
    n: usize,
    factors: Vec<usize>,
    /// e^(−2πi k/n)
    roots: Vec<Number>,
    large: Option<Box<Bluestein>>,
    /// Elementary operations, roughly.
    work: usize,
}

impl Plan {
    fn new(cx: &Cx<'_>, n: usize) -> Result<Self> {
        let factors = factors(n);
        cx.memory().check_bytes(n.saturating_mul(8 * size_of::<Number>()))?;
        // At most one factor is large enough to need it... and one that is not the last is rare enough to be slow.
        let large = match factors.iter().find(|factor| **factor >= LARGE_PRIME) {
            Some(prime) => Some(Box::new(Bluestein::new(cx, *prime)?)),
            None => None,
        };
        let work = factors.iter().sum::<usize>().saturating_mul(n);
        Ok(Self { n, factors, roots: roots(n), large, work })
    }

    fn run(&self, input: &[Number], result: &mut [Number]) {
        self.run_part(input, 1, result, &self.factors);
    }

    /// The transform of every `stride`-th element of `input`, as many as `result` has. Nests as deep as there are factors.
    fn run_part(&self, input: &[Number], stride: usize, result: &mut [Number], factors: &[usize]) {
        let Some((factor, rest)) = factors.split_first() else {
            result[0] = input[0];
            return;
        };
        let (factor, part) = (*factor, result.len() / factor);
        for (index, result) in result.chunks_mut(part).enumerate() {
            self.run_part(&input[index * stride..], stride * factor, result, rest);
        }
        let mut terms: SmallVec<[Number; 16]> = smallvec::smallvec![Number::default(); factor];
        let mut sums = terms.clone();
        for k in 0..part {
            for (index, term) in terms.iter_mut().enumerate() {
                // Neither index exceeds n, and the product stays below n.
                *term = product(result[index * part + k], self.roots[index * k * stride]);
            }
            match (&self.large, &terms[..]) {
                (_, [a, b]) => sums.copy_from_slice(&[a + b, a - b]),
                (_, [a, b, c, d]) => {
                    let (even, odd) = ([a + c, a - c], [b + d, b - d]);
                    let turned = Number::new(odd[1].im, -odd[1].re);
                    sums.copy_from_slice(&[even[0] + odd[0], even[1] + turned, even[0] - odd[0], even[1] - turned]);
                }
                (Some(large), terms) if terms.len() == large.n => large.run(terms, &mut sums),
                (_, terms) => self.small_transform(terms, &mut sums),
            }
            for (index, sum) in sums.iter().enumerate() {
                result[index * part + k] = *sum;
            }
        }
    }

    /// The transform by its definition.
    fn small_transform(&self, terms: &[Number], sums: &mut [Number]) {
        let n = terms.len();
        let step = self.n / n;
        for (k, sum) in sums.iter_mut().enumerate() {
            *sum = terms[0];
            for (index, term) in terms.iter().enumerate().skip(1) {
                *sum += product(*term, self.roots[index * k % n * step]);
            }
        }
    }
}

/// A transform of prime length as a convolution with a chirp: jk = (j² + k² − (k − j)²) / 2.
struct Bluestein {
    n: usize,
    /// e^(−πi k²/n)
    chirp: Vec<Number>,
    /// The transform of the conjugate chirp, wrapped around.
    filter: Vec<Number>,
    inner: Plan,
}

impl Bluestein {
    fn new(cx: &Cx<'_>, n: usize) -> Result<Self> {
        let length = (2 * n - 1).next_power_of_two();
        let inner = Plan::new(cx, length)?;
        let double = roots(2 * n);
        let square = |k: usize| (k as u128 * k as u128 % (2 * n as u128)) as usize;
        let chirp: Vec<Number> = (0..n).map(|k| double[square(k)]).collect();
        let mut wrapped = vec![Number::default(); length];
        for (k, value) in chirp.iter().enumerate() {
            wrapped[k] = value.conj();
            wrapped[(length - k) % length] = value.conj();
        }
        let mut filter = vec![Number::default(); length];
        inner.run(&wrapped, &mut filter);
        Ok(Self { n, chirp, filter, inner })
    }

    fn run(&self, input: &[Number], result: &mut [Number]) {
        let length = self.inner.n;
        let mut signal = vec![Number::default(); length];
        for ((signal, x), chirp) in signal.iter_mut().zip(input).zip(&self.chirp) {
            *signal = product(*x, *chirp);
        }
        let mut spectrum = vec![Number::default(); length];
        self.inner.run(&signal, &mut spectrum);
        // The inverse by exchanged parts.
        for ((signal, x), filter) in signal.iter_mut().zip(&spectrum).zip(&self.filter) {
            let y = product(*x, *filter);
            *signal = Number::new(y.im, y.re);
        }
        self.inner.run(&signal, &mut spectrum);
        for ((result, x), chirp) in result.iter_mut().zip(&spectrum).zip(&self.chirp) {
            *result = product(Number::new(x.im, x.re) / length as f64, *chirp);
        }
    }
}

#[inline]
fn product(a: Number, b: Number) -> Number {
    Number::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/// Fours, which are the cheapest, then primes.
fn factors(mut n: usize) -> Vec<usize> {
    let mut factors = Vec::new();
    while n.is_multiple_of(4) {
        factors.push(4);
        n /= 4;
    }
    let mut factor = 2;
    while factor * factor <= n {
        while n.is_multiple_of(factor) {
            factors.push(factor);
            n /= factor;
        }
        factor += 1;
    }
    if n > 1 {
        factors.push(n);
    }
    factors
}

/// e^(−2πi k/n) for all k below n. Angles are brought below π/4 in whole numbers first, so that each is exact to an ulp.
fn roots(n: usize) -> Vec<Number> {
    (0..n).map(|k| root(k, n)).collect()
}

fn root(k: usize, n: usize) -> Number {
    let (k, n) = (k as u128, n as u128);
    if 2 * k > n {
        return root((n - k) as usize, n as usize).conj();
    }
    if 4 * k > n {
        let mirrored = root_of(n - 2 * k, 2 * n);
        return Number::new(-mirrored.re, mirrored.im);
    }
    root_of(k, n)
}

/// The same for a quarter of the circle.
fn root_of(k: u128, n: u128) -> Number {
    if 8 * k > n {
        // sin and cos change places: π/2 − 2πk/n = 2π(n − 4k)/(4n).
        let (sin, cos) = sin_cos(n - 4 * k, 4 * n);
        return Number::new(sin, -cos);
    }
    let (sin, cos) = sin_cos(k, n);
    Number::new(cos, -sin)
}

fn sin_cos(k: u128, n: u128) -> (f64, f64) {
    let angle = TAU * (k as f64 / n as f64);
    (functions::sine(angle), functions::cosine(angle))
}
