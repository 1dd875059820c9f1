//! Products of operands of two types, of numbers of four bits, and such whose sums are to be made in order.
//!
//! Programs multiply only what has one type, but say so by converting one operand before; where the operand comes from its
//! narrow form is what is read, and it is widened while it is packed.

use std::num::Wrapping;
use std::sync::LazyLock;

use interpreter::element::{Element, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, bf16, f16};
use stablehlo::element::ElementType;

#[cfg(target_arch = "x86_64")]
use super::choose::has_fast_bf16;
use super::choose::{Of, Source, Target};
use super::narrow;
use super::pack::{PackLines, PackPanel, Widen, packers};
#[cfg(target_arch = "x86_64")]
use super::pack_groups::group_packers;
#[cfg(target_arch = "x86_64")]
use super::pack_weights::weight_packers;
use super::simd::Arrays;
#[cfg(target_arch = "x86_64")]
use super::simd::{Bf16x32, F32x8, F32x16, F32x16InOrder, I8U8x64, I8x64, I32x8, I32x16, U8I8x64, U8U8x64};
use crate::kernels::Kernel;
use crate::kernels::isa::Isa;

type Packers<I> = (PackPanel<I>, PackLines<I>);

/// The type that reads numbers of a type of few bits, each of which stands in a byte.
pub fn in_bytes(element: ElementType) -> ElementType {
    match element {
        ElementType::UI2 | ElementType::UI4 => ElementType::I8,
        element => element,
    }
}

/// A signed integer that is the lowest bits of its byte.
#[derive(Copy, Clone, Debug)]
#[repr(transparent)]
pub struct Low<const BITS: u32>(u8);

impl<const BITS: u32> Low<BITS> {
    /// The number.
    #[inline(always)]
    pub fn get(self) -> i32 {
        (i32::from(self.0) << (32 - BITS)) >> (32 - BITS)
    }
}

impl<const BITS: u32> Widen<f32> for Low<BITS> {
    #[inline(always)]
    fn widen(self) -> f32 {
        self.get() as f32
    }
}

impl<const BITS: u32> Widen<Wrapping<i32>> for Low<BITS> {
    #[inline(always)]
    fn widen(self) -> Wrapping<i32> {
        Wrapping(self.get())
    }
}

/// Whether [`product`] has a kernel for operands and results of these types.
pub fn has_product(lhs: ElementType, rhs: ElementType, result: ElementType) -> bool {
    let is_float = |element: ElementType| matches!(element, ElementType::F32 | ElementType::BF16 | ElementType::F16);
    let is_byte = |element| matches!(in_bytes(element), ElementType::I8 | ElementType::UI8 | ElementType::I4);
    let is_integer = |element| is_byte(element) || element == ElementType::I2;
    let widens = |element| is_float(element) || is_byte(element) || f8(element);
    is_float(result) && widens(lhs) && widens(rhs)
        || matches!(result, ElementType::I32 | ElementType::UI32) && is_integer(lhs) && is_integer(rhs)
}

fn f8(element: ElementType) -> bool {
    use ElementType::{F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ};
    matches!(element, F8E4M3FN | F8E4M3FNUZ | F8E5M2 | F8E5M2FNUZ)
}

/// The kernel for a product that one type alone does not decide; none when there is none.
pub fn product(isa: Isa, k: usize, lhs: Source, rhs: Source, target: Target) -> Option<Box<dyn Kernel>> {
    let (left, right) = (in_bytes(lhs.element), in_bytes(rhs.element));
    let result = target.element;
    let in_order = target.in_order;
    if result == ElementType::F64 {
        if !in_order || [left, right].iter().any(|element| *element != ElementType::F64) {
            return None;
        }
        let packers = packers::<f64, f64>(isa);
        let of = Of { k, lhs, rhs, target, is_packed: true };
        return Some(of.product_of::<Arrays<f64>>(packers, packers, None));
    }
    if !has_product(left, right, result) {
        return None;
    }
    if result.is_integer() {
        return Some(integers(isa, k, lhs, rhs, target));
    }
    let store = match result {
        ElementType::BF16 => Some(narrow::to_bf16(isa)),
        ElementType::F16 => Some(narrow::to_f16(isa)),
        _ => None,
    };
    #[cfg(target_arch = "x86_64")]
    if !in_order && isa == Isa::Avx512 && has_fast_bf16() {
        let packers = |element| match element {
            ElementType::BF16 => Some(group_packers::<u16, 2, 0, false>()),
            ElementType::I8 => Some(weight_packers::<i8>()),
            ElementType::UI8 => Some(weight_packers::<u8>()),
            ElementType::I4 => Some(weight_packers::<Low<4>>()),
            _ => None,
        };
        if let (Some(left), Some(right)) = (packers(left), packers(right)) {
            let of = Of { k, lhs, rhs, target, is_packed: false };
            return Some(of.product_of::<Bf16x32>(left, right, store));
        }
    }
    let is_packed = [left, right].iter().all(|element| *element == ElementType::F32);
    let (left, right) = (as_f32(isa, left)?, as_f32(isa, right)?);
    let of = Of { k, lhs, rhs, target, is_packed };
    Some(match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 if in_order => of.product_of::<F32x16InOrder>(left, right, store),
        // These multiply and add in two steps.
        _ if in_order => of.product_of::<Arrays<f32>>(left, right, store),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => of.product_of::<F32x16>(left, right, store),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of.product_of::<F32x8>(left, right, store),
        _ => of.product_of::<Arrays<f32>>(left, right, store),
    })
}

