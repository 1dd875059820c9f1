//! Lanes of any element type, and how they come from storage and go there.
//!
//! Integers of up to 32 bits are lanes of 32 bits that hold the number, with its sign or zeros above it; `bf16` and `f16`
//! are lanes of `f32` that hold values of those types.

use iced_x86::Code;
use stablehlo::element::ElementType;

use super::lanes::{D, F, I, L, M};
use super::ops::known_truth;
use super::program::{Builder, Memory, Plain, Size, Step, Transfer, Value};
use crate::kernels::vector_math::arith::{Int, Real, Single};
use crate::kernels::vector_math::lane::{self, Lane};

/// Lanes of a type.
#[derive(Copy, Clone)]
pub enum Lanes<'b> {
    /// Truth values.
    M(M<'b>),
    /// Integers of up to 32 bits.
    I(I<'b>),
    /// Floats of up to 32 bits.
    F(F<'b>),
    /// `f64`.
    D(D<'b>),
    /// Integers of 64 bits.
    L(L<'b>),
}

/// An integer of a narrow type with the right bits above it.
pub fn normal<'b>(x: I<'b>, element: ElementType) -> I<'b> {
    match element {
        ElementType::I8 => x.shl(24).sar(24),
        ElementType::I16 => x.shl(16).sar(16),
        ElementType::UI8 => x & x.c(0xff),
        ElementType::UI16 => x & x.c(0xffff),
        _ => x,
    }
}

/// What has been computed in `f32` from values of a type, rounded to that type. NaNs come from NaNs of the type, so that
/// the bits that are rounded away are zero in them.
pub fn rounded<'b>(x: F<'b>, element: ElementType) -> F<'b> {
    match element {
        ElementType::BF16 => {
            let bits = x.to_bits();
            let half = I::choose(bits.tests(bits.c(0x1_0000)), bits.c(0x8000), bits.c(0x7fff));
            ((bits + half) & bits.c(-0x1_0000)).as_bits()
        }
        ElementType::F16 => half_of(x),
        _ => x,
    }
}

/// Any `f32` rounded to `bf16`.
pub fn rounded_to_bf16(x: F<'_>) -> F<'_> {
    let value = rounded(x, ElementType::BF16);
    F::choose(x.is_nan(), x.c(f32::NAN).copysign(x), value)
}

/// Rounded to `f16`.
fn half_of(x: F<'_>) -> F<'_> {
    let b = x.0;
    let bits =
        b.sized(Code::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae, [Size::Y, Size::Z, Size::Z], [Some(x.1), None], Some(0));
    F(b, b.sized(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, [Size::Z, Size::Y, Size::Y], [Some(bits), None], None))
}

/// Bytes as truth values.
fn truth_of(b: &Builder, bytes: Value) -> M<'_> {
    let code = Code::EVEX_Vptestmb_kr_k1_xmm_xmmm128;
    M(b, b.sized(code, [Size::K, Size::X, Size::X], [Some(bytes), Some(bytes)], None))
}

/// The elements of an array.
pub fn load(b: &Builder, element: ElementType, array: u16) -> Option<Lanes<'_>> {
    load_by(b, element, |code, size, is_high| b.push(Step::Load(Transfer { code, size, array, is_high })))
}

/// Elements that `load` brings into a register.
pub fn load_by(b: &Builder, element: ElementType, load: impl Fn(Code, Size, bool) -> Value) -> Option<Lanes<'_>> {
    use ElementType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let words = || load(Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256, Size::Z, false);
    let whole = || load(Code::EVEX_Vmovups_zmm_k1z_zmmm512, Size::Z, false);
    let wide = || [false, true].map(|is_high| load(Code::EVEX_Vmovupd_zmm_k1z_zmmm512, Size::Z, is_high));
    Some(match element {
        I1 => Lanes::M(truth_of(b, load(Code::EVEX_Vmovdqu8_xmm_k1z_xmmm128, Size::X, false))),
        I8 => Lanes::I(I(b, load(Code::EVEX_Vpmovsxbd_zmm_k1z_xmmm128, Size::Z, false))),
        UI8 => Lanes::I(I(b, load(Code::EVEX_Vpmovzxbd_zmm_k1z_xmmm128, Size::Z, false))),
        I16 => Lanes::I(I(b, load(Code::EVEX_Vpmovsxwd_zmm_k1z_ymmm256, Size::Z, false))),
        UI16 => Lanes::I(I(b, words())),
        I32 | UI32 => Lanes::I(I(b, whole())),
        F32 => Lanes::F(F(b, whole())),
        BF16 => Lanes::F(I(b, words()).shl(16).as_bits()),
        F16 => Lanes::F(F(b, load(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, Size::Z, false))),
        I64 | UI64 => Lanes::L(L(b, wide())),
        F64 => Lanes::D(D(b, wide())),
        _ => return None,
    })
}

