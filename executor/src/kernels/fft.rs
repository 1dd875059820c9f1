//! `fft` by the rustfft library: lines of the last dimension where they stand, of other dimensions some columns at a time.
//!
//! Real signals of even length are transformed as complex ones of half the length.

use std::f64::consts::TAU;
use std::fmt::Debug;
use std::sync::Arc;

use rustfft::num_complex::Complex;
use rustfft::{Fft as Transform, FftNum, FftPlanner};
use stablehlo::element::ElementType;
use stablehlo::ir::FftType;
use stablehlo::ops::stablehlo::fft::Fft as Op;

use super::isa::Isa;
use super::memory::{Memory, SlotId};
use super::pool::Pool;
use super::strided_copy::{Address, StridedCopy};
use super::{Kernel, Planned};
use crate::graph::{Dims, Node, Val};
use crate::plan::BodyLowering;

/// Columns that are transformed together: a cache line of the smaller type.
const COLUMNS: usize = 8;
/// Elements that are worth a thread.
const GRAIN: usize = 1 << 12;

/// The kernel of an `fft`.
pub fn plan(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    match (cx.ty(node.operands[0]).element?, node.types[0].element?) {
        (ElementType::F32 | ElementType::ComplexF32, ElementType::F32 | ElementType::ComplexF32) => {
            typed::<f32>(cx, index, node)
        }
        (ElementType::F64 | ElementType::ComplexF64, ElementType::F64 | ElementType::ComplexF64) => {
            typed::<f64>(cx, index, node)
        }
        _ => None,
    }
}

fn typed<T: Number>(cx: &mut BodyLowering<'_, '_, '_>, index: u32, node: &Node) -> Option<Planned> {
    let op = Op::new(cx.graph().module, node.op);
    let kind = op.fft_type();
    let rank = op.fft_length().len();
    let (operand, ty) = (cx.ty(node.operands[0]), &node.types[0]);
    if operand.is_empty() || ty.is_empty() {
        return None;
    }
    let isa = cx.isa();
    let inverse = matches!(kind, FftType::Ifft | FftType::Irfft);
    // Sizes of the spectrum.
    let shape: Dims = if kind == FftType::Irfft { operand.shape.clone() } else { ty.shape.clone() };
    let last = shape.len().checked_sub(1)?;
    let first = shape.len().checked_sub(rank)?;
    let real_length = match kind {
        FftType::Rfft => *operand.shape.last()?,
        FftType::Irfft => *ty.shape.last()?,
        _ => shape[last],
    };
    if usize::try_from(*op.fft_length().last()?).ok()? != real_length {
        return None;
    }
    let mut planner = FftPlanner::<T>::new();
    let mut lines = |n: usize| match inverse {
        true => planner.plan_fft_inverse(n),
        false => planner.plan_fft_forward(n),
    };
    let line = match kind {
        FftType::Fft | FftType::Ifft => Line::Complex(lines(real_length)),
        kind => {
            let is_even = real_length.is_multiple_of(2);
            let half = if is_even { real_length / 2 } else { real_length };
            let roots = (0..if is_even { half + 1 } else { 0 }).map(|k| {
                let (sin, cos) = (-TAU * (k as f64 / real_length as f64)).sin_cos();
                match inverse {
                    true => Complex::new(T::of(cos), T::of(sin)),
                    false => Complex::new(T::of(0.5 * sin), T::of(-0.5 * cos)),
                }
            });
            let halved = Halved { n: real_length, roots: roots.collect(), fft: lines(half), isa };
            if kind == FftType::Rfft { Line::Rfft(halved) } else { Line::Irfft(halved) }
        }
    };
    let along = (first..last).rev().filter(|dim| shape[*dim] > 1).map(|dim| {
        let inner = shape[dim + 1..].iter().product();
        Along {
            n: shape[dim],
            inner,
            copies: copies(shape[dim], inner, size_of::<Complex<T>>(), isa),
            fft: lines(shape[dim]),
        }
    });
    let along: Vec<Along<T>> = along.collect();
    let n_scaled: usize = shape[first..last].iter().product::<usize>() * real_length;
    let scale = if inverse { T::of(1.0 / n_scaled as f64) } else { T::of(1.0) };
    let from = cx.dense(node.operands[0]);
    // An inverse real transform of several dimensions has a spectrum of its own to work on.
    let work = (kind == FftType::Irfft && !along.is_empty()).then(|| cx.scratch(operand.bytes()));
    let to = cx.output(Val::Node(index, 0));
    let n_lines = shape[..last].iter().product();
    let writes = [to].into_iter().chain(work).collect();
    let kernel = Fft { line, along, n_lines, spectrum: shape[last], scale, inverse, isa, from, work, to };
    Some((Box::new(kernel), vec![from], writes))
}

