//! Sums of products: the inner loop of `dot_general`, `convolution` and their like.
//!
//! Every result is `0 + lhs[0] * rhs[0] + lhs[1] * rhs[1] + …`, from left to right, each product and each sum rounded by
//! itself in the accumulation type (`semantics`: `contraction-accumulation`, `contraction-order`). Many results are
//! computed side by side, which changes none of them.

use stablehlo::element::ElementType;

use super::elementwise::convert;
use crate::element::{Complex, Element};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::Tensor;

/// A type in which products are summed.
pub trait Accumulator: Element {
    /// What a sum begins with.
    const ZERO: Self;
    /// `self + lhs * rhs`.
    fn add_product(self, lhs: Self, rhs: Self) -> Self;
    /// The sum with any NaN replaced by the one that arithmetic gives.
    fn finished(self) -> Self;
}

macro_rules! floats {
    ($($native:ident)*) => {$(
        impl Accumulator for $native {
            const ZERO: Self = 0.0;

            #[inline]
            fn add_product(self, lhs: Self, rhs: Self) -> Self {
                self + lhs * rhs
            }

            #[inline]
            fn finished(self) -> Self {
                if self.is_nan() { $native::NAN } else { self }
            }
        }

        impl Accumulator for Complex<$native> {
            const ZERO: Self = Complex { re: 0.0, im: 0.0 };

            #[inline]
            fn add_product(self, lhs: Self, rhs: Self) -> Self {
                Complex {
                    re: self.re + (lhs.re * rhs.re - lhs.im * rhs.im),
                    im: self.im + (lhs.re * rhs.im + lhs.im * rhs.re),
                }
            }

            #[inline]
            fn finished(self) -> Self {
                Complex { re: self.re.finished(), im: self.im.finished() }
            }
        }
    )*};
}

macro_rules! integers {
    ($($native:ident)*) => {$(
        impl Accumulator for $native {
            const ZERO: Self = 0;

            #[inline]
            fn add_product(self, lhs: Self, rhs: Self) -> Self {
                self.wrapping_add(lhs.wrapping_mul(rhs))
            }

            #[inline]
            fn finished(self) -> Self {
                self
            }
        }
    )*};
}

floats! { f32 f64 }
integers! { i32 i64 }

impl Accumulator for bool {
    const ZERO: Self = false;

    #[inline]
    fn add_product(self, lhs: Self, rhs: Self) -> Self {
        self | (lhs & rhs)
    }

    #[inline]
    fn finished(self) -> Self {
        self
    }
}

/// The type in which products are summed that make up a result of type `result`: at least `f32` for floats, at least
/// `i32` for integers, which wrap in any case.
pub fn accumulation_type(lhs: ElementType, rhs: ElementType, result: ElementType) -> ElementType {
    let any_f64 = [lhs, rhs, result].contains(&ElementType::F64);
    match result {
        ElementType::I1 => ElementType::I1,
        result if result.is_integer() && result.bits() <= 32 => ElementType::I32,
        result if result.is_integer() => ElementType::I64,
        result if result.is_complex() => result,
        _ if any_f64 => ElementType::F64,
        _ => ElementType::F32,
    }
}

/// Runs `$body` with `$A` bound to the native type of an [`accumulation_type`].
macro_rules! dispatch_accumulator {
    ($element:expr, $A:ident => $body:expr) => {{
        use stablehlo::element::ElementType as Chosen;
        macro_rules! with {
            ($native:ty) => {{
                type $A = $native;
                $body
            }};
        }
        match $element {
            Chosen::I1 => with!(bool),
            Chosen::I32 => with!(i32),
            Chosen::I64 => with!(i64),
            Chosen::F64 => with!(f64),
            Chosen::ComplexF32 => with!($crate::element::Complex<f32>),
            Chosen::ComplexF64 => with!($crate::element::Complex<f64>),
            _ => with!(f32),
        }
    }};
}
pub(super) use dispatch_accumulator;

