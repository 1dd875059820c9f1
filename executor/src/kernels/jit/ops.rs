//! The elementwise ops on lanes. What has no lines here is left to the step functions.

use iced_x86::Code;
use interpreter::element::{Direction, Elementary};
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::convert::convert;
use super::lanes::{D, F, I, L, M, ask};
use super::program::{Builder, Memory, Slow, Step};
use super::typed::{Lanes, normal, rounded};
use crate::kernels::elementwise::{Detail, Operation};
use crate::kernels::vector_math::arith::{Double, Int, Long, Real, Single};
use crate::kernels::vector_math::{double, single, wide};

/// Rounding to whole numbers: down, up, to zero, to the nearest with ties to even; without a flag for what is lost.
const FLOOR: u8 = 9;
const CEIL: u8 = 10;
const TRUNC: u8 = 11;
const EVEN: u8 = 8;
/// `vrange`: the smaller or the larger with the sign that it has.
const SMALLER: u8 = 4;
const LARGER: u8 = 5;
/// Not equal and no NaN.
const DIFFERENT: u8 = 12;

/// The result of an op on lanes; none for ops that have none.
pub fn operation<'b>(op: &Operation, args: [Lanes<'b>; 3]) -> Option<Lanes<'b>> {
    let [a, b, c] = args;
    match op.kind {
        OpKind::Reshape => return Some(a),
        OpKind::Convert => return convert(a, op.from, op.to),
        OpKind::BitcastConvert => return bitcast(a, op.from, op.to),
        OpKind::Select => {
            let Lanes::M(mask) = a else { return None };
            return select(mask, b, c);
        }
        OpKind::Compare => {
            let Detail::Compare(direction, false) = op.detail else { return None };
            return compare(direction, op.from, a, b).map(Lanes::M);
        }
        OpKind::ReducePrecision => {
            let (Detail::Precision(8, 7), Lanes::F(x), ElementType::F32) = (op.detail, a, op.from) else { return None };
            return convert(Lanes::F(x), ElementType::F32, ElementType::BF16);
        }
        _ => {}
    }
    match (a, b) {
        (Lanes::M(a), Lanes::M(b)) => truth(op.kind, a, b).map(Lanes::M),
        (Lanes::F(x), Lanes::F(y)) => match c {
            Lanes::F(z) if op.kind == OpKind::Clamp => Some(Lanes::F(extremum(extremum(y, x, LARGER), z, SMALLER))),
            _ => float(op, x, y),
        },
        (Lanes::D(x), Lanes::D(y)) => match c {
            Lanes::D(z) if op.kind == OpKind::Clamp => {
                Some(Lanes::D(wide_extremum(wide_extremum(y, x, LARGER), z, SMALLER)))
            }
            _ => double_float(op.kind, x, y),
        },
        (Lanes::I(x), Lanes::I(y)) => match c {
            Lanes::I(z) if op.kind == OpKind::Clamp => {
                let is_signed = is_signed(op.from);
                Some(Lanes::I(larger(x, y, is_signed, false).pipe(|x| larger(x, z, is_signed, true))))
            }
            _ => integer(op, x, y).map(|value| Lanes::I(normal(value, op.from))),
        },
        (Lanes::L(x), Lanes::L(y)) => match c {
            Lanes::L(z) if op.kind == OpKind::Clamp => {
                let is_signed = is_signed(op.from);
                Some(Lanes::L(wide_larger(x, y, is_signed, false).pipe(|x| wide_larger(x, z, is_signed, true))))
            }
            _ => long(op, x, y).map(Lanes::L),
        },
        _ => None,
    }
}

/// `x.pipe(f)` is `f(x)`.
trait Pipe: Sized {
    fn pipe<R>(self, f: impl FnOnce(Self) -> R) -> R {
        f(self)
    }
}

impl<T> Pipe for T {}

/// Whether integers of the type have a sign.
pub fn is_signed(element: ElementType) -> bool {
    matches!(element, ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64)
}

fn truth<'b>(kind: OpKind, a: M<'b>, b: M<'b>) -> Option<M<'b>> {
    Some(match kind {
        OpKind::Add | OpKind::Or | OpKind::Maximum => a | b,
        OpKind::And | OpKind::Multiply | OpKind::Minimum => a & b,
        OpKind::Xor => a ^ b,
        OpKind::Not => !a,
        _ => return None,
    })
}

