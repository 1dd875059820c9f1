//! Copies of parts of operands in the order and the type in which tiles read them.

use std::any::TypeId;
use std::num::Wrapping;

use interpreter::element::{Complex, bf16, f16};

use super::tile::MAX_ROWS;
use crate::kernels::isa::Isa;

/// How the lines (rows of the left operand, columns of the right) of an operand lie in memory, in elements from its start:
/// element `k` of line `i` stands at `lines[i] + runs(k)`, where runs follow each other along the contracting dimension.
#[derive(Clone, Debug)]
pub struct Side {
    /// Where each line begins.
    pub lines: Box<[isize]>,
    /// Where runs begin, and their lengths.
    pub runs: Box<[(isize, usize)]>,
    /// Distance of neighbours in a run.
    pub step: isize,
    /// How far lines are apart, if all are as far.
    pub distance: Option<isize>,
}

impl Side {
    /// Lines and runs.
    pub fn new(lines: Box<[isize]>, runs: Box<[(isize, usize)]>, step: isize) -> Self {
        let distance = distance(&lines);
        Self { lines, runs, step, distance }
    }

    /// The parts of runs between `from` and `to` along the contracting dimension: where they begin, which `k` that is, and
    /// how long they are.
    pub fn pieces(&self, from: usize, to: usize) -> impl Iterator<Item = (isize, usize, usize)> + '_ {
        let mut start = 0;
        self.runs.iter().filter_map(move |(offset, len)| {
            let (begin, end) = (start.max(from), (start + len).min(to));
            let piece = (begin < end).then(|| (offset + (begin - start) as isize * self.step, begin, end - begin));
            start += len;
            piece
        })
    }
}

/// An element in storage that products of `I` are made of.
pub trait Widen<I>: Copy {
    /// The same number.
    fn widen(self) -> I;
}

macro_rules! widen {
    ($($I:ty: [$($E:ty, $x:ident => $value:expr;)*])*) => {
        $($(impl Widen<$I> for $E {
            #[inline(always)]
            fn widen(self) -> $I {
                let $x = self;
                $value
            }
        })*)*
    };
}
widen! {
    f32: [
        f32, x => x;
        bf16, x => f32::from_bits(u32::from(x.to_bits()) << 16);
        f16, x => widen_f16(x);
        i8, x => f32::from(x);
        u8, x => f32::from(x);
    ] f64: [
        f64, x => x;
        f32, x => f64::from(x);
    ] Wrapping<i32>: [
        i8, x => Wrapping(i32::from(x));
        u8, x => Wrapping(i32::from(x));
        i16, x => Wrapping(i32::from(x));
        u16, x => Wrapping(i32::from(x));
        i32, x => Wrapping(x);
        u32, x => Wrapping(x.cast_signed());
    ] Wrapping<i64>: [
        i8, x => Wrapping(i64::from(x));
        u8, x => Wrapping(i64::from(x));
        i16, x => Wrapping(i64::from(x));
        u16, x => Wrapping(i64::from(x));
        i32, x => Wrapping(i64::from(x));
        u32, x => Wrapping(i64::from(x));
        i64, x => Wrapping(x);
        u64, x => Wrapping(x.cast_signed());
    ]
}

/// Without branches, so that loops of it become vector instructions.
#[inline(always)]
fn widen_f16(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let (sign, rest) = ((bits & 0x8000) << 16, bits & 0x7fff);
    // 2^112 makes up for the difference of the exponents' biases, for subnormal numbers too.
    let number = f32::from_bits(rest << 13) * f32::from_bits(0x7780_0000);
    let special = if rest >= 0x7c00 { 0x7f80_0000 } else { 0 };
    f32::from_bits(number.to_bits() | special | sign)
}

/// Copies lines to a panel: element `k` of line `i` goes to `to[(k - from) * width + i]`; lines up to `width` that do not
/// exist are zeros.
pub type PackPanel<I> =
    unsafe fn(base: *const u8, side: &Side, lines: &[isize], k: (usize, usize), to: *mut I, width: usize);