/// The elements of an operand as the accumulation type, by way of the result type where the class changes.
///
/// # Errors
/// `exec/memory-limit`.
pub fn load<A: Accumulator>(cx: &Cx<'_>, operand: &Tensor, result: ElementType) -> Result<Vec<A>> {
    let changes_class = operand.element().is_integer() != result.is_integer();
    let operand = if changes_class { convert(cx, operand, result)? } else { operand.clone() };
    let operand = convert(cx, &operand, A::TYPE)?;
    cx.memory().check(A::TYPE, operand.shape())?;
    Ok(operand.to_vec())
}

/// Sums as a tensor of the result's type, rounded once.
///
/// # Errors
/// `exec/memory-limit`.
pub fn store<A: Accumulator>(cx: &Cx<'_>, sums: &[A], shape: &[usize], result: ElementType) -> Result<Tensor> {
    let tensor = Tensor::from_vec(shape, sums).ok_or_else(|| EvalError::bug("as many sums as results"))?;
    convert(cx, &tensor, result)
}

/// Columns that are computed side by side.
const WIDTH: usize = 8;
/// Rows that are computed side by side.
const ROWS: usize = 4;

/// The right matrix of a product, `k` by `n`, in panels of [`WIDTH`] columns.
pub struct Columns<A> {
    k: usize,
    n: usize,
    panels: Vec<[A; WIDTH]>,
}

impl<A: Accumulator> Columns<A> {
    /// The matrix with these elements at (row, column).
    ///
    /// # Errors
    /// `exec/memory-limit`.
    pub fn new(cx: &Cx<'_>, k: usize, n: usize, element: impl Fn(usize, usize) -> A) -> Result<Self> {
        let n_panels = n.div_ceil(WIDTH);
        let bytes = n_panels.checked_mul(k).and_then(|rows| rows.checked_mul(size_of::<[A; WIDTH]>()));
        cx.memory().check_bytes(bytes.unwrap_or(usize::MAX))?;
        let mut panels = Vec::with_capacity(n_panels * k);
        for panel in 0..n_panels {
            let columns = panel * WIDTH..n.min((panel + 1) * WIDTH);
            for row in 0..k {
                let mut values = [A::ZERO; WIDTH];
                for (value, column) in values.iter_mut().zip(columns.clone()) {
                    *value = element(row, column);
                }
                panels.push(values);
            }
        }
        Ok(Self { k, n, panels })
    }

    /// The product of `rows`, a matrix of rows of length `k`, with this one; `put` gets the number of a row, that of a
    /// column, and results of that row from that column on.
    ///
    /// # Errors
    /// The limits of the run.
    pub fn multiply(
        &self,
        cx: &Cx<'_>,
        rows: &[A],
        n_rows: usize,
        mut put: impl FnMut(usize, usize, &[A]),
    ) -> Result<()> {
        let row = |index: usize| &rows[index * self.k..][..self.k];
        let mut first = 0;
        while first < n_rows {
            let n = (n_rows - first).min(ROWS);
            cx.tick((n * self.k).saturating_mul(self.n))?;
            for panel in 0..self.n.div_ceil(WIDTH) {
                let columns = &self.panels[panel * self.k..][..self.k];
                let column = panel * WIDTH;
                let width = (self.n - column).min(WIDTH);
                if n == ROWS {
                    let sums = sums_of_products::<A, ROWS>(std::array::from_fn(|i| row(first + i)), columns);
                    sums.iter().enumerate().for_each(|(i, sums)| put(first + i, column, &sums[..width]));
                } else {
                    for i in first..first + n {
                        let [sums] = sums_of_products([row(i)], columns);
                        put(i, column, &sums[..width]);
                    }
                }
            }
            first += n;
        }
        Ok(())
    }
}

/// `WIDTH` results of each row.
fn sums_of_products<A: Accumulator, const R: usize>(rows: [&[A]; R], columns: &[[A; WIDTH]]) -> [[A; WIDTH]; R] {
    let rows = rows.map(|row| &row[..columns.len()]);
    let mut sums = [[A::ZERO; WIDTH]; R];
    for (index, column) in columns.iter().enumerate() {
        for (sums, row) in sums.iter_mut().zip(&rows) {
            let lhs = row[index];
            for (sum, rhs) in sums.iter_mut().zip(column) {
                *sum = sum.add_product(lhs, *rhs);
            }
        }
    }
    for sum in sums.as_flattened_mut() {
        *sum = sum.finished();
    }
    sums
}
