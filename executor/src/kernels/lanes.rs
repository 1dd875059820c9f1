//! Loops over elements, compiled for each [`Isa`](super::isa::Isa).
//!
//! A [`StepFn`] computes `n` elements in storage form. What one element is comes from the interpreter's arithmetic, so
//! that both engines agree by construction; the compiler turns the loop into vector instructions. Functions for which that
//! gives slow code have kernels of their own in `vector_math.rs`.

use std::mem::MaybeUninit;

use interpreter::element::Element;

/// Computes `n` elements at `out` from those at `a`, `b` and `c`; operands that an op does not have are not read.
///
/// # Safety
/// `out` is writable and the operands are readable for `n` elements of the step's types. `out` may be one of the operands
/// when their elements have the same width, and must not overlap them otherwise.
pub type StepFn = unsafe fn(n: usize, out: *mut u8, a: *const u8, b: *const u8, c: *const u8);

/// One element, read where it stands.
///
/// # Safety
/// `at` is readable for an element number `index` of type `T`.
#[inline(always)]
unsafe fn read<T: Element>(at: *const u8, index: usize) -> T {
    // SAFETY: as above; a slice of the element's own bytes.
    T::read_le(unsafe { std::slice::from_raw_parts(at.add(index * T::WIDTH), T::WIDTH) })
}

/// # Safety
/// `at` is writable for an element number `index` of type `T`.
#[inline(always)]
unsafe fn write<T: Element>(at: *mut u8, index: usize, value: T) {
    // SAFETY: as above; a slice of the element's own bytes.
    value.write_le(unsafe { std::slice::from_raw_parts_mut(at.add(index * T::WIDTH), T::WIDTH) });
}

