//! Sixteen lanes of a type, whose arithmetic is written down instead of done.
//!
//! `F`, `I`, `D` and `L` stand for lanes of `f32`, `i32`, `f64` and `i64`, `M` for truth values. 64-bit lanes are two values.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use iced_x86::Code;

use super::program::{Builder, Memory, Size, Step, Value};
use crate::kernels::vector_math::arith::{Double, Int, Long, Mask, Real, Single};

/// Predicates of comparisons of floats.
pub mod ask {
    /// Equal, ordered.
    pub const EQ: u8 = 0;
    /// Less.
    pub const LT: u8 = 1;
    /// Less or equal.
    pub const LE: u8 = 2;
    /// Unordered.
    pub const UNORDERED: u8 = 3;
    /// Not equal, or unordered.
    pub const NE: u8 = 4;
    /// Greater or equal.
    pub const GE: u8 = 13;
    /// Greater.
    pub const GT: u8 = 14;
}

/// Truth table: the first where the third is 0, the second where it is 1.
const BY_THIRD: u8 = 0xd8;

/// Truth values.
#[derive(Copy, Clone)]
pub struct M<'b>(pub &'b Builder, pub Value);
/// `f32`.
#[derive(Copy, Clone)]
pub struct F<'b>(pub &'b Builder, pub Value);
/// `i32`.
#[derive(Copy, Clone)]
pub struct I<'b>(pub &'b Builder, pub Value);
/// `f64`.
#[derive(Copy, Clone)]
pub struct D<'b>(pub &'b Builder, pub [Value; 2]);
/// `i64`.
#[derive(Copy, Clone)]
pub struct L<'b>(pub &'b Builder, pub [Value; 2]);

impl<'b> M<'b> {
    /// The masks of the lower and the upper eight lanes.
    pub fn halves(self) -> [Value; 2] {
        [self.1, self.0.masks(Code::VEX_Kshiftrw_kr_kr_imm8, self.1, None, Some(8))]
    }

    /// From the masks of the lower and the upper eight lanes.
    pub fn of_halves(b: &'b Builder, [low, high]: [Value; 2]) -> Self {
        M(b, b.masks(Code::VEX_Kunpckbw_kr_kr_kr, high, Some(low), None))
    }
}

impl BitAnd for M<'_> {
    type Output = Self;
    fn bitand(self, rhs: Self) -> Self {
        M(self.0, self.0.masks(Code::VEX_Kandw_kr_kr_kr, self.1, Some(rhs.1), None))
    }
}

impl BitOr for M<'_> {
    type Output = Self;
    fn bitor(self, rhs: Self) -> Self {
        M(self.0, self.0.masks(Code::VEX_Korw_kr_kr_kr, self.1, Some(rhs.1), None))
    }
}

impl BitXor for M<'_> {
    type Output = Self;
    fn bitxor(self, rhs: Self) -> Self {
        M(self.0, self.0.masks(Code::VEX_Kxorw_kr_kr_kr, self.1, Some(rhs.1), None))
    }
}

impl Not for M<'_> {
    type Output = Self;
    fn not(self) -> Self {
        M(self.0, self.0.masks(Code::VEX_Knotw_kr_kr, self.1, None, None))
    }
}

impl Mask for M<'_> {}

impl<'b> F<'b> {
    /// A comparison by a predicate of [`ask`].
    pub fn asks(self, rhs: Self, predicate: u8) -> M<'b> {
        let code = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
        M(self.0, self.0.compare(code, self.1, rhs.1, Some(predicate), Memory::Four))
    }

    /// Two operands.
    pub fn with(self, rhs: Self, code: Code) -> Self {
        F(self.0, self.0.two(code, self.1, rhs.1, Memory::Four))
    }

    /// Rounds to whole numbers in the way that `imm` says.
    pub fn whole(self, imm: u8) -> Self {
        F(self.0, self.0.one_imm(Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae, self.1, imm, Memory::Four))
    }
}

impl<'b> D<'b> {
    /// The same for both halves.
    pub fn each(self, f: impl Fn(&Builder, Value) -> Value) -> D<'b> {
        D(self.0, self.1.map(|half| f(self.0, half)))
    }

    /// The same for both halves.
    pub fn pair(self, rhs: Self, f: impl Fn(&Builder, Value, Value) -> Value) -> D<'b> {
        D(self.0, [f(self.0, self.1[0], rhs.1[0]), f(self.0, self.1[1], rhs.1[1])])
    }

    /// Two operands.
    pub fn with(self, rhs: Self, code: Code) -> Self {
        self.pair(rhs, |b, x, y| b.two(code, x, y, Memory::Eight))
    }

    /// A comparison by a predicate of [`ask`].
    pub fn asks(self, rhs: Self, predicate: u8) -> M<'b> {
        let code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
        M::of_halves(self.0, self.pair(rhs, |b, x, y| b.compare(code, x, y, Some(predicate), Memory::Eight)).1)
    }

    /// Rounds to whole numbers in the way that `imm` says.
    pub fn whole(self, imm: u8) -> Self {
        let code = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
        self.each(|b, x| b.one_imm(code, x, imm, Memory::Eight))
    }
}

