//! `convert`.

use stablehlo::element::ElementType::{self, *};

use super::{made, map};
use crate::dispatch_element;
use crate::element::{self, Element, Exact, bf16, f16};
use crate::error::Result;
use crate::eval::{Cx, one};
use crate::ops::shapes::splat;
use crate::tensor::Tensor;
use crate::value::Values;

/// Reads the op and applies [`convert`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    Ok(one(convert(cx, &cx.tensor(0)?, cx.result_element(0)?)?))
}

/// Every element as a number of type `element`, see [`element::convert`](crate::element::convert()).
///
/// The conversions that models are full of are compiled as loops of their own; the other pairs of the thirty types go
/// through [`Exact`].
pub fn convert(cx: &Cx<'_>, operand: &Tensor, element: ElementType) -> Result<Tensor> {
    macro_rules! pair {
        ($from:ty, $to:ty) => {
            map(cx, operand, element::convert::<$from, $to>)
        };
    }
    match (operand.element(), element) {
        (from, to) if from == to => Ok(operand.clone()),
        (F32, BF16) => pair!(f32, bf16),
        (BF16, F32) => pair!(bf16, f32),
        (F32, F16) => pair!(f32, f16),
        (F16, F32) => pair!(f16, f32),
        (F32, F64) => pair!(f32, f64),
        (F64, F32) => pair!(f64, f32),
        (F32, I32) => pair!(f32, i32),
        (I32, F32) => pair!(i32, f32),
        (I64, F32) => pair!(i64, f32),
        (I1, F32) => pair!(bool, f32),
        (I1, I32) => pair!(bool, i32),
        (I32, I1) => pair!(i32, bool),
        (I32, I64) => pair!(i32, i64),
        (I64, I32) => pair!(i64, i32),
        (I32, UI32) => pair!(i32, u32),
        (UI32, I32) => pair!(u32, i32),
        (I8, I32) => pair!(i8, i32),
        (UI8, I32) => pair!(u8, i32),
        (I8, F32) => pair!(i8, f32),
        (UI8, F32) => pair!(u8, f32),
        (_, element) => through_exact(cx, operand, element),
    }
}

fn through_exact(cx: &Cx<'_>, operand: &Tensor, element: ElementType) -> Result<Tensor> {
    let read: fn(&[u8]) -> Exact = dispatch_element!(operand.element(), T => |bytes| T::read_le(bytes).to_exact());
    let write: fn(Exact, &mut [u8]) =
        dispatch_element!(element, T => |value, bytes| T::from_exact(value).write_le(bytes));
    let width = element.byte_width();
    if let Some(value) = operand.splat_bytes() {
        let mut result = vec![0; width];
        write(read(value), &mut result);
        return splat(element, operand.shape(), &result);
    }
    let count = cx.memory().check(element, operand.shape())?;
    let mut result = vec![0; count * width];
    let operands = operand.data().chunks_exact(operand.element().byte_width());
    for (out, value) in result.chunks_exact_mut(width).zip(operands) {
        write(read(value), out);
    }
    made(element, operand.shape(), result)
}
