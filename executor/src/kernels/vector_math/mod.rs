//! Elementary functions as vector code: at most 2 ulp from the interpreter's, in `f32`, and from there in `bf16` and `f16`;
//! the most used ones in `f64`, too (`wide.rs`).
//!
//! A function of one element is written without branches (`single.rs` in `f32`, `double.rs` by way of `f64`), and the loops
//! here are compiled for each [`Isa`], which makes vectors of it. What the short formulas cannot do, circular functions of
//! large angles, is asked for per block of elements and left to the interpreter's functions.

pub mod arith;
pub mod complex;
pub mod convert;
pub mod double;
pub mod lane;
pub mod narrow;
pub mod pieces;
pub mod single;
pub mod wide;

#[cfg(test)]
mod exact_tests;
#[cfg(test)]
pub(crate) mod tests;

use std::mem::MaybeUninit;

use interpreter::element::Elementary;
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::isa::Isa;
use super::lanes::StepFn;
use arith::One;
use lane::Lane;

/// Elements that are computed before any of them is stored, so that `out` may be an operand.
const BLOCK: usize = 128;

/// What to do with operands for which a function's short formula is no good.
#[derive(Copy, Clone, Debug)]
pub struct Hard {
    /// The magnitude up to which it is.
    limit: f32,
    /// The function for the others.
    slow: fn(f32) -> f32,
}

/// The storage of results until all operands of a block have been read.
type Block<L> = [MaybeUninit<L>; BLOCK];

/// `f` of `len` elements from number `at` on, to a block.
///
/// # Safety
/// As for [`StepFn`]; `at + len` is at most the number of elements, `len` at most that of a block.
#[inline(always)]
unsafe fn unary_block<L: Lane, F: Fn(f32) -> f32 + Copy>(
    block: &mut Block<L>,
    a: *const L,
    len: usize,
    f: F,
    hard: Option<Hard>,
) {
    let mut n_hard = 0u32;
    for (index, value) in block[..len].iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        let x = unsafe { a.add(index).read_unaligned() }.widen();
        value.write(L::result(f(x)));
        if let Some(Hard { limit, .. }) = hard {
            // NaN and infinity too.
            let is_easy = x.abs() <= limit;
            n_hard += u32::from(!is_easy);
        }
    }
    let Some(Hard { limit, slow }) = hard else { return };
    if n_hard == 0 {
        return;
    }
    for (index, value) in block[..len].iter_mut().enumerate() {
        // SAFETY: as above.
        let x = unsafe { a.add(index).read_unaligned() }.widen();
        let is_easy = x.abs() <= limit;
        if !is_easy {
            value.write(L::result(slow(x)));
        }
    }
}

/// `f` of every element.
///
/// # Safety
/// As for [`StepFn`].
#[inline(always)]
unsafe fn unary_loop<L: Lane, F: Fn(f32) -> f32 + Copy>(
    n: usize,
    out: *mut u8,
    a: *const u8,
    f: F,
    hard: Option<Hard>,
) {
    let (out, a) = (out.cast::<L>(), a.cast::<L>());
    let mut block: Block<L> = [MaybeUninit::uninit(); BLOCK];
    let mut at = 0;
    // SAFETY: whole blocks and the rest below n, by the caller's promise. A block's length is known to the compiler, which
    // spares calls for the copies.
    unsafe {
        while at + BLOCK <= n {
            unary_block::<L, F>(&mut block, a.add(at), BLOCK, f, hard);
            std::ptr::copy_nonoverlapping(block.as_ptr().cast(), out.add(at), BLOCK);
            at += BLOCK;
        }
        if at < n {
            unary_block::<L, F>(&mut block, a.add(at), n - at, f, hard);
            std::ptr::copy_nonoverlapping(block.as_ptr().cast(), out.add(at), n - at);
        }
    }
}

/// `f` of `len` pairs, to a block.
///
/// # Safety
/// As for [`unary_block`].
#[inline(always)]
unsafe fn binary_block<L: Lane, F: Fn(f32, f32) -> f32 + Copy>(
    block: &mut Block<L>,
    a: *const L,
    b: *const L,
    len: usize,
    f: F,
) {
    for (index, value) in block[..len].iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        let (x, y) = unsafe { (a.add(index).read_unaligned(), b.add(index).read_unaligned()) };
        value.write(L::result(f(x.widen(), y.widen())));
    }
}

/// `f` of every pair of elements.
///
/// # Safety
/// As for [`StepFn`].
#[inline(always)]
unsafe fn binary_loop<L: Lane, F: Fn(f32, f32) -> f32 + Copy>(
    n: usize,
    out: *mut u8,
    a: *const u8,
    b: *const u8,
    f: F,
) {
    let (out, a, b) = (out.cast::<L>(), a.cast::<L>(), b.cast::<L>());
    let mut block: Block<L> = [MaybeUninit::uninit(); BLOCK];
    let mut at = 0;
    // SAFETY: as for `unary_loop`.
    unsafe {
        while at + BLOCK <= n {
            binary_block::<L, F>(&mut block, a.add(at), b.add(at), BLOCK, f);
            std::ptr::copy_nonoverlapping(block.as_ptr().cast(), out.add(at), BLOCK);
            at += BLOCK;
        }
        if at < n {
            binary_block::<L, F>(&mut block, a.add(at), b.add(at), n - at, f);
            std::ptr::copy_nonoverlapping(block.as_ptr().cast(), out.add(at), n - at);
        }
    }
}

/// Whether the baseline has fused multiply-add.
const BASELINE_FMA: bool = cfg!(target_arch = "aarch64");

