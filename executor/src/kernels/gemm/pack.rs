//! Copies of parts of operands in the order and the type in which tiles read them.

use std::num::Wrapping;

use interpreter::element::{Complex, bf16, f16};

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
}

impl Side {
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
/// Lines that are read together, so that they stay in the cache until all of their neighbours are read.
const BUNDLE: usize = 8;

#[inline(always)]
unsafe fn panel_body<E: Widen<I>, I: Copy + Default>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut I,
    width: usize,
) {
    let base = base.cast::<E>();
    // SAFETY: the caller's promise: lines lie inside the operand, and the panel is large enough.
    unsafe {
        let mut start = 0;
        while start < lines.len() {
            // Neighbours are read together.
            let n_neighbours = 1 + lines[start..].windows(2).take_while(|pair| pair[1] == pair[0] + 1).count();
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
                    if n == 32 {
                        for i in 0..32 {
                            *to.add(i) = (*from.add(i)).widen();
                        }
                    } else {
                        for i in 0..n {
                            *to.add(i) = (*from.add(i)).widen();
                        }
                    }
                }
            }
            start += n;
        }
        if lines.len() < width {
            for k in 0..to_k - from {
                for i in lines.len()..width {
                    *to.add(k * width + i) = I::default();
                }
            }
        }
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

/// Packs in groups of four bytes, [`PackPanel`] for `[i8; 4]`. What is missing of the last group is zero.
///
/// # Safety
/// Lines lie inside the operand, and the panel is large enough.
pub unsafe fn panel_of_quads(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [i8; 4],
    width: usize,
) {
    let base = base.cast::<i8>();
    // SAFETY: the caller's promise.
    unsafe {
        let n = to_k - from;
        std::ptr::write_bytes(to, 0, n.div_ceil(4) * width);
        let are_neighbours = lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
        for (offset, k, len) in side.pieces(from, to_k) {
            let mut at = 0;
            while at < len {
                let place = k - from + at;
                let to = to.add(place / 4 * width);
                let line = |i: usize| base.offset(offset + lines[i] + at as isize * side.step);
                if place % 4 == 0 && len - at >= 4 {
                    if are_neighbours {
                        let from = line(0);
                        for i in 0..lines.len() {
                            let from = from.add(i);
                            *to.add(i) = [
                                *from,
                                *from.offset(side.step),
                                *from.offset(2 * side.step),
                                *from.offset(3 * side.step),
                            ];
                        }
                    } else {
                        for i in 0..lines.len() {
                            let from = line(i);
                            *to.add(i) = match side.step {
                                1 => from.cast::<[i8; 4]>().read_unaligned(),
                                step => [*from, *from.offset(step), *from.offset(2 * step), *from.offset(3 * step)],
                            };
                        }
                    }
                    at += 4;
                } else {
                    for i in 0..lines.len() {
                        (*to.add(i))[place % 4] = *line(i);
                    }
                    at += 1;
                }
            }
        }
    }
}

/// [`PackLines`] for `[i8; 4]`.
///
/// # Safety
/// Lines lie inside the operand, and there is room for them.
pub unsafe fn lines_of_quads(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [i8; 4],
    stride: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        for (i, line) in lines.iter().enumerate() {
            let to = to.add(i * stride).cast::<i8>();
            let n = to_k - from;
            for place in n..n.next_multiple_of(4) {
                *to.add(place) = 0;
            }
            lines_body::<i8, i8>(base, side, std::slice::from_ref(line), (from, to_k), to, 0);
        }
    }
}
impl<T: Copy> Widen<Complex<T>> for Complex<T> {
    #[inline(always)]
    fn widen(self) -> Complex<T> {
        self
    }
}
impl Widen<i8> for i8 {
    #[inline(always)]
    fn widen(self) -> i8 {
        self
    }
}

/// The functions that pack elements `E` as `I`, compiled for the highest instruction set that the machine has.
pub fn packers<E: Widen<I> + 'static, I: Copy + Default + 'static>(
    isa: crate::kernels::isa::Isa,
) -> (PackPanel<I>, PackLines<I>) {
    macro_rules! both {
        ($(#[$feature:meta])*) => {{
            $(#[$feature])*
            unsafe fn panel<E: Widen<I>, I: Copy + Default>(
                base: *const u8,
                side: &Side,
                lines: &[isize],
                k: (usize, usize),
                to: *mut I,
                width: usize,
            ) {
                // SAFETY: the caller's promise.
                unsafe { panel_body::<E, I>(base, side, lines, k, to, width) }
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
        crate::kernels::isa::Isa::Avx512 => both!(#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]),
        #[cfg(target_arch = "x86_64")]
        crate::kernels::isa::Isa::Avx2 => both!(#[target_feature(enable = "avx2")]),
        _ => both!(),
    }
}
