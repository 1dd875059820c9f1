//! Ops of two operands of the same type.

use stablehlo::element::ElementType;

use super::{ScalarFn, defined, word, zip};
use crate::element::{Bits, ComplexElement, Element, Elementary, Integer, Number, Real};
use crate::error::Result;
use crate::eval::{Cx, OpFn, one};
use crate::value::Values;
use crate::{
    dispatch_bits, dispatch_complex, dispatch_element, dispatch_float_or_complex, dispatch_integer, dispatch_number,
    dispatch_real,
};

macro_rules! any {
    ($element:expr, $T:ident => $body:expr) => {
        Some(dispatch_element!($element, $T => $body))
    };
}

/// Declares ops: mnemonic, class of types, function of two elements.
macro_rules! binary {
    ($($name:ident: $dispatch:ident, $class:ident;)*) => {
        /// The meaning of the op of that mnemonic.
        pub fn meaning(mnemonic: &str) -> Option<OpFn> {
            Some(match mnemonic {
                $(stringify!($name) => |cx: &Cx<'_>| {
                    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
                    let result = $dispatch!(lhs.element(), T => zip(cx, &lhs, &rhs, <T as $class>::$name));
                    Ok(one(defined(result, lhs.element())?))
                },)*
                "complex" => complex,
                _ => return None,
            })
        }

        /// The op of that mnemonic on one pair of elements of type `element`.
        pub fn scalar(mnemonic: &str, element: ElementType) -> Option<ScalarFn> {
            match mnemonic {
                $(stringify!($name) => $dispatch!(element, T => {
                    (|lhs, rhs, _| word(<T as $class>::$name(T::read_le(lhs), T::read_le(rhs)))) as ScalarFn
                }),)*
                "complex" => dispatch_complex!(element.complex_of()?, T => {
                    (|lhs, rhs, _| {
                        let part = |part| <<T as Element>::Part as Element>::read_le(part);
                        word(<T as ComplexElement>::complex(part(lhs), part(rhs)))
                    }) as ScalarFn
                }),
                _ => None,
            }
        }
    };
}

binary! {
    add: any, Element;
    and: dispatch_bits, Bits;
    atan2: dispatch_float_or_complex, Elementary;
    divide: dispatch_number, Number;
    maximum: any, Element;
    minimum: any, Element;
    multiply: any, Element;
    or: dispatch_bits, Bits;
    power: dispatch_number, Number;
    remainder: dispatch_real, Real;
    shift_left: dispatch_integer, Integer;
    shift_right_arithmetic: dispatch_integer, Integer;
    shift_right_logical: dispatch_integer, Integer;
    subtract: dispatch_number, Number;
    xor: dispatch_bits, Bits;
}

/// The complex number with real part `lhs` and imaginary part `rhs`.
fn complex(cx: &Cx<'_>) -> Result<Values> {
    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
    let element = lhs.element().complex_of().unwrap_or(lhs.element());
    let result = dispatch_complex!(element, T => zip(cx, &lhs, &rhs, <T as ComplexElement>::complex));
    Ok(one(defined(result, element)?))
}
