//! Which product is made for which types and machine.

use std::num::Wrapping;

use interpreter::element::{Complex, bf16, f16};
use stablehlo::element::ElementType;

use super::pack::{PackLines, PackPanel, Side, packers};
#[cfg(target_arch = "x86_64")]
use super::pack_groups::group_packers;
use super::simd::{Arrays, Simd};
#[cfg(target_arch = "x86_64")]
use super::simd::{Bf16x32, F32x8, F32x16, F64x4, F64x8, I8x64, I32x8, I32x16, I64x8};
use super::tile::Tiles;
use super::{Operand, Product, Store};
use super::{mixed, narrow};
use crate::kernels::Kernel;
use crate::kernels::isa::Isa;
use crate::kernels::memory::SlotId;

/// An operand before its type is looked at.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it stands.
    pub slot: SlotId,
    /// Its type.
    pub element: ElementType,
    /// Where its elements are.
    pub side: Side,
    /// Where each product of the batch begins, in elements.
    pub batches: Box<[isize]>,
    /// What its lines are multiplied by first.
    pub factors: Option<Factors>,
}

/// Factors of lines.
#[derive(Copy, Clone, Debug)]
pub struct Factors {
    /// Where they stand.
    pub slot: SlotId,
    /// Their type, to which products with them are rounded.
    pub element: ElementType,
    /// Where the first stands, in elements.
    pub offset: isize,
    /// Elements from one to the next; 0 when there is one for all.
    pub step: isize,
}

/// Where results go.
#[derive(Clone, Debug)]
pub struct Target {
    /// The slot.
    pub slot: SlotId,
    /// Its type.
    pub element: ElementType,
    /// Where each product of the batch begins, in elements.
    pub batches: Box<[isize]>,
    /// Where each row begins, in elements.
    pub rows: Box<[isize]>,
    /// Whether sums are to be made from the first product to the last, each rounded by itself.
    pub in_order: bool,
}

/// The types that products are summed in here.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Summed {
    F32,
    F64,
    I32,
    I64,
    ComplexF32,
    ComplexF64,
}