fn select<'b>(mask: M<'b>, a: Lanes<'b>, b: Lanes<'b>) -> Option<Lanes<'b>> {
    Some(match (a, b) {
        (Lanes::M(a), Lanes::M(b)) => Lanes::M((mask & a) | (!mask & b)),
        (Lanes::F(a), Lanes::F(b)) => Lanes::F(F::choose(mask, a, b)),
        (Lanes::I(a), Lanes::I(b)) => Lanes::I(I::choose(mask, a, b)),
        (Lanes::D(a), Lanes::D(b)) => Lanes::D(D::choose(mask, a, b)),
        (Lanes::L(a), Lanes::L(b)) => Lanes::L(D::choose(mask, a.as_bits(), b.as_bits()).to_bits()),
        _ => return None,
    })
}

fn compare<'b>(direction: Direction, element: ElementType, a: Lanes<'b>, b: Lanes<'b>) -> Option<M<'b>> {
    let float = match direction {
        Direction::Eq => ask::EQ,
        Direction::Ne => ask::NE,
        Direction::Ge => ask::GE,
        Direction::Gt => ask::GT,
        Direction::Le => ask::LE,
        Direction::Lt => ask::LT,
    };
    let whole = match direction {
        Direction::Eq => 0,
        Direction::Ne => 4,
        Direction::Ge => 5,
        Direction::Gt => 6,
        Direction::Le => 2,
        Direction::Lt => 1,
    };
    Some(match (a, b) {
        (Lanes::M(a), Lanes::M(b)) => match direction {
            Direction::Eq => !(a ^ b),
            Direction::Ne => a ^ b,
            Direction::Ge => a | !b,
            Direction::Gt => a & !b,
            Direction::Le => !a | b,
            Direction::Lt => !a & b,
        },
        (Lanes::F(a), Lanes::F(b)) => a.asks(b, float),
        (Lanes::D(a), Lanes::D(b)) => a.asks(b, float),
        (Lanes::I(a), Lanes::I(b)) => a.asks(b, whole, is_signed(element)),
        (Lanes::L(a), Lanes::L(b)) => a.asks(b, whole, is_signed(element)),
        _ => return None,
    })
}

/// The larger or smaller of two; NaN wins, and −0 is less than +0.
fn extremum<'b>(a: F<'b>, b: F<'b>, which: u8) -> F<'b> {
    let builder = a.0;
    // Beside a number that is neither zero nor NaN one instruction does it: it takes the second if there is any doubt.
    for (known, other) in [(a, b), (b, a)] {
        let bits = builder.known(known.1).map(f32::from_bits);
        if bits.is_some_and(|value| value != 0.0 && !value.is_nan()) {
            let code = match which {
                LARGER => Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae,
                _ => Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae,
            };
            return known.with(other, code);
        }
    }
    let code = Code::EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae;
    let value = F(builder, builder.two_imm(code, a.1, b.1, which, Memory::Four));
    F::choose(a.asks(b, ask::UNORDERED), a.c(f32::NAN), value)
}

fn wide_extremum<'b>(a: D<'b>, b: D<'b>, which: u8) -> D<'b> {
    let code = Code::EVEX_Vrangepd_zmm_k1z_zmm_zmmm512b64_imm8_sae;
    let value = a.pair(b, |builder, x, y| builder.two_imm(code, x, y, which, Memory::Eight));
    D::choose(a.asks(b, ask::UNORDERED), a.c(f64::NAN), value)
}

/// Lanes beyond a formula's limit are asked of a function of one number.
fn with_hard_cases<'b>(x: F<'b>, value: F<'b>, limit: f32, slow: fn(f32) -> f32) -> F<'b> {
    /// Not less or equal.
    const BEYOND: u8 = 6;
    #[allow(clippy::not_unsafe_ptr_arg_deref, reason = "only generated code calls it")]
    extern "sysv64" fn call(x: *const f32, out: *mut f32, mask: u32, context: *const ()) {
        // SAFETY: the context of this function is a function of one number.
        let f = unsafe { std::mem::transmute::<*const (), fn(f32) -> f32>(context) };
        for lane in (0..16).filter(|lane| mask & (1 << lane) != 0) {
            // SAFETY: both have sixteen lanes.
            unsafe { out.add(lane).write(f(x.add(lane).read())) };
        }
    }
    let mask = x.abs().asks(x.c(limit), BEYOND);
    let (slow, context) = (call as Slow as usize, slow as usize);
    F(x.0, x.0.push(Step::Call { slow, context, x: x.1, value: value.1, mask: mask.1 }))
}