impl<'b> I<'b> {
    /// Two operands.
    pub fn with(self, rhs: Self, code: Code) -> Self {
        I(self.0, self.0.two(code, self.1, rhs.1, Memory::Four))
    }

    /// One operand.
    pub fn by(self, code: Code) -> Self {
        I(self.0, self.0.one(code, self.1, Memory::Four))
    }

    /// A comparison: 0 is equal, 1 less, 2 less or equal, 4 not equal, 5 not less, 6 greater.
    pub fn asks(self, rhs: Self, predicate: u8, is_signed: bool) -> M<'b> {
        let code = match is_signed {
            true => Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8,
            false => Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8,
        };
        M(self.0, self.0.compare(code, self.1, rhs.1, Some(predicate), Memory::Four))
    }

    /// Shifts to the right and fills with zeros.
    pub fn shr(self, by: u8) -> Self {
        I(self.0, self.0.one_imm(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, self.1, by, Memory::Four))
    }

    /// Which lanes have a bit in common.
    pub fn tests(self, rhs: Self) -> M<'b> {
        M(self.0, self.0.compare(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, self.1, rhs.1, None, Memory::Four))
    }
}

impl<'b> L<'b> {
    /// The same for both halves.
    pub fn each(self, f: impl Fn(&Builder, Value) -> Value) -> L<'b> {
        L(self.0, self.1.map(|half| f(self.0, half)))
    }

    /// The same for both halves.
    pub fn pair(self, rhs: Self, f: impl Fn(&Builder, Value, Value) -> Value) -> L<'b> {
        L(self.0, [f(self.0, self.1[0], rhs.1[0]), f(self.0, self.1[1], rhs.1[1])])
    }

    /// Two operands.
    pub fn with(self, rhs: Self, code: Code) -> Self {
        self.pair(rhs, |b, x, y| b.two(code, x, y, Memory::Eight))
    }

    /// A comparison, as for [`I::asks`].
    pub fn asks(self, rhs: Self, predicate: u8, is_signed: bool) -> M<'b> {
        let code = match is_signed {
            true => Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8,
            false => Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8,
        };
        M::of_halves(self.0, self.pair(rhs, |b, x, y| b.compare(code, x, y, Some(predicate), Memory::Eight)).1)
    }
}

/// The lower and the upper eight lanes, each in the lower half of a register.
pub fn halves(b: &Builder, value: Value) -> [Value; 2] {
    let high = b.sized(
        Code::EVEX_Vextracti32x8_ymmm256_k1z_zmm_imm8,
        [Size::Y, Size::Z, Size::Z],
        [Some(value), None],
        Some(1),
    );
    [value, high]
}

/// Sixteen lanes from two halves of registers.
pub fn joined(b: &Builder, [low, high]: [Value; 2]) -> Value {
    let sizes = [Size::Z, Size::Z, Size::Y];
    b.sized(Code::EVEX_Vinserti32x8_zmm_k1z_zmm_ymmm256_imm8, sizes, [Some(low), Some(high)], Some(1))
}

/// Widens lanes of 32 bits by an instruction from half a register.
pub fn widened(b: &Builder, value: Value, code: Code) -> [Value; 2] {
    halves(b, value).map(|half| b.sized(code, [Size::Z, Size::Y, Size::Y], [Some(half), None], None))
}

/// Narrows lanes of 64 bits by an instruction to half a register.
pub fn narrowed(b: &Builder, value: [Value; 2], code: Code) -> Value {
    joined(b, value.map(|half| b.sized(code, [Size::Y, Size::Z, Size::Z], [Some(half), None], None)))
}

macro_rules! single_operators {
    ($T:ident, $memory:ident, $($Trait:ident $method:ident $how:ident $code:ident;)*) => {$(
        impl $Trait for $T<'_> {
            type Output = Self;
            fn $method(self, rhs: Self) -> Self {
                $T(self.0, self.0.$how(Code::$code, self.1, rhs.1, Memory::$memory))
            }
        }
    )*};
}

