//! Linear algebra: `cholesky` and `triangular_solve`, in `f64` or its complex numbers, rounded once.

use stablehlo::ir::Transpose;
use stablehlo::ops::attr_classes::{Bool, TransposeAttr};

use super::contract::{Accumulator, load, store};
use super::shapes::one;
use crate::element::{Complex, Number};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Tensor, show};
use crate::value::Values;

/// The numbers that are computed with.
pub(super) trait Field: Accumulator + Number {
    const NAN: Self;
    fn conjugate(self) -> Self;
    /// The real part.
    fn real(self) -> f64;
    fn of_real(value: f64) -> Self;
    /// Square of the absolute value.
    fn norm2(self) -> f64;

    /// The real part's square root, if it is the pivot of a positive definite matrix.
    fn pivot(self) -> Option<Self> {
        (self.real() > 0.0).then(|| Self::of_real(self.real().sqrt()))
    }

    /// `self - lhs * rhs`, rounded twice.
    fn minus_product(self, lhs: Self, rhs: Self) -> Self {
        self.add_product(lhs.negate(), rhs)
    }
}

impl Field for f64 {
    const NAN: Self = f64::NAN;

    fn conjugate(self) -> Self {
        self
    }

    fn real(self) -> f64 {
        self
    }

    fn of_real(value: f64) -> Self {
        value
    }

    fn norm2(self) -> f64 {
        self * self
    }
}

impl Field for Complex<f64> {
    const NAN: Self = Complex { re: f64::NAN, im: f64::NAN };

    fn conjugate(self) -> Self {
        self.conj()
    }

    fn real(self) -> f64 {
        self.re
    }

    fn of_real(value: f64) -> Self {
        Complex { re: value, im: 0.0 }
    }

