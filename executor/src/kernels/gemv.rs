//! Products with one or a few rows: the right operand is read once, where it stands.

use std::cell::RefCell;
use std::fmt;

use interpreter::element::{bf16, f16};
use stablehlo::element::ElementType;

use super::Kernel;
use super::gemm::choose::{Source, Target};
use super::gemm::narrow;
use super::gemm::pack::Widen;
use super::gemm::{Store, pack::Side};
use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::pool::Pool;

/// Most rows that are multiplied one by one.
const MAX_ROWS: usize = 4;
/// Elements of the right operand that are worth a thread.
const GRAIN: usize = 1 << 16;
/// Rows of the right operand that are added to the sums at a time.
const BUNDLE: usize = 8;

/// Adds `x[r] * b[r][j]` to `y[j]` for all rows r of a bundle.
type Axpy = unsafe fn(y: &mut [f32], x: &[f32; BUNDLE], b: [*const u8; BUNDLE]);
/// Sum of `x[k] * b[k]`.
type Dot = unsafe fn(x: &[f32], b: *const u8) -> f32;
/// Elements as f32.
type Load = unsafe fn(from: *const u8, step: isize, to: &mut [f32]);

#[inline(always)]
fn multiply_add<const FMA: bool>(acc: f32, a: f32, b: f32) -> f32 {
    if FMA { a.mul_add(b, acc) } else { acc + a * b }
}

#[inline(always)]
unsafe fn axpy_body<E: Widen<f32>, const FMA: bool>(y: &mut [f32], x: &[f32; BUNDLE], b: [*const u8; BUNDLE]) {
    let n = y.len();
    // SAFETY: the caller gives rows of that many elements.
    let [b0, b1, b2, b3, b4, b5, b6, b7] = b.map(|b| unsafe { std::slice::from_raw_parts(b.cast::<E>(), n) });
    for j in 0..n {
        let mut sum = y[j];
        sum = multiply_add::<FMA>(sum, x[0], b0[j].widen());
        sum = multiply_add::<FMA>(sum, x[1], b1[j].widen());
        sum = multiply_add::<FMA>(sum, x[2], b2[j].widen());
        sum = multiply_add::<FMA>(sum, x[3], b3[j].widen());
        sum = multiply_add::<FMA>(sum, x[4], b4[j].widen());
        sum = multiply_add::<FMA>(sum, x[5], b5[j].widen());
        sum = multiply_add::<FMA>(sum, x[6], b6[j].widen());
        sum = multiply_add::<FMA>(sum, x[7], b7[j].widen());
        y[j] = sum;
    }
}

