//! Arithmetic of `bf16` and `f16` by way of `f32`.
//!
//! Sums, differences, products and quotients are rounded twice, which cannot be seen: 24 bits of significand are at least
//! twice those of these types and two more.

use interpreter::element::{Direction, Element, Float, Number};
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::lane::{Bf16, F16, Lane};
use crate::kernels::isa::Isa;
use crate::kernels::lanes::{StepFn, step};

/// `f` of lanes.
#[inline(always)]
fn of_one<L: Lane>(f: impl Fn(f32) -> f32, a: L) -> L {
    L::result(f(a.widen()))
}

/// `f` of lanes.
#[inline(always)]
fn of_two<L: Lane>(f: impl Fn(f32, f32) -> f32, a: L, b: L) -> L {
    L::result(f(a.widen(), b.widen()))
}

macro_rules! steps_of {
    ($isa:ident, $kind:ident, $L:ident) => {{
        macro_rules! one {
            ($f:expr) => {
                step!($isa, map1 [u16, u16], |a| of_one($f, $L(a)).0)
            };
        }
        macro_rules! two {
            ($f:expr) => {
                step!($isa, map2 [u16, u16, u16], |a, b| of_two($f, $L(a), $L(b)).0)
            };
        }
        Some(match $kind {
            OpKind::Abs => step!($isa, map1 [u16, u16], |a| a & 0x7fff),
            OpKind::Add => two!(|a, b| a + b),
            OpKind::Ceil => one!(f32::ceil),
            OpKind::Clamp => step!($isa, map3 [u16, u16, u16, u16], |low, x, high| {
                $L::narrow(Element::minimum(Element::maximum($L(x).widen(), $L(low).widen()), $L(high).widen())).0
            }),
            OpKind::Divide => two!(|a, b| a / b),
            OpKind::Floor => one!(f32::floor),
            OpKind::Maximum => two!(<f32 as Element>::maximum),
            OpKind::Minimum => two!(<f32 as Element>::minimum),
            OpKind::Multiply => two!(|a, b| a * b),
            OpKind::Negate => step!($isa, map1 [u16, u16], |a| a ^ 0x8000),
            OpKind::RoundNearestAfz => one!(<f32 as Float>::round_nearest_afz),
            OpKind::RoundNearestEven => one!(f32::round_ties_even),
            OpKind::Sign => one!(<f32 as Number>::sign),
            OpKind::Square => one!(|a| a * a),
            OpKind::Subtract => two!(|a, b| a - b),
            _ => return None,
        })
    }};
}

/// The step of an op on `bf16` or `f16`; none for other types, and for ops that have no vector code here.
pub fn arithmetic(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
    match element {
        ElementType::BF16 => steps_of!(isa, kind, Bf16),
        ElementType::F16 => steps_of!(isa, kind, F16),
        _ => None,
    }
}

/// `compare` of `bf16` or `f16`, NaN unordered.
pub fn compare(isa: Isa, element: ElementType, direction: Direction) -> Option<StepFn> {
    macro_rules! compare_of {
        ($L:ident) => {{
            macro_rules! asking {
                ($op:tt) => {
                    step!(isa, map2 [u16, u16, bool], |a, b| $L(a).widen() $op $L(b).widen())
                };
            }
            Some(match direction {
                Direction::Eq => asking!(==),
                Direction::Ne => asking!(!=),
                Direction::Ge => asking!(>=),
                Direction::Gt => asking!(>),
                Direction::Le => asking!(<=),
                Direction::Lt => asking!(<),
            })
        }};
    }
    match element {
        ElementType::BF16 => compare_of!(Bf16),
        ElementType::F16 => compare_of!(F16),
        _ => None,
    }
}
