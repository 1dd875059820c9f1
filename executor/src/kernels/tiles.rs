//! Transposes of small tiles, and writing past the caches.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use super::isa::Isa;
use super::strided_copy::LINE;

/// Tiles of an array whose fastest dimension on one side is another one on the other side.
#[derive(Copy, Clone, Debug)]
pub struct Tile {
    /// Bytes of an element.
    pub width: usize,
    /// Distance in bytes of the source's rows.
    pub from: isize,
    /// Distance in bytes of the destination's rows.
    pub to: isize,
    /// Whether whole lines are written past the caches; the destination's rows begin at lines then.
    pub stream: bool,
    /// The instructions to use.
    pub isa: Isa,
}

impl Tile {
    /// Writes `n_rows` rows of `n_columns` elements; the source has `n_columns` rows of `n_rows` elements.
    ///
    /// # Safety
    /// All of them are readable and writable and do not overlap.
    pub unsafe fn transpose(&self, to: *mut u8, from: *const u8, n_rows: usize, n_columns: usize) {
        let edge = LINE / self.width;
        let mut column = 0;
        while column < n_columns {
            let columns = edge.min(n_columns - column);
            let mut row = 0;
            while row < n_rows {
                let rows = edge.min(n_rows - row);
                // SAFETY: the tile lies inside the array.
                unsafe {
                    let from = from.offset(column as isize * self.from + (row * self.width) as isize);
                    let to = to.offset(row as isize * self.to + (column * self.width) as isize);
                    if columns == edge && rows == edge && self.whole(to, from) {
                        // Done.
                    } else if self.stream && columns == edge {
                        self.lines(to, from, rows);
                    } else {
                        self.part(to, self.to, from, rows, columns);
                    }
                }
                row += rows;
            }
            column += columns;
        }
    }

