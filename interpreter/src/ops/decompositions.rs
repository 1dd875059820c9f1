//! Decompositions that frameworks call for: QR by Householder reflections, with LAPACK's conventions `H = 1 − tau v vᴴ` and
//! `v[0] = 1`, and LU with exchange of rows. Computed in `f64` or its complex numbers, rounded once.

use stablehlo::element::ElementType;

use super::contract::{load, store};
use super::linear::Field;
use super::shapes::one;
use crate::element::Complex;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, show};
use crate::value::Values;

/// `Qr`: R in the upper triangle and the reflections' vectors below it, and their factors `tau`.
pub fn qr(cx: &Cx<'_>) -> Result<Values> {
    let a = cx.tensor(0)?;
    match a.element().is_complex() {
        true => factorize::<Complex<f64>>(cx, &a),
        false => factorize::<f64>(cx, &a),
    }
}

/// The last two sizes.
fn matrix(a: &Tensor) -> Result<(usize, usize)> {
    match a.shape() {
        [.., m, n] => Ok((*m, *n)),
        shape => Err(EvalError::invalid("exec/shape-mismatch", format!("matrices are needed, got {}", show(shape)))),
    }
}

fn factorize<F: Field>(cx: &Cx<'_>, a: &Tensor) -> Result<Values> {
    let (m, n) = matrix(a)?;
    let mut data = load::<F>(cx, a, F::TYPE)?;
    let mut taus: Vec<F> = Vec::new();
    for a in data.chunks_exact_mut(m.saturating_mul(n).max(1)) {
        cx.tick(m.saturating_mul(n).saturating_mul(n) + 1)?;
        for k in 0..m.min(n) {
            let tau = reflect(a, m, n, k);
            taus.push(tau);
            // Hᴴ from the left on the columns that are left.
            for column in k + 1..n {
                let dot = |sum: F, row: usize| {
                    let v = if row == k { F::one() } else { a[row * n + k] };
                    sum.add_product(v.conjugate(), a[row * n + column])
                };
                let factor = (k..m).fold(F::ZERO, dot).multiply(tau.conjugate());
                for row in k..m {
                    let v = if row == k { F::one() } else { a[row * n + k] };
                    a[row * n + column] = a[row * n + column].subtract(v.multiply(factor));
                }
            }
        }
    }
    let mut tau_shape: Dims = a.shape()[..a.rank() - 2].into();
    tau_shape.push(m.min(n));
    // Matrices without elements have factors only when they are empty too.
    taus.resize(cx.memory().check(a.element(), &tau_shape)?, F::ZERO);
    let packed = store(cx, &data, a.shape(), a.element())?;
    let taus = store(cx, &taus, &tau_shape, a.element())?;
    Ok([packed, taus].into_iter().map(Into::into).collect())
}

/// Turns column `k` from row `k` on into a multiple of the first unit vector; puts the vector below it. The factor.
fn reflect<F: Field>(a: &mut [F], m: usize, n: usize, k: usize) -> F {
    let alpha = a[k * n + k];
    let below: f64 = (k + 1..m).map(|row| a[row * n + k].norm2()).sum();
    if below == 0.0 && alpha.norm2() == alpha.real() * alpha.real() {
        return F::ZERO;
    }
    let norm = (alpha.norm2() + below).sqrt();
    let beta = if alpha.real() > 0.0 { -norm } else { norm };
    let scale = F::one().divide(alpha.subtract(F::of_real(beta)));
    for row in k + 1..m {
        a[row * n + k] = a[row * n + k].multiply(scale);
    }
    a[k * n + k] = F::of_real(beta);
    F::of_real(beta).subtract(alpha).divide(F::of_real(beta))
}

/// `ProductOfElementaryHouseholderReflectors`: the first columns of the product of the reflections.
pub fn product_of_reflectors(cx: &Cx<'_>) -> Result<Values> {
    let (a, taus) = (cx.tensor(0)?, cx.tensor(1)?);
    match a.element().is_complex() {
        true => product::<Complex<f64>>(cx, &a, &taus),
        false => product::<f64>(cx, &a, &taus),
    }
}

