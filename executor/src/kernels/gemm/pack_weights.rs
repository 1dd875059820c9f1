//! Packing of bytes as pairs of bf16, in which every byte is exact: weights of a model with the activations of which they are
//! multiplied.

use super::mixed::Low;
use super::pack::{PackLines, PackPanel, Rows, Side, WIDE, clear};
use crate::kernels::isa::Isa;

/// A byte with a sign or without.
pub trait Byte: Copy + 'static {
    /// The bits of the bf16, the upper half of these.
    fn bits(self) -> u32;
}

impl Byte for i8 {
    #[inline(always)]
    fn bits(self) -> u32 {
        f32::from(self).to_bits()
    }
}

impl Byte for u8 {
    #[inline(always)]
    fn bits(self) -> u32 {
        f32::from(self).to_bits()
    }
}

impl Byte for Low<4> {
    #[inline(always)]
    fn bits(self) -> u32 {
        (self.get() as f32).to_bits()
    }
}

#[inline(always)]
fn half<E: Byte>(x: E) -> u16 {
    (x.bits() >> 16) as u16
}

/// The functions that pack bytes `E` as pairs of bf16, for machines with AVX-512.
pub fn weight_packers<E: Byte>() -> (PackPanel<[u16; 2]>, PackLines<[u16; 2]>) {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    unsafe fn panel<E: Byte>(
        base: *const u8,
        side: &Side,
        lines: &[isize],
        k: (usize, usize),
        to: *mut [u16; 2],
        width: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { panel_body::<E>(base, side, lines, k, to, width) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    unsafe fn lines<E: Byte>(
        base: *const u8,
        side: &Side,
        lines: &[isize],
        k: (usize, usize),
        to: *mut [u16; 2],
        stride: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe { lines_body::<E>(base, side, lines, k, to, stride) }
    }
    (panel::<E>, lines::<E>)
}

/// Pairs of `W` neighbours in two rows.
///
/// # Safety
/// The rows are readable, `step` bytes apart; there is room for as many pairs.
#[inline(always)]
unsafe fn join<E: Byte, const W: usize>(from: *const E, step: isize, to: *mut [u16; 2]) {
    // SAFETY: the caller's promise.
    let rows = unsafe { [from, from.offset(step)].map(|row| row.cast::<[E; W]>().read_unaligned()) };
    let mut words = [0; W];
    let [first, second] = rows;
    for ((word, first), second) in words.iter_mut().zip(first).zip(second) {
        *word = (first.bits() >> 16) | (second.bits() & 0xffff_0000);
    }
    // SAFETY: as above; pairs are four bytes.
    unsafe { to.cast::<[u32; W]>().write_unaligned(words) };
}

/// Elements of a line that are widened before they are turned into columns.
const STRETCH: usize = 64;

/// See [`PackPanel`].
#[inline(always)]
unsafe fn panel_body<E: Byte>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [u16; 2],
    width: usize,
) {
    let base = base.cast::<E>();
    let distance = side.distance;
    let mut wide = [[0u16; STRETCH]; WIDE];
    // SAFETY: the caller's promise: lines lie inside the operand, and the panel is large enough.
    unsafe {
        let n_groups = (to_k - from).div_ceil(2);
        clear(lines.len(), n_groups, to, width);
        if !(to_k - from).is_multiple_of(2) {
            for i in 0..lines.len() {
                *to.add((n_groups - 1) * width + i) = [0; 2];
            }
        }
        for (offset, k, len) in side.pieces(from, to_k) {
            let mut at = 0;
            while at < len {
                let place = k - from + at;
                let to = to.add(place / 2 * width);
                let line = |i: usize| base.offset(offset + lines[i] + at as isize * side.step);
                if !place.is_multiple_of(2) || len - at < 2 {
                    // Runs need not begin with pairs.
                    for i in 0..lines.len() {
                        (*to.add(i))[place % 2] = half(*line(i));
                    }
                    at += 1;
                } else if distance == Some(1) && lines.len() == WIDE {
                    join::<E, WIDE>(line(0), side.step, to);
                    at += 2;
                } else if side.step == 1 && lines.len() <= WIDE && len - at >= STRETCH {
                    for (i, wide) in wide.iter_mut().enumerate().take(lines.len()) {
                        let from = line(i).cast::<[E; STRETCH]>().read_unaligned();
                        wide.iter_mut().zip(from).for_each(|(to, from)| *to = half(from));
                    }
                    let rows = Rows { distance: (2 * STRETCH) as isize, n: lines.len(), len: STRETCH / 2 };
                    rows.transpose(wide.as_ptr().cast(), to, width, Isa::Avx512);
                    at += STRETCH;
                } else {
                    for i in 0..lines.len() {
                        join::<E, 1>(line(i), side.step, to.add(i));
                    }
                    at += 2;
                }
            }
        }
    }
}

/// See [`PackLines`].
#[inline(always)]
unsafe fn lines_body<E: Byte>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [u16; 2],
    stride: usize,
) {
    let base = base.cast::<E>();
    // SAFETY: the caller's promise: lines lie inside the operand, and there is room for them.
    unsafe {
        for (i, line) in lines.iter().enumerate() {
            let to = to.add(i * stride).cast::<u16>();
            if !(to_k - from).is_multiple_of(2) {
                *to.add(to_k - from) = 0;
            }
            for (offset, k, len) in side.pieces(from, to_k) {
                let (from, to) = (base.offset(offset + line), to.add(k - from));
                if side.step == 1 {
                    for k in 0..len {
                        *to.add(k) = half(*from.add(k));
                    }
                } else {
                    for k in 0..len {
                        *to.add(k) = half(*from.offset(k as isize * side.step));
                    }
                }
            }
        }
    }
}
