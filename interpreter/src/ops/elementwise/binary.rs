//! Ops of two operands of the same type.

use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

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

/// Declares ops: kind, function of two elements, class of types it is defined on.
macro_rules! binary {
    ($($kind:ident = $name:ident: $dispatch:ident, $class:ident;)*) => {
        /// The meaning of an op of this file.
        pub fn meaning(kind: OpKind) -> Option<OpFn> {
            Some(match kind {
                $(OpKind::$kind => |cx: &Cx<'_>| {
                    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
                    let result = $dispatch!(lhs.element(), T => zip(cx, &lhs, &rhs, <T as $class>::$name));
                    Ok(one(defined(result, lhs.element())?))
                },)*
                OpKind::Complex => complex,
                _ => return None,
            })
        }

        /// The op on one pair of elements of type `element`.
        pub fn scalar(kind: OpKind, element: ElementType) -> Option<ScalarFn> {
            match kind {
                $(OpKind::$kind => $dispatch!(element, T => {
                    (|lhs, rhs, _| word(<T as $class>::$name(T::read_le(lhs), T::read_le(rhs)))) as ScalarFn
                }),)*
                OpKind::Complex => dispatch_complex!(element.complex_of()?, T => {
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
    Add = add: any, Element;
    And = and: dispatch_bits, Bits;
    Atan2 = atan2: dispatch_float_or_complex, Elementary;
    Divide = divide: dispatch_number, Number;
    Maximum = maximum: any, Element;
    Minimum = minimum: any, Element;
    Multiply = multiply: any, Element;
    Or = or: dispatch_bits, Bits;
    Power = power: dispatch_number, Number;
    Remainder = remainder: dispatch_real, Real;
    ShiftLeft = shift_left: dispatch_integer, Integer;
    ShiftRightArithmetic = shift_right_arithmetic: dispatch_integer, Integer;
    ShiftRightLogical = shift_right_logical: dispatch_integer, Integer;
    Subtract = subtract: dispatch_number, Number;
    Xor = xor: dispatch_bits, Bits;
}

/// The complex number with real part `lhs` and imaginary part `rhs`.
fn complex(cx: &Cx<'_>) -> Result<Values> {
    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
    let element = lhs.element().complex_of().unwrap_or(lhs.element());
    let result = dispatch_complex!(element, T => zip(cx, &lhs, &rhs, <T as ComplexElement>::complex));
    Ok(one(defined(result, element)?))
}
