//! Sums stored as elements of narrower types.

use std::num::Wrapping;

use interpreter::element::{bf16, f16};

use super::Store;
use crate::kernels::isa::Isa;

/// A sum from which elements are made.
trait Narrow<E> {
    fn narrow(self) -> E;
}

/// Rounds to nearest, ties to even, without branches.
impl Narrow<bf16> for f32 {
    #[inline(always)]
    fn narrow(self) -> bf16 {
        let bits = self.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
        let bits = if self.is_nan() { 0x7fc0_0000 } else { rounded };
        bf16::from_bits((bits >> 16) as u16)
    }
}

impl Narrow<f16> for f32 {
    #[inline(always)]
    fn narrow(self) -> f16 {
        f16::from_f32(self)
    }
}

macro_rules! wrapping {
    ($($A:ty: $($E:ty)*;)*) => {
        $($(impl Narrow<$E> for Wrapping<$A> {
            #[inline(always)]
            fn narrow(self) -> $E {
                self.0 as $E
            }
        })*)*
    };
}
wrapping! { i32: u8 u16; }

#[inline(always)]
unsafe fn body<A: Narrow<E> + Copy, E>(from: *const A, to: *mut u8, n: usize) {
    for index in 0..n {
        // SAFETY: the caller gives that many sums, and room for that many elements.
        unsafe { to.cast::<E>().add(index).write((*from.add(index)).narrow()) };
    }
}

macro_rules! stores {
    ($isa:expr, $A:ty, $E:ty) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
        unsafe fn avx512(from: *const $A, to: *mut u8, n: usize) {
            // SAFETY: the caller's promise.
            unsafe { body::<$A, $E>(from, to, n) }
        }
        unsafe fn baseline(from: *const $A, to: *mut u8, n: usize) {
            // SAFETY: the caller's promise.
            unsafe { body::<$A, $E>(from, to, n) }
        }
        let store: Store<$A> = match $isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => avx512,
            _ => baseline,
        };
        store
    }};
}

/// Stores f32 as bf16.
pub fn to_bf16(isa: Isa) -> Store<f32> {
    stores!(isa, f32, bf16)
}

/// Stores f32 as f16.
pub fn to_f16(isa: Isa) -> Store<f32> {
    stores!(isa, f32, f16)
}

/// Stores the lower bits of i32, one or two bytes.
pub fn to_bytes(isa: Isa, width: usize) -> Option<Store<Wrapping<i32>>> {
    match width {
        1 => Some(stores!(isa, Wrapping<i32>, u8)),
        2 => Some(stores!(isa, Wrapping<i32>, u16)),
        _ => None,
    }
}
