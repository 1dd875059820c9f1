//! Where the lines come from that are written past the caches: vectors of elements from anywhere in a row.

use std::arch::x86_64::*;

use super::strided_copy::LINE;

/// Elements that a line has room for, and how they change places.
pub trait Lane: Copy {
    const N: usize = LINE / size_of::<Self>();
    /// Of two vectors the elements that `index` names, as numbers of 8 to 64 bits.
    unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i;
    /// Numbers 0, 1, …: `f` of each place.
    fn index(f: impl Fn(usize) -> usize) -> __m512i;
    /// Half a vector, each element followed by one of `other`, or preceded.
    unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i;
}

macro_rules! lane {
    ($T:ident, $choose:ident, $widen:ident, $shift:ident, $bits:literal, $blend:ident, $odd:literal) => {
        impl Lane for $T {
            #[inline(always)]
            unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i {
                // SAFETY: only called where the machine has AVX-512.
                unsafe { $choose(a, index, b) }
            }

            #[inline(always)]
            fn index(f: impl Fn(usize) -> usize) -> __m512i {
                let index: [$T; LINE / size_of::<$T>()] = std::array::from_fn(|at| f(at) as $T);
                // SAFETY: both are 64 bytes of which any are a value.
                unsafe { std::mem::transmute(index) }
            }

            #[inline(always)]
            unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i {
                // SAFETY: the caller's promise; half a line is read.
                unsafe {
                    let wide = $widen(_mm256_loadu_si256(from.cast()));
                    match is_second {
                        false => $blend($odd, wide, other),
                        true => $blend(!$odd, $shift::<$bits>(wide), other),
                    }
                }
            }
        }
    };
}
lane!(
    u16,
    _mm512_permutex2var_epi16,
    _mm512_cvtepu16_epi32,
    _mm512_slli_epi32,
    16,
    _mm512_mask_blend_epi16,
    0xaaaa_aaaa
);
lane!(u32, _mm512_permutex2var_epi32, _mm512_cvtepu32_epi64, _mm512_slli_epi64, 32, _mm512_mask_blend_epi32, 0xaaaa);

impl Lane for u64 {
    #[inline(always)]
    unsafe fn choose(a: __m512i, index: __m512i, b: __m512i) -> __m512i {
        // SAFETY: only called where the machine has AVX-512.
        unsafe { _mm512_permutex2var_epi64(a, index, b) }
    }

    #[inline(always)]
    fn index(f: impl Fn(usize) -> usize) -> __m512i {
        let index: [u64; 8] = std::array::from_fn(|at| f(at) as u64);
        // SAFETY: both are 64 bytes of which any are a value.
        unsafe { std::mem::transmute(index) }
    }

    #[inline(always)]
    unsafe fn between(from: *const u8, other: __m512i, is_second: bool) -> __m512i {
        // SAFETY: the caller's promise; half a line is read.
        unsafe {
            let half = _mm512_castsi256_si512(_mm256_loadu_si256(from.cast()));
            match is_second {
                false => _mm512_mask_expand_epi64(other, 0x55, half),
                true => _mm512_mask_expand_epi64(other, 0xaa, half),
            }
        }
    }
}

/// Where elements come from.
pub trait From<T: Copy> {
    /// Cache lines that are read for each that is written.
    const READ: usize;
    /// Whether a line may read beyond its last element, up to where another element would be.
    const IS_GREEDY: bool = false;
    /// Where element `at` stands.
    fn place(&self, at: isize) -> *const u8;
    /// One element.
    unsafe fn element(&self, at: usize) -> T;
    /// Elements from `at` on.
    unsafe fn line(&self, at: usize) -> __m512i;
}

pub struct Fill<T>(pub T, pub __m512i);

impl<T: Copy> From<T> for Fill<T> {
    const READ: usize = 0;

    #[inline(always)]
    fn place(&self, _: isize) -> *const u8 {
        std::ptr::null()
    }

    #[inline(always)]
    unsafe fn element(&self, _: usize) -> T {
        self.0
    }

    #[inline(always)]
    unsafe fn line(&self, _: usize) -> __m512i {
        self.1
    }
}

pub struct Run<T>(pub *const T);

