//! `convert` between element types on lanes.

use iced_x86::Code;
use stablehlo::element::ElementType;

use super::lanes::{D, F, I, L, M, ask, narrowed, widened};
use super::ops::is_signed;
use super::program::{Memory, Plain, Size, Step};
use super::typed::{Lanes, normal, rounded, rounded_to_bf16};
use crate::kernels::vector_math::arith::{Double, Int, Long, Real, Single};

/// The lanes of another type; none for conversions that would be rounded twice or need more than a few instructions.
pub fn convert<'b>(a: Lanes<'b>, from: ElementType, to: ElementType) -> Option<Lanes<'b>> {
    if from == to {
        return Some(a);
    }
    match a {
        Lanes::M(x) => from_truth(x, to),
        Lanes::I(x) => from_int(x, from, to),
        Lanes::L(x) => from_long(x, from, to),
        Lanes::F(x) => from_float(x, from, to),
        Lanes::D(x) => from_double(x, to),
    }
}

fn from_truth<'b>(x: M<'b>, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{BF16, F16, F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let b = x.0;
    let int = I(b, b.push(Step::Four(0)));
    let long = L(b, [b.push(Step::Eight(0)); 2]);
    Some(match to {
        I8 | I16 | I32 | UI8 | UI16 | UI32 => Lanes::I(I::choose(x, int.c(1), int)),
        F32 | BF16 | F16 => Lanes::F(F::choose(x, int.as_bits().c(1.0), int.as_bits())),
        I64 | UI64 => Lanes::L(D::choose(x, long.c(1).as_bits(), long.as_bits()).to_bits()),
        F64 => Lanes::D(D::choose(x, long.as_bits().c(1.0), long.as_bits())),
        _ => return None,
    })
}

fn from_int<'b>(x: I<'b>, from: ElementType, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let is_signed = is_signed(from);
    let single = || {
        let code = match is_signed {
            true => Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er,
            false => Code::EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er,
        };
        F(x.0, x.0.one(code, x.1, Memory::Four))
    };
    let wide = |signed, unsigned| widened(x.0, x.1, if is_signed { signed } else { unsigned });
    Some(match to {
        I1 => Lanes::M(x.asks(x.c(0), 4, true)),
        I8 | I16 | I32 | UI8 | UI16 | UI32 => Lanes::I(normal(x, to)),
        I64 | UI64 => {
            Lanes::L(L(x.0, wide(Code::EVEX_Vpmovsxdq_zmm_k1z_ymmm256, Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256)))
        }
        F64 => {
            let codes = (Code::EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er, Code::EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er);
            Lanes::D(D(x.0, wide(codes.0, codes.1)))
        }
        F32 => Lanes::F(single()),
        BF16 | F16 if from.bits() < 32 => Lanes::F(rounded(single(), to)),
        _ => return None,
    })
}

fn from_long<'b>(x: L<'b>, from: ElementType, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let is_signed = is_signed(from);
    Some(match to {
        I1 => Lanes::M(x.asks(x.c(0), 4, true)),
        I8 | I16 | I32 | UI8 | UI16 | UI32 => Lanes::I(normal(x.low(), to)),
        I64 | UI64 => Lanes::L(x),
        F64 => {
            let code = match is_signed {
                true => Code::EVEX_Vcvtqq2pd_zmm_k1z_zmmm512b64_er,
                false => Code::EVEX_Vcvtuqq2pd_zmm_k1z_zmmm512b64_er,
            };
            Lanes::D(x.each(|b, x| b.one(code, x, Memory::Eight)).as_bits())
        }
        F32 => {
            let code = match is_signed {
                true => Code::EVEX_Vcvtqq2ps_ymm_k1z_zmmm512b64_er,
                false => Code::EVEX_Vcvtuqq2ps_ymm_k1z_zmmm512b64_er,
            };
            Lanes::F(F(x.0, narrowed(x.0, x.1, code)))
        }
        _ => return None,
    })
}