    /// A tile of whole lines on both sides in registers, if the machine has a way.
    ///
    /// # Safety
    /// As for [`Tile::transpose`].
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn whole(&self, to: *mut u8, from: *const u8) -> bool {
        if self.isa < Isa::Avx512 {
            return false;
        }
        // SAFETY: the caller's promise; AVX-512 is there when the plan was made for it.
        unsafe {
            match (self.width, self.stream) {
                (4, true) => transpose_u32_lines::<true>(to, self.to, from, self.from),
                (4, false) => transpose_u32_lines::<false>(to, self.to, from, self.from),
                (2, true) => transpose_u16_lines::<true>(to, self.to, from, self.from),
                (2, false) => transpose_u16_lines::<false>(to, self.to, from, self.from),
                _ => return false,
            }
        }
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    unsafe fn whole(&self, _: *mut u8, _: *const u8) -> bool {
        false
    }

    /// A tile of whole lines of the destination.
    ///
    /// # Safety
    /// As for [`Tile::transpose`]; `to` and its rows begin at lines.
    unsafe fn lines(&self, to: *mut u8, from: *const u8, n_rows: usize) {
        #[repr(align(64))]
        struct Lines(#[expect(dead_code, reason = "only its size and place matter")] [[u8; LINE]; LINE]);
        let mut lines = std::mem::MaybeUninit::<Lines>::uninit();
        let at = lines.as_mut_ptr().cast::<u8>();
        // SAFETY: n_rows is at most 64, and each row is one line.
        unsafe {
            self.part(at, LINE as isize, from, n_rows, LINE / self.width);
            for row in 0..n_rows {
                stream_line(to.offset(row as isize * self.to), at.add(row * LINE));
            }
        }
    }

    /// A tile of any size by the small kernels.
    ///
    /// # Safety
    /// As for [`Tile::transpose`], with rows of the destination `to_stride` apart.
    unsafe fn part(&self, to: *mut u8, to_stride: isize, from: *const u8, n_rows: usize, n_columns: usize) {
        let block = match (self.width, self.isa) {
            (1, _) => 16,
            (2, _) => 8,
            (4, Isa::Baseline) => 4,
            (4, _) => 8,
            _ => 2,
        };
        // SAFETY: all places are inside the tile; blocks of the size that the kernels take.
        unsafe {
            for row in (0..n_rows).step_by(block) {
                for column in (0..n_columns).step_by(block) {
                    let from = from.offset(column as isize * self.from + (row * self.width) as isize);
                    let to = to.offset(row as isize * to_stride + (column * self.width) as isize);
                    let (rows, columns) = (block.min(n_rows - row), block.min(n_columns - column));
                    if (rows, columns) != (block, block) || !self.block(to, to_stride, from) {
                        self.elements(to, to_stride, from, rows, columns);
                    }
                }
            }
        }
    }

    /// A whole block in registers, if the machine has a way.
    ///
    /// # Safety
    /// As for [`Tile::part`].
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn block(&self, to: *mut u8, to_stride: isize, from: *const u8) -> bool {
        // SAFETY: the caller's promise; AVX2 is there when the plan was made for it.
        unsafe {
            match (self.width, self.isa) {
                (1, _) => transpose_u8(to, to_stride, from, self.from),
                (2, _) => transpose_u16(to, to_stride, from, self.from),
                (4, Isa::Baseline) => transpose_u32(to, to_stride, from, self.from),
                (4, _) => transpose_u32_avx(to, to_stride, from, self.from),
                (8, _) => transpose_u64(to, to_stride, from, self.from),
                _ => return false,
            }
        }
        true
    }

    #[cfg(not(target_arch = "x86_64"))]
    unsafe fn block(&self, _: *mut u8, _: isize, _: *const u8) -> bool {
        false
    }

    /// Element by element.
    ///
    /// # Safety
    /// As for [`Tile::part`].
    unsafe fn elements(&self, to: *mut u8, to_stride: isize, from: *const u8, n_rows: usize, n_columns: usize) {
        macro_rules! copy_as {
            ($T:ty) => {
                for row in 0..n_rows {
                    for column in 0..n_columns {
                        // SAFETY: the caller's promise; reads and writes are unaligned.
                        unsafe {
                            let from = from.offset(column as isize * self.from).cast::<$T>().add(row);
                            to.offset(row as isize * to_stride)
                                .cast::<$T>()
                                .add(column)
                                .write_unaligned(from.read_unaligned());
                        }
                    }
                }
            };
        }
        match self.width {
            1 => copy_as!(u8),
            2 => copy_as!(u16),
            4 => copy_as!(u32),
            8 => copy_as!(u64),
            _ => copy_as!(u128),
        }
    }
}

/// One line past the caches.
///
/// # Safety
/// Both are a line, aligned.
#[inline(always)]
unsafe fn stream_line(to: *mut u8, from: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the caller's promise; SSE2 is part of the architecture.
    unsafe {
        for part in 0..4 {
            _mm_stream_si128(to.cast::<__m128i>().add(part), _mm_load_si128(from.cast::<__m128i>().add(part)));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    // SAFETY: the caller's promise.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, LINE);
    }
}

/// Waits until what was streamed is seen by the other threads.
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of the architecture.
    unsafe {
        _mm_sfence();
    }
}

/// Whether a result of `written` bytes that `read` bytes are read for goes past the caches.
///
/// What stays in the caches is there for who reads it next. Of more, lines that are written through the caches are read from
/// memory first. That is no loss as long as the memory is waiting for what is written, which takes it twice as long as
/// reading: only where at least half as much is read for the result itself.
pub fn is_streamed(read: usize, written: usize) -> bool {
    read + written >= LARGE && 2 * read > written && written >= LARGE / 8
}

/// Bytes that do not stay in the caches.
const LARGE: usize = 32 << 20;

/// Copies `n` bytes past the caches.
///
/// # Safety
/// Readable and writable, not overlapping.
pub unsafe fn stream(to: *mut u8, from: *const u8, n: usize, isa: Isa) {
    #[cfg(target_arch = "x86_64")]
    if isa >= Isa::Avx2 && n >= 256 {
        // SAFETY: the caller's promise; the machine has AVX2.
        return unsafe { stream_avx(to, from, n) };
    }
    let _ = isa;
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, n) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn stream_avx(to: *mut u8, from: *const u8, n: usize) {
    let head = to.align_offset(LINE).min(n);
    // SAFETY: the caller's promise; lines begin after `head` bytes.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        let mut at = head;
        while at + LINE <= n {
            let (a, b) = (from.add(at), from.add(at + 32));
            let (a, b) = (_mm256_loadu_si256(a.cast()), _mm256_loadu_si256(b.cast()));
            _mm256_stream_si256(to.add(at).cast(), a);
            _mm256_stream_si256(to.add(at + 32).cast(), b);
            at += LINE;
        }
        std::ptr::copy_nonoverlapping(from.add(at), to.add(at), n - at);
    }
}

#[cfg(target_arch = "x86_64")]
macro_rules! load_rows {
    ($n:literal, $from:ident, $stride:ident, $load:ident) => {
        std::array::from_fn::<_, $n, _>(|row| $load($from.offset(row as isize * $stride).cast()))
    };
}

/// 2x2
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_u64(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    // SAFETY: the caller's promise.
    unsafe {
        let a: [__m128i; 2] = load_rows!(2, from, from_stride, _mm_loadu_si128);
        _mm_storeu_si128(to.cast(), _mm_unpacklo_epi64(a[0], a[1]));
        _mm_storeu_si128(to.offset(to_stride).cast(), _mm_unpackhi_epi64(a[0], a[1]));
    }
}

/// 4x4
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_u32(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    // SAFETY: the caller's promise.
    unsafe {
        let a: [__m128i; 4] = load_rows!(4, from, from_stride, _mm_loadu_si128);
        let (low, high) = (_mm_unpacklo_epi32(a[0], a[1]), _mm_unpackhi_epi32(a[0], a[1]));
        let (low2, high2) = (_mm_unpacklo_epi32(a[2], a[3]), _mm_unpackhi_epi32(a[2], a[3]));
        let rows = [
            _mm_unpacklo_epi64(low, low2),
            _mm_unpackhi_epi64(low, low2),
            _mm_unpacklo_epi64(high, high2),
            _mm_unpackhi_epi64(high, high2),
        ];
        for (row, value) in rows.into_iter().enumerate() {
            _mm_storeu_si128(to.offset(row as isize * to_stride).cast(), value);
        }
    }
}

/// Sixteen rows of sixteen turned.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn sixteen(a: [__m512i; 16]) -> [__m512i; 16] {
    // Pairs, then fours inside the quarters, then the quarters themselves.
    let mut b = a;
    for pair in 0..8 {
        b[2 * pair] = _mm512_unpacklo_epi32(a[2 * pair], a[2 * pair + 1]);
        b[2 * pair + 1] = _mm512_unpackhi_epi32(a[2 * pair], a[2 * pair + 1]);
    }
    let mut c = b;
    for group in [0, 4, 8, 12] {
        c[group] = _mm512_unpacklo_epi64(b[group], b[group + 2]);
        c[group + 1] = _mm512_unpackhi_epi64(b[group], b[group + 2]);
        c[group + 2] = _mm512_unpacklo_epi64(b[group + 1], b[group + 3]);
        c[group + 3] = _mm512_unpackhi_epi64(b[group + 1], b[group + 3]);
    }
    let mut d = c;
    for column in 0..4 {
        let low = _mm512_shuffle_i32x4::<0x88>(c[column], c[4 + column]);
        let high = _mm512_shuffle_i32x4::<0xdd>(c[column], c[4 + column]);
        let low2 = _mm512_shuffle_i32x4::<0x88>(c[8 + column], c[12 + column]);
        let high2 = _mm512_shuffle_i32x4::<0xdd>(c[8 + column], c[12 + column]);
        d[column] = _mm512_shuffle_i32x4::<0x88>(low, low2);
        d[4 + column] = _mm512_shuffle_i32x4::<0x88>(high, high2);
        d[8 + column] = _mm512_shuffle_i32x4::<0xdd>(low, low2);
        d[12 + column] = _mm512_shuffle_i32x4::<0xdd>(high, high2);
    }
    d
}