impl<T: Copy> From<T> for Run<T> {
    const READ: usize = 1;

    #[inline(always)]
    fn place(&self, at: isize) -> *const u8 {
        self.0.wrapping_offset(at).cast()
    }

    #[inline(always)]
    unsafe fn element(&self, at: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(at).read_unaligned() }
    }

    #[inline(always)]
    unsafe fn line(&self, at: usize) -> __m512i {
        // SAFETY: the caller's promise.
        unsafe { _mm512_loadu_si512(self.0.add(at).cast()) }
    }
}

pub struct Reversed<T>(pub *const T, pub __m512i);

impl<T: Lane> From<T> for Reversed<T> {
    const READ: usize = 1;

    #[inline(always)]
    fn place(&self, at: isize) -> *const u8 {
        self.0.wrapping_offset(-at).cast()
    }

    #[inline(always)]
    unsafe fn element(&self, at: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.0.sub(at).read_unaligned() }
    }

    #[inline(always)]
    unsafe fn line(&self, at: usize) -> __m512i {
        // SAFETY: the caller's promise: the elements up to `at + N - 1`, which is the first in memory.
        unsafe {
            let line = _mm512_loadu_si512(self.0.sub(at + T::N - 1).cast());
            T::choose(line, self.1, line)
        }
    }
}

pub struct Every<T, const STEP: usize>(*const T, [__m512i; STEP]);

impl<T: Lane, const STEP: usize> Every<T, STEP> {
    /// With the indices that bring the elements of the vectors before and of one more together.
    #[inline(always)]
    pub fn new(from: *const u8) -> Self {
        let choice = |vector: usize| {
            T::index(|at| match at * STEP / T::N {
                // The first two vectors are chosen from at once.
                0 if vector == 1 => at * STEP,
                before if before < vector => at,
                now if now == vector => T::N + at * STEP - vector * T::N,
                _ => 0,
            })
        };
        Self(from.cast(), std::array::from_fn(choice))
    }
}

impl<T: Lane, const STEP: usize> From<T> for Every<T, STEP> {
    const READ: usize = STEP;
    const IS_GREEDY: bool = true;

    #[inline(always)]
    fn place(&self, at: isize) -> *const u8 {
        self.0.wrapping_offset(at * STEP as isize).cast()
    }

    #[inline(always)]
    unsafe fn element(&self, at: usize) -> T {
        // SAFETY: the caller's promise.
        unsafe { self.0.add(at * STEP).read_unaligned() }
    }

    #[inline(always)]
    unsafe fn line(&self, at: usize) -> __m512i {
        // SAFETY: the caller's promise, and that for greedy sources.
        unsafe {
            let from = self.0.add(at * STEP);
            let mut line = _mm512_loadu_si512(from.cast());
            for vector in 1..STEP {
                line = T::choose(line, self.1[vector], _mm512_loadu_si512(from.add(vector * T::N).cast()));
            }
            line
        }
    }
}

pub struct Alternate<T>(pub *const T, pub Fill<T>);

impl<T: Lane> From<T> for Alternate<T> {
    const READ: usize = 1;

    #[inline(always)]
    fn place(&self, at: isize) -> *const u8 {
        self.0.wrapping_offset(at / 2).cast()
    }

    #[inline(always)]
    unsafe fn element(&self, at: usize) -> T {
        // SAFETY: the caller's promise.
        if at % 2 == 1 { self.1.0 } else { unsafe { self.0.add(at / 2).read_unaligned() } }
    }

    #[inline(always)]
    unsafe fn line(&self, at: usize) -> __m512i {
        // SAFETY: the caller's promise: half as many elements, from the next one on.
        unsafe { T::between(self.0.add(at.div_ceil(2)).cast(), self.1.1, at % 2 == 1) }
    }
}

/// A line of one value.
pub fn repeated<T: Copy>(value: T) -> __m512i {
    let mut line = [0u8; LINE];
    for at in line.chunks_exact_mut(size_of::<T>()) {
        // SAFETY: the chunk has the size of a value.
        unsafe { at.as_mut_ptr().cast::<T>().write_unaligned(value) };
    }
    // SAFETY: both are 64 bytes of which any are a value.
    unsafe { std::mem::transmute(line) }
}