/// The same for functions of `f64`.
fn with_wide_hard_cases<'b>(x: D<'b>, value: D<'b>, limit: f64, slow: fn(f64) -> f64) -> D<'b> {
    /// Not less or equal.
    const BEYOND: u8 = 6;
    #[allow(clippy::not_unsafe_ptr_arg_deref, reason = "only generated code calls it")]
    extern "sysv64" fn call(x: *const f32, out: *mut f32, mask: u32, context: *const ()) {
        // SAFETY: the context of this function is a function of one number.
        let f = unsafe { std::mem::transmute::<*const (), fn(f64) -> f64>(context) };
        let (x, out) = (x.cast::<f64>(), out.cast::<f64>());
        for lane in (0..8).filter(|lane| mask & (1 << lane) != 0) {
            // SAFETY: both have eight lanes of 64 bits.
            unsafe { out.add(lane).write(f(x.add(lane).read())) };
        }
    }
    let (slow, context) = (call as Slow as usize, slow as usize);
    let (size, limit) = (x.abs(), x.c(limit));
    let half = |at: usize| {
        let code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
        let mask = x.0.compare(code, size.1[at], limit.1[at], Some(BEYOND), Memory::Eight);
        x.0.push(Step::Call { slow, context, x: x.1[at], value: value.1[at], mask })
    };
    D(x.0, [half(0), half(1)])
}

fn float<'b>(op: &Operation, x: F<'b>, y: F<'b>) -> Option<Lanes<'b>> {
    let exact = |value| Some(Lanes::F(value));
    let value = match op.kind {
        OpKind::Abs => return exact(x.abs()),
        OpKind::Negate => return exact(-x),
        OpKind::Maximum => return exact(extremum(x, y, LARGER)),
        OpKind::Minimum => return exact(extremum(x, y, SMALLER)),
        OpKind::Floor => return exact(x.whole(FLOOR)),
        OpKind::Ceil => return exact(x.whole(CEIL)),
        OpKind::RoundNearestEven => return exact(x.whole(EVEN)),
        OpKind::RoundNearestAfz => {
            let toward_zero = x.whole(TRUNC);
            let is_far = (x - toward_zero).abs().asks(x.c(0.5), ask::GE);
            return exact(F::choose(is_far, toward_zero + x.c(1.0).copysign(x), toward_zero).copysign(x));
        }
        OpKind::Sign => return exact(F::choose(x.asks(x.c(0.0), DIFFERENT), x.c(1.0).copysign(x), x)),
        OpKind::IsFinite => return Some(Lanes::M(x.abs().lt(x.c(f32::INFINITY)))),
        OpKind::IsInf => return Some(Lanes::M(x.abs().eq(x.c(f32::INFINITY)))),
        OpKind::IsPosInf => return Some(Lanes::M(x.eq(x.c(f32::INFINITY)))),
        OpKind::IsNegInf => return Some(Lanes::M(x.eq(x.c(f32::NEG_INFINITY)))),
        OpKind::Add => x + y,
        OpKind::Subtract => x - y,
        OpKind::Multiply => x * y,
        OpKind::Divide => x / y,
        OpKind::Square => x * x,
        _ => function(op.kind, x, y)?,
    };
    Some(Lanes::F(rounded(value, op.from)))
}

fn function<'b>(kind: OpKind, x: F<'b>, y: F<'b>) -> Option<F<'b>> {
    Some(match kind {
        OpKind::Acos => double::acos(x),
        OpKind::Acosh => double::acosh(x),
        OpKind::Asin => double::asin(x),
        OpKind::Asinh => double::asinh(x),
        OpKind::Atan => double::atan(x),
        OpKind::Atan2 => double::atan2(x, y),
        OpKind::Atanh => double::atanh(x),
        OpKind::Cbrt => double::cbrt(x),
        OpKind::ChloTan | OpKind::Tan => {
            with_hard_cases(x, double::tan(x), double::CIRCULAR_LIMIT, <f32 as Elementary>::tan)
        }
        OpKind::Cosh => double::cosh(x),
        OpKind::Cosine => {
            with_hard_cases(x, single::cosine(x), single::SHORT_CIRCULAR_LIMIT, <f32 as Elementary>::cosine)
        }
        OpKind::Erf => single::erf(x),
        OpKind::ErfInv => double::erf_inv(x),
        OpKind::Erfc => single::erfc(x),
        OpKind::Exponential => single::exponential(x),
        OpKind::ExponentialMinusOne => single::exponential_minus_one(x),
        OpKind::Log => single::log(x),
        OpKind::LogPlusOne => single::log_plus_one(x),
        OpKind::Logistic => single::logistic(x),
        OpKind::Power => single::power(x, y),
        OpKind::Rsqrt => single::rsqrt(x),
        OpKind::Sine => with_hard_cases(x, single::sine(x), single::SHORT_CIRCULAR_LIMIT, <f32 as Elementary>::sine),
        OpKind::Sinh => double::sinh(x),
        OpKind::Sqrt => single::sqrt(x),
        OpKind::Tanh => single::tanh(x),
        _ => return None,
    })
}