/// One element of an array for all lanes.
pub fn splat(b: &Builder, element: ElementType, array: u16) -> Option<Lanes<'_>> {
    use ElementType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let splat = |code| b.push(Step::Splat(code, array));
    let bytes = || splat(Code::EVEX_Vpbroadcastb_zmm_k1z_xmmm8);
    let words = || splat(Code::EVEX_Vpbroadcastw_zmm_k1z_xmmm16);
    let four = || splat(Code::EVEX_Vbroadcastss_zmm_k1z_xmmm32);
    let eight = || [splat(Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64); 2];
    let halves = [Size::Z, Size::Y, Size::Y];
    let half = |code, value| b.sized(code, halves, [Some(value), None], None);
    Some(match element {
        I1 => Lanes::M(truth_of(b, bytes())),
        I8 => Lanes::I(I(b, bytes()).sar(24)),
        UI8 => Lanes::I(I(b, bytes()).shr(24)),
        I16 => Lanes::I(I(b, words()).sar(16)),
        UI16 => Lanes::I(I(b, words()).shr(16)),
        I32 | UI32 => Lanes::I(I(b, four())),
        F32 => Lanes::F(F(b, four())),
        BF16 => Lanes::F(I(b, words()).shl(16).as_bits()),
        F16 => Lanes::F(F(b, half(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, words()))),
        I64 | UI64 => Lanes::L(L(b, eight())),
        F64 => Lanes::D(D(b, eight())),
        _ => return None,
    })
}

/// An element that is known, for all lanes.
pub fn known<'b>(b: &'b Builder, element: ElementType, bytes: &[u8]) -> Option<Lanes<'b>> {
    use ElementType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let mut eight = [0u8; 8];
    eight[..element.byte_width().min(8)].copy_from_slice(bytes.get(..element.byte_width().min(8))?);
    let bits = u64::from_le_bytes(eight);
    let four = |bits: u32| b.push(Step::Four(bits));
    let wide = || [b.push(Step::Eight(bits)); 2];
    Some(match element {
        I1 => Lanes::M(known_truth(b, bits != 0)),
        I8 => Lanes::I(I(b, four(bits as i8 as i32 as u32))),
        I16 => Lanes::I(I(b, four(bits as i16 as i32 as u32))),
        UI8 | UI16 | I32 | UI32 => Lanes::I(I(b, four(bits as u32))),
        F32 => Lanes::F(F(b, four(bits as u32))),
        BF16 => Lanes::F(F(b, four((bits as u32) << 16))),
        F16 => Lanes::F(F(b, four(lane::F16(bits as u16).widen().to_bits()))),
        I64 | UI64 => Lanes::L(L(b, wide())),
        F64 => Lanes::D(D(b, wide())),
        _ => return None,
    })
}

/// Positions as numbers; none for types that cannot hold all of them exactly.
pub fn positions(b: &Builder, element: ElementType, array: u16, limit: usize) -> Option<Lanes<'_>> {
    use ElementType::{BF16, F16, F32, I32, I64, UI32, UI64};
    let narrow = || I(b, b.push(Step::Position(array, false))) + I(b, b.push(Step::Lanes(None)));
    Some(match element {
        I32 | UI32 if limit < 1 << 31 => Lanes::I(narrow()),
        F32 | BF16 | F16 if limit < 1 << 24 => Lanes::F(rounded(narrow().to_single(), element)),
        I64 | UI64 => {
            let lanes = [false, true].map(|is_high| b.push(Step::Lanes(Some(is_high))));
            Lanes::L(L(b, [b.push(Step::Position(array, true)); 2]) + L(b, lanes))
        }
        _ => return None,
    })
}

/// Writes lanes to an array.
pub fn store(b: &Builder, element: ElementType, lanes: Lanes<'_>, array: u16) {
    store_by(b, element, lanes, |code, size, is_high, value| {
        b.push(Step::Store(Transfer { code, size, array, is_high }, value));
    });
}

/// Lanes in the form of storage, that `put` takes to it.
pub fn store_by(b: &Builder, element: ElementType, lanes: Lanes<'_>, put: impl Fn(Code, Size, bool, Value)) {
    use ElementType::{BF16, F16, I8, I16, UI8, UI16};
    let narrow = |code, size, value: Value, imm| b.sized(code, [size, Size::Z, Size::Z], [Some(value), None], imm);
    let bytes = |value| put(Code::EVEX_Vmovdqu8_xmmm128_k1z_xmm, Size::X, false, value);
    let words = |value| put(Code::EVEX_Vmovdqu16_ymmm256_k1z_ymm, Size::Y, false, value);
    match (lanes, element) {
        (Lanes::M(mask), _) => {
            let ones = b.push(Step::Four(0x0101_0101));
            bytes(b.push(Step::Plain(Plain {
                code: Code::EVEX_Vmovdqu8_xmm_k1z_xmmm128,
                sizes: [Size::X; 3],
                args: [Some(ones), None],
                imm: None,
                mask: Some(mask.1),
                is_zeroing: true,
                memory: Memory::No,
                is_commutative: false,
            })));
        }
        (Lanes::I(x), I8 | UI8) => bytes(narrow(Code::EVEX_Vpmovdb_xmmm128_k1z_zmm, Size::X, x.1, None)),
        (Lanes::I(x), I16 | UI16) => words(narrow(Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, Size::Y, x.1, None)),
        (Lanes::F(x), BF16) => {
            let bits = x.to_bits().shr(16);
            words(narrow(Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, Size::Y, bits.1, None));
        }
        (Lanes::F(x), F16) => {
            words(narrow(Code::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae, Size::Y, x.1, Some(0)));
        }
        (Lanes::I(I(_, x)) | Lanes::F(F(_, x)), _) => put(Code::EVEX_Vmovups_zmmm512_k1z_zmm, Size::Z, false, x),
        (Lanes::L(L(_, halves)) | Lanes::D(D(_, halves)), _) => {
            for (half, is_high) in halves.into_iter().zip([false, true]) {
                put(Code::EVEX_Vmovupd_zmmm512_k1z_zmm, Size::Z, is_high, half);
            }
        }
    }
}
