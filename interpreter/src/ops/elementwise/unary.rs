//! Ops of one operand.

use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;
use stablehlo::ops::attr_classes::I64;

use super::{ScalarFn, defined, map, word};
use crate::element::{Bits, Element, Elementary, Float, Integer, Number};
use crate::error::Result;
use crate::eval::{Cx, OpFn, one};
use crate::tensor::Tensor;
use crate::value::Values;
use crate::{
    dispatch_bits, dispatch_complex, dispatch_float, dispatch_float_or_complex, dispatch_integer, dispatch_number,
};

/// Declares ops: kind, function of one element, class of types it is defined on.
macro_rules! unary {
    ($($kind:ident = $name:ident: $dispatch:ident, $class:ident;)*) => {
        /// The meaning of an op of this file.
        pub fn meaning(kind: OpKind) -> Option<OpFn> {
            Some(match kind {
                $(OpKind::$kind => |cx: &Cx<'_>| {
                    let operand = cx.tensor(0)?;
                    let result = $dispatch!(operand.element(), T => map(cx, &operand, <T as $class>::$name));
                    Ok(one(defined(result, operand.element())?))
                },)*
                OpKind::Real => |cx: &Cx<'_>| part(cx, true),
                OpKind::Imag => |cx: &Cx<'_>| part(cx, false),
                OpKind::ReducePrecision => reduce_precision,
                _ => return None,
            })
        }

        /// The op on one element of type `element`.
        pub fn scalar(kind: OpKind, element: ElementType) -> Option<ScalarFn> {
            match kind {
                $(OpKind::$kind => $dispatch!(element, T => {
                    (|x, _, _| word(<T as $class>::$name(T::read_le(x)))) as ScalarFn
                }),)*
                OpKind::Real => dispatch_float_or_complex!(element, T => {
                    (|x, _, _| word(<T as Elementary>::real(T::read_le(x)))) as ScalarFn
                }),
                OpKind::Imag => dispatch_float_or_complex!(element, T => {
                    (|x, _, _| word(<T as Elementary>::imag(T::read_le(x)))) as ScalarFn
                }),
                _ => None,
            }
        }
    };
}

unary! {
    Abs = abs: dispatch_number, Number;
    Cbrt = cbrt: dispatch_float_or_complex, Elementary;
    Ceil = ceil: dispatch_float, Float;
    Cosine = cosine: dispatch_float_or_complex, Elementary;
    CountLeadingZeros = count_leading_zeros: dispatch_integer, Integer;
    Exponential = exponential: dispatch_float_or_complex, Elementary;
    ExponentialMinusOne = exponential_minus_one: dispatch_float_or_complex, Elementary;
    Floor = floor: dispatch_float, Float;
    IsFinite = is_finite: dispatch_float, Float;
    Log = log: dispatch_float_or_complex, Elementary;
    LogPlusOne = log_plus_one: dispatch_float_or_complex, Elementary;
    Logistic = logistic: dispatch_float_or_complex, Elementary;
    Negate = negate: dispatch_number, Number;
    Not = not: dispatch_bits, Bits;
    Popcnt = popcnt: dispatch_integer, Integer;
    RoundNearestAfz = round_nearest_afz: dispatch_float, Float;
    RoundNearestEven = round_nearest_even: dispatch_float, Float;
    Rsqrt = rsqrt: dispatch_float_or_complex, Elementary;
    Sign = sign: dispatch_number, Number;
    Sine = sine: dispatch_float_or_complex, Elementary;
    Sqrt = sqrt: dispatch_float_or_complex, Elementary;
    Tan = tan: dispatch_float_or_complex, Elementary;
    Tanh = tanh: dispatch_float_or_complex, Elementary;
}

/// `real`, `imag`; of a float the number itself and zero.
fn part(cx: &Cx<'_>, real: bool) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let element = operand.element();
    if element.is_float() && real {
        return Ok(one(operand));
    }
    let result = match real {
        true => dispatch_complex!(element, T => map(cx, &operand, <T as Elementary>::real)),
        false => dispatch_float_or_complex!(element, T => map(cx, &operand, <T as Elementary>::imag)),
    };
    Ok(one(defined(result, element)?))
}

/// The operand as if it had been converted to a float with `exponent_bits` and `mantissa_bits` and back.
fn reduce_precision(cx: &Cx<'_>) -> Result<Values> {
    let bits = |name| cx.required::<I64>(name).map(|bits| u32::try_from(bits).unwrap_or(0));
    let (exponent_bits, mantissa_bits) = (bits("exponent_bits")?, bits("mantissa_bits")?);
    let operand: Tensor = cx.tensor(0)?;
    let result = dispatch_float!(operand.element(), T => {
        map(cx, &operand, |x: T| Float::reduce_precision(x, exponent_bits, mantissa_bits))
    });
    Ok(one(defined(result, operand.element())?))
}
