//! `cholesky` and `triangular_solve`: block by block, so that nearly all work is products of matrices.

use gemm::Parallelism;
use stablehlo::element::ElementType;
use stablehlo::ir::Transpose;
use stablehlo::ops::stablehlo::{cholesky::Cholesky as CholeskyOp, triangular_solve::TriangularSolve as SolveOp};

use super::memory::{Memory, Plain, SlotId};
use super::pool::Pool;
use super::strided_copy::Address;
use super::{Kernel, Planned};
use crate::graph::{Node, Val};
use crate::plan::BodyLowering;

/// Rows of a block.
const BLOCK: usize = 64;

/// A matrix by the address of its first element and the distances of its rows and columns in elements.
struct Matrix<T> {
    at: *mut T,
    row: isize,
    column: isize,
}

impl<T> Copy for Matrix<T> {}

impl<T> Clone for Matrix<T> {
    fn clone(&self) -> Self {
        *self
    }
}

// SAFETY: threads change disjoint parts.
unsafe impl<T> Send for Matrix<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Matrix<T> {}

impl<T: Plain> Matrix<T> {
    /// The part that begins at an element.
    ///
    /// # Safety
    /// It is one of the matrix.
    unsafe fn part(self, row: usize, column: usize) -> Self {
        // SAFETY: the caller's promise.
        Self { at: unsafe { self.at.offset(row as isize * self.row + column as isize * self.column) }, ..self }
    }

    /// # Safety
    /// The element is one of the matrix.
    unsafe fn get(self, row: usize, column: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { *self.part(row, column).at }
    }

    /// `self -= lhs * rhs`, where `self` has `m` rows and `n` columns.
    ///
    /// # Safety
    /// The matrices are as large, and `self` overlaps neither of the others.
    #[expect(clippy::too_many_arguments, reason = "as a product has them")]
    unsafe fn subtract_product(self, lhs: Self, rhs: Self, m: usize, n: usize, k: usize, one: T, minus_one: T) {
        if m == 0 || n == 0 || k == 0 {
            return;
        }
        // SAFETY: the caller's promise.
        unsafe {
            gemm::gemm(
                m,
                n,
                k,
                self.at,
                self.column,
                self.row,
                true,
                lhs.at,
                lhs.column,
                lhs.row,
                rhs.at,
                rhs.column,
                rhs.row,
                one,
                minus_one,
                false,
                false,
                false,
                Parallelism::None,
            );
        }
    }
}

#[derive(Debug)]
struct Cholesky {
    element: ElementType,
    n: usize,
    lower: bool,
    from: SlotId,
    /// A matrix in `f64`.
    scratch: SlotId,
    to: SlotId,
}

/// The kernel of a `cholesky`.
pub fn plan_cholesky(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ty = &node.types[0];
    let element = ty.element.filter(|element| matches!(element, ElementType::F32 | ElementType::F64))?;
    let [.., rows, columns] = ty.shape[..] else { return None };
    if rows != columns || ty.is_empty() {
        return None;
    }
    let lower = CholeskyOp::new(cx.graph().module, node.op).lower().unwrap_or(false);
    let scratch = cx.scratch(rows.checked_mul(rows)?.checked_mul(8)?);
    let from = cx.dense(node.operands[0]);
    let to = cx.output(Val::Node(index, 0));
    let kernel = Cholesky { element, n: rows, lower, from, scratch, to };
    Some((Box::new(kernel), vec![from], vec![to, scratch]))
}

/// Factors the first `n` rows and columns of a block on the diagonal; whether it is positive definite.
///
/// # Safety
/// The matrix has them.
unsafe fn factor_block(a: Matrix<f64>, n: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            // SAFETY: i and j are below n.
            unsafe {
                let rest = (0..j).fold(a.get(i, j), |rest, k| rest - a.get(i, k) * a.get(j, k));
                let value = match i == j {
                    true if rest > 0.0 => rest.sqrt(),
                    true => return false,
                    false => rest / a.get(j, j),
                };
                *a.part(i, j).at = value;
            }
        }
    }
    true
}

/// `x = b / lᵀ` for `n` rows of `b` in place and a lower triangle of `size`.
///
/// # Safety
/// The matrices are as large.
unsafe fn divide_rows(x: Matrix<f64>, l: Matrix<f64>, n: usize, size: usize) {
    for row in 0..n {
        for j in 0..size {
            // SAFETY: row is below n, j below size.
            unsafe {
                let rest = (0..j).fold(x.get(row, j), |rest, k| rest - x.get(row, k) * l.get(j, k));
                *x.part(row, j).at = rest / l.get(j, j);
            }
        }
    }
}