/// The type of the sums; none for types that have no kernel.
fn summed(operand: ElementType, result: ElementType) -> Option<Summed> {
    use ElementType::{BF16, F16, F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    Some(match (operand, result) {
        (F32 | BF16 | F16, F32 | BF16 | F16) => Summed::F32,
        (F64 | F32, F64) => Summed::F64,
        (ElementType::ComplexF32, ElementType::ComplexF32) => Summed::ComplexF32,
        (ElementType::ComplexF64, ElementType::ComplexF64) => Summed::ComplexF64,
        (I8 | UI8 | I16 | UI16 | I32 | UI32, I8 | UI8 | I16 | UI16 | I32 | UI32) => Summed::I32,
        (I8 | UI8 | I16 | UI16 | I32 | UI32 | I64 | UI64, I64 | UI64) => Summed::I64,
        _ => return None,
    })
}

/// Whether there is a product of these types.
pub fn covers(lhs: ElementType, rhs: ElementType, result: ElementType) -> bool {
    lhs == rhs && summed(lhs, result).is_some() || mixed::has_product(lhs, rhs, result)
}

/// Whether products of bf16 are made by instructions of their own: these take two steps at a time. Where they exist but take
/// twice as long, nothing would be gained; that is so on Intel's machines.
#[cfg(target_arch = "x86_64")]
pub(super) fn has_fast_bf16() -> bool {
    // AMD's name for itself: "AuthenticAMD".
    let vendor = std::arch::x86_64::__cpuid(0);
    is_x86_feature_detected!("avx512bf16") && vendor.ebx == u32::from_le_bytes(*b"Auth")
}

/// The kernel for a product of these operands; none when the types have none.
pub fn product(isa: Isa, k: usize, lhs: Source, rhs: Source, target: Target) -> Option<Box<dyn Kernel>> {
    debug_assert!(lhs.factors.is_none() && rhs.factors.is_none(), "only products of few rows read factors");
    // Unsigned bytes have instructions, too, but no results of other widths.
    let is_bytes = lhs.element == ElementType::UI8 && target.element.byte_width() == 4;
    if target.in_order || is_bytes || lhs.element != rhs.element || summed(lhs.element, target.element).is_none() {
        return mixed::product(isa, k, lhs, rhs, target);
    }
    let (operand, result) = (lhs.element, target.element);
    match summed(operand, result)? {
        Summed::F32 => {
            let packers = match operand {
                ElementType::F32 => packers::<f32, f32>(isa),
                ElementType::BF16 => packers::<bf16, f32>(isa),
                _ => packers::<f16, f32>(isa),
            };
            let store = match result {
                ElementType::BF16 => Some(narrow::to_bf16(isa)),
                ElementType::F16 => Some(narrow::to_f16(isa)),
                _ => None,
            };
            #[cfg(target_arch = "x86_64")]
            if operand == ElementType::BF16 && isa == Isa::Avx512 && has_fast_bf16() {
                let of = Of { k, lhs, rhs, target, is_packed: true };
                return Some(of.product::<Bf16x32>(group_packers::<u16, 2, 0, false>(), store));
            }
            let is_packed = operand == ElementType::F32;
            let of = Of { k, lhs, rhs, target, is_packed };
            Some(match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => of.product::<F32x16>(packers, store),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => of.product::<F32x8>(packers, store),
                _ => of.product::<Arrays<f32>>(packers, store),
            })
        }
        Summed::F64 => {
            let is_packed = operand == ElementType::F64;
            let packers = if is_packed { packers::<f64, f64>(isa) } else { packers::<f32, f64>(isa) };
            let of = Of { k, lhs, rhs, target, is_packed };
            Some(match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => of.product::<F64x8>(packers, None),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => of.product::<F64x4>(packers, None),
                _ => of.product::<Arrays<f64>>(packers, None),
            })
        }
        Summed::ComplexF32 => {
            let of = Of { k, lhs, rhs, target, is_packed: true };
            Some(of.product::<Arrays<Complex<f32>>>(packers::<Complex<f32>, Complex<f32>>(isa), None))
        }
        Summed::ComplexF64 => {
            let of = Of { k, lhs, rhs, target, is_packed: true };
            Some(of.product::<Arrays<Complex<f64>>>(packers::<Complex<f64>, Complex<f64>>(isa), None))
        }
        Summed::I32 => {
            let store = narrow::to_bytes(isa, result.byte_width());
            #[cfg(target_arch = "x86_64")]
            if operand == ElementType::I8 && isa == Isa::Avx512 && is_x86_feature_detected!("avx512vnni") {
                // The left operand is changed while it is packed.
                let of = Of { k, lhs, rhs, target, is_packed: false };
                let (flipped, packers) =
                    (group_packers::<u8, 4, 0x8080_8080, false>(), group_packers::<u8, 4, 0, false>());
                return Some(of.product_of::<I8x64>(flipped, packers, store));
            }
            type I = Wrapping<i32>;
            let packers = match operand {
                ElementType::I8 => packers::<i8, I>(isa),
                ElementType::UI8 => packers::<u8, I>(isa),
                ElementType::I16 => packers::<i16, I>(isa),
                ElementType::UI16 => packers::<u16, I>(isa),
                ElementType::UI32 => packers::<u32, I>(isa),
                _ => packers::<i32, I>(isa),
            };
            let of = Of { k, lhs, rhs, target, is_packed: operand.byte_width() == 4 };
            Some(match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => of.product::<I32x16>(packers, store),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => of.product::<I32x8>(packers, store),
                _ => of.product::<Arrays<I>>(packers, store),
            })
        }
        Summed::I64 => {
            type I = Wrapping<i64>;
            let packers = match operand {
                ElementType::I8 => packers::<i8, I>(isa),
                ElementType::UI8 => packers::<u8, I>(isa),
                ElementType::I16 => packers::<i16, I>(isa),
                ElementType::UI16 => packers::<u16, I>(isa),
                ElementType::I32 => packers::<i32, I>(isa),
                ElementType::UI32 => packers::<u32, I>(isa),
                ElementType::UI64 => packers::<u64, I>(isa),
                _ => packers::<i64, I>(isa),
            };
            let of = Of { k, lhs, rhs, target, is_packed: operand.byte_width() == 8 };
            Some(match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => of.product::<I64x8>(packers, None),
                _ => of.product::<Arrays<I>>(packers, None),
            })
        }
    }
}

/// How an operand is packed.
type Packers<S> = (PackPanel<<S as Simd>::In>, PackLines<<S as Simd>::In>);

/// A product before its vectors are chosen.
pub(super) struct Of {
    /// Length of the contracting dimension.
    pub k: usize,
    /// The left operand.
    pub lhs: Source,
    /// The right operand.
    pub rhs: Source,
    /// Where results go.
    pub target: Target,
    /// Whether elements in memory are packed elements.
    pub is_packed: bool,
}

impl Of {
    fn product<S: Tiles>(self, packers: Packers<S>, store: Option<Store<S::Acc>>) -> Box<dyn Kernel> {
        self.product_of::<S>(packers, packers, store)
    }

    /// A product whose operands are packed differently.
    pub fn product_of<S: Tiles>(
        self,
        lhs: Packers<S>,
        rhs: Packers<S>,
        store: Option<Store<S::Acc>>,
    ) -> Box<dyn Kernel> {
        let operand = |source: Source, (panel, lines): Packers<S>| Operand {
            slot: source.slot,
            width: source.element.byte_width(),
            side: source.side,
            batches: source.batches,
            panel,
            lines,
            is_packed_type: self.is_packed,
        };
        Box::new(Product::<S> {
            lhs: operand(self.lhs, lhs),
            rhs: operand(self.rhs, rhs),
            result: self.target.slot,
            result_width: self.target.element.byte_width(),
            result_batches: self.target.batches,
            result_rows: self.target.rows,
            store,
            k: self.k,
            after: None,
            packed: None,
        })
    }
}