/// A line, past the caches or not.
///
/// # Safety
/// The line is writable, and aligned for `STREAM`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
unsafe fn store_line<const STREAM: bool>(to: *mut u8, line: __m512i) {
    // SAFETY: the caller's promise.
    unsafe { if STREAM { _mm512_stream_si512(to.cast(), line) } else { _mm512_storeu_si512(to.cast(), line) } }
}

/// 16x16
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn transpose_u32_lines<const STREAM: bool>(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    let mut a = [_mm512_setzero_si512(); 16];
    // SAFETY: the caller's promise.
    unsafe {
        for (row, a) in a.iter_mut().enumerate() {
            *a = _mm512_loadu_si512(from.offset(row as isize * from_stride).cast());
        }
        for (row, line) in sixteen(a).into_iter().enumerate() {
            store_line::<STREAM>(to.offset(row as isize * to_stride), line);
        }
    }
}

/// 32x32
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn transpose_u16_lines<const STREAM: bool>(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    let (mut low, mut high) = ([_mm512_setzero_si512(); 16], [_mm512_setzero_si512(); 16]);
    // Elements of two rows side by side are one of twice the width. Of each eight columns the first four are in the low
    // halves of the quarters, the others in the high halves.
    // SAFETY: the caller's promise.
    unsafe {
        for pair in 0..16 {
            let at = from.offset(2 * pair as isize * from_stride);
            let (a, b) = (_mm512_loadu_si512(at.cast()), _mm512_loadu_si512(at.offset(from_stride).cast()));
            low[pair] = _mm512_unpacklo_epi16(a, b);
            high[pair] = _mm512_unpackhi_epi16(a, b);
        }
        for (first, half) in [(0, low), (4, high)] {
            for (row, line) in sixteen(half).into_iter().enumerate() {
                let row = row / 4 * 8 + row % 4 + first;
                store_line::<STREAM>(to.offset(row as isize * to_stride), line);
            }
        }
    }
}