impl Cholesky {
    /// Factors the matrix in the scratch memory; only its lower triangle is read and changed.
    fn factor(&self, a: Matrix<f64>, pool: &Pool) -> bool {
        let n = self.n;
        for first in (0..n).step_by(BLOCK) {
            let size = BLOCK.min(n - first);
            let left = n - first;
            // SAFETY: all parts lie inside the matrix; threads change disjoint rows.
            unsafe {
                // What the columns before take away.
                pool.split(left.div_ceil(BLOCK), 1, &|range| {
                    let (begin, end) = (first + range.start * BLOCK, (first + range.end * BLOCK).min(n));
                    let other = a.part(first, 0);
                    let transposed = Matrix { at: other.at, row: other.column, column: other.row };
                    a.part(begin, first).subtract_product(
                        a.part(begin, 0),
                        transposed,
                        end - begin,
                        size,
                        first,
                        1.0,
                        -1.0,
                    );
                });
                let block = a.part(first, first);
                if !factor_block(block, size) {
                    return false;
                }
                let below = left - size;
                pool.split(below, BLOCK / 2, &|range| {
                    divide_rows(a.part(first + size + range.start, first), block, range.len(), size);
                });
            }
        }
        true
    }

    fn matrices<T: Plain>(&self, memory: &Memory, pool: &Pool, load: impl Fn(T) -> f64, store: impl Fn(f64) -> T) {
        let n = self.n;
        let (from, to) = (memory.elements::<T>(self.from), memory.elements_mut::<T>(self.to));
        for (from, to) in from.chunks_exact(n * n).zip(to.chunks_exact_mut(n * n)) {
            let scratch = memory.elements_mut::<f64>(self.scratch);
            for i in 0..n {
                for j in 0..=i {
                    scratch[i * n + j] = load(from[if self.lower { i * n + j } else { j * n + i }]);
                }
            }
            let is_definite = self.factor(Matrix { at: scratch.as_mut_ptr(), row: n as isize, column: 1 }, pool);
            let scratch = memory.elements::<f64>(self.scratch);
            for i in 0..n {
                for j in 0..n {
                    let (row, column) = if self.lower { (i, j) } else { (j, i) };
                    let value = if column <= row { scratch[row * n + column] } else { 0.0 };
                    to[i * n + j] = store(if is_definite { value } else { f64::NAN });
                }
            }
        }
    }
}

impl Kernel for Cholesky {
    fn run(&self, memory: &Memory, pool: &Pool) {
        match self.element {
            ElementType::F32 => self.matrices::<f32>(memory, pool, f64::from, |value| value as f32),
            _ => self.matrices::<f64>(memory, pool, |value| value, |value| value),
        }
    }

    fn describe(&self) -> String {
        format!("blocked cholesky of size {}", self.n)
    }
}

#[derive(Debug)]
struct TriangularSolve {
    element: ElementType,
    /// Size of the triangle.
    n: usize,
    /// Shape of a matrix of `b`.
    rows: usize,
    columns: usize,
    left_side: bool,
    /// Whether the triangle is read by columns.
    exchanged: bool,
    /// Whether unknowns are found from the first on.
    forward: bool,
    unit_diagonal: bool,
    a: SlotId,
    b: SlotId,
    to: SlotId,
}

/// The kernel of a `triangular_solve`.
pub fn plan_solve(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let ty = &node.types[0];
    let element = ty.element.filter(|element| matches!(element, ElementType::F32 | ElementType::F64))?;
    let ([.., n, also_n], [.., rows, columns]) = (&cx.ty(node.operands[0]).shape[..], &ty.shape[..]) else {
        return None;
    };
    let op = SolveOp::new(cx.graph().module, node.op);
    let left_side = op.left_side();
    if n != also_n || ty.is_empty() || *n != if left_side { *rows } else { *columns } {
        return None;
    }
    let transposed = matches!(op.transpose_a(), Transpose::Transpose | Transpose::Adjoint);
    // x op(a) = b is op(a)ᵀ xᵀ = bᵀ.
    let exchanged = transposed == left_side;
    let (forward, unit_diagonal) = (op.lower() != exchanged, op.unit_diagonal());
    let (n, rows, columns) = (*n, *rows, *columns);
    let (a, b) = (cx.dense(node.operands[0]), cx.dense(node.operands[1]));
    let to = cx.output(Val::Node(index, 0));
    let kernel = TriangularSolve { element, n, rows, columns, left_side, exchanged, forward, unit_diagonal, a, b, to };
    Some((Box::new(kernel), vec![a, b], vec![to]))
}

