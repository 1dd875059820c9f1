//! `select`, `clamp`: ops of three operands of which some may be scalars for all elements.

use stablehlo::element::ElementType;

use super::{ScalarFn, made, map, same_shape, word, zip};
use crate::dispatch_element;
use crate::element::Element;
use crate::error::Result;
use crate::eval::{Cx, one};
use crate::ops::shapes::splat;
use crate::tensor::{Tensor, by_width};
use crate::value::Values;

/// Reads the op and applies [`select`].
pub fn eval_select(cx: &Cx<'_>) -> Result<Values> {
    Ok(one(select(cx, &cx.tensor(0)?, &cx.tensor(1)?, &cx.tensor(2)?)?))
}

/// Each element of `on_true` or `on_false` as `pred`, a scalar or a tensor of their shape, says.
pub fn select(cx: &Cx<'_>, pred: &Tensor, on_true: &Tensor, on_false: &Tensor) -> Result<Tensor> {
    same_shape(on_true, on_false)?;
    if pred.rank() != 0 {
        same_shape(pred, on_true)?;
    }
    if let Some(pred) = pred.splat_value::<bool>() {
        return Ok(if pred { on_true.clone() } else { on_false.clone() });
    }
    let count = cx.memory().check(on_true.element(), on_true.shape())?;
    let result = by_width!(on_true.element(), W => {
        let (on_true, on_false) = (on_true.data().as_chunks::<W>().0, on_false.data().as_chunks::<W>().0);
        let mut result = Vec::with_capacity(count);
        match (on_true, on_false) {
            // A tensor of one element was answered above unless there is only one predicate, so these are splats.
            ([on_true], [on_false]) => result.extend(chosen(pred, |_| on_true, |_| on_false)),
            ([on_true], on_false) => result.extend(chosen(pred, |_| on_true, |index| &on_false[index])),
            (on_true, [on_false]) => result.extend(chosen(pred, |index| &on_true[index], |_| on_false)),
            (on_true, on_false) => result.extend(chosen(pred, |index| &on_true[index], |index| &on_false[index])),
        }
        result.into_flattened()
    });
    made(on_true.element(), on_true.shape(), result)
}

fn chosen<'a, const W: usize>(
    pred: &'a Tensor,
    on_true: impl Fn(usize) -> &'a [u8; W] + 'a,
    on_false: impl Fn(usize) -> &'a [u8; W] + 'a,
) -> impl Iterator<Item = [u8; W]> + 'a {
    pred.data().iter().enumerate().map(move |(index, pred)| if *pred != 0 { *on_true(index) } else { *on_false(index) })
}

/// Reads the op and applies [`clamp`].
pub fn eval_clamp(cx: &Cx<'_>) -> Result<Values> {
    Ok(one(clamp(cx, &cx.tensor(0)?, &cx.tensor(1)?, &cx.tensor(2)?)?))
}

/// `minimum(maximum(operand, min), max)`; `min` and `max` are scalars or tensors of the operand's shape.
pub fn clamp(cx: &Cx<'_>, min: &Tensor, operand: &Tensor, max: &Tensor) -> Result<Tensor> {
    let bound = |bound: &Tensor| match bound.rank() {
        0 => splat(bound.element(), operand.shape(), bound.data()),
        _ => Ok(bound.clone()),
    };
    let (min, max) = (bound(min)?, bound(max)?);
    same_shape(&min, operand)?;
    same_shape(operand, &max)?;
    dispatch_element!(operand.element(), T => {
        if let (Some(min), Some(max)) = (min.splat_value::<T>(), max.splat_value::<T>()) {
            return map(cx, operand, |x: T| Element::minimum(Element::maximum(x, min), max));
        }
        let raised = zip(cx, operand, &min, <T as Element>::maximum)?;
        zip(cx, &raised, &max, <T as Element>::minimum)
    })
}

/// `clamp` of one element.
pub fn scalar_clamp(element: ElementType) -> ScalarFn {
    dispatch_element!(element, T => {
        (|min, operand, max| {
            let raised = Element::maximum(T::read_le(operand), T::read_le(min));
            word(Element::minimum(raised, T::read_le(max)))
        }) as ScalarFn
    })
}