#[inline(always)]
unsafe fn dot_body<E: Widen<f32>, const FMA: bool>(x: &[f32], b: *const u8) -> f32 {
    const LANES: usize = 64;
    // SAFETY: the caller gives as many elements.
    let b = unsafe { std::slice::from_raw_parts(b.cast::<E>(), x.len()) };
    let mut sums = [0.0; LANES];
    let (mut xs, mut bs) = (x.chunks_exact(LANES), b.chunks_exact(LANES));
    for (x, b) in (&mut xs).zip(&mut bs) {
        for lane in 0..LANES {
            sums[lane] = multiply_add::<FMA>(sums[lane], x[lane], b[lane].widen());
        }
    }
    for (lane, (x, b)) in xs.remainder().iter().zip(bs.remainder()).enumerate() {
        sums[lane] = multiply_add::<FMA>(sums[lane], *x, b.widen());
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

#[inline(always)]
unsafe fn load_body<E: Widen<f32>>(from: *const u8, step: isize, to: &mut [f32]) {
    for (index, to) in to.iter_mut().enumerate() {
        // SAFETY: the caller gives as many elements, that far apart.
        *to = unsafe { (*from.cast::<E>().offset(index as isize * step)).widen() };
    }
}

#[derive(Copy, Clone)]
struct Functions {
    axpy: Axpy,
    dot: Dot,
    load: Load,
}

fn functions<E: Widen<f32> + 'static>(isa: Isa) -> Functions {
    macro_rules! compiled {
        ($fma:literal $(, $feature:literal)?) => {{
            $(#[target_feature(enable = $feature)])?
            unsafe fn axpy<E: Widen<f32>>(y: &mut [f32], x: &[f32; BUNDLE], b: [*const u8; BUNDLE]) {
                // SAFETY: the caller's promise.
                unsafe { axpy_body::<E, $fma>(y, x, b) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn dot<E: Widen<f32>>(x: &[f32], b: *const u8) -> f32 {
                // SAFETY: the caller's promise.
                unsafe { dot_body::<E, $fma>(x, b) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn load<E: Widen<f32>>(from: *const u8, step: isize, to: &mut [f32]) {
                // SAFETY: the caller's promise.
                unsafe { load_body::<E>(from, step, to) }
            }
            Functions { axpy: axpy::<E>, dot: dot::<E>, load: load::<E> }
        }};
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(true, "avx512f,avx512bw,avx512vl,avx512dq,fma"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(true, "avx2,fma"),
        _ => compiled!(false),
    }
}

/// A product with few rows.
struct Gemv {
    lhs: Source,
    rhs: Source,
    target: Target,
    k: usize,
    functions: Functions,
    store: Option<Store<f32>>,
    /// Whether neighbours in the right operand are columns, not rows.
    is_by_columns: bool,
}

/// The kernel for a product of one or a few rows with a right operand that is not small; none if it is not that.
pub fn product(isa: Isa, k: usize, lhs: &Source, rhs: &Source, target: &Target) -> Option<Box<dyn Kernel>> {
    let (m, n) = (lhs.side.lines.len(), rhs.side.lines.len());
    if m == 0 || m > MAX_ROWS || n < 2 || k < BUNDLE || lhs.side.runs.len() != 1 || rhs.side.runs.len() != 1 {
        return None;
    }
    let is_by_columns = rhs.side.lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    // Columns of few elements are better off in tiles.
    if !is_by_columns && rhs.side.step != 1 || is_by_columns && n < 16 {
        return None;
    }
    let functions = match lhs.element {
        element if element != rhs.element => return None,
        ElementType::F32 => functions::<f32>(isa),
        ElementType::BF16 => functions::<bf16>(isa),
        ElementType::F16 => functions::<f16>(isa),
        _ => return None,
    };
    let store = match target.element {
        ElementType::F32 => None,
        ElementType::BF16 => Some(narrow::to_bf16(isa)),
        ElementType::F16 => Some(narrow::to_f16(isa)),
        _ => return None,
    };
    let (lhs, rhs, target) = (lhs.clone(), rhs.clone(), target.clone());
    Some(Box::new(Gemv { lhs, rhs, target, k, functions, store, is_by_columns }))
}

thread_local! {
    /// A row of the left operand as f32, and sums.
    static SCRATCH: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

#[derive(Copy, Clone)]
struct Address(*mut u8);
// SAFETY: threads read operands and write disjoint results.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Gemv {
    fn at(&self, memory: &Memory, slot: SlotId) -> Address {
        Address(memory.address(slot))
    }

    /// Some columns of one product of the batch.
    fn columns(&self, [lhs, rhs, result]: [Address; 3], batch: usize, columns: std::ops::Range<usize>) {
        let width = self.lhs.element.byte_width() as isize;
        let at = |address: Address, source: &Source, side: &Side, line: usize| {
            let offset = source.batches[batch] + side.lines[line] + side.runs[0].0;
            // SAFETY: lines lie inside the operand.
            unsafe { address.0.cast_const().offset(offset * width) }
        };
        let n = columns.len();
        SCRATCH.with_borrow_mut(|scratch| {
            if scratch.len() < self.k + n {
                scratch.resize(self.k + n, 0.0);
            }
            let (x, y) = scratch[..self.k + n].split_at_mut(self.k);
            for row in 0..self.lhs.side.lines.len() {
                // SAFETY: a line has k elements, that far apart.
                unsafe { (self.functions.load)(at(lhs, &self.lhs, &self.lhs.side, row), self.lhs.side.step, x) };
                if self.is_by_columns {
                    let first = at(rhs, &self.rhs, &self.rhs.side, columns.start);
                    // SAFETY: columns are neighbours, rows `step` apart.
                    unsafe { self.add_rows(x, y, first, self.rhs.side.step * width) };
                } else {
                    for (column, y) in columns.clone().zip(y.iter_mut()) {
                        // SAFETY: a column has k elements, one after the other.
                        *y = unsafe { (self.functions.dot)(x, at(rhs, &self.rhs, &self.rhs.side, column)) };
                    }
                }
                let start = self.target.batches[batch] + self.target.rows[row] + columns.start as isize;
                // SAFETY: the columns lie inside the results.
                unsafe {
                    let to = result.0.offset(start * self.target.element.byte_width() as isize);
                    match self.store {
                        Some(store) => store(y.as_ptr(), to, n),
                        None => std::ptr::copy_nonoverlapping(y.as_ptr(), to.cast::<f32>(), n),
                    }
                }
            }
        });
    }

    /// `y = Σ x[k] b[k]` over rows of the right operand.
    ///
    /// # Safety
    /// `first` is the first of `x.len()` rows, `step` bytes apart, of `y.len()` elements.
    unsafe fn add_rows(&self, x: &[f32], y: &mut [f32], first: *const u8, step: isize) {
        y.fill(0.0);
        for (bundle, x) in x.chunks(BUNDLE).enumerate() {
            // Rows that do not exist are the first, times zero, unless that could be NaN: then they are added one by one.
            if let Ok(x) = <&[f32; BUNDLE]>::try_from(x) {
                let start = (bundle * BUNDLE) as isize;
                let rows = std::array::from_fn(|row| first.wrapping_offset((start + row as isize) * step));
                // SAFETY: the caller's promise.
                unsafe { (self.functions.axpy)(y, x, rows) };
            } else {
                self.add_rest(x, y, first.wrapping_offset((bundle * BUNDLE) as isize * step), step);
            }
        }
    }

    /// The rows after the last whole bundle.
    fn add_rest(&self, x: &[f32], y: &mut [f32], first: *const u8, step: isize) {
        let width = self.rhs.element.byte_width();
        let mut row = [0.0; 64];
        for (index, x) in x.iter().enumerate() {
            let at = first.wrapping_offset(index as isize * step);
            for (chunk, y) in y.chunks_mut(row.len()).enumerate() {
                let row = &mut row[..y.len()];
                // SAFETY: the row has as many elements as there are sums.
                unsafe { (self.functions.load)(at.wrapping_add(chunk * 64 * width), 1, row) };
                y.iter_mut().zip(row).for_each(|(y, b)| *y += *x * *b);
            }
        }
    }
}

impl Kernel for Gemv {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let addresses =
            [self.at(memory, self.lhs.slot), self.at(memory, self.rhs.slot), self.at(memory, self.target.slot)];
        let (n_batches, n) = (self.target.batches.len(), self.rhs.side.lines.len());
        if n_batches >= 2 * pool.n_threads() {
            let grain = GRAIN / (self.k * n).max(1) + 1;
            pool.split(n_batches, grain, &|batches| {
                batches.for_each(|batch| self.columns(addresses, batch, 0..n));
            });
            return;
        }
        /// Columns that a thread works on begin at multiples of this, a cache line or two.
        const STEP: usize = 64;
        let grain = (GRAIN / self.k / STEP).max(1);
        for batch in 0..n_batches {
            pool.split(n.div_ceil(STEP), grain, &|columns| {
                self.columns(addresses, batch, columns.start * STEP..(columns.end * STEP).min(n));
            });
        }
    }

    fn describe(&self) -> String {
        let (b, m, n) = (self.target.batches.len(), self.lhs.side.lines.len(), self.rhs.side.lines.len());
        let how = if self.is_by_columns { "rows added" } else { "columns summed" };
        format!("product of few rows {b}x{m}x{}x{n}, {how}", self.k)
    }
}

impl fmt::Debug for Gemv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
