//! Ops of one operand.

use stablehlo::element::ElementType;
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

/// Declares ops: mnemonic, class of types, function of one element.
macro_rules! unary {
    ($($name:ident: $dispatch:ident, $class:ident;)*) => {
        /// The meaning of the op of that mnemonic.
        pub fn meaning(mnemonic: &str) -> Option<OpFn> {
            Some(match mnemonic {
                $(stringify!($name) => |cx: &Cx<'_>| {
                    let operand = cx.tensor(0)?;
                    let result = $dispatch!(operand.element(), T => map(cx, &operand, <T as $class>::$name));
                    Ok(one(defined(result, operand.element())?))
                },)*
                "real" => |cx: &Cx<'_>| part(cx, true),
                "imag" => |cx: &Cx<'_>| part(cx, false),
                "reduce_precision" => reduce_precision,
                _ => return None,
            })
        }

        /// The op of that mnemonic on one element of type `element`.
        pub fn scalar(mnemonic: &str, element: ElementType) -> Option<ScalarFn> {
            match mnemonic {
                $(stringify!($name) => $dispatch!(element, T => {
                    (|x, _, _| word(<T as $class>::$name(T::read_le(x)))) as ScalarFn
                }),)*
                "real" => dispatch_float_or_complex!(element, T => {
                    (|x, _, _| word(<T as Elementary>::real(T::read_le(x)))) as ScalarFn
                }),
                "imag" => dispatch_float_or_complex!(element, T => {
                    (|x, _, _| word(<T as Elementary>::imag(T::read_le(x)))) as ScalarFn
                }),
                _ => None,
            }
        }
    };
}

unary! {
    abs: dispatch_number, Number;
    cbrt: dispatch_float_or_complex, Elementary;
    ceil: dispatch_float, Float;
    cosine: dispatch_float_or_complex, Elementary;
    count_leading_zeros: dispatch_integer, Integer;
    exponential: dispatch_float_or_complex, Elementary;
    exponential_minus_one: dispatch_float_or_complex, Elementary;
    floor: dispatch_float, Float;
    is_finite: dispatch_float, Float;
    log: dispatch_float_or_complex, Elementary;
    log_plus_one: dispatch_float_or_complex, Elementary;
    logistic: dispatch_float_or_complex, Elementary;
    negate: dispatch_number, Number;
    not: dispatch_bits, Bits;
    popcnt: dispatch_integer, Integer;
    round_nearest_afz: dispatch_float, Float;
    round_nearest_even: dispatch_float, Float;
    rsqrt: dispatch_float_or_complex, Elementary;
    sign: dispatch_number, Number;
    sine: dispatch_float_or_complex, Elementary;
    sqrt: dispatch_float_or_complex, Elementary;
    tan: dispatch_float_or_complex, Elementary;
    tanh: dispatch_float_or_complex, Elementary;
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
