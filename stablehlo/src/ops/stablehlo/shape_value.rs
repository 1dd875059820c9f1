//! Shapes that are operands: 1-dimensional tensors of sizes.

use super::dims::show;
use crate::ir::{DYNAMIC, ValueId};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

/// Number of entries of a statically shaped 1-dimensional tensor.
pub fn length(cx: &Cx<'_>, value: ValueId) -> usize {
    cx.shape(value).first().and_then(|size| usize::try_from(*size).ok()).unwrap_or(0)
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
