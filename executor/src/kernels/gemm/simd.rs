//! Vectors of sums: what the tiles of a product are written in.

use std::num::Wrapping;
use std::ops::{Add, AddAssign, Mul, Neg};

use interpreter::element::Complex;

/// A number that products are summed in.
pub trait Sum:
    Copy
    + Default
    + Send
    + Sync
    + 'static
    + std::fmt::Debug
    + AddAssign
    + Add<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
}
impl Sum for f32 {}
impl Sum for f64 {}
impl Sum for Wrapping<i32> {}
impl Sum for Wrapping<i64> {}
impl Sum for Complex<f32> {}
impl Sum for Complex<f64> {}

/// A kind of vector together with what is multiplied and what is summed in it.
///
/// # Safety
/// Functions may be called only where the machine has the instructions that the type is named after, with addresses of as
/// many elements as they read or write.
pub unsafe trait Simd: Copy + Send + Sync + 'static + std::fmt::Debug {
    /// An element of a packed operand: one number, or several along the contracting dimension.
    type In: Copy + Default + Send + Sync + 'static + std::fmt::Debug;
    /// A sum.
    type Acc: Sum;
    /// Sums side by side.
    type V: Copy;
    /// How many.
    const LANES: usize;
    /// Numbers along the contracting dimension in one `In`.
    const GROUP: usize = 1;
    /// By what the sum of each column is multiplied before it is taken off all sums of the column; none if these are what
    /// they should be.
    const CORRECTION: Option<Self::In> = None;
    /// Whether sums are made from the first product to the last, each rounded by itself.
    const IN_ORDER: bool = false;
    /// Rows of the largest tile, of two vectors each, that fits the registers.
    const ROWS: usize;

    /// # Safety
    /// See the trait.
    unsafe fn zero() -> Self::V;
    /// A vector of packed elements.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn load(at: *const Self::In) -> Self::V;
    /// One packed element of the left operand for all lanes.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn splat(at: *const Self::In) -> Self::V;
    /// `acc + a * b`
    ///
    /// # Safety
    /// See the trait.
    unsafe fn fma(acc: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `a + b`
    ///
    /// # Safety
    /// See the trait.
    unsafe fn add(a: Self::V, b: Self::V) -> Self::V;
    /// A vector of sums.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn load_acc(at: *const Self::Acc) -> Self::V;
    /// Stores a vector of sums.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn store_acc(at: *mut Self::Acc, v: Self::V);
}

/// Vectors of any machine, as arrays.
#[derive(Copy, Clone, Debug)]
pub struct Arrays<T>(std::marker::PhantomData<T>);

// SAFETY: no special instructions are used.
unsafe impl<T: Sum> Simd for Arrays<T> {
    type In = T;
    type Acc = T;
    type V = [T; 4];
    const LANES: usize = 4;
    const IN_ORDER: bool = true;
    const ROWS: usize = 4;