macro_rules! double_operators {
    ($T:ident, $memory:ident, $($Trait:ident $method:ident $how:ident $code:ident;)*) => {$(
        impl $Trait for $T<'_> {
            type Output = Self;
            fn $method(self, rhs: Self) -> Self {
                self.pair(rhs, |b, x, y| b.$how(Code::$code, x, y, Memory::$memory))
            }
        }
    )*};
}

single_operators! { F, Four,
    Add add either EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
    Sub sub two EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
    Mul mul either EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
    Div div two EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
}
single_operators! { I, Four,
    Add add either EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
    Sub sub two EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
    Mul mul either EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
    BitAnd bitand either EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
    BitOr bitor either EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
    BitXor bitxor either EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
}
double_operators! { D, Eight,
    Add add either EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
    Sub sub two EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
    Mul mul either EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
    Div div two EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
}
double_operators! { L, Eight,
    Add add either EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
    Sub sub two EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64;
    Mul mul either EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64;
    BitAnd bitand either EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64;
    BitOr bitor either EVEX_Vporq_zmm_k1z_zmm_zmmm512b64;
    BitXor bitxor either EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64;
}

impl Neg for F<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        (Single::to_bits(self) ^ I(self.0, self.0.push(Step::Four(1 << 31)))).as_bits()
    }
}

impl Neg for D<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        let sign = Double::to_bits(self).c(i64::MIN);
        (Double::to_bits(self) ^ sign).as_bits()
    }
}

impl<'b> Real for F<'b> {
    type Mask = M<'b>;
    type Constant = f32;
    fn c(self, value: f32) -> Self {
        F(self.0, self.0.push(Step::Four(value.to_bits())))
    }
    fn fma(self, b: Self, c: Self) -> Self {
        F(self.0, self.0.push(Step::Fma([self.1, b.1, c.1], false)))
    }
    fn abs(self) -> Self {
        (Single::to_bits(self) & Single::to_bits(self).c(i32::MAX)).as_bits()
    }
    fn copysign(self, sign: Self) -> Self {
        let bit = self.0.push(Step::Four(1 << 31));
        F(self.0, self.0.push(Step::Ternary([self.1, sign.1, bit], BY_THIRD)))
    }
    fn sqrt(self) -> Self {
        F(self.0, self.0.one(Code::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er, self.1, Memory::Four))
    }
    fn lt(self, rhs: Self) -> M<'b> {
        self.asks(rhs, ask::LT)
    }
    fn eq(self, rhs: Self) -> M<'b> {
        self.asks(rhs, ask::EQ)
    }
    fn is_nan(self) -> M<'b> {
        self.asks(self, ask::UNORDERED)
    }
    fn is_negative(self) -> M<'b> {
        M(self.0, self.0.sized(Code::EVEX_Vpmovd2m_kr_zmm, [Size::K, Size::Z, Size::Z], [Some(self.1), None], None))
    }
    fn choose(mask: M<'b>, on_true: Self, on_false: Self) -> Self {
        let code = Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32;
        F(mask.0, mask.0.blend(code, mask.1, on_true.1, on_false.1, Memory::Four))
    }
    fn at_least(self, low: f32) -> Self {
        // The second operand if one is NaN.
        self.c(low).with(self, Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae)
    }
    fn at_most(self, high: f32) -> Self {
        self.c(high).with(self, Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae)
    }
    fn scaled(self, n: Self) -> Self {
        self.with(n, Code::EVEX_Vscalefps_zmm_k1z_zmm_zmmm512b32_er)
    }
    fn round(self) -> Self {
        self.whole(0)
    }
    fn power_of_two(self) -> Self {
        self.c(1.0).scaled(self)
    }
}

impl<'b> Single for F<'b> {
    type Int = I<'b>;
    type Double = D<'b>;
    const LOOKS_UP: bool = true;
    fn to_bits(self) -> I<'b> {
        I(self.0, self.1)
    }
    fn widen(self) -> D<'b> {
        D(self.0, widened(self.0, self.1, Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae))
    }
}