/// 8x8
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn transpose_u32_avx(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    // SAFETY: the caller's promise.
    unsafe {
        let a: [__m256i; 8] = load_rows!(8, from, from_stride, _mm256_loadu_si256);
        // Pairs, then fours inside the halves, then the halves.
        let mut b = a;
        for pair in 0..4 {
            b[2 * pair] = _mm256_unpacklo_epi32(a[2 * pair], a[2 * pair + 1]);
            b[2 * pair + 1] = _mm256_unpackhi_epi32(a[2 * pair], a[2 * pair + 1]);
        }
        let mut c = b;
        for group in [0, 4] {
            c[group] = _mm256_unpacklo_epi64(b[group], b[group + 2]);
            c[group + 1] = _mm256_unpackhi_epi64(b[group], b[group + 2]);
            c[group + 2] = _mm256_unpacklo_epi64(b[group + 1], b[group + 3]);
            c[group + 3] = _mm256_unpackhi_epi64(b[group + 1], b[group + 3]);
        }
        for row in 0..4 {
            let (low, high) = (c[row], c[row + 4]);
            _mm256_storeu_si256(
                to.offset(row as isize * to_stride).cast(),
                _mm256_permute2x128_si256::<0x20>(low, high),
            );
            _mm256_storeu_si256(
                to.offset((row + 4) as isize * to_stride).cast(),
                _mm256_permute2x128_si256::<0x31>(low, high),
            );
        }
    }
}

/// 8x8
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_u16(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    // SAFETY: the caller's promise.
    unsafe {
        // Three times every row with the one half an array further on: their elements alternate.
        let mut a: [__m128i; 8] = load_rows!(8, from, from_stride, _mm_loadu_si128);
        for _ in 0..3 {
            let b = a;
            for pair in 0..4 {
                a[2 * pair] = _mm_unpacklo_epi16(b[pair], b[pair + 4]);
                a[2 * pair + 1] = _mm_unpackhi_epi16(b[pair], b[pair + 4]);
            }
        }
        for (row, value) in a.into_iter().enumerate() {
            _mm_storeu_si128(to.offset(row as isize * to_stride).cast(), value);
        }
    }
}

/// 16x16
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn transpose_u8(to: *mut u8, to_stride: isize, from: *const u8, from_stride: isize) {
    // SAFETY: the caller's promise.
    unsafe {
        // As above, four times.
        let mut a: [__m128i; 16] = load_rows!(16, from, from_stride, _mm_loadu_si128);
        for _ in 0..4 {
            let b = a;
            for pair in 0..8 {
                a[2 * pair] = _mm_unpacklo_epi8(b[pair], b[pair + 8]);
                a[2 * pair + 1] = _mm_unpackhi_epi8(b[pair], b[pair + 8]);
            }
        }
        for (row, value) in a.into_iter().enumerate() {
            _mm_storeu_si128(to.offset(row as isize * to_stride).cast(), value);
        }
    }
}
