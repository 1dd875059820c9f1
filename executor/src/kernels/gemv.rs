//! Products with one or a few rows: the right operand is read once, where it stands.

use std::cell::RefCell;
use std::fmt;
use std::num::Wrapping;
use std::ops::{AddAssign, Mul};

use interpreter::element::{bf16, f16};
use stablehlo::element::ElementType;
use stablehlo::ir::Module;
use stablehlo::ops::OpKind;
use stablehlo::ops::stablehlo::dot_general::DotGeneral;

use super::Kernel;
use super::fused::{Bound, Loop};
use super::gemm::choose::{Source, Target};
use super::gemm::mixed::{Low, in_bytes};
use super::gemm::narrow;
use super::gemm::pack::Widen;
use super::gemm::{Store, pack::Side, then};
use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use crate::graph::{Node, Ty};
use crate::quantized::is_in_order;

/// Most rows that are multiplied one by one.
const MAX_ROWS: usize = 4;
/// Columns of fewer elements are better off in tiles.
const MIN_COLUMNS: usize = 16;
/// Elements of the right operand that are worth a thread.
const GRAIN: usize = 1 << 16;
/// Rows of the right operand that are added to the sums at a time.
const BUNDLE: usize = 8;

/// A type that products of few rows are summed in.
trait Sum: Copy + Default + Send + Sync + AddAssign + Mul<Output = Self> + 'static {
    /// `self + a * b`, in one step if the machine can.
    fn multiply_add<const FMA: bool>(self, a: Self, b: Self) -> Self;
    /// The product with a factor, rounded to the type of this number (see [`Scaling`]).
    fn scaled<const SCALING: u8>(self, factor: Self) -> Self;
    /// Runs `f` with kept memory of this type.
    fn with_scratch(f: impl FnOnce(&mut Vec<Self>));
}

macro_rules! sums {
    ($($A:ty, |$acc:ident, $a:ident, $b:ident| $fused:expr, $to_bf16:expr;)*) => {
        $(impl Sum for $A {
            #[inline(always)]
            fn multiply_add<const FMA: bool>(self, $a: Self, $b: Self) -> Self {
                let $acc = self;
                if FMA { $fused } else { $acc + $a * $b }
            }

            #[inline(always)]
            fn scaled<const SCALING: u8>(self, factor: Self) -> Self {
                match SCALING {
                    UNSCALED => self,
                    AS_F32 => self * factor,
                    _ => $to_bf16(self * factor),
                }
            }

            fn with_scratch(f: impl FnOnce(&mut Vec<Self>)) {
                thread_local! {
                    /// A row of the left operand, widened, and sums.
                    static SCRATCH: RefCell<Vec<$A>> = const { RefCell::new(Vec::new()) };
                }
                SCRATCH.with_borrow_mut(f);
            }
        })*
    };
}
sums! {
    f32, |acc, a, b| a.mul_add(b, acc), to_bf16;
    Wrapping<i32>, |acc, a, b| acc + a * b, std::convert::identity;
}

/// Rounded to the nearest bf16, ties to even; NaN stays what it is.
#[inline(always)]
fn to_bf16(x: f32) -> f32 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) & 0xffff_0000;
    f32::from_bits(if x.is_nan() { bits } else { rounded })
}

/// How weights are scaled: not at all, in f32, or in f32 and then rounded to bf16.
const UNSCALED: u8 = 0;
const AS_F32: u8 = 1;
const AS_BF16: u8 = 2;

/// Adds `x[r] * b[r][j]` to `y[j]` for all rows r of a bundle. With factors, `b[r][j]` is multiplied by the `j`-th first.
type Axpy<A> = unsafe fn(y: &mut [A], x: &[A; BUNDLE], b: [*const u8; BUNDLE], factors: &[A]);
/// Sum of `x[k] * b[k]`, or of `x[k] * (b[k] * factor)`.
type Dot<A> = unsafe fn(x: &[A], b: *const u8, factor: A) -> A;
/// Elements, widened.
type Load<A> = unsafe fn(from: *const u8, step: isize, to: &mut [A]);