/// Copies lines one after the other: element `k` of line `i` goes to `to[i * stride + (k - from)]`.
pub type PackLines<I> =
    unsafe fn(base: *const u8, side: &Side, lines: &[isize], k: (usize, usize), to: *mut I, stride: usize);

/// Lines next to each other that are worth a loop of their own.
const NEIGHBOURS: usize = 4;
/// Lines of the widest panel.
pub(super) const WIDE: usize = 32;
/// Lines that are read together, so that they stay in the cache until all of their neighbours are read.
const BUNDLE: usize = 8;

#[inline(always)]
unsafe fn panel_body<E: Widen<I> + 'static, I: Copy + Default + 'static>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut I,
    width: usize,
    isa: Isa,
) {
    let distance = side.distance.filter(|_| is_same::<E, I>() && side.step == 1 && lines.len() >= BUNDLE);
    if let Some(distance) = distance {
        for (offset, k, len) in side.pieces(from, to_k) {
            // SAFETY: the caller's promise: lines lie inside the operand, and the panel is large enough.
            unsafe {
                let from_line = base.cast::<E>().offset(offset + lines[0]);
                let rows = Rows { distance: distance * size_of::<E>() as isize, n: lines.len(), len };
                rows.transpose(from_line.cast(), to.add((k - from) * width), width, isa);
            }
        }
        // SAFETY: as above.
        return unsafe { clear(lines.len(), to_k - from, to, width) };
    }
    let base = base.cast::<E>();
    // SAFETY: the caller's promise: lines lie inside the operand, and the panel is large enough.
    unsafe {
        let mut start = 0;
        while start < lines.len() {
            // Neighbours are read together.
            let n_neighbours = match side.distance {
                Some(1) => lines.len(),
                _ => 1 + lines[start..].windows(2).take_while(|pair| pair[1] == pair[0] + 1).count(),
            };
            let n = if n_neighbours >= NEIGHBOURS { n_neighbours } else { BUNDLE.min(lines.len() - start) };
            let some = &lines[start..start + n];
            for (offset, k, len) in side.pieces(from, to_k) {
                let to = to.add((k - from) * width + start);
                if n_neighbours < NEIGHBOURS {
                    for k in 0..len {
                        for (i, line) in some.iter().enumerate() {
                            *to.add(k * width + i) = (*base.offset(offset + line + k as isize * side.step)).widen();
                        }
                    }
                    continue;
                }
                let from = base.offset(offset + some[0]);
                for k in 0..len {
                    let (from, to) = (from.offset(k as isize * side.step), to.add(k * width));
                    if n == WIDE {
                        copy_row::<E, I, WIDE>(from, to);
                    } else if n == MAX_ROWS {
                        copy_row::<E, I, MAX_ROWS>(from, to);
                    } else {
                        for i in 0..n {
                            *to.add(i) = (*from.add(i)).widen();
                        }
                    }
                }
            }
            start += n;
        }
        clear(lines.len(), to_k - from, to, width);
    }
}

/// Copies a row of a panel.
///
/// # Safety
/// It is readable and writable.
#[inline(always)]
unsafe fn copy_row<E: Widen<I> + 'static, I: Copy + Default + 'static, const W: usize>(from: *const E, to: *mut I) {
    // SAFETY: the caller's promise; a copy is made only between the same types.
    unsafe {
        if TypeId::of::<E>() == TypeId::of::<I>() {
            std::ptr::copy_nonoverlapping(from.cast::<I>(), to, W);
            return;
        }
        // All is read before anything is written: the compiler need not ask whether they overlap.
        let from = from.cast::<[E; W]>().read_unaligned();
        let mut row = [I::default(); W];
        for i in 0..W {
            row[i] = from[i].widen();
        }
        to.cast::<[I; W]>().write_unaligned(row);
    }
}

