//! Packing for vectors that multiply several small numbers per lane: pairs of two bytes, or four bytes.

use super::pack::{PackLines, PackPanel, Rows, Side, WIDE, clear};
use crate::kernels::isa::Isa;

/// Bits of a number, of which several make a word.
pub trait Part: Copy + Default + 'static {
    /// The bits as the lowest of a word.
    fn word(self) -> u32;
}

impl Part for u8 {
    #[inline(always)]
    fn word(self) -> u32 {
        u32::from(self)
    }
}

impl Part for u16 {
    #[inline(always)]
    fn word(self) -> u32 {
        u32::from(self)
    }
}

/// The functions that pack groups of `N` numbers, four bytes each, for machines with AVX-512. What is missing of the last
/// group is zero. With `FOUR`, bytes are signed numbers of four bits and become such of eight. Then the bits of `FLIP` are
/// inverted in every group.
#[cfg(target_arch = "x86_64")]
pub fn group_packers<T: Part, const N: usize, const FLIP: u32, const FOUR: bool>()
-> (PackPanel<[T; N]>, PackLines<[T; N]>)
where
    [T; N]: Default,
{
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    unsafe fn panel<T: Part, const N: usize, const FLIP: u32, const FOUR: bool>(
        base: *const u8,
        side: &Side,
        lines: &[isize],
        k: (usize, usize),
        to: *mut [T; N],
        width: usize,
    ) where
        [T; N]: Default,
    {
        // SAFETY: the caller's promise.
        unsafe {
            panel_body(base, side, lines, k, to, width);
            finish::<FLIP, FOUR>(to.cast(), (k.1 - k.0).div_ceil(N) * width);
        }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    unsafe fn lines<T: Part, const N: usize, const FLIP: u32, const FOUR: bool>(
        base: *const u8,
        side: &Side,
        lines: &[isize],
        k: (usize, usize),
        to: *mut [T; N],
        stride: usize,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            lines_body(base, side, lines, k, to, stride);
            for line in 0..lines.len() {
                finish::<FLIP, FOUR>(to.add(line * stride).cast(), (k.1 - k.0).div_ceil(N));
            }
        }
    }
    (panel::<T, N, FLIP, FOUR>, lines::<T, N, FLIP, FOUR>)
}

/// What is done to groups when they stand together.
///
/// # Safety
/// There are `n` words.
#[inline(always)]
unsafe fn finish<const FLIP: u32, const FOUR: bool>(words: *mut u32, n: usize) {
    if FLIP == 0 && !FOUR {
        return;
    }
    // SAFETY: the caller's promise; scratch memory is aligned.
    for word in unsafe { std::slice::from_raw_parts_mut(words, n) } {
        if FOUR {
            // The sign is repeated in the four bits above it.
            let low = *word & 0x0f0f_0f0f;
            *word = low | (low & 0x0808_0808).wrapping_mul(0x1e);
        }
        *word ^= FLIP;
    }
}

/// `N` rows of `W` numbers, which become groups.
///
/// # Safety
/// The rows are readable, `step` numbers apart; there is room for as many groups.
#[inline(always)]
unsafe fn join<T: Part, const N: usize, const W: usize>(from: *const T, step: isize, to: *mut [T; N]) {
    let mut words = [0; W];
    for part in 0..N {
        // SAFETY: the caller's promise.
        let row = unsafe { from.offset(part as isize * step).cast::<[T; W]>().read_unaligned() };
        for i in 0..W {
            words[i] |= row[i].word() << (part * 8 * size_of::<T>());
        }
    }
    // SAFETY: as above; groups are four bytes.
    unsafe { to.cast::<[u32; W]>().write_unaligned(words) };
}

/// See [`PackPanel`].
#[inline(always)]
unsafe fn panel_body<T: Part, const N: usize>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [T; N],
    width: usize,
) where
    [T; N]: Default,
{
    let base = base.cast::<T>();
    let distance = side.distance;
    // SAFETY: the caller's promise: lines lie inside the operand, and the panel is large enough.
    unsafe {
        let n_groups = (to_k - from).div_ceil(N);
        clear(lines.len(), n_groups, to, width);
        if !(to_k - from).is_multiple_of(N) {
            for i in 0..lines.len() {
                *to.add((n_groups - 1) * width + i) = <[T; N]>::default();
            }
        }
        for (offset, k, len) in side.pieces(from, to_k) {
            let mut at = 0;
            while at < len {
                let place = k - from + at;
                let to = to.add(place / N * width);
                let line = |i: usize| base.offset(offset + lines[i] + at as isize * side.step);
                if !place.is_multiple_of(N) || len - at < N {
                    // Runs need not begin with groups.
                    for i in 0..lines.len() {
                        (*to.add(i))[place % N] = *line(i);
                    }
                    at += 1;
                } else if distance == Some(1) && lines.len() == WIDE {
                    join::<T, N, WIDE>(line(0), side.step, to);
                    at += N;
                } else if distance == Some(1) {
                    for i in 0..lines.len() {
                        join::<T, N, 1>(line(i), side.step, to.add(i));
                    }
                    at += N;
                } else if let (1, Some(distance)) = (side.step, distance) {
                    let rows =
                        Rows { distance: distance * size_of::<T>() as isize, n: lines.len(), len: (len - at) / N };
                    rows.transpose(line(0).cast(), to, width, Isa::Avx512);
                    at += rows.len * N;
                } else {
                    for i in 0..lines.len() {
                        let from = line(i);
                        *to.add(i) = std::array::from_fn(|part| *from.offset(part as isize * side.step));
                    }
                    at += N;
                }
            }
        }
    }
}

/// See [`PackLines`].
#[inline(always)]
unsafe fn lines_body<T: Part, const N: usize>(
    base: *const u8,
    side: &Side,
    lines: &[isize],
    (from, to_k): (usize, usize),
    to: *mut [T; N],
    stride: usize,
) {
    let base = base.cast::<T>();
    // SAFETY: the caller's promise: lines lie inside the operand, and there is room for them.
    unsafe {
        for (i, line) in lines.iter().enumerate() {
            let to = to.add(i * stride).cast::<T>();
            for place in to_k - from..(to_k - from).next_multiple_of(N) {
                *to.add(place) = T::default();
            }
            for (offset, k, len) in side.pieces(from, to_k) {
                let (from, to) = (base.offset(offset + line), to.add(k - from));
                if side.step == 1 {
                    std::ptr::copy_nonoverlapping(from, to, len);
                } else {
                    for k in 0..len {
                        *to.add(k) = *from.offset(k as isize * side.step);
                    }
                }
            }
        }
    }
}
