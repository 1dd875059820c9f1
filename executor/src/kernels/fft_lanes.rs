//! Parts of transforms in AVX-512: the two halves of a real signal's spectrum, and columns as lines.

use std::arch::x86_64::*;

use rustfft::num_complex::Complex;

/// Complex numbers in a vector: also rows and columns of a block.
pub const EDGE: usize = 8;
/// Rows that are asked for ahead of those that are read.
const AHEAD: usize = 32;

/// Elements `k` and `half − k` of the spectrum of a real line for `k` from 1 on, from the transform of its pairs, and
/// roots times −i/2. The first `k` that is left.
///
/// # Safety
/// The machine has the instructions. There are `half` elements of `work` and one more of the others.
#[target_feature(enable = "avx512f,avx512dq")]
pub unsafe fn halves(work: &[Complex<f32>], out: &mut [Complex<f32>], roots: &[Complex<f32>]) -> usize {
    let half = work.len();
    let (work, roots, out) =
        (work.as_ptr().cast::<f32>(), roots.as_ptr().cast::<f32>(), out.as_mut_ptr().cast::<f32>());
    let back = _mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    let conjugate = _mm512_castsi512_ps(_mm512_set1_epi64(i64::MIN));
    let one_half = _mm512_set1_ps(0.5);
    let reversed = |v: __m512| {
        let v = _mm512_castpd_ps(_mm512_permutexvar_pd(back, _mm512_castps_pd(v)));
        _mm512_xor_ps(v, conjugate)
    };
    let mut k = 1;
    // SAFETY: all elements from k to k + 7 and as many before half − k exist.
    unsafe {
        while 2 * (k + EDGE - 1) < half {
            let mirror = 2 * (half - k - (EDGE - 1));
            let a = _mm512_loadu_ps(work.add(2 * k));
            let b = reversed(_mm512_loadu_ps(work.add(mirror)));
            let (even, odd) = (_mm512_mul_ps(_mm512_add_ps(a, b), one_half), _mm512_sub_ps(a, b));
            let root = _mm512_loadu_ps(roots.add(2 * k));
            let crossed = _mm512_mul_ps(_mm512_permute_ps::<0b10_11_00_01>(odd), _mm512_movehdup_ps(root));
            let turned = _mm512_fmaddsub_ps(odd, _mm512_moveldup_ps(root), crossed);
            _mm512_storeu_ps(out.add(2 * k), _mm512_add_ps(even, turned));
            _mm512_storeu_ps(out.add(mirror), reversed(_mm512_sub_ps(even, turned)));
            k += EDGE;
        }
    }
    k
}

/// Columns of eight rows.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn transposed(r: [__m512i; EDGE]) -> [__m512i; EDGE] {
    // Two rows beside each other for every second column, then four, then eight.
    let (a, b) = (_mm512_unpacklo_epi64(r[0], r[1]), _mm512_unpacklo_epi64(r[2], r[3]));
    let (c, d) = (_mm512_unpacklo_epi64(r[4], r[5]), _mm512_unpacklo_epi64(r[6], r[7]));
    let even = eight(a, b, c, d);
    let (a, b) = (_mm512_unpackhi_epi64(r[0], r[1]), _mm512_unpackhi_epi64(r[2], r[3]));
    let (c, d) = (_mm512_unpackhi_epi64(r[4], r[5]), _mm512_unpackhi_epi64(r[6], r[7]));
    let odd = eight(a, b, c, d);
    [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
}

/// The quarters of four vectors beside each other: all first ones, all second ones, and so on.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn eight(a: __m512i, b: __m512i, c: __m512i, d: __m512i) -> [__m512i; 4] {
    let (low, high) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b));
    let (low2, high2) = (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xee>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(low, low2),
        _mm512_shuffle_i64x2::<0xdd>(low, low2),
        _mm512_shuffle_i64x2::<0x88>(high, high2),
        _mm512_shuffle_i64x2::<0xdd>(high, high2),
    ]
}

/// Copies eight columns of `n` rows, which are `inner` numbers apart, to lines, which are `stride` numbers apart.
///
/// # Safety
/// The machine has the instructions; `n` is a multiple of eight, and all rows and lines exist.
#[target_feature(enable = "avx512f,avx512dq")]
pub unsafe fn gather(from: *const u64, inner: usize, to: *mut u64, stride: usize, n: usize) {
    for row in (0..n).step_by(EDGE) {
        // SAFETY: the caller's promise; what is asked for need not exist.
        unsafe {
            let at = |row: usize| from.wrapping_add(row * inner);
            for ahead in 0..EDGE {
                _mm_prefetch::<_MM_HINT_T0>(at(row + AHEAD + ahead).cast());
            }
            let mut rows = [_mm512_setzero_si512(); EDGE];
            for (i, rows) in rows.iter_mut().enumerate() {
                *rows = _mm512_loadu_si512(at(row + i).cast());
            }
            for (line, column) in transposed(rows).into_iter().enumerate() {
                _mm512_storeu_si512(to.add(line * stride + row).cast(), column);
            }
        }
    }
}

/// The way back of [`gather`].
///
/// # Safety
/// As for [`gather`].
#[target_feature(enable = "avx512f,avx512dq")]
pub unsafe fn scatter(from: *const u64, stride: usize, to: *mut u64, inner: usize, n: usize) {
    for row in (0..n).step_by(EDGE) {
        // SAFETY: the caller's promise; what is asked for need not exist.
        unsafe {
            for ahead in 0..EDGE {
                _mm_prefetch::<_MM_HINT_T0>(to.wrapping_add((row + AHEAD + ahead) * inner).cast());
            }
            let mut lines = [_mm512_setzero_si512(); EDGE];
            for (line, lines) in lines.iter_mut().enumerate() {
                *lines = _mm512_loadu_si512(from.add(line * stride + row).cast());
            }
            for (i, columns) in transposed(lines).into_iter().enumerate() {
                _mm512_storeu_si512(to.add((row + i) * inner).cast(), columns);
            }
        }
    }
}