macro_rules! for_each_isa {
    ($loop:ident, $baseline:ident, $avx2:ident, $avx512:ident, ($($x:ident),*), ($($extra:ident: $Extra:ty),*)) => {
        #[inline(never)]
        unsafe fn $baseline<L: Lane, F: Fn($($x),*) -> f32 + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, f: F $(, $extra: $Extra)*) {
            // SAFETY: the caller's promise.
            unsafe { for_each_isa!(@call $loop, L, F, n, out, a, b, f, ($($x),*), ($($extra),*)) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx2<L: Lane, F: Fn($($x),*) -> f32 + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, f: F $(, $extra: $Extra)*) {
            // SAFETY: the caller's promise.
            unsafe { for_each_isa!(@call $loop, L, F, n, out, a, b, f, ($($x),*), ($($extra),*)) }
        }
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn $avx512<L: Lane, F: Fn($($x),*) -> f32 + Copy>(n: usize, out: *mut u8, a: *const u8, b: *const u8, f: F $(, $extra: $Extra)*) {
            // SAFETY: the caller's promise.
            unsafe { for_each_isa!(@call $loop, L, F, n, out, a, b, f, ($($x),*), ($($extra),*)) }
        }
    };
    (@call $loop:ident, $L:ident, $F:ident, $n:ident, $out:ident, $a:ident, $b:ident, $f:ident, (f32), ($($extra:ident),*)) => {{
        let _ = $b;
        $loop::<$L, $F>($n, $out, $a, $f $(, $extra)*)
    }};
    (@call $loop:ident, $L:ident, $F:ident, $n:ident, $out:ident, $a:ident, $b:ident, $f:ident, (f32, f32), ()) => {
        $loop::<$L, $F>($n, $out, $a, $b, $f)
    };
}
for_each_isa!(unary_loop, unary_baseline, unary_avx2, unary_avx512, (f32), (hard: Option<Hard>));
for_each_isa!(binary_loop, binary_baseline, binary_avx2, binary_avx512, (f32, f32), ());

/// The step for one lane type: the loops, the function with and without fused multiply-add, further arguments.
macro_rules! step_of {
    ($isa:expr, $L:ty, $baseline:ident, $avx2:ident, $avx512:ident, $m:ident::$f:ident($($x:ident),*) $(, $extra:expr)*) => {
        match $isa {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the promise of `StepFn`; a plan for this instruction set is made only where the machine has it.
            Isa::Avx512 => |n, out, a, b, _| unsafe { $avx512::<$L, _>(n, out, a, b, |$($x),*| $m::$f($(One::<f32, true>($x)),*).0 $(, $extra)*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Isa::Avx2 => |n, out, a, b, _| unsafe { $avx2::<$L, _>(n, out, a, b, |$($x),*| $m::$f($(One::<f32, true>($x)),*).0 $(, $extra)*) },
            // SAFETY: as above.
            _ => |n, out, a, b, _| unsafe { $baseline::<$L, _>(n, out, a, b, |$($x),*| $m::$f($(One::<f32, BASELINE_FMA>($x)),*).0 $(, $extra)*) },
        }
    };
}

macro_rules! functions {
    ({ $($kind:ident = $m:ident::$f:ident, $hard:expr;)* } { $($kind2:ident = $m2:ident::$f2:ident;)* }) => {
        /// The step of a function of `f32`, `bf16` or `f16`; none for what has no vector code of its own.
        pub fn step(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
            macro_rules! of_kind {
                ($L:ty) => {
                    Some(match kind {
                        $(OpKind::$kind => step_of!(isa, $L, unary_baseline, unary_avx2, unary_avx512, $m::$f(x), $hard),)*
                        $(OpKind::$kind2 => step_of!(isa, $L, binary_baseline, binary_avx2, binary_avx512, $m2::$f2(x, y)),)*
                        _ => return None,
                    })
                };
            }
            match element {
                ElementType::F32 => of_kind!(f32),
                ElementType::BF16 => of_kind!(lane::Bf16),
                ElementType::F16 => of_kind!(lane::F16),
                element => wide::step(isa, kind, element).or_else(|| complex::step(isa, kind, element)),
            }
        }
    };
}

functions! {
    {
        Acos = double::acos, None;
        Acosh = double::acosh, None;
        Asin = double::asin, None;
        Asinh = double::asinh, None;
        Atan = double::atan, None;
        Atanh = double::atanh, None;
        Cbrt = double::cbrt, None;
        ChloTan = double::tan, Some(Hard { limit: double::CIRCULAR_LIMIT, slow: <f32 as Elementary>::tan });
        Cosh = double::cosh, None;
        Cosine = single::cosine, Some(Hard { limit: single::CIRCULAR_LIMIT, slow: <f32 as Elementary>::cosine });
        Erf = double::erf, None;
        ErfInv = double::erf_inv, None;
        Erfc = double::erfc, None;
        Exponential = single::exponential, None;
        ExponentialMinusOne = single::exponential_minus_one, None;
        Log = single::log, None;
        LogPlusOne = single::log_plus_one, None;
        Logistic = single::logistic, None;
        Rsqrt = single::rsqrt, None;
        Sine = single::sine, Some(Hard { limit: single::CIRCULAR_LIMIT, slow: <f32 as Elementary>::sine });
        Sinh = double::sinh, None;
        Sqrt = single::sqrt, None;
        Tan = double::tan, Some(Hard { limit: double::CIRCULAR_LIMIT, slow: <f32 as Elementary>::tan });
        Tanh = single::tanh, None;
    }
    {
        Atan2 = double::atan2;
        Power = double::power;
    }
}