#[inline(always)]
unsafe fn axpy_body<E: Widen<A>, A: Sum, const FMA: bool, const SCALING: u8>(
    y: &mut [A],
    x: &[A; BUNDLE],
    b: [*const u8; BUNDLE],
    factors: &[A],
) {
    let n = y.len();
    let factors = if SCALING == UNSCALED { &[] } else { &factors[..n] };
    // SAFETY: the caller gives rows of that many elements.
    let [b0, b1, b2, b3, b4, b5, b6, b7] = b.map(|b| unsafe { std::slice::from_raw_parts(b.cast::<E>(), n) });
    for j in 0..n {
        let mut sum = y[j];
        let factor = if SCALING == UNSCALED { A::default() } else { factors[j] };
        sum = sum.multiply_add::<FMA>(x[0], b0[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[1], b1[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[2], b2[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[3], b3[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[4], b4[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[5], b5[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[6], b6[j].widen().scaled::<SCALING>(factor));
        sum = sum.multiply_add::<FMA>(x[7], b7[j].widen().scaled::<SCALING>(factor));
        y[j] = sum;
    }
}

#[inline(always)]
unsafe fn dot_body<E: Widen<A>, A: Sum, const FMA: bool, const SCALING: u8>(x: &[A], b: *const u8, factor: A) -> A {
    const LANES: usize = 64;
    // SAFETY: the caller gives as many elements.
    let b = unsafe { std::slice::from_raw_parts(b.cast::<E>(), x.len()) };
    let mut sums = [A::default(); LANES];
    let (mut xs, mut bs) = (x.chunks_exact(LANES), b.chunks_exact(LANES));
    for (x, b) in (&mut xs).zip(&mut bs) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].multiply_add::<FMA>(x[lane], b[lane].widen().scaled::<SCALING>(factor));
        }
    }
    for (lane, (x, b)) in xs.remainder().iter().zip(bs.remainder()).enumerate() {
        sums[lane] = sums[lane].multiply_add::<FMA>(*x, b.widen().scaled::<SCALING>(factor));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            let other = sums[lane + width];
            sums[lane] += other;
        }
        width /= 2;
    }
    sums[0]
}

#[inline(always)]
unsafe fn load_body<E: Widen<A>, A>(from: *const u8, step: isize, to: &mut [A]) {
    for (index, to) in to.iter_mut().enumerate() {
        // SAFETY: the caller gives as many elements, that far apart.
        *to = unsafe { (*from.cast::<E>().offset(index as isize * step)).widen() };
    }
}

#[derive(Copy, Clone)]
struct Functions<A> {
    axpy: Axpy<A>,
    dot: Dot<A>,
    load: Load<A>,
}

/// The functions for elements `E`. With `IN_ORDER`, products and sums are rounded each by itself.
fn functions<E: Widen<A> + 'static, A: Sum, const SCALING: u8, const IN_ORDER: bool>(isa: Isa) -> Functions<A> {
    macro_rules! compiled {
        ($fma:literal $(, $feature:literal)?) => {{
            $(#[target_feature(enable = $feature)])?
            unsafe fn axpy<E: Widen<A>, A: Sum, const SCALING: u8>(
                y: &mut [A],
                x: &[A; BUNDLE],
                b: [*const u8; BUNDLE],
                factors: &[A],
            ) {
                // SAFETY: the caller's promise.
                unsafe { axpy_body::<E, A, $fma, SCALING>(y, x, b, factors) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn dot<E: Widen<A>, A: Sum, const SCALING: u8>(x: &[A], b: *const u8, factor: A) -> A {
                // SAFETY: the caller's promise.
                unsafe { dot_body::<E, A, $fma, SCALING>(x, b, factor) }
            }
            $(#[target_feature(enable = $feature)])?
            unsafe fn load<E: Widen<A>, A: Sum>(from: *const u8, step: isize, to: &mut [A]) {
                // SAFETY: the caller's promise.
                unsafe { load_body::<E, A>(from, step, to) }
            }
            Functions { axpy: axpy::<E, A, SCALING>, dot: dot::<E, A, SCALING>, load: load::<E, A> }
        }};
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if IN_ORDER => compiled!(false, "avx512f,avx512bw,avx512vl,avx512dq"),
        _ if IN_ORDER => compiled!(false),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => compiled!(true, "avx512f,avx512bw,avx512vl,avx512dq,fma"),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => compiled!(true, "avx2,fma"),
        _ => compiled!(false),
    }
}

/// Those for elements that are not scaled.
fn as_f32(isa: Isa, element: ElementType) -> Option<Functions<f32>> {
    Some(match in_bytes(element) {
        ElementType::F32 => functions::<f32, f32, UNSCALED, false>(isa),
        ElementType::BF16 => functions::<bf16, f32, UNSCALED, false>(isa),
        ElementType::F16 => functions::<f16, f32, UNSCALED, false>(isa),
        ElementType::I8 => functions::<i8, f32, UNSCALED, false>(isa),
        ElementType::UI8 => functions::<u8, f32, UNSCALED, false>(isa),
        ElementType::I4 => functions::<Low<4>, f32, UNSCALED, false>(isa),
        _ => return None,
    })
}

/// Those for bytes that are scaled by factors of type `element`.
fn scaling(isa: Isa, weights: ElementType, element: ElementType, in_order: bool) -> Option<Functions<f32>> {
    macro_rules! of {
        ($E:ty) => {
            match element {
                ElementType::F32 if in_order => functions::<$E, f32, AS_F32, true>(isa),
                ElementType::F32 => functions::<$E, f32, AS_F32, false>(isa),
                ElementType::BF16 if !in_order => functions::<$E, f32, AS_BF16, false>(isa),
                _ => return None,
            }
        };
    }
    Some(match in_bytes(weights) {
        ElementType::I8 => of!(i8),
        ElementType::UI8 => of!(u8),
        ElementType::I4 => of!(Low<4>),
        _ => return None,
    })
}

/// Whether there is a kernel for a contraction whose operand of that number is weights times factors along one dimension,
/// and which dimension of the weights that is. `types` are those of the weights, of the other operand and of the factors.
pub fn reads_scaled(module: &Module, node: &Node, operand: usize, types: [&Ty; 3]) -> Option<usize> {
    let [weights, other, factors] = types;
    let in_order = is_in_order(module, node.op);
    let (contracting, other_contracting) = match module.kind(node.op)? {
        OpKind::DotGeneral => {
            let op = DotGeneral::new(module, node.op);
            let numbers = op.dot_dimension_numbers();
            if op.algorithm().is_some() || !numbers.lhs_batching_dimensions.is_empty() {
                return None;
            }
            let [[lhs], [rhs]] = [&numbers.lhs_contracting_dimensions[..], &numbers.rhs_contracting_dimensions[..]]
            else {
                return None;
            };
            if operand == 0 { (*lhs, *rhs) } else { (*rhs, *lhs) }
        }
        _ if operand == 1 => (0, other.shape.len() as i64 - 1),
        _ => return None,
    };
    let [contracting, other_contracting] = [contracting, other_contracting].map(usize::try_from);
    let ([_, _], k) = (&weights.shape[..], *other.shape.get(other_contracting.ok()?)?) else { return None };
    let by_columns = contracting.ok()? == 0;
    let dim = usize::from(by_columns);
    let (m, n) = (other.len().checked_div(k)?, weights.shape[dim]);
    // A product with one column is turned around: weights of many lines are the right operand, or both are alike.
    let is_right = if m == 1 { operand == 1 || n > 1 } else { operand == 1 };
    let is_few = (1..=MAX_ROWS).contains(&m) && n >= MIN_COLUMNS && k >= BUNDLE && is_right;
    let result = node.types[0].element?;
    let is_float = |element| matches!(element, ElementType::F32 | ElementType::BF16 | ElementType::F16);
    let has_functions = scaling(Isa::Baseline, weights.element?, factors.element?, in_order).is_some()
        && as_f32(Isa::Baseline, other.element?).is_some();
    let can = is_few && has_functions && is_float(result) && (by_columns || !in_order);
    can.then_some(dim)
}

fn as_i32(isa: Isa, element: ElementType) -> Option<Functions<Wrapping<i32>>> {
    Some(match in_bytes(element) {
        ElementType::I8 => functions::<i8, _, UNSCALED, false>(isa),
        ElementType::UI8 => functions::<u8, _, UNSCALED, false>(isa),
        ElementType::I4 => functions::<Low<4>, _, UNSCALED, false>(isa),
        ElementType::I32 | ElementType::UI32 => functions::<i32, _, UNSCALED, false>(isa),
        _ => return None,
    })
}

/// A product with few rows.
struct Gemv<A> {
    lhs: Source,
    rhs: Source,
    target: Target,
    k: usize,
    /// Those for elements of the right operand.
    functions: Functions<A>,
    /// Loads elements of the left operand.
    load: Load<A>,
    /// Loads factors.
    load_factors: Load<A>,
    store: Option<Store<A>>,
    /// Whether neighbours in the right operand are columns, not rows.
    is_by_columns: bool,
    /// What is done to results as soon as they are finished.
    after: Option<Box<Loop>>,
}

/// The kernel for a product of one or a few rows with a right operand that is not small; none if it is not that.
pub fn product(isa: Isa, k: usize, lhs: &Source, rhs: &Source, target: &Target) -> Option<Box<dyn Kernel>> {
    let (m, n) = (lhs.side.lines.len(), rhs.side.lines.len());
    if m == 0 || m > MAX_ROWS || n < 2 || k < BUNDLE || lhs.side.runs.len() != 1 || rhs.side.runs.len() != 1 {
        return None;
    }
    // Sums of columns are not made in order.
    let is_by_columns = rhs.side.lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    // Columns of few elements are better off in tiles.
    if !is_by_columns && rhs.side.step != 1 || is_by_columns && n < MIN_COLUMNS {
        return None;
    }
    if lhs.factors.is_some() || target.in_order && (!is_by_columns || rhs.factors.is_none()) {
        return None;
    }
    let of = (lhs.clone(), rhs.clone(), target.clone());
    if matches!(target.element, ElementType::I32 | ElementType::UI32) {
        let (functions, load) = (as_i32(isa, rhs.element)?, as_i32(isa, lhs.element)?.load);
        return Some(Gemv::boxed(of, k, functions, [load; 2], None, is_by_columns));
    }
    let store = match target.element {
        ElementType::F32 => None,
        ElementType::BF16 => Some(narrow::to_bf16(isa)),
        ElementType::F16 => Some(narrow::to_f16(isa)),
        _ => return None,
    };
    let functions = match rhs.factors {
        Some(factors) => scaling(isa, rhs.element, factors.element, target.in_order)?,
        None => as_f32(isa, rhs.element)?,
    };
    let load = as_f32(isa, lhs.element)?.load;
    let load_factors = as_f32(isa, rhs.factors.map_or(ElementType::F32, |factors| factors.element))?.load;
    Some(Gemv::boxed(of, k, functions, [load, load_factors], store, is_by_columns))
}

#[derive(Copy, Clone)]
struct Address(*mut u8);
// SAFETY: threads read operands and write disjoint results.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl<A: Sum> Gemv<A> {
    fn boxed(
        (lhs, rhs, target): (Source, Source, Target),
        k: usize,
        functions: Functions<A>,
        [load, load_factors]: [Load<A>; 2],
        store: Option<Store<A>>,
        is_by_columns: bool,
    ) -> Box<dyn Kernel> {
        let after = None;
        Box::new(Self { lhs, rhs, target, k, functions, load, load_factors, store, is_by_columns, after })
    }

    fn at(&self, memory: &Memory, slot: SlotId) -> Address {
        Address(memory.address(slot))
    }

    /// Some columns of one product of the batch.
    fn columns(
        &self,
        [lhs, rhs, result, memory_factors]: [Address; 4],
        after: Option<&Bound<'_>>,
        batch: usize,
        columns: std::ops::Range<usize>,
    ) {
        let width = |source: &Source| source.element.byte_width() as isize;
        let at = |address: Address, source: &Source, side: &Side, line: usize| {
            let offset = source.batches[batch] + side.lines[line] + side.runs[0].0;
            // SAFETY: lines lie inside the operand.
            unsafe { address.0.cast_const().offset(offset * width(source)) }
        };
        let n = columns.len();
        A::with_scratch(|scratch| {
            let n_factors = if self.rhs.factors.is_some() { n } else { 0 };
            let needed = self.k + n + n_factors;
            if scratch.len() < needed {
                scratch.resize(needed, A::default());
            }
            let (x, rest) = scratch[..needed].split_at_mut(self.k);
            let (y, factors) = rest.split_at_mut(n);
            self.load_factors(memory_factors, columns.start, factors);
            for row in 0..self.lhs.side.lines.len() {
                // SAFETY: a line has k elements, that far apart.
                unsafe { (self.load)(at(lhs, &self.lhs, &self.lhs.side, row), self.lhs.side.step, x) };
                if self.is_by_columns {
                    let first = at(rhs, &self.rhs, &self.rhs.side, columns.start);
                    // SAFETY: columns are neighbours, rows `step` apart.
                    unsafe { self.add_rows(x, y, first, self.rhs.side.step * width(&self.rhs), factors) };
                } else {
                    for (index, (column, y)) in columns.clone().zip(y.iter_mut()).enumerate() {
                        let factor = factors.get(index).copied().unwrap_or_default();
                        // SAFETY: a column has k elements, one after the other.
                        *y = unsafe { (self.functions.dot)(x, at(rhs, &self.rhs, &self.rhs.side, column), factor) };
                    }
                }
                let start = self.target.batches[batch] + self.target.rows[row] + columns.start as isize;
                // SAFETY: the columns lie inside the results.
                unsafe {
                    let to = result.0.offset(start * self.target.element.byte_width() as isize);
                    match self.store {
                        Some(store) => store(y.as_ptr(), to, n),
                        None => std::ptr::copy_nonoverlapping(y.as_ptr(), to.cast::<A>(), n),
                    }
                }
                if let Some(after) = after {
                    after.range(start.unsigned_abs(), start.unsigned_abs() + n);
                }
            }
        });
    }

    /// The factors of some columns.
    fn load_factors(&self, from: Address, column: usize, to: &mut [A]) {
        let Some(factors) = self.rhs.factors else { return };
        let at = (factors.offset + column as isize * factors.step) * factors.element.byte_width() as isize;
        // SAFETY: there is a factor for every column, or one for all.
        unsafe { (self.load_factors)(from.0.cast_const().offset(at), factors.step, to) };
    }

    /// `y = Σ x[k] b[k]` over rows of the right operand.
    ///
    /// # Safety
    /// `first` is the first of `x.len()` rows, `step` bytes apart, of `y.len()` elements.
    unsafe fn add_rows(&self, x: &[A], y: &mut [A], first: *const u8, step: isize, factors: &[A]) {
        y.fill(A::default());
        for (bundle, x) in x.chunks(BUNDLE).enumerate() {
            // Rows that do not exist are the first, times zero, unless that could be NaN: then they are added one by one.
            if let Ok(x) = <&[A; BUNDLE]>::try_from(x) {
                let start = (bundle * BUNDLE) as isize;
                let rows = std::array::from_fn(|row| first.wrapping_offset((start + row as isize) * step));
                // SAFETY: the caller's promise.
                unsafe { (self.functions.axpy)(y, x, rows, factors) };
            } else {
                self.add_rest(x, y, first.wrapping_offset((bundle * BUNDLE) as isize * step), step, factors);
            }
        }
    }

    /// The rows after the last whole bundle.
    fn add_rest(&self, x: &[A], y: &mut [A], first: *const u8, step: isize, factors: &[A]) {
        let width = self.rhs.element.byte_width();
        let mut row = [A::default(); 64];
        for (index, x) in x.iter().enumerate() {
            let at = first.wrapping_offset(index as isize * step);
            for (chunk, y) in y.chunks_mut(row.len()).enumerate() {
                let row = &mut row[..y.len()];
                // SAFETY: the row has as many elements as there are sums.
                unsafe { (self.functions.load)(at.wrapping_add(chunk * 64 * width), 1, row) };
                if let Some(kind) = self.rhs.factors {
                    for (b, factor) in row.iter_mut().zip(&factors[chunk * 64..]) {
                        *b = match kind.element {
                            ElementType::BF16 => b.scaled::<AS_BF16>(*factor),
                            _ => b.scaled::<AS_F32>(*factor),
                        };
                    }
                }
                y.iter_mut().zip(row).for_each(|(y, b)| *y += *x * *b);
            }
        }
    }
}

impl<A: Sum> Kernel for Gemv<A> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let addresses = [
            self.lhs.slot,
            self.rhs.slot,
            self.target.slot,
            self.rhs.factors.map_or(self.rhs.slot, |factors| factors.slot),
        ]
        .map(|slot| self.at(memory, slot));
        let (n_batches, n) = (self.target.batches.len(), self.rhs.side.lines.len());
        let after = self.after.as_ref().map(|after| after.bind(|slot| memory.address(slot)));
        let after = after.as_ref();
        if n_batches >= 2 * pool.n_threads() {
            let grain = GRAIN / (self.k * n).max(1) + 1;
            pool.split(n_batches, grain, &|batches| {
                batches.for_each(|batch| self.columns(addresses, after, batch, 0..n));
            });
            return;
        }
        /// Columns that a thread works on begin at multiples of this, a cache line or two.
        const STEP: usize = 64;
        let grain = (GRAIN / self.k / STEP).max(1);
        for batch in 0..n_batches {
            pool.split(n.div_ceil(STEP), grain, &|columns| {
                self.columns(addresses, after, batch, columns.start * STEP..(columns.end * STEP).min(n));
            });
        }
    }

    fn finishes(&self) -> Option<SlotId> {
        self.after.is_none().then_some(self.target.slot)
    }

    fn followed_by(&mut self, after: &Loop, to: SlotId) -> bool {
        self.after = Some(Box::new(after.clone()));
        self.target.slot = to;
        true
    }

    fn describe(&self) -> String {
        let (b, m, n) = (self.target.batches.len(), self.lhs.side.lines.len(), self.rhs.side.lines.len());
        let how = if self.is_by_columns { "rows added" } else { "columns summed" };
        format!("product of few rows {b}x{m}x{}x{n}, {how}{}", self.k, then(&self.after))
    }
}

impl<A: Sum> fmt::Debug for Gemv<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe())
    }
}