    fn norm2(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
}

/// `cholesky`
pub fn eval_cholesky(cx: &Cx<'_>) -> Result<Values> {
    let lower = cx.attr::<Bool>("lower").unwrap_or(false);
    let a = cx.tensor(0)?;
    Ok(one(match a.element().is_complex() {
        true => cholesky::<Complex<f64>>(cx, &a, lower)?,
        false => cholesky::<f64>(cx, &a, lower)?,
    }))
}

/// For each matrix of `a` the triangular factor `l` with `a = l lᴴ`, or its adjoint when the upper one is asked for.
///
/// Only the triangle that is asked for is read; the other one of the result is zero. A matrix that is not positive
/// definite gives NaN everywhere.
fn cholesky<F: Field>(cx: &Cx<'_>, a: &Tensor, lower: bool) -> Result<Tensor> {
    let n = square(a)?;
    let mut data = load::<F>(cx, a, F::TYPE)?;
    if data.is_empty() {
        return store(cx, &data, a.shape(), a.element());
    }
    let mut is_definite = true;
    for matrix in data.chunks_exact_mut(n * n) {
        cx.tick(n.saturating_mul(n).saturating_mul(n) / 3 + 1)?;
        if factorize(matrix, n, lower).is_none() {
            is_definite = false;
            matrix.fill(F::NAN);
        }
    }
    if !is_definite {
        cx.touch("cholesky-not-positive-definite");
    }
    data.iter_mut().for_each(|x| *x = x.finished());
    store(cx, &data, a.shape(), a.element())
}

/// Replaces a matrix by its factor; none when it is not positive definite.
fn factorize<F: Field>(matrix: &mut [F], n: usize, lower: bool) -> Option<()> {
    let mut l = vec![F::ZERO; n * n];
    for i in 0..n {
        for j in 0..=i {
            let element = if lower { matrix[i * n + j] } else { matrix[j * n + i].conjugate() };
            let (row, pivot_row) = (&l[i * n..][..j], &l[j * n..][..j]);
            let rest = row.iter().zip(pivot_row).fold(element, |rest, (a, b)| rest.minus_product(*a, b.conjugate()));
            l[i * n + j] = if i == j { rest.pivot()? } else { rest.divide(l[j * n + j]) };
        }
    }
    for i in 0..n {
        for j in 0..n {
            matrix[i * n + j] = if lower { l[i * n + j] } else { l[j * n + i].conjugate() };
        }
    }
    Some(())
}

/// `triangular_solve`
pub fn eval_triangular_solve(cx: &Cx<'_>) -> Result<Values> {
    let (a, b) = (cx.tensor(0)?, cx.tensor(1)?);
    let system = System {
        left_side: cx.required::<Bool>("left_side")?,
        lower: cx.required::<Bool>("lower")?,
        unit_diagonal: cx.required::<Bool>("unit_diagonal")?,
        transpose_a: cx.required::<TransposeAttr>("transpose_a")?,
    };
    Ok(one(match a.element().is_complex() {
        true => triangular_solve::<Complex<f64>>(cx, &a, &b, &system)?,
        false => triangular_solve::<f64>(cx, &a, &b, &system)?,
    }))
}

/// Attributes of `triangular_solve`, in the specification's names.
struct System {
    left_side: bool,
    lower: bool,
    unit_diagonal: bool,
    transpose_a: Transpose,
}

/// `x` with `op(a) x = b`, or `x op(a) = b`, by substitution. The other triangle of `a` is not read, nor the diagonal when
/// it is to be taken for ones.
fn triangular_solve<F: Field>(cx: &Cx<'_>, a: &Tensor, b: &Tensor, system: &System) -> Result<Tensor> {
    let n = square(a)?;
    let (rank, element) = (a.rank(), b.element());
    let fits = b.rank() == rank
        && a.shape()[..rank - 2] == b.shape()[..rank - 2]
        && b.shape()[if system.left_side { rank - 2 } else { rank - 1 }] == n;
    if !fits {
        let message = format!("b of shape {} does not fit a of shape {}", show(b.shape()), show(a.shape()));
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    if b.is_empty() {
        return Ok(b.clone());
    }
    let (n_rows, n_columns) = (b.shape()[rank - 2], b.shape()[rank - 1]);
    let (a, mut x) = (load::<F>(cx, a, F::TYPE)?, load::<F>(cx, b, F::TYPE)?);
    let transposed = system.transpose_a == Transpose::Transpose || system.transpose_a == Transpose::Adjoint;
    // x op(a) = b is op(a)ᵀ xᵀ = bᵀ.
    let exchanged = transposed == system.left_side;
    let forward = system.lower != exchanged;
    let mut is_singular = false;
    for (a, x) in a.chunks_exact(n * n).zip(x.chunks_exact_mut(n_rows * n_columns)) {
        let coefficient = |i: usize, j: usize| {
            let value = if exchanged { a[j * n + i] } else { a[i * n + j] };
            if system.transpose_a == Transpose::Adjoint { value.conjugate() } else { value }
        };
        is_singular |= !system.unit_diagonal && (0..n).any(|i| a[i * n + i] == F::ZERO);
        let (n_unknowns, stride, along) = match system.left_side {
            true => (n_columns, n_columns, 1),
            false => (n_rows, 1, n_columns),
        };
        for unknown in 0..n_unknowns {
            cx.tick(n * n / 2 + 1)?;
            let at = |i: usize| unknown * along + i * stride;
            for step in 0..n {
                let i = if forward { step } else { n - 1 - step };
                let known = if forward { 0..i } else { i + 1..n };
                let rest = known.fold(x[at(i)], |rest, j| rest.minus_product(coefficient(i, j), x[at(j)]));
                x[at(i)] = if system.unit_diagonal { rest } else { rest.divide(coefficient(i, i)) };
            }
        }
    }
    if is_singular {
        cx.touch("triangular-solve-singular");
    }
    x.iter_mut().for_each(|x| *x = x.finished());
    store(cx, &x, b.shape(), element)
}

/// The size of the square matrices that a tensor holds.
fn square(a: &Tensor) -> Result<usize> {
    match a.shape() {
        [.., rows, columns] if rows == columns => Ok(*rows),
        shape => {
            let message = format!("a must hold square matrices, got shape {}", show(shape));
            Err(EvalError::invalid("exec/shape-mismatch", message))
        }
    }
}