/// Copies of up to [`COLUMNS`] columns to lines, by their number less one, and back.
fn copies(n: usize, inner: usize, width: usize, isa: Isa) -> Vec<[StridedCopy; 2]> {
    let copy = |columns: usize| {
        let (across, straight) = ([1, inner as isize], [n as isize, 1]);
        // In the order of what is written.
        [
            StridedCopy::new(&[columns, n], &across, &straight, width, isa),
            StridedCopy::new(&[n, columns], &[1, n as isize], &[inner as isize, 1], width, isa),
        ]
    };
    (1..=COLUMNS.min(inner)).map(copy).collect()
}

/// The numbers that transforms are computed in.
trait Number: FftNum {
    fn of(value: f64) -> Self;

    /// Whether there are functions in vectors for these instructions.
    fn has_lanes(_isa: Isa) -> bool {
        false
    }

    /// See [`fft_lanes::halves`](super::fft_lanes::halves): what there is no function for is left.
    fn halves(_work: &[Complex<Self>], _out: &mut [Complex<Self>], _roots: &[Complex<Self>]) -> usize {
        1
    }

    /// Copies [`COLUMNS`] columns of `n` rows to lines that are `stride` apart, or back.
    ///
    /// # Safety
    /// There are such functions; the columns and lines exist, and `n` is a multiple of the columns.
    unsafe fn copy_columns(
        _columns: *mut Complex<Self>,
        _inner: usize,
        _lines: *mut Complex<Self>,
        _stride: usize,
        _n: usize,
        _back: bool,
    ) {
    }
}

impl Number for f32 {
    fn of(value: f64) -> Self {
        value as f32
    }

    #[cfg(target_arch = "x86_64")]
    fn has_lanes(isa: Isa) -> bool {
        isa == Isa::Avx512
    }

    #[cfg(target_arch = "x86_64")]
    fn halves(work: &[Complex<Self>], out: &mut [Complex<Self>], roots: &[Complex<Self>]) -> usize {
        assert!(out.len() > work.len() && roots.len() > work.len(), "a spectrum has both ends");
        // SAFETY: the sizes are right, and plans are made for instructions that are there.
        unsafe { super::fft_lanes::halves(work, out, roots) }
    }

    #[cfg(target_arch = "x86_64")]
    unsafe fn copy_columns(
        columns: *mut Complex<Self>,
        inner: usize,
        lines: *mut Complex<Self>,
        stride: usize,
        n: usize,
        back: bool,
    ) {
        let (columns, lines) = (columns.cast::<u64>(), lines.cast::<u64>());
        // SAFETY: the caller's promise.
        unsafe {
            match back {
                false => super::fft_lanes::gather(columns, inner, lines, stride, n),
                true => super::fft_lanes::scatter(lines, stride, columns, inner, n),
            }
        }
    }
}

impl Number for f64 {
    fn of(value: f64) -> Self {
        value
    }
}

/// What happens to the lines of the last dimension.
enum Line<T: Number> {
    Complex(Arc<dyn Transform<T>>),
    Rfft(Halved<T>),
    Irfft(Halved<T>),
}

/// A transform of a real signal.
struct Halved<T: Number> {
    n: usize,
    /// e^(−2πi k/n) for k up to n/2, for the way forward times −i/2; empty for odd sizes, which are transformed as they are.
    roots: Vec<Complex<T>>,
    fft: Arc<dyn Transform<T>>,
    isa: Isa,
}

/// Transforms along another dimension.
struct Along<T: Number> {
    n: usize,
    inner: usize,
    copies: Vec<[StridedCopy; 2]>,
    fft: Arc<dyn Transform<T>>,
}