fn as_f32(isa: Isa, element: ElementType) -> Option<Packers<f32>> {
    Some(match element {
        ElementType::F32 => packers::<f32, f32>(isa),
        ElementType::BF16 => packers::<bf16, f32>(isa),
        ElementType::F16 => packers::<f16, f32>(isa),
        ElementType::I8 => packers::<i8, f32>(isa),
        ElementType::UI8 => packers::<u8, f32>(isa),
        ElementType::I4 => packers::<Low<4>, f32>(isa),
        // A table is read, for which there are no instructions.
        ElementType::F8E4M3FN => packers::<F8E4M3FN, f32>(Isa::Baseline),
        ElementType::F8E4M3FNUZ => packers::<F8E4M3FNUZ, f32>(Isa::Baseline),
        ElementType::F8E5M2 => packers::<F8E5M2, f32>(Isa::Baseline),
        ElementType::F8E5M2FNUZ => packers::<F8E5M2FNUZ, f32>(Isa::Baseline),
        _ => return None,
    })
}

macro_rules! tables {
    ($($T:ident)*) => {
        $(impl Widen<f32> for $T {
            #[inline(always)]
            fn widen(self) -> f32 {
                static TABLE: LazyLock<[f32; 256]> = LazyLock::new(|| {
                    std::array::from_fn(|bits| interpreter::element::convert($T::read_le(&[bits as u8])))
                });
                let mut bits = [0];
                self.write_le(&mut bits);
                TABLE[usize::from(bits[0])]
            }
        })*
    };
}
tables! { F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ }

/// Products of bytes, summed in i32.
fn integers(isa: Isa, k: usize, lhs: Source, rhs: Source, target: Target) -> Box<dyn Kernel> {
    let (left, right) = (in_bytes(lhs.element), in_bytes(rhs.element));
    #[cfg(target_arch = "x86_64")]
    if isa == Isa::Avx512
        && is_x86_feature_detected!("avx512vnni")
        && [left, right].iter().all(|element| *element != ElementType::I2)
    {
        const FLIP: u32 = 0x8080_8080;
        let plain = |element| match element {
            ElementType::I4 => group_packers::<u8, 4, 0, true>(),
            _ => group_packers::<u8, 4, 0, false>(),
        };
        let flipped = |element| match element {
            ElementType::I4 => group_packers::<u8, 4, FLIP, true>(),
            _ => group_packers::<u8, 4, FLIP, false>(),
        };
        let is_packed = left != right && [left, right].iter().all(|element| *element != ElementType::I4);
        let of = Of { k, lhs, rhs, target, is_packed };
        return match (left, right) {
            (ElementType::UI8, ElementType::UI8) => of.product_of::<U8U8x64>(flipped(left), plain(right), None),
            (ElementType::UI8, _) => of.product_of::<U8I8x64>(plain(left), plain(right), None),
            (_, ElementType::UI8) => of.product_of::<I8U8x64>(plain(left), plain(right), None),
            _ => of.product_of::<I8x64>(flipped(left), plain(right), None),
        };
    }
    type I = Wrapping<i32>;
    let wide = |element| match element {
        ElementType::I8 => packers::<i8, I>(isa),
        ElementType::I4 => packers::<Low<4>, I>(isa),
        ElementType::I2 => packers::<Low<2>, I>(isa),
        _ => packers::<u8, I>(isa),
    };
    let of = Of { k, lhs, rhs, target, is_packed: false };
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => of.product_of::<I32x16>(wide(left), wide(right), None),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => of.product_of::<I32x8>(wide(left), wide(right), None),
        _ => of.product_of::<Arrays<I>>(wide(left), wide(right), None),
    }
}