fn double_float<'b>(kind: OpKind, x: D<'b>, y: D<'b>) -> Option<Lanes<'b>> {
    Some(Lanes::D(match kind {
        OpKind::Abs => x.abs(),
        OpKind::Negate => -x,
        OpKind::Maximum => wide_extremum(x, y, LARGER),
        OpKind::Minimum => wide_extremum(x, y, SMALLER),
        OpKind::Floor => x.whole(FLOOR),
        OpKind::Ceil => x.whole(CEIL),
        OpKind::RoundNearestEven => x.whole(EVEN),
        OpKind::Sign => D::choose(x.asks(x.c(0.0), DIFFERENT), x.c(1.0).copysign(x), x),
        OpKind::IsFinite => return Some(Lanes::M(x.abs().lt(x.c(f64::INFINITY)))),
        OpKind::Add => x + y,
        OpKind::Subtract => x - y,
        OpKind::Multiply => x * y,
        OpKind::Divide => x / y,
        OpKind::Square => x * x,
        OpKind::Sqrt => x.sqrt(),
        OpKind::Cosine => with_wide_hard_cases(x, wide::cosine(x), wide::CIRCULAR_LIMIT, <f64 as Elementary>::cosine),
        OpKind::Exponential => wide::exponential(x),
        OpKind::ExponentialMinusOne => wide::exponential_minus_one(x),
        OpKind::Log => wide::log(x),
        OpKind::LogPlusOne => wide::log_plus_one(x),
        OpKind::Logistic => wide::logistic(x),
        OpKind::Power => wide::power(x, y),
        OpKind::Rsqrt => wide::rsqrt(x),
        OpKind::Sine => with_wide_hard_cases(x, wide::sine(x), wide::CIRCULAR_LIMIT, <f64 as Elementary>::sine),
        OpKind::Tanh => wide::tanh(x),
        _ => return None,
    }))
}

fn larger<'b>(x: I<'b>, y: I<'b>, is_signed: bool, is_smaller: bool) -> I<'b> {
    x.with(
        y,
        match (is_signed, is_smaller) {
            (true, false) => Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32,
            (true, true) => Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32,
            (false, false) => Code::EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32,
            (false, true) => Code::EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32,
        },
    )
}

fn wide_larger<'b>(x: L<'b>, y: L<'b>, is_signed: bool, is_smaller: bool) -> L<'b> {
    x.with(
        y,
        match (is_signed, is_smaller) {
            (true, false) => Code::EVEX_Vpmaxsq_zmm_k1z_zmm_zmmm512b64,
            (true, true) => Code::EVEX_Vpminsq_zmm_k1z_zmm_zmmm512b64,
            (false, false) => Code::EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64,
            (false, true) => Code::EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64,
        },
    )
}

/// Integers of up to 32 bits; the result is made normal by the caller.
fn integer<'b>(op: &Operation, x: I<'b>, y: I<'b>) -> Option<I<'b>> {
    let is_signed = is_signed(op.from);
    let bits = op.from.bits() as i32;
    let unsigned = |x: I<'b>| if bits == 32 { x } else { x & x.c((1 << bits) - 1) };
    Some(match op.kind {
        OpKind::Abs if is_signed => x.by(Code::EVEX_Vpabsd_zmm_k1z_zmmm512b32),
        OpKind::Abs => x,
        OpKind::Add => x + y,
        OpKind::And => x & y,
        OpKind::CountLeadingZeros => unsigned(x).by(Code::EVEX_Vplzcntd_zmm_k1z_zmmm512b32) - x.c(32 - bits),
        OpKind::Divide => quotient(x, y, is_signed),
        OpKind::Maximum => larger(x, y, is_signed, false),
        OpKind::Minimum => larger(x, y, is_signed, true),
        OpKind::Multiply => x * y,
        OpKind::Negate => x.c(0) - x,
        OpKind::Not => x ^ x.c(-1),
        OpKind::Or => x | y,
        OpKind::Remainder => {
            let rest = x - quotient(x, y, is_signed) * y;
            I::choose(y.eq(y.c(0)), x, rest)
        }
        OpKind::ShiftLeft => x.with(y, Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32),
        OpKind::ShiftRightArithmetic => {
            let unused = (32 - bits) as u8;
            let signed = if is_signed || unused == 0 { x } else { x.shl(unused).sar(unused) };
            signed.with(y, Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32)
        }
        OpKind::ShiftRightLogical => {
            let value = unsigned(x).with(y, Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32);
            return Some(value);
        }
        OpKind::Sign if is_signed => larger(larger(x, x.c(-1), true, false), x.c(1), true, true),
        OpKind::Sign => larger(x, x.c(1), false, true),
        OpKind::Subtract => x - y,
        OpKind::Xor => x ^ y,
        _ => return None,
    })
}

