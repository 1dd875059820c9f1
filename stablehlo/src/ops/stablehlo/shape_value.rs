//! Shapes that are operands: 1-dimensional tensors of sizes.

use super::dims::show;
use super::quantization::per_axis;
use crate::ir::{DYNAMIC, Dims, Shape, ValueId};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

/// Number of entries of a statically shaped 1-dimensional tensor.
pub fn length(cx: &Cx<'_>, value: ValueId) -> usize {
    cx.shape(value).first().and_then(|size| usize::try_from(*size).ok()).unwrap_or(0)
}

/// As many unknown sizes as the operand `value` has entries. The result's rank must be the same, so no more than one beyond
/// that are ever made, whatever the text says.
pub fn unknown(cx: &Cx<'_>, value: ValueId) -> Shape {
    Shape::from_elem(DYNAMIC, length(cx, value).min(cx.rank(cx.result(0)) + 1))
}

/// Passes when the operand `name` has one entry per dimension of the result and, if it is a constant, the sizes of the
/// result where those are known.
pub fn describes_result(cx: &Cx<'_>, operand: usize, name: &str) -> Verdict {
    let (value, result) = (cx.operand(operand), cx.shape(cx.result(0)));
    let entries = length(cx, value);
    ensure(entries == result.len(), || {
        let message =
            format!("{name} must have one entry per dimension of the result: expected {}, got {entries}", result.len());
        Fault::new(message).at(Place::Operand(operand)).label(Place::Result(0), format!("has rank {}", result.len()))
    })?;
    let Some(sizes) = cx.constant_integers(value) else {
        return Ok(());
    };
    let bounds = cx.bounds(cx.result(0));
    let fits = sizes.iter().zip(result).enumerate().all(|(dim, (size, declared))| match *declared {
        DYNAMIC => *size >= 0 && bounds.get(dim).is_none_or(|bound| *bound == DYNAMIC || size <= bound),
        declared => *size == declared,
    });
    ensure(fits, || {
        let message = format!("{name} is {}, which does not fit the result's shape {}", show(&sizes), show(result));
        Fault::new(message).at(Place::Result(0)).label(Place::Operand(operand), "a constant")
    })
}

/// A result of the shape that an operand gives, as far as its value is known, and of the first operand's element type
/// unless that is quantized per axis.
pub fn infer(cx: &Cx<'_>, operand: usize) -> Result<Vec<Inferred>, Fault> {
    let value = cx.operand(operand);
    let known = cx.constant_integers(value).filter(|sizes| sizes.iter().all(|size| *size >= 0));
    let element = (operand > 0 && per_axis(cx, cx.operand(0)).is_none()).then(|| cx.element_type(cx.operand(0)));
    let shape = known.map_or_else(|| unknown(cx, value), Shape::from);
    Ok(vec![Inferred::Tensor { shape, bounds: Dims::new(), element }])
}