struct Fft<T: Number> {
    line: Line<T>,
    along: Vec<Along<T>>,
    n_lines: usize,
    /// Size of the last dimension of the spectrum.
    spectrum: usize,
    scale: T,
    inverse: bool,
    isa: Isa,
    from: SlotId,
    work: Option<SlotId>,
    to: SlotId,
}

impl<T: Number> Debug for Fft<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe())
    }
}

impl<T: Number> Halved<T> {
    /// The first half of the spectrum of a real line.
    fn forward(&self, line: &[T], out: &mut [Complex<T>], work: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        let zero = T::zero();
        if self.roots.is_empty() {
            for (work, x) in work.iter_mut().zip(line) {
                *work = Complex::new(*x, zero);
            }
            self.fft.process_with_scratch(&mut work[..self.n], scratch);
            out.copy_from_slice(&work[..out.len()]);
            return;
        }
        let half = self.n / 2;
        let work = &mut work[..half];
        // SAFETY: a complex number is two real ones, and there are twice as many.
        let pairs = unsafe { std::slice::from_raw_parts(line.as_ptr().cast::<Complex<T>>(), half) };
        self.fft.process_immutable_with_scratch(pairs, work, scratch);
        // Elements k and half − k belong together: a and b are the spectra of the even elements plus or minus i times that
        // of the odd ones.
        let first = if T::has_lanes(self.isa) { T::halves(work, out, &self.roots) } else { 1 };
        for k in first..=half / 2 {
            let (a, b) = (work[k], work[half - k].conj());
            let (even, turned) = ((a + b).scale(T::of(0.5)), (a - b) * self.roots[k]);
            out[half - k] = (even - turned).conj();
            out[k] = even + turned;
        }
        out[0] = Complex::new(work[0].re + work[0].im, zero);
        out[half] = Complex::new(work[0].re - work[0].im, zero);
    }

    /// A real line from the first half of its spectrum, not yet divided.
    fn backward(
        &self,
        line: &[Complex<T>],
        out: &mut [T],
        work: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
        scale: T,
    ) {
        let zero = T::zero();
        let last = line.len() - 1;
        // The imaginary parts of what is its own mirror image do not matter.
        let at = |k: usize| {
            let is_real = k == 0 || 2 * k == self.n;
            if is_real { Complex::new(line[k].re, zero) } else { line[k] }
        };
        if self.roots.is_empty() {
            for (k, work) in work[..self.n].iter_mut().enumerate() {
                *work = if k <= last { at(k) } else { at(self.n - k).conj() };
            }
            self.fft.process_with_scratch(&mut work[..self.n], scratch);
            for (out, x) in out.iter_mut().zip(&*work) {
                *out = x.re * scale;
            }
            return;
        }
        let half = self.n / 2;
        for (k, work) in work[..half].iter_mut().enumerate() {
            let (a, b) = (at(k), at(half - k).conj());
            let odd = (a - b) * self.roots[k].conj();
            *work = (a + b) + Complex::new(-odd.im, odd.re);
        }
        self.fft.process_with_scratch(&mut work[..half], scratch);
        for (out, x) in out.chunks_exact_mut(2).zip(&*work) {
            (out[0], out[1]) = (x.re * scale, x.im * scale);
        }
    }
}

/// A buffer of this thread for each call; lines are long compared with the call.
fn zeros<T: Number>(n: usize) -> Vec<Complex<T>> {
    vec![Complex::new(T::zero(), T::zero()); n]
}

