//! Ops that compute each element by itself.
//!
//! A row per op: the class of element types it is defined on, and the function of
//! [`element`](crate::element) that computes one element. Results are rounded once, in the element's own type.
//! [`map`] and [`zip`] are the loops; a splat is computed once.

mod binary;
mod compare;
mod convert;
mod select;
mod unary;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use stablehlo::element::ElementType;
use stablehlo::ir::{Module, OpId};
use stablehlo::ops::OpKind;

use crate::element::Element;
use crate::error::{EvalError, Result};
use crate::eval::{Cx, OpFn};
use crate::tensor::{Tensor, show};

pub use compare::{compare, question};
pub use convert::convert;
pub use select::{clamp, select};

/// The meaning of an elementwise op of StableHLO; none for other ops.
pub(super) fn meaning(kind: OpKind) -> Option<OpFn> {
    unary::meaning(kind).or_else(|| binary::meaning(kind)).or_else(|| {
        Some(match kind {
            OpKind::Compare => compare::eval,
            OpKind::Convert => convert::eval,
            OpKind::Select => select::eval_select,
            OpKind::Clamp => select::eval_clamp,
            _ => return None,
        })
    })
}

/// One element in storage form, and zeros after it.
pub type Word = [u8; 16];

/// An op on one element of each operand; operands that it does not have are ignored.
pub type ScalarFn = fn(&Word, &Word, &Word) -> Word;

/// The storage form of a value.
fn word<T: Element>(value: T) -> Word {
    let mut word = [0; 16];
    value.write_le(&mut word);
    word
}

/// An elementwise op as a function of single elements; none for ops that take more to know than their first operand's
/// element type, which `convert` and `reduce_precision` do.
pub fn scalar(module: &Module, op: OpId) -> Option<ScalarFn> {
    let kind = module.kind(op)?;
    let element = module.element(module.value_type(*module.operands(op).first()?))?;
    match kind {
        OpKind::Compare => question(module, op).map(|(direction, ty)| compare::scalar(element, direction, ty)),
        OpKind::Select => Some(|pred, on_true, on_false| if pred[0] != 0 { *on_true } else { *on_false }),
        OpKind::Clamp => Some(select::scalar_clamp(element)),
        _ => unary::scalar(kind, element).or_else(|| binary::scalar(kind, element)),
    }
}

/// `f` of every element.
///
/// # Errors
/// `exec/memory-limit`.
pub fn map<A: Element, R: Element>(cx: &Cx<'_>, operand: &Tensor, f: impl Fn(A) -> R) -> Result<Tensor> {
    if let Some(value) = operand.splat_value::<A>() {
        return Ok(Tensor::full(operand.shape(), f(value)));
    }
    let count = cx.memory().check(R::TYPE, operand.shape())?;
    let mut result = vec![0; count * R::WIDTH];
    for (out, operand) in result.chunks_exact_mut(R::WIDTH).zip(operand.data().chunks_exact(A::WIDTH)) {
        f(A::read_le(operand)).write_le(out);
    }
    made(R::TYPE, operand.shape(), result)
}

/// `f` of every pair of elements at the same place.
///
/// # Errors
/// `exec/shape-mismatch` when the shapes differ, `exec/memory-limit`.
pub fn zip<A: Element, B: Element, R: Element>(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    f: impl Fn(A, B) -> R,
) -> Result<Tensor> {
    same_shape(lhs, rhs)?;
    if let Some(rhs) = rhs.splat_value::<B>() {
        return map(cx, lhs, |lhs| f(lhs, rhs));
    }
    if let Some(lhs) = lhs.splat_value::<A>() {
        return map(cx, rhs, |rhs| f(lhs, rhs));
    }
    let count = cx.memory().check(R::TYPE, lhs.shape())?;
    let mut result = vec![0; count * R::WIDTH];
    let operands = lhs.data().chunks_exact(A::WIDTH).zip(rhs.data().chunks_exact(B::WIDTH));
    for (out, (lhs, rhs)) in result.chunks_exact_mut(R::WIDTH).zip(operands) {
        f(A::read_le(lhs), B::read_le(rhs)).write_le(out);
    }
    made(R::TYPE, lhs.shape(), result)
}

/// Two operands of one shape; the program may not have known it.
///
/// # Errors
/// `exec/shape-mismatch`.
pub fn same_shape(lhs: &Tensor, rhs: &Tensor) -> Result<()> {
    if lhs.shape() == rhs.shape() {
        return Ok(());
    }
    let message = format!("operands must have the same shape, got {} and {}", show(lhs.shape()), show(rhs.shape()));
    Err(EvalError::invalid("exec/shape-mismatch", message))
}

/// The bytes of all elements.
///
/// # Errors
/// `exec/memory-limit`.
pub fn written_out<'t>(cx: &Cx<'_>, tensor: &'t Tensor) -> Result<Cow<'t, [u8]>> {
    let width = tensor.element().byte_width();
    if tensor.data().len() == tensor.len() * width {
        return Ok(Cow::Borrowed(tensor.data()));
    }
    let count = cx.memory().check(tensor.element(), tensor.shape())?;
    Ok(Cow::Owned(tensor.data().repeat(count)))
}

fn made(element: ElementType, shape: &[usize], data: Vec<u8>) -> Result<Tensor> {
    Tensor::new(element, shape, data).ok_or_else(|| EvalError::bug("as many elements as before"))
}

/// The result of a dispatch on a class of types, or what to say when the type is of another class.
pub(super) fn defined(result: Option<Result<Tensor>>, element: ElementType) -> Result<Tensor> {
    result.unwrap_or_else(|| Err(EvalError::unsupported(format!("the op is not defined on {element}"))))
}