/// The limits of a type of 8 or 16 bits.
fn limits(to: ElementType) -> Option<(f32, f32)> {
    Some(match to {
        ElementType::I8 => (-128.0, 127.0),
        ElementType::UI8 => (0.0, 255.0),
        ElementType::I16 => (-32_768.0, 32_767.0),
        ElementType::UI16 => (0.0, 65_535.0),
        _ => return None,
    })
}

fn from_float<'b>(x: F<'b>, from: ElementType, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    let b = x.0;
    // Of two operands the second if one is NaN.
    let at_least = |low: f32| x.with(x.c(low), Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae);
    Some(match to {
        I1 => Lanes::M(x.asks(x.c(0.0), ask::NE)),
        I8 | I16 | UI8 | UI16 => {
            let (low, high) = limits(to)?;
            let limited = at_least(low).with(x.c(high), Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae);
            let code = Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae;
            match low == 0.0 {
                true => Lanes::I(I(b, b.one(code, limited.1, Memory::Four))),
                false => Lanes::I(zero_of_nan(x, limited, code)),
            }
        }
        I32 => {
            // What is too small gives the smallest integer, and so would what is too large.
            let value = zero_of_nan(x, x, Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae);
            let is_large = x.asks(x.c(2_147_483_648.0), ask::GE);
            Lanes::I(I::choose(is_large, value.c(i32::MAX), value))
        }
        UI32 => {
            let code = Code::EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae;
            Lanes::I(I(b, b.one(code, at_least(0.0).1, Memory::Four)))
        }
        I64 | UI64 => return from_double(x.widen(), to),
        F64 => Lanes::D(x.widen()),
        F32 => Lanes::F(x),
        BF16 => Lanes::F(rounded_to_bf16(x)),
        F16 if from == F32 || from == BF16 => Lanes::F(rounded(x, F16)),
        _ => return None,
    })
}

/// A conversion to integers of which NaN gives 0.
fn zero_of_nan<'b>(x: F<'b>, value: F<'b>, code: Code) -> I<'b> {
    /// Neither is NaN.
    const ORDERED: u8 = 7;
    let b = x.0;
    I(
        b,
        b.push(Step::Plain(Plain {
            code,
            sizes: [Size::Z; 3],
            args: [Some(value.1), None],
            imm: None,
            mask: Some(x.asks(x, ORDERED).1),
            is_zeroing: true,
            memory: Memory::Four,
            is_commutative: false,
        })),
    )
}

fn from_double<'b>(x: D<'b>, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{F32, I1, I32, I64, UI32, UI64};
    let at_least = |low: f64| x.with(x.c(low), Code::EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae);
    let is_nan = || x.is_nan();
    Some(match to {
        I1 => Lanes::M(x.asks(x.c(0.0), ask::NE)),
        F32 => Lanes::F(x.narrow()),
        I32 => {
            let limited =
                at_least(-2_147_483_648.0).with(x.c(2_147_483_647.0), Code::EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae);
            let value = I(x.0, narrowed(x.0, limited.1, Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae));
            Lanes::I(I::choose(is_nan(), value.c(0), value))
        }
        UI32 => Lanes::I(I(x.0, narrowed(x.0, at_least(0.0).1, Code::EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae))),
        I64 => {
            let value = x.each(|b, x| b.one(Code::EVEX_Vcvttpd2qq_zmm_k1z_zmmm512b64_sae, x, Memory::Eight));
            let largest = value.to_bits().c(i64::MAX).as_bits();
            let value = D::choose(x.asks(x.c(9_223_372_036_854_775_808.0), ask::GE), largest, value);
            Lanes::L(D::choose(is_nan(), x.c(0.0), value).to_bits())
        }
        UI64 => {
            let code = Code::EVEX_Vcvttpd2uqq_zmm_k1z_zmmm512b64_sae;
            Lanes::L(at_least(0.0).each(|b, x| b.one(code, x, Memory::Eight)).to_bits())
        }
        _ => return None,
    })
}