/// Writes zeros where a panel of `width` lines has `n` only.
///
/// # Safety
/// The panel has `len` rows.
#[inline(always)]
pub(super) unsafe fn clear<I: Copy + Default>(n: usize, len: usize, to: *mut I, width: usize) {
    for k in (0..len).filter(|_| n < width) {
        for i in n..width {
            // SAFETY: the caller's promise.
            unsafe { *to.add(k * width + i) = I::default() };
        }
    }
}

/// How far lines are apart, if all are as far.
fn distance(lines: &[isize]) -> Option<isize> {
    let distance = lines.get(1)? - lines[0];
    lines.windows(2).all(|pair| pair[1] - pair[0] == distance).then_some(distance)
}

/// Whether packing only copies.
#[inline(always)]
fn is_same<E: 'static, I: 'static>() -> bool {
    TypeId::of::<E>() == TypeId::of::<I>() && matches!(size_of::<I>(), 4 | 8)
}

/// Lines as far apart each, whose elements are neighbours.
pub(super) struct Rows {
    /// In bytes.
    pub distance: isize,
    /// How many lines.
    pub n: usize,
    /// Elements of each.
    pub len: usize,
}

impl Rows {
    /// Writes the lines as columns: element `k` of line `i` goes to `to[k * width + i]`.
    ///
    /// # Safety
    /// The lines are readable, the columns writable; the machine has the instructions.
    pub(super) unsafe fn transpose<I>(&self, from: *const u8, to: *mut I, width: usize, isa: Isa) {
        let to_distance = (width * size_of::<I>()) as isize;
        let tile = crate::kernels::tiles::Tile {
            width: size_of::<I>(),
            from: self.distance,
            to: to_distance,
            stream: false,
            isa,
        };
        // SAFETY: the caller's promise.
        unsafe { tile.transpose(to.cast(), from, self.len, self.n) };
    }
}

#[inline(always)]
unsafe fn lines_body<E: Widen<I>, I: Copy + Default>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut I,
    stride: usize,
) {
    let base = base.cast::<E>();
    // SAFETY: the caller's promise: lines lie inside the operand, and there is room for them.
    unsafe {
        for (i, line) in lines.iter().enumerate() {
            for (offset, k, len) in side.pieces(from, to_k) {
                let (from, to) = (base.offset(offset + line), to.add(i * stride + k - from));
                if side.step == 1 {
                    for k in 0..len {
                        *to.add(k) = (*from.add(k)).widen();
                    }
                } else {
                    for k in 0..len {
                        *to.add(k) = (*from.offset(k as isize * side.step)).widen();
                    }
                }
            }
        }
    }
}

impl<T: Copy> Widen<Complex<T>> for Complex<T> {
    #[inline(always)]
    fn widen(self) -> Complex<T> {
        self
    }
}

/// The functions that pack elements `E` as `I`, compiled for the highest instruction set that the machine has.
pub fn packers<E: Widen<I> + 'static, I: Copy + Default + 'static>(isa: Isa) -> (PackPanel<I>, PackLines<I>) {
    macro_rules! both {
        ($isa:expr $(, #[$feature:meta])*) => {{
            $(#[$feature])*
            unsafe fn panel<E: Widen<I> + 'static, I: Copy + Default + 'static>(
                base: *const u8,
                side: &Side,
                lines: &[isize],
                k: (usize, usize),
                to: *mut I,
                width: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { panel_body::<E, I>(base, side, lines, k, to, width, $isa) }
            }
            $(#[$feature])*
            unsafe fn lines<E: Widen<I>, I: Copy + Default>(
                base: *const u8,
                side: &Side,
                lines: &[isize],
                k: (usize, usize),
                to: *mut I,
                stride: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { lines_body::<E, I>(base, side, lines, k, to, stride) }
            }
            (panel::<E, I>, lines::<E, I>)
        }};
    }
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => both!(Isa::Avx512, #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => both!(Isa::Avx2, #[target_feature(enable = "avx2")]),
        _ => both!(Isa::Baseline),
    }
}