/// Defines a loop three times, once per instruction set, and the function that chooses.
macro_rules! for_each_isa {
    ($(#[$doc:meta])* $name:ident, $baseline:ident, $avx2:ident, $avx512:ident: <$($T:ident),*> fn($($arg:ident: $ty:ty),*) -> $R:ty) => {
        #[inline(never)]
        pub(crate) unsafe fn $baseline<$($T: Element,)* F: Fn($($ty),*) -> $R + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, c: *const u8, f: F) {
            // SAFETY: the caller's promise.
            unsafe { $name::<$($T,)* F>(n, out, a, b, c, f) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        pub(crate) unsafe fn $avx2<$($T: Element,)* F: Fn($($ty),*) -> $R + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, c: *const u8, f: F) {
            // SAFETY: the caller's promise.
            unsafe { $name::<$($T,)* F>(n, out, a, b, c, f) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        pub(crate) unsafe fn $avx512<$($T: Element,)* F: Fn($($ty),*) -> $R + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, c: *const u8, f: F) {
            // SAFETY: the caller's promise.
            unsafe { $name::<$($T,)* F>(n, out, a, b, c, f) }
        }
    };
}

/// Elements that are computed before any of them is stored, so that `out` may be an operand and the compiler need not ask.
/// So many that the compiler makes vectors of the loop; a shorter one it would unroll first and then find none.
const BLOCK: usize = 128;

#[inline(always)]
unsafe fn map1<A: Element, R: Element, F: Fn(A) -> R + Copy>(
    n: usize,
    out: *mut u8,
    a: *const u8,
    _: *const u8,
    _: *const u8,
    f: F,
) {
    let mut at = 0;
    while at + BLOCK <= n {
        let mut block = [const { MaybeUninit::<R>::uninit() }; BLOCK];
        for (lane, value) in block.iter_mut().enumerate() {
            // SAFETY: at + lane < n, the caller's promise.
            value.write(unsafe { f(read::<A>(a, at + lane)) });
        }
        for (lane, value) in block.iter().enumerate() {
            // SAFETY: as above; the value has just been written.
            unsafe { write(out, at + lane, value.assume_init()) };
        }
        at += BLOCK;
    }
    while at < n {
        // SAFETY: at < n, the caller's promise.
        unsafe { write(out, at, f(read::<A>(a, at))) };
        at += 1;
    }
}
for_each_isa!(map1, map1_baseline, map1_avx2, map1_avx512: <A, R> fn(a: A) -> R);

#[inline(always)]
unsafe fn map2<A: Element, B: Element, R: Element, F: Fn(A, B) -> R + Copy>(
    n: usize,
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    _: *const u8,
    f: F,
) {
    let mut at = 0;
    while at + BLOCK <= n {
        let mut block = [const { MaybeUninit::<R>::uninit() }; BLOCK];
        for (lane, value) in block.iter_mut().enumerate() {
            // SAFETY: at + lane < n, the caller's promise.
            value.write(unsafe { f(read::<A>(a, at + lane), read::<B>(b, at + lane)) });
        }
        for (lane, value) in block.iter().enumerate() {
            // SAFETY: as above; the value has just been written.
            unsafe { write(out, at + lane, value.assume_init()) };
        }
        at += BLOCK;
    }
    while at < n {
        // SAFETY: at < n, the caller's promise.
        unsafe { write(out, at, f(read::<A>(a, at), read::<B>(b, at))) };
        at += 1;
    }
}
for_each_isa!(map2, map2_baseline, map2_avx2, map2_avx512: <A, B, R> fn(a: A, b: B) -> R);

#[inline(always)]
unsafe fn map3<A: Element, B: Element, C: Element, R: Element, F: Fn(A, B, C) -> R + Copy>(
    n: usize,
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    c: *const u8,
    f: F,
) {
    let mut at = 0;
    while at + BLOCK <= n {
        let mut block = [const { MaybeUninit::<R>::uninit() }; BLOCK];
        for (lane, value) in block.iter_mut().enumerate() {
            // SAFETY: at + lane < n, the caller's promise.
            value.write(unsafe { f(read::<A>(a, at + lane), read::<B>(b, at + lane), read::<C>(c, at + lane)) });
        }
        for (lane, value) in block.iter().enumerate() {
            // SAFETY: as above; the value has just been written.
            unsafe { write(out, at + lane, value.assume_init()) };
        }
        at += BLOCK;
    }
    while at < n {
        // SAFETY: at < n, the caller's promise.
        unsafe { write(out, at, f(read::<A>(a, at), read::<B>(b, at), read::<C>(c, at))) };
        at += 1;
    }
}
for_each_isa!(map3, map3_baseline, map3_avx2, map3_avx512: <A, B, C, R> fn(a: A, b: B, c: C) -> R);

/// A step of a function of elements, `step!(isa, map2 [f32, f32, f32], f32::add)`; types that are seldom used
/// (`step!(isa, rare …)`) have a baseline loop only, which keeps the binary small.
macro_rules! step {
    ($isa:expr, map1 [$A:ty, $R:ty], $f:expr) => {
        $crate::kernels::lanes::step!(@ $isa, map1_baseline, map1_avx2, map1_avx512, [$A, $R], $f)
    };
    ($isa:expr, map2 [$A:ty, $B:ty, $R:ty], $f:expr) => {
        $crate::kernels::lanes::step!(@ $isa, map2_baseline, map2_avx2, map2_avx512, [$A, $B, $R], $f)
    };
    ($isa:expr, map3 [$A:ty, $B:ty, $C:ty, $R:ty], $f:expr) => {
        $crate::kernels::lanes::step!(@ $isa, map3_baseline, map3_avx2, map3_avx512, [$A, $B, $C, $R], $f)
    };
    (@ $isa:expr, $baseline:ident, $avx2:ident, $avx512:ident, [$($T:ty),*], $f:expr) => {
        match $isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the promise of `StepFn`; a plan for this instruction set is made only where the machine has it.
            $crate::kernels::isa::Isa::Avx512 => |n, out, a, b, c| unsafe {
                $crate::kernels::lanes::$avx512::<$($T,)* _>(n, out, a, b, c, $f)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            $crate::kernels::isa::Isa::Avx2 => |n, out, a, b, c| unsafe {
                $crate::kernels::lanes::$avx2::<$($T,)* _>(n, out, a, b, c, $f)
            },
            // SAFETY: as above.
            _ => |n, out, a, b, c| unsafe { $crate::kernels::lanes::$baseline::<$($T,)* _>(n, out, a, b, c, $f) },
        }
    };
    (rare map1 [$A:ty, $R:ty], $f:expr) => {
        // SAFETY: the promise of `StepFn`.
        |n, out, a, b, c| unsafe { $crate::kernels::lanes::map1_baseline::<$A, $R, _>(n, out, a, b, c, $f) }
    };
    (rare map2 [$A:ty, $B:ty, $R:ty], $f:expr) => {
        // SAFETY: the promise of `StepFn`.
        |n, out, a, b, c| unsafe { $crate::kernels::lanes::map2_baseline::<$A, $B, $R, _>(n, out, a, b, c, $f) }
    };
    (rare map3 [$A:ty, $B:ty, $C:ty, $R:ty], $f:expr) => {
        // SAFETY: the promise of `StepFn`.
        |n, out, a, b, c| unsafe { $crate::kernels::lanes::map3_baseline::<$A, $B, $C, $R, _>(n, out, a, b, c, $f) }
    };
}
pub(crate) use step;