impl<T: Number> Fft<T> {
    /// Transforms the lines of the last dimension.
    fn lines(&self, from: Address, to: Address, pool: &Pool) {
        let spectrum = self.spectrum;
        let grain = (GRAIN / spectrum).max(1);
        pool.split(self.n_lines, grain, &|range| {
            let (from, to) = ({ from }, { to });
            // SAFETY: lines lie inside the slots, which are aligned for their elements; threads have disjoint lines.
            unsafe {
                let complex = |at: Address, line: usize| {
                    std::slice::from_raw_parts_mut(at.0.cast::<Complex<T>>().add(line * spectrum), spectrum)
                };
                let real = |at: Address, line: usize, n: usize| {
                    std::slice::from_raw_parts_mut(at.0.cast::<T>().add(line * n), n)
                };
                match &self.line {
                    Line::Complex(fft) => {
                        let mut scratch = zeros(fft.get_inplace_scratch_len());
                        for line in range {
                            let out = complex(to, line);
                            out.copy_from_slice(complex(from, line));
                            fft.process_with_scratch(out, &mut scratch);
                            self.scaled(out);
                        }
                    }
                    Line::Rfft(halved) => {
                        let mut work = zeros(halved.n);
                        let fft = &halved.fft;
                        let mut scratch = zeros(fft.get_inplace_scratch_len().max(fft.get_immutable_scratch_len()));
                        for line in range {
                            halved.forward(real(from, line, halved.n), complex(to, line), &mut work, &mut scratch);
                        }
                    }
                    Line::Irfft(halved) => {
                        let mut work = zeros(halved.n);
                        let mut scratch = zeros(halved.fft.get_inplace_scratch_len());
                        for line in range {
                            let out = real(to, line, halved.n);
                            halved.backward(complex(from, line), out, &mut work, &mut scratch, self.scale);
                        }
                    }
                }
            }
        });
    }

    fn scaled(&self, line: &mut [Complex<T>]) {
        if self.inverse {
            line.iter_mut().for_each(|x| *x = x.scale(self.scale));
        }
    }

    /// Transforms the lines of another dimension in place.
    fn columns(&self, along: &Along<T>, at: Address, n_elements: usize, pool: &Pool) {
        let outer = n_elements / (along.n * along.inner);
        let n_groups = along.inner.div_ceil(COLUMNS);
        let grain = (GRAIN / (along.n * COLUMNS)).max(1);
        pool.split(outer * n_groups, grain, &|range| {
            let at = { at };
            // Lines do not begin at the same place of a page, lest they compete for places in the cache.
            let stride = along.n + COLUMNS;
            let mut lines = zeros(stride * COLUMNS);
            let has_lanes = T::has_lanes(self.isa) && along.n.is_multiple_of(COLUMNS);
            let mut scratch = zeros(along.fft.get_inplace_scratch_len());
            for group in range {
                let first = group % n_groups * COLUMNS;
                let n = COLUMNS.min(along.inner - first);
                let [gather, scatter] = &along.copies[n - 1];
                // SAFETY: the columns lie inside the slot, and threads have disjoint ones.
                unsafe {
                    let at = at.0.cast::<Complex<T>>().add(group / n_groups * along.n * along.inner + first);
                    if has_lanes && n == COLUMNS {
                        T::copy_columns(at, along.inner, lines.as_mut_ptr(), stride, along.n, false);
                        for line in lines.chunks_exact_mut(stride) {
                            along.fft.process_with_scratch(&mut line[..along.n], &mut scratch);
                        }
                        T::copy_columns(at, along.inner, lines.as_mut_ptr(), stride, along.n, true);
                        continue;
                    }
                    let at = at.cast::<u8>();
                    gather.run_here(at, lines.as_mut_ptr().cast());
                    along.fft.process_with_scratch(&mut lines[..n * along.n], &mut scratch);
                    scatter.run_here(lines.as_ptr().cast(), at);
                }
            }
        });
    }
}

impl<T: Number> Kernel for Fft<T> {
    fn run(&self, memory: &Memory, pool: &Pool) {
        let (mut from, to) = (Address(memory.address(self.from)), Address(memory.address(self.to)));
        let n_elements = self.n_lines * self.spectrum;
        if let Line::Irfft(_) = self.line {
            if let Some(work) = self.work {
                memory.bytes_mut(work).copy_from_slice(memory.bytes(self.from));
                from = Address(memory.address(work));
                self.along.iter().rev().for_each(|along| self.columns(along, from, n_elements, pool));
            }
            self.lines(from, to, pool);
            return;
        }
        self.lines(from, to, pool);
        self.along.iter().for_each(|along| self.columns(along, to, n_elements, pool));
    }

    fn describe(&self) -> String {
        let kind = match self.line {
            Line::Complex(_) => "complex",
            Line::Rfft(_) => "real to complex",
            Line::Irfft(_) => "complex to real",
        };
        format!("fft, {kind}, of {} dimensions", self.along.len() + 1)
    }
}