impl TriangularSolve {
    /// Solves for some of the unknowns, in place.
    ///
    /// # Safety
    /// `a` has n rows and columns, `x` n rows and `unknowns` columns.
    unsafe fn solve<T: Real>(&self, a: Matrix<T>, x: Matrix<T>, unknowns: usize) {
        let n = self.n;
        let n_blocks = n.div_ceil(BLOCK);
        for block in 0..n_blocks {
            let block = if self.forward { block } else { n_blocks - 1 - block };
            let (first, end) = (block * BLOCK, (block * BLOCK + BLOCK).min(n));
            let (done, n_done) = if self.forward { (0, first) } else { (end, n - end) };
            // SAFETY: all parts lie inside the matrices.
            unsafe {
                x.part(first, 0).subtract_product(
                    a.part(first, done),
                    x.part(done, 0),
                    end - first,
                    unknowns,
                    n_done,
                    T::ONE,
                    T::MINUS_ONE,
                );
                for step in 0..end - first {
                    let i = if self.forward { first + step } else { end - 1 - step };
                    let known = if self.forward { first..i } else { i + 1..end };
                    for j in known {
                        let factor = a.get(i, j);
                        for unknown in 0..unknowns {
                            let at = x.part(i, unknown).at;
                            *at = T::minus_product(*at, factor, x.get(j, unknown));
                        }
                    }
                    if !self.unit_diagonal {
                        let pivot = a.get(i, i);
                        for unknown in 0..unknowns {
                            let at = x.part(i, unknown).at;
                            *at = T::quotient(*at, pivot);
                        }
                    }
                }
            }
        }
    }

    fn matrices<T: Real>(&self, memory: &Memory, pool: &Pool) {
        let n = self.n;
        let a = memory.elements::<T>(self.a);
        memory.bytes_mut(self.to).copy_from_slice(memory.bytes(self.b));
        let (to, size) = (Address(memory.address(self.to)), self.rows * self.columns);
        let unknowns = if self.left_side { self.columns } else { self.rows };
        for (batch, a) in a.chunks_exact(n * n).enumerate() {
            // What is read only is given as what is changed too: products have one type for both.
            let at = a.as_ptr().cast_mut();
            let (row, column) = if self.exchanged { (1, n as isize) } else { (n as isize, 1) };
            let a = Matrix { at, row, column };
            let (row, column) = if self.left_side { (self.columns as isize, 1) } else { (1, self.columns as isize) };
            pool.split(unknowns.div_ceil(16), 2, &|range| {
                let (first, end) = (range.start * 16, (range.end * 16).min(unknowns));
                let to = { to };
                // SAFETY: batches and unknowns lie inside the slots; threads have disjoint unknowns.
                unsafe {
                    let x = Matrix { at: to.0.cast::<T>().add(batch * size), row, column };
                    self.solve(a, x.part(0, first), end - first);
                }
            });
        }
    }
}

impl Kernel for TriangularSolve {
    fn run(&self, memory: &Memory, pool: &Pool) {
        match self.element {
            ElementType::F32 => self.matrices::<f32>(memory, pool),
            _ => self.matrices::<f64>(memory, pool),
        }
    }

    fn describe(&self) -> String {
        format!("blocked triangular solve of size {}", self.n)
    }
}

/// The numbers that systems are solved in.
trait Real: Plain {
    const ONE: Self;
    const MINUS_ONE: Self;
    fn minus_product(self, lhs: Self, rhs: Self) -> Self;
    fn quotient(self, divisor: Self) -> Self;
}

macro_rules! real {
    ($T:ty) => {
        impl Real for $T {
            const ONE: Self = 1.0;
            const MINUS_ONE: Self = -1.0;
            #[inline(always)]
            fn minus_product(self, lhs: Self, rhs: Self) -> Self {
                self - lhs * rhs
            }
            #[inline(always)]
            fn quotient(self, divisor: Self) -> Self {
                self / divisor
            }
        }
    };
}
real!(f32);
real!(f64);