/// By way of `f64`, whose quotient is so close to the exact one that it truncates to the same integer.
fn quotient<'b>(x: I<'b>, y: I<'b>, is_signed: bool) -> I<'b> {
    let (to, back) = match is_signed {
        true => (Code::EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er, Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae),
        false => (Code::EVEX_Vcvtudq2pd_zmm_k1z_ymmm256b32_er, Code::EVEX_Vcvttpd2udq_ymm_k1z_zmmm512b64_sae),
    };
    let wide = |x: I<'b>| D(x.0, super::lanes::widened(x.0, x.1, to));
    // The smallest integer divided by −1 is out of range, for which the instruction gives just that integer.
    let value = I(x.0, super::lanes::narrowed(x.0, (wide(x) / wide(y)).1, back));
    I::choose(y.eq(y.c(0)), y.c(-1), value)
}

fn long<'b>(op: &Operation, x: L<'b>, y: L<'b>) -> Option<L<'b>> {
    let is_signed = is_signed(op.from);
    let by = |code: Code| x.each(|b, x| b.one(code, x, Memory::Eight));
    Some(match op.kind {
        OpKind::Abs if is_signed => by(Code::EVEX_Vpabsq_zmm_k1z_zmmm512b64),
        OpKind::Abs => x,
        OpKind::Add => x + y,
        OpKind::And => x & y,
        OpKind::CountLeadingZeros => by(Code::EVEX_Vplzcntq_zmm_k1z_zmmm512b64),
        OpKind::Maximum => wide_larger(x, y, is_signed, false),
        OpKind::Minimum => wide_larger(x, y, is_signed, true),
        OpKind::Multiply => x * y,
        OpKind::Negate => x.c(0) - x,
        OpKind::Not => x ^ x.c(-1),
        OpKind::Or => x | y,
        OpKind::ShiftLeft => x.with(y, Code::EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64),
        OpKind::ShiftRightArithmetic => x.with(y, Code::EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64),
        OpKind::ShiftRightLogical => x.with(y, Code::EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64),
        OpKind::Sign if is_signed => wide_larger(wide_larger(x, x.c(-1), true, false), x.c(1), true, true),
        OpKind::Sign => wide_larger(x, x.c(1), false, true),
        OpKind::Subtract => x - y,
        OpKind::Xor => x ^ y,
        _ => return None,
    })
}

fn bitcast<'b>(a: Lanes<'b>, from: ElementType, to: ElementType) -> Option<Lanes<'b>> {
    use ElementType::{BF16, F32, F64, I8, I16, I32, I64, UI8, UI16, UI32, UI64};
    Some(match (from, to, a) {
        _ if from == to => a,
        (F32, I32 | UI32, Lanes::F(x)) => Lanes::I(x.to_bits()),
        (I32 | UI32, F32, Lanes::I(x)) => Lanes::F(x.as_bits()),
        (F64, I64 | UI64, Lanes::D(x)) => Lanes::L(x.to_bits()),
        (I64 | UI64, F64, Lanes::L(x)) => Lanes::D(x.as_bits()),
        (I64, UI64, x) | (UI64, I64, x) | (I32, UI32, x) | (UI32, I32, x) => x,
        (I8, UI8, Lanes::I(x)) | (UI8, I8, Lanes::I(x)) | (I16, UI16, Lanes::I(x)) | (UI16, I16, Lanes::I(x)) => {
            Lanes::I(normal(x, to))
        }
        (BF16, I16, Lanes::F(x)) => Lanes::I(x.to_bits().sar(16)),
        (BF16, UI16, Lanes::F(x)) => Lanes::I(x.to_bits().shr(16)),
        (I16 | UI16, BF16, Lanes::I(x)) => Lanes::F(x.shl(16).as_bits()),
        _ => return None,
    })
}

/// A mask that is known.
pub fn known_truth(b: &Builder, value: bool) -> M<'_> {
    let zero = I(b, b.push(Step::Four(0)));
    zero.asks(zero, if value { 0 } else { 4 }, true)
}