impl<'b> Int for I<'b> {
    type Mask = M<'b>;
    type Single = F<'b>;
    fn c(self, value: i32) -> Self {
        I(self.0, self.0.push(Step::Four(value as u32)))
    }
    fn shl(self, by: u8) -> Self {
        I(self.0, self.0.one_imm(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, self.1, by, Memory::Four))
    }
    fn sar(self, by: u8) -> Self {
        I(self.0, self.0.one_imm(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, self.1, by, Memory::Four))
    }
    fn eq(self, rhs: Self) -> M<'b> {
        self.asks(rhs, 0, true)
    }
    fn min(self, rhs: Self) -> Self {
        I(self.0, self.0.either(Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, self.1, rhs.1, Memory::Four))
    }
    fn choose(mask: M<'b>, on_true: Self, on_false: Self) -> Self {
        F::choose(mask, on_true.as_bits(), on_false.as_bits()).to_bits()
    }
    fn as_bits(self) -> F<'b> {
        F(self.0, self.1)
    }
    fn to_single(self) -> F<'b> {
        F(self.0, self.0.one(Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, self.1, Memory::Four))
    }
    fn lookup(self, table: &[f32; 16]) -> F<'b> {
        let table = self.0.push(Step::Table(table.map(f32::to_bits)));
        F(self.0, self.0.two(Code::EVEX_Vpermps_zmm_k1z_zmm_zmmm512b32, self.1, table, Memory::Four))
    }
}

impl<'b> Real for D<'b> {
    type Mask = M<'b>;
    type Constant = f64;
    fn c(self, value: f64) -> Self {
        D(self.0, [self.0.push(Step::Eight(value.to_bits())); 2])
    }
    fn fma(self, b: Self, c: Self) -> Self {
        let half = |at: usize| self.0.push(Step::Fma([self.1[at], b.1[at], c.1[at]], true));
        D(self.0, [half(0), half(1)])
    }
    fn abs(self) -> Self {
        (Double::to_bits(self) & Double::to_bits(self).c(i64::MAX)).as_bits()
    }
    fn copysign(self, sign: Self) -> Self {
        let bit = self.0.push(Step::Eight(1 << 63));
        self.pair(sign, |b, x, y| b.push(Step::Ternary([x, y, bit], BY_THIRD)))
    }
    fn sqrt(self) -> Self {
        self.each(|b, x| b.one(Code::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er, x, Memory::Eight))
    }
    fn lt(self, rhs: Self) -> M<'b> {
        self.asks(rhs, ask::LT)
    }
    fn eq(self, rhs: Self) -> M<'b> {
        self.asks(rhs, ask::EQ)
    }
    fn is_nan(self) -> M<'b> {
        self.asks(self, ask::UNORDERED)
    }
    fn is_negative(self) -> M<'b> {
        let sizes = [Size::K, Size::Z, Size::Z];
        M::of_halves(self.0, self.1.map(|x| self.0.sized(Code::EVEX_Vpmovq2m_kr_zmm, sizes, [Some(x), None], None)))
    }
    fn choose(mask: M<'b>, on_true: Self, on_false: Self) -> Self {
        let masks = mask.halves();
        let code = Code::EVEX_Vblendmpd_zmm_k1z_zmm_zmmm512b64;
        let half = |at: usize| mask.0.blend(code, masks[at], on_true.1[at], on_false.1[at], Memory::Eight);
        D(mask.0, [half(0), half(1)])
    }
    fn at_least(self, low: f64) -> Self {
        self.c(low).with(self, Code::EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae)
    }
    fn at_most(self, high: f64) -> Self {
        self.c(high).with(self, Code::EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae)
    }
    fn scaled(self, n: Self) -> Self {
        self.with(n, Code::EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er)
    }
    fn round(self) -> Self {
        self.whole(0)
    }
    fn power_of_two(self) -> Self {
        self.c(1.0).scaled(self)
    }
}

impl<'b> Double for D<'b> {
    type Long = L<'b>;
    type Single = F<'b>;
    fn to_bits(self) -> L<'b> {
        L(self.0, self.1)
    }
    fn narrow(self) -> F<'b> {
        F(self.0, narrowed(self.0, self.1, Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er))
    }
}

impl<'b> Long for L<'b> {
    type Mask = M<'b>;
    type Double = D<'b>;
    type Int = I<'b>;
    fn c(self, value: i64) -> Self {
        L(self.0, [self.0.push(Step::Eight(value as u64)); 2])
    }
    fn shl(self, by: u8) -> Self {
        self.each(|b, x| b.one_imm(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, x, by, Memory::Eight))
    }
    fn shr(self, by: u8) -> Self {
        self.each(|b, x| b.one_imm(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, x, by, Memory::Eight))
    }
    fn eq(self, rhs: Self) -> M<'b> {
        self.asks(rhs, 0, true)
    }
    fn as_bits(self) -> D<'b> {
        D(self.0, self.1)
    }
    fn low(self) -> I<'b> {
        I(self.0, narrowed(self.0, self.1, Code::EVEX_Vpmovqd_ymmm256_k1z_zmm))
    }
}
