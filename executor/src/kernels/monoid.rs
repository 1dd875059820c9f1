//! Folding with the bodies that programs are full of: sums, products, extremes, AND and OR.
//!
//! A [`Folder`] is a body for one element type and instruction set: loops that fold rows or columns of elements into
//! accumulators. Sums and products of 16-bit floats are accumulated in `f32` and rounded once. The order in which elements
//! meet depends on the loop alone, not on the instruction set.

use interpreter::element::{Element, ElementType, Exact, bf16, f16};
use interpreter::{dispatch_bits, dispatch_element};
use smallvec::SmallVec;
use stablehlo::ir::Literal;
use stablehlo::ops::OpKind;

use super::isa::Isa;
use super::monoids::*;
use crate::graph::{BodyId, Graph, NodeKind, Val};

/// A body of one op that commutes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Sum; OR of booleans.
    Add,
    /// Product; AND of booleans.
    Multiply,
    /// The larger.
    Maximum,
    /// The smaller.
    Minimum,
    /// Bitwise AND.
    And,
    /// Bitwise OR.
    Or,
}

/// Accumulators that a row of elements is folded into side by side, and windows that are folded at once.
pub const LANES: usize = 64;

/// Folds rows: `acc[r] = acc[r] ∘ row[0] ∘ row[1] …` for `rows` rows of `n ≥ 1` elements, `stride` bytes apart; the
/// accumulators hold nothing yet when `first`.
///
/// # Safety
/// The rows are readable, and there are `rows` accumulators.
pub type RowsFn = unsafe fn(acc: *mut u8, first: bool, from: *const u8, n: usize, rows: usize, stride: isize);
/// Folds columns: `acc[i] = acc[i] ∘ row[i]` for `rows ≥ 1` rows of `n` elements, `stride` bytes apart.
///
/// # Safety
/// The rows are readable, and there are `n` accumulators.
pub type ColsFn = RowsFn;
/// `acc[i] = acc[i] ∘ other[i]`.
///
/// # Safety
/// Both are `n` accumulators.
pub type MergeFn = unsafe fn(acc: *mut u8, other: *const u8, n: usize);
/// `out[i · stride] = init ∘ acc[i]`, `stride` in elements.
///
/// # Safety
/// There are `n` accumulators, the places of `out` are writable, `init` is an element.
pub type FinishFn = unsafe fn(out: *mut u8, stride: isize, init: *const u8, acc: *const u8, n: usize);

/// Windows side by side: `out[i] = init ∘ from[i] ∘ from[i] …`, from the elements that begin `places` bytes after `from`.
///
/// # Safety
/// All of them are readable and the results writable for `n` elements.
pub type WindowsFn = unsafe fn(out: *mut u8, init: *const u8, from: *const u8, places: &[isize], n: usize);

/// Running folds: `out[i] = acc ∘ from[0] ∘ … ∘ from[i]` for [`SCANS`] lines or fewer side by side; the accumulators are the
/// initial value when it is the `first` part of the lines, and are left for the next.
///
/// # Safety
/// The elements of all lines are readable and writable, and there are [`SCANS`] accumulators.
pub type ScanFn = unsafe fn(Scan);

/// Lines that are scanned side by side at most.
pub const SCANS: usize = 16;

/// Lines for a [`ScanFn`].
#[derive(Copy, Clone)]
pub struct Scan {
    /// The first element of the first line.
    pub from: *const u8,
    /// The first result.
    pub out: *mut u8,
    /// The initial value.
    pub init: *const u8,
    /// The accumulators, and whether they are to be the initial value.
    pub acc: *mut u8,
    /// See above.
    pub first: bool,
    /// Elements of a line.
    pub n: usize,
    /// Lines.
    pub lines: usize,
    /// Distance of a line's elements in bytes.
    pub step: isize,
    /// Distance of the lines in bytes.
    pub apart: isize,
}

/// Where the operand of a fold, its initial value and its results stand, for threads.
#[derive(Copy, Clone)]
pub struct Places {
    /// The operand's first element.
    pub from: *const u8,
    /// The initial value.
    pub init: *const u8,
    /// The results.
    pub out: *mut u8,
}

// SAFETY: who makes one sees to it that threads write results of their own.
unsafe impl Send for Places {}
// SAFETY: as above.
unsafe impl Sync for Places {}