    #[inline(always)]
    unsafe fn zero() -> [T; 4] {
        [T::default(); 4]
    }
    #[inline(always)]
    unsafe fn load(at: *const T) -> [T; 4] {
        // SAFETY: the trait's promise.
        unsafe { at.cast::<[T; 4]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn splat(at: *const T) -> [T; 4] {
        // SAFETY: the trait's promise.
        unsafe { [at.read_unaligned(); 4] }
    }
    #[inline(always)]
    unsafe fn fma(acc: [T; 4], a: [T; 4], b: [T; 4]) -> [T; 4] {
        [acc[0] + a[0] * b[0], acc[1] + a[1] * b[1], acc[2] + a[2] * b[2], acc[3] + a[3] * b[3]]
    }
    #[inline(always)]
    unsafe fn add(a: [T; 4], b: [T; 4]) -> [T; 4] {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
    }
    #[inline(always)]
    unsafe fn load_acc(at: *const T) -> [T; 4] {
        // SAFETY: the trait's promise.
        unsafe { at.cast::<[T; 4]>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store_acc(at: *mut T, v: [T; 4]) {
        // SAFETY: the trait's promise.
        unsafe { at.cast::<[T; 4]>().write_unaligned(v) }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::*;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;
    use std::num::Wrapping;

    use super::Simd;

    macro_rules! vectors {
        ($(#[$doc:meta])* $name:ident: $In:ty, $Acc:ty, $V:ty, $lanes:literal, group $group:literal $(correction $correction:expr)? $(; in order $in_order:literal)?, rows $rows:literal,
         $zero:ident, $load:expr, $splat:expr, $fma:expr, $add:ident, $load_acc:expr, $store_acc:expr) => {
            $(#[$doc])*
            #[derive(Copy, Clone, Debug)]
            pub struct $name;

            // SAFETY: the instructions are those of the name.
            unsafe impl Simd for $name {
                type In = $In;
                type Acc = $Acc;
                type V = $V;
                const LANES: usize = $lanes;
                const GROUP: usize = $group;
                $(const CORRECTION: Option<$In> = Some($correction);)?
                $(const IN_ORDER: bool = $in_order;)?
                const ROWS: usize = $rows;

                #[inline(always)]
                unsafe fn zero() -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $zero() }
                }
                #[inline(always)]
                unsafe fn load(at: *const $In) -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $load(at.cast()) }
                }
                #[inline(always)]
                unsafe fn splat(at: *const $In) -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $splat(at.cast()) }
                }
                #[inline(always)]
                unsafe fn fma(acc: $V, a: $V, b: $V) -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $fma(acc, a, b) }
                }
                #[inline(always)]
                unsafe fn add(a: $V, b: $V) -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $add(a, b) }
                }
                #[inline(always)]
                unsafe fn load_acc(at: *const $Acc) -> $V {
                    // SAFETY: the trait's promise.
                    unsafe { $load_acc(at.cast()) }
                }
                #[inline(always)]
                unsafe fn store_acc(at: *mut $Acc, v: $V) {
                    // SAFETY: the trait's promise.
                    unsafe { $store_acc(at.cast(), v) }
                }
            }
        };
    }

    /// `$f` as a function that is always written out where it is called, so that it gets its caller's instructions.
    macro_rules! inline {
        ($($name:ident($($arg:ident: $T:ty),*) -> $R:ty { $body:expr })*) => {$(
            #[inline(always)]
            unsafe fn $name($($arg: $T),*) -> $R {
                // SAFETY: the promise of `Simd`.
                unsafe { $body }
            }
        )*};
    }
    inline! {
        fma_ps_512(acc: __m512, a: __m512, b: __m512) -> __m512 { _mm512_fmadd_ps(a, b, acc) }
        // Pairs of bf16 as the bits of an f32.
        splat_bf16(at: *const f32) -> __m512 { _mm512_set1_ps(at.read_unaligned()) }
        dot_bf16(acc: __m512, a: __m512, b: __m512) -> __m512 { _mm512_dpbf16_ps(acc, bf16_of(a), bf16_of(b)) }
        bf16_of(bits: __m512) -> __m512bh { std::mem::transmute::<__m512, __m512bh>(bits) }
        mul_add_ps_512(acc: __m512, a: __m512, b: __m512) -> __m512 { _mm512_add_ps(acc, _mm512_mul_ps(a, b)) }
        swapped_dot_512(acc: __m512i, a: __m512i, b: __m512i) -> __m512i { _mm512_dpbusd_epi32(acc, b, a) }
        fma_pd_512(acc: __m512d, a: __m512d, b: __m512d) -> __m512d { _mm512_fmadd_pd(a, b, acc) }
        fma_i32_512(acc: __m512i, a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi32(acc, _mm512_mullo_epi32(a, b)) }
        fma_i64_512(acc: __m512i, a: __m512i, b: __m512i) -> __m512i { _mm512_add_epi64(acc, _mm512_mullo_epi64(a, b)) }
        fma_ps_256(acc: __m256, a: __m256, b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, acc) }
        fma_pd_256(acc: __m256d, a: __m256d, b: __m256d) -> __m256d { _mm256_fmadd_pd(a, b, acc) }
        fma_i32_256(acc: __m256i, a: __m256i, b: __m256i) -> __m256i { _mm256_add_epi32(acc, _mm256_mullo_epi32(a, b)) }
        splat_ps_512(at: *const f32) -> __m512 { _mm512_set1_ps(at.read_unaligned()) }
        splat_pd_512(at: *const f64) -> __m512d { _mm512_set1_pd(at.read_unaligned()) }
        splat_i32_512(at: *const i32) -> __m512i { _mm512_set1_epi32(at.read_unaligned()) }
        splat_i64_512(at: *const i64) -> __m512i { _mm512_set1_epi64(at.read_unaligned()) }
        splat_ps_256(at: *const f32) -> __m256 { _mm256_set1_ps(at.read_unaligned()) }
        splat_pd_256(at: *const f64) -> __m256d { _mm256_set1_pd(at.read_unaligned()) }
        splat_i32_256(at: *const i32) -> __m256i { _mm256_set1_epi32(at.read_unaligned()) }
    }

    vectors!(
        /// AVX-512, f32.
        F32x16: f32, f32, __m512, 16, group 1, rows 12, _mm512_setzero_ps, _mm512_loadu_ps, splat_ps_512, fma_ps_512,
        _mm512_add_ps, _mm512_loadu_ps, _mm512_storeu_ps
    );
    vectors!(
        /// AVX-512, f32, each product and each sum rounded by itself.
        F32x16InOrder: f32, f32, __m512, 16, group 1; in order true, rows 12, _mm512_setzero_ps, _mm512_loadu_ps,
        splat_ps_512, mul_add_ps_512, _mm512_add_ps, _mm512_loadu_ps, _mm512_storeu_ps
    );
    vectors!(
        /// AVX-512, f64.
        F64x8: f64, f64, __m512d, 8, group 1, rows 12, _mm512_setzero_pd, _mm512_loadu_pd, splat_pd_512, fma_pd_512,
        _mm512_add_pd, _mm512_loadu_pd, _mm512_storeu_pd
    );
    vectors!(
        /// AVX-512, i32.
        I32x16: Wrapping<i32>, Wrapping<i32>, __m512i, 16, group 1, rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i32_512, fma_i32_512, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512, i64.
        I64x8: Wrapping<i64>, Wrapping<i64>, __m512i, 8, group 1, rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i64_512, fma_i64_512, _mm512_add_epi64, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512 VNNI, four products of i8 per i32. The instruction multiplies unsigned by signed bytes: the left operand
        /// is packed with 128 added, and what that adds to the sums, 128 times the sum of the column, is taken off them.
        I8x64: [u8; 4], Wrapping<i32>, __m512i, 16, group 4 correction [128; 4], rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i32_512, _mm512_dpbusd_epi32, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512 VNNI, products of unsigned by signed bytes.
        U8I8x64: [u8; 4], Wrapping<i32>, __m512i, 16, group 4, rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i32_512, _mm512_dpbusd_epi32, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512 VNNI, products of signed by unsigned bytes.
        I8U8x64: [u8; 4], Wrapping<i32>, __m512i, 16, group 4, rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i32_512, swapped_dot_512, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512 VNNI, products of unsigned bytes: 128 is taken off the left operand while it is packed, and what that
        /// takes off the sums, 128 (as a signed byte −128) times the sum of the column, is added to them.
        U8U8x64: [u8; 4], Wrapping<i32>, __m512i, 16, group 4 correction [128; 4], rows 12, _mm512_setzero_si512, _mm512_loadu_si512,
        splat_i32_512, swapped_dot_512, _mm512_add_epi32, _mm512_loadu_si512, _mm512_storeu_si512
    );
    vectors!(
        /// AVX-512 BF16, two products of bf16 per f32.
        Bf16x32: [u16; 2], f32, __m512, 16, group 2, rows 12, _mm512_setzero_ps, _mm512_loadu_ps, splat_bf16, dot_bf16,
        _mm512_add_ps, _mm512_loadu_ps, _mm512_storeu_ps
    );
    vectors!(
        /// AVX2, f32.
        F32x8: f32, f32, __m256, 8, group 1, rows 6, _mm256_setzero_ps, _mm256_loadu_ps, splat_ps_256, fma_ps_256,
        _mm256_add_ps, _mm256_loadu_ps, _mm256_storeu_ps
    );
    vectors!(
        /// AVX2, f64.
        F64x4: f64, f64, __m256d, 4, group 1, rows 6, _mm256_setzero_pd, _mm256_loadu_pd, splat_pd_256, fma_pd_256,
        _mm256_add_pd, _mm256_loadu_pd, _mm256_storeu_pd
    );
    vectors!(
        /// AVX2, i32.
        I32x8: Wrapping<i32>, Wrapping<i32>, __m256i, 8, group 1, rows 6, _mm256_setzero_si256, load_si256,
        splat_i32_256, fma_i32_256, _mm256_add_epi32, load_si256, store_si256
    );
    inline! {
        load_si256(at: *const __m256i) -> __m256i { _mm256_loadu_si256(at) }
        store_si256(at: *mut __m256i, v: __m256i) -> () { _mm256_storeu_si256(at, v) }
    }
}