fn product<F: Field>(cx: &Cx<'_>, a: &Tensor, taus: &Tensor) -> Result<Values> {
    let (m, n) = matrix(a)?;
    let n_reflections = taus.shape().last().copied().unwrap_or(0);
    let batch = &a.shape()[..a.rank() - 2];
    if n_reflections > m.min(n) || taus.rank() + 1 != a.rank() || taus.shape()[..batch.len()] != *batch {
        let message = format!("{} factors do not fit matrices {}", show(taus.shape()), show(a.shape()));
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    let mut data = load::<F>(cx, a, F::TYPE)?;
    let taus = load::<F>(cx, taus, F::TYPE)?;
    for (index, a) in data.chunks_exact_mut(m.saturating_mul(n).max(1)).enumerate() {
        cx.tick(m.saturating_mul(n).saturating_mul(n) + 1)?;
        let mut q = vec![F::ZERO; m * n];
        (0..m.min(n)).for_each(|i| q[i * n + i] = F::one());
        for k in (0..n_reflections).rev() {
            let v = |row: usize| if row == k { F::one() } else { a[row * n + k] };
            for column in 0..n {
                let dot = |sum: F, row: usize| sum.add_product(v(row).conjugate(), q[row * n + column]);
                let factor = (k..m).fold(F::ZERO, dot).multiply(taus[index * n_reflections + k]);
                for row in k..m {
                    q[row * n + column] = q[row * n + column].subtract(v(row).multiply(factor));
                }
            }
        }
        a.copy_from_slice(&q);
    }
    Ok(one(store(cx, &data, a.shape(), a.element())?))
}

/// `LuDecomposition`: the triangular factors in one matrix, the row that each row was exchanged with, and the row of `a`
/// that each row of the product is.
pub fn lu(cx: &Cx<'_>) -> Result<Values> {
    let a = cx.tensor(0)?;
    match a.element().is_complex() {
        true => exchange_and_eliminate::<Complex<f64>>(cx, &a),
        false => exchange_and_eliminate::<f64>(cx, &a),
    }
}

fn exchange_and_eliminate<F: Field>(cx: &Cx<'_>, a: &Tensor) -> Result<Values> {
    let (m, n) = matrix(a)?;
    let batch = &a.shape()[..a.rank() - 2];
    let shape_of = |size: usize| -> Dims { batch.iter().copied().chain([size]).collect() };
    let (pivot_shape, permutation_shape) = (shape_of(m.min(n)), shape_of(m));
    let n_pivots = cx.memory().check(ElementType::I32, &pivot_shape)?;
    let n_rows = cx.memory().check(ElementType::I32, &permutation_shape)?;
    let mut data = load::<F>(cx, a, F::TYPE)?;
    let (mut pivots, mut permutations) = (Vec::with_capacity(n_pivots), Vec::with_capacity(n_rows));
    for matrix in data.chunks_exact_mut(m.saturating_mul(n).max(1)) {
        cx.tick(m.saturating_mul(n).saturating_mul(n) + 1)?;
        let mut permutation: Vec<i32> = (0..m as i32).collect();
        for k in 0..m.min(n) {
            let size = |row: &usize| matrix[row * n + k].norm2();
            // The first of the largest.
            let pivot = (k..m).rev().max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
            pivots.push(pivot as i32);
            permutation.swap(k, pivot);
            (0..n).for_each(|column| matrix.swap(k * n + column, pivot * n + column));
            if matrix[k * n + k] == F::ZERO {
                continue;
            }
            for row in k + 1..m {
                let factor = matrix[row * n + k].divide(matrix[k * n + k]);
                matrix[row * n + k] = factor;
                for column in k + 1..n {
                    let known = factor.multiply(matrix[k * n + column]);
                    matrix[row * n + column] = matrix[row * n + column].subtract(known);
                }
            }
        }
        permutations.extend(permutation);
    }
    // Matrices without elements have rows that stay where they are.
    while permutations.len() < n_rows {
        permutations.push((permutations.len() % m) as i32);
    }
    let bug = || EvalError::bug("as many numbers as rows");
    let factors = store(cx, &data, a.shape(), a.element())?;
    let pivots = Tensor::from_vec(&pivot_shape, &pivots).ok_or_else(bug)?;
    let permutations = Tensor::from_vec(&permutation_shape, &permutations).ok_or_else(bug)?;
    Ok([factors, pivots, permutations].into_iter().map(Into::into).collect())
}