/// Loops for one body, element type and instruction set.
#[derive(Copy, Clone, Debug)]
pub struct Folder {
    /// The body.
    pub op: Op,
    /// The type of the elements.
    pub element: ElementType,
    /// Bytes of an accumulator.
    pub acc_width: usize,
    /// Rows into one accumulator each.
    pub rows: RowsFn,
    /// Columns into one accumulator each.
    pub cols: ColsFn,
    /// Accumulators into accumulators.
    pub merge: MergeFn,
    /// Accumulators to elements.
    pub finish: FinishFn,
    /// Running folds.
    pub scan: ScanFn,
    /// Windows side by side, for what pooling is made of.
    pub windows: Option<WindowsFn>,
}

/// # Safety
/// `at` is readable for an element.
#[inline(always)]
unsafe fn load<M: Monoid>(at: *const u8) -> M::Acc {
    // SAFETY: the caller's promise.
    M::lift(M::T::read_le(unsafe { std::slice::from_raw_parts(at, M::T::WIDTH) }))
}

#[inline(always)]
unsafe fn row<M: Monoid>(from: *const u8, n: usize) -> M::Acc {
    let width = M::T::WIDTH;
    // SAFETY: elements below n, the caller's promise.
    let at = |index: usize| unsafe { load::<M>(from.add(index * width)) };
    if n < 2 * LANES {
        let mut acc = at(0);
        for index in 1..n {
            acc = M::combine(acc, at(index));
        }
        return acc;
    }
    let mut lanes: [M::Acc; LANES] = std::array::from_fn(at);
    let mut index = LANES;
    while index + LANES <= n {
        for (lane, acc) in lanes.iter_mut().enumerate() {
            *acc = M::combine(*acc, at(index + lane));
        }
        index += LANES;
    }
    let mut half = LANES / 2;
    while half > 0 {
        for lane in 0..half {
            lanes[lane] = M::combine(lanes[lane], lanes[lane + half]);
        }
        half /= 2;
    }
    let mut acc = lanes[0];
    for index in index..n {
        acc = M::combine(acc, at(index));
    }
    acc
}

#[inline(always)]
unsafe fn rows<M: Monoid>(acc: *mut u8, first: bool, from: *const u8, n: usize, rows: usize, stride: isize) {
    let acc = acc.cast::<M::Acc>();
    for index in 0..rows {
        // SAFETY: the promise of `RowsFn`.
        unsafe {
            let value = row::<M>(from.offset(index as isize * stride), n);
            let acc = acc.add(index);
            acc.write(if first { value } else { M::combine(acc.read(), value) });
        }
    }
}

#[inline(always)]
unsafe fn cols<M: Monoid>(acc: *mut u8, first: bool, from: *const u8, n: usize, rows: usize, stride: isize) {
    let (acc, width) = (acc.cast::<M::Acc>(), M::T::WIDTH);
    // SAFETY: the promise of `ColsFn`.
    let at = |row: usize, index: usize| unsafe { load::<M>(from.offset(row as isize * stride).add(index * width)) };
    let mut row = 0;
    if first {
        row = rows.min(3);
        for index in 0..n {
            let value = match row {
                1 => at(0, index),
                2 => M::combine(at(0, index), at(1, index)),
                _ => M::combine(M::combine(at(0, index), at(1, index)), at(2, index)),
            };
            // SAFETY: as above.
            unsafe { acc.add(index).write(value) };
        }
    }
    while row + 4 <= rows {
        for index in 0..n {
            let pair = M::combine(at(row, index), at(row + 1, index));
            let other = M::combine(at(row + 2, index), at(row + 3, index));
            // SAFETY: as above.
            unsafe { acc.add(index).write(M::combine(acc.add(index).read(), M::combine(pair, other))) };
        }
        row += 4;
    }
    while row < rows {
        for index in 0..n {
            // SAFETY: as above.
            unsafe { acc.add(index).write(M::combine(acc.add(index).read(), at(row, index))) };
        }
        row += 1;
    }
}

unsafe fn merge<M: Monoid>(acc: *mut u8, other: *const u8, n: usize) {
    let (acc, other) = (acc.cast::<M::Acc>(), other.cast::<M::Acc>());
    for index in 0..n {
        // SAFETY: the promise of `MergeFn`.
        unsafe { acc.add(index).write(M::combine(acc.add(index).read(), other.add(index).read())) };
    }
}

#[inline(always)]
unsafe fn finish<M: Monoid>(out: *mut u8, stride: isize, init: *const u8, acc: *const u8, n: usize) {
    let (acc, width) = (acc.cast::<M::Acc>(), M::T::WIDTH);
    // SAFETY: the promise of `FinishFn`.
    unsafe {
        let init = load::<M>(init);
        if stride == 1 {
            for index in 0..n {
                let value = M::lower(M::combine(init, acc.add(index).read()));
                value.write_le(std::slice::from_raw_parts_mut(out.add(index * width), width));
            }
            return;
        }
        for index in 0..n {
            let value = M::lower(M::combine(init, acc.add(index).read()));
            let at = out.offset(index as isize * stride * width as isize);
            value.write_le(std::slice::from_raw_parts_mut(at, width));
        }
    }
}

#[inline(always)]
unsafe fn windows<M: Monoid>(out: *mut u8, init: *const u8, from: *const u8, places: &[isize], n: usize) {
    /// `N` windows, whose accumulators are registers.
    #[inline(always)]
    unsafe fn some<M: Monoid, const N: usize>(out: *mut u8, init: M::Acc, from: *const u8, places: &[isize]) {
        let width = M::T::WIDTH;
        let mut lanes = [init; N];
        for place in places {
            for (lane, acc) in lanes.iter_mut().enumerate() {
                // SAFETY: the promise of `WindowsFn`.
                *acc = M::combine(*acc, unsafe { load::<M>(from.offset(*place).add(lane * width)) });
            }
        }
        for (lane, acc) in lanes.iter().enumerate() {
            // SAFETY: as above.
            M::lower(*acc).write_le(unsafe { std::slice::from_raw_parts_mut(out.add(lane * width), width) });
        }
    }
    let mut at = 0;
    // SAFETY: as above.
    unsafe {
        let init = load::<M>(init);
        while at < n {
            // The last few once more with some before them, rather than one by one.
            if n >= LANES && n - at < LANES {
                at = n - LANES;
            }
            let (out, from) = (out.add(at * M::T::WIDTH), from.wrapping_add(at * M::T::WIDTH));
            // Fewer at once the compiler would unroll before it looks for vectors.
            if n - at >= LANES {
                some::<M, LANES>(out, init, from, places);
                at += LANES;
            } else {
                some::<M, 1>(out, init, from, places);
                at += 1;
            }
        }
    }
}

/// What an element of the type can be of it: a running fold goes on from the results that it gives.
#[inline(always)]
fn rounded<M: Monoid>(acc: M::Acc) -> M::Acc {
    M::lift(M::lower(acc))
}

#[inline(always)]
unsafe fn scan<M: Monoid>(scan: Scan) {
    let width = M::T::WIDTH;
    // SAFETY: the promise of `ScanFn`.
    unsafe {
        let state = scan.acc.cast::<[M::Acc; SCANS]>();
        let mut acc = if scan.first { [load::<M>(scan.init); SCANS] } else { state.read_unaligned() };
        let (mut from, mut out) = (scan.from, scan.out);
        for _ in 0..scan.n {
            if scan.lines == SCANS && scan.apart == width as isize {
                for (line, acc) in acc.iter_mut().enumerate() {
                    *acc = rounded::<M>(M::combine(*acc, load::<M>(from.add(line * width))));
                }
                for (line, acc) in acc.iter().enumerate() {
                    M::lower(*acc).write_le(std::slice::from_raw_parts_mut(out.add(line * width), width));
                }
            } else {
                for (line, acc) in acc[..scan.lines].iter_mut().enumerate() {
                    let at = line as isize * scan.apart;
                    *acc = rounded::<M>(M::combine(*acc, load::<M>(from.offset(at))));
                    M::lower(*acc).write_le(std::slice::from_raw_parts_mut(out.offset(at), width));
                }
            }
            from = from.wrapping_offset(scan.step);
            out = out.wrapping_offset(scan.step);
        }
        state.write_unaligned(acc);
    }
}

macro_rules! for_each_isa {
    ($name:ident, $baseline:ident, $avx2:ident, $avx512:ident, ($($arg:ident: $ty:ty),*)) => {
        unsafe fn $baseline<M: Monoid>($($arg: $ty),*) {
            // SAFETY: the caller's promise.
            unsafe { $name::<M>($($arg),*) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx2<M: Monoid>($($arg: $ty),*) {
            // SAFETY: the caller's promise.
            unsafe { $name::<M>($($arg),*) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx512<M: Monoid>($($arg: $ty),*) {
            // SAFETY: the caller's promise.
            unsafe { $name::<M>($($arg),*) }
        }
    };
}
for_each_isa!(rows, rows_baseline, rows_avx2, rows_avx512, (a: *mut u8, f: bool, p: *const u8, n: usize, r: usize, s: isize));
for_each_isa!(cols, cols_baseline, cols_avx2, cols_avx512, (a: *mut u8, f: bool, p: *const u8, n: usize, r: usize, s: isize));
for_each_isa!(finish, finish_baseline, finish_avx2, finish_avx512, (o: *mut u8, s: isize, i: *const u8, a: *const u8, n: usize));
for_each_isa!(windows, windows_baseline, windows_avx2, windows_avx512, (o: *mut u8, i: *const u8, p: *const u8, a: &[isize], n: usize));
for_each_isa!(scan, scan_baseline, scan_avx2, scan_avx512, (s: Scan));

fn folder<M: Monoid>(isa: Isa, op: Op) -> Folder {
    let this = rare::<M>(op);
    // A plan for an instruction set is made only where the machine has it.
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => Folder {
            rows: rows_avx512::<M>,
            cols: cols_avx512::<M>,
            finish: finish_avx512::<M>,
            scan: scan_avx512::<M>,
            ..this
        },
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => Folder {
            rows: rows_avx2::<M>,
            cols: cols_avx2::<M>,
            finish: finish_avx2::<M>,
            scan: scan_avx2::<M>,
            ..this
        },
        _ => this,
    }
}

fn rare<M: Monoid>(op: Op) -> Folder {
    Folder {
        op,
        element: M::T::TYPE,
        acc_width: size_of::<M::Acc>(),
        rows: rows_baseline::<M>,
        cols: cols_baseline::<M>,
        merge: merge::<M>,
        finish: finish_baseline::<M>,
        scan: scan_baseline::<M>,
        windows: None,
    }
}

/// A body that pools: its windows have a loop.
fn pooling<M: Monoid>(isa: Isa, op: Op) -> Folder {
    let windows = match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => windows_avx512::<M>,
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => windows_avx2::<M>,
        _ => windows_baseline::<M>,
    };
    Folder { windows: Some(windows), ..folder::<M>(isa, op) }
}

impl Folder {
    /// The loops for a body on elements of a type; none where the body is not defined.
    pub fn new(isa: Isa, op: Op, element: ElementType) -> Option<Self> {
        macro_rules! of {
            ($ops:ident) => {
                match element {
                    ElementType::F32 => folder::<of!(@ $ops wide f32)>(isa, op),
                    ElementType::F64 => folder::<of!(@ $ops wide f64)>(isa, op),
                    ElementType::BF16 => folder::<of!(@ $ops wide bf16)>(isa, op),
                    ElementType::F16 => folder::<of!(@ $ops wide f16)>(isa, op),
                    ElementType::I8 => folder::<of!(@ $ops plain i8)>(isa, op),
                    ElementType::I32 => folder::<of!(@ $ops plain i32)>(isa, op),
                    ElementType::I64 => folder::<of!(@ $ops plain i64)>(isa, op),
                    ElementType::UI8 => folder::<of!(@ $ops plain u8)>(isa, op),
                    ElementType::UI32 => folder::<of!(@ $ops plain u32)>(isa, op),
                    ElementType::I1 => folder::<of!(@ $ops plain bool)>(isa, op),
                    element => dispatch_element!(element, T => rare::<of!(@ $ops plain T)>(op)),
                }
            };
            (@ add wide $T:ty) => { WideSum<$T> };
            (@ add plain $T:ty) => { Sum<$T> };
            (@ multiply wide $T:ty) => { WideProduct<$T> };
            (@ multiply plain $T:ty) => { Product<$T> };
            (@ maximum wide $T:ty) => { WideLarger<$T> };
            (@ maximum plain $T:ty) => { Larger<$T> };
            (@ minimum wide $T:ty) => { WideSmaller<$T> };
            (@ minimum plain $T:ty) => { Smaller<$T> };
        }
        let folder = match op {
            Op::Add if element == ElementType::F32 => pooling::<WideSum<f32>>(isa, op),
            Op::Add if element == ElementType::BF16 => pooling::<WideSum<bf16>>(isa, op),
            Op::Maximum if element == ElementType::F32 => pooling::<WideLarger<f32>>(isa, op),
            Op::Maximum if element == ElementType::BF16 => pooling::<WideLarger<bf16>>(isa, op),
            Op::Add if element == ElementType::F16 => pooling::<WideSum<f16>>(isa, op),
            Op::Maximum if element == ElementType::F16 => pooling::<WideLarger<f16>>(isa, op),
            Op::Maximum if element == ElementType::I8 => pooling::<Larger<i8>>(isa, op),
            Op::Add => of!(add),
            Op::Multiply => of!(multiply),
            Op::Maximum => of!(maximum),
            Op::Minimum => of!(minimum),
            Op::And => match element {
                ElementType::I1 => folder::<BitAnd<bool>>(isa, op),
                ElementType::I32 => folder::<BitAnd<i32>>(isa, op),
                ElementType::UI32 => folder::<BitAnd<u32>>(isa, op),
                element => dispatch_bits!(element, T => rare::<BitAnd<T>>(op))?,
            },
            Op::Or => match element {
                ElementType::I1 => folder::<BitOr<bool>>(isa, op),
                ElementType::I32 => folder::<BitOr<i32>>(isa, op),
                ElementType::UI32 => folder::<BitOr<u32>>(isa, op),
                element => dispatch_bits!(element, T => rare::<BitOr<T>>(op))?,
            },
        };
        Some(folder)
    }

    /// Whether the order of the elements may be another one: sums of numbers of few bits are not near each other.
    pub fn is_free(&self) -> bool {
        let is_rounded = self.element.is_float() && self.element.bits() < 16;
        !is_rounded || !matches!(self.op, Op::Add | Op::Multiply)
    }

    /// Whether folding an element with `init` never changes it. Sound, not complete.
    pub fn is_neutral(&self, init: &Literal) -> bool {
        fn neutral<T: Element>(op: Op, init: &[u8]) -> bool {
            let init = T::read_le(init);
            let exact = init.to_exact();
            let is_end = |larger: bool| match exact {
                Exact::Float(value) => value == if larger { f64::NEG_INFINITY } else { f64::INFINITY },
                Exact::Integer(value) => {
                    let (least, most) = integer_ends(T::TYPE);
                    value == if larger { least } else { most }
                }
                Exact::Complex(..) => false,
            };
            match op {
                Op::Add | Op::Or => exact == T::zero().to_exact(),
                Op::Multiply => exact == T::one().to_exact(),
                Op::Maximum => is_end(true),
                Op::Minimum => is_end(false),
                Op::And => false,
            }
        }
        dispatch_element!(self.element, T => neutral::<T>(self.op, init.data()))
    }
}

/// The smallest and the largest value of a boolean or integer type.
pub fn integer_ends(element: ElementType) -> (i128, i128) {
    match (element.bits(), element.is_signed()) {
        (1, _) => (0, 1),
        (bits, true) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        (bits, false) => (0, (1i128 << bits) - 1),
    }
}

/// The op that a body on `element` is, if it is one that commutes on its two arguments.
pub fn recognise(graph: &Graph<'_>, body: BodyId, element: ElementType) -> Option<Op> {
    let body = &graph.bodies[body];
    let [node] = &body.nodes[..] else { return None };
    if body.results[..] != [Val::Node(0, 0)] || body.params.len() != 2 {
        return None;
    }
    let is_plain = |ty: &crate::graph::Ty| ty.element == Some(element) && graph.module.quantized(ty.ty).is_none();
    if !body.params.iter().chain(&node.types).all(is_plain) {
        return None;
    }
    let operands: SmallVec<[Val; 2]> = node.operands.iter().copied().collect();
    let (a, b) = (Val::Param(0), Val::Param(1));
    if operands[..] != [a, b] && operands[..] != [b, a] {
        return None;
    }
    let NodeKind::Op(kind) = node.kind else { return None };
    Some(match kind {
        OpKind::Add => Op::Add,
        OpKind::Multiply => Op::Multiply,
        OpKind::Maximum => Op::Maximum,
        OpKind::Minimum => Op::Minimum,
        OpKind::And => Op::And,
        OpKind::Or => Op::Or,
        _ => return None,
    })
}
