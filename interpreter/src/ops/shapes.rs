//! Sizes as values: shape operands, `get_dimension_size`, `set_dimension_size`.

use ndarray::ArrayViewD;
use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::I64;

use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, by_width};
use crate::value::Values;

pub(super) use crate::eval::one;

/// The sizes that a 1-dimensional integer tensor holds.
///
/// # Errors
/// `exec/negative-size`, and `exec/memory-limit` for sizes that do not fit the machine.
pub fn sizes(shape: &Tensor) -> Result<Dims> {
    shape.integers().into_iter().enumerate().map(|(dim, size)| size_of(dim, size)).collect()
}

fn size_of(dim: usize, size: i128) -> Result<usize> {
    if size < 0 {
        let message = format!("the size of dimension {dim} must not be negative, got {size}");
        return Err(EvalError::invalid("exec/negative-size", message));
    }
    usize::try_from(size).map_err(|_| EvalError::resource("exec/memory-limit", format!("size {size} is too large")))
}

/// Numbers of an attribute that verification has found not to be negative.
pub fn unsigned(numbers: &[i64]) -> Dims {
    numbers.iter().map(|number| usize::try_from(*number).unwrap_or(0)).collect()
}

/// Computed numbers of which there must be one per dimension; the program may not have known how many there are.
///
/// # Errors
/// `exec/shape-mismatch`.
pub fn one_per_dimension(operand: &Tensor, numbers: &[&[i64]]) -> Result<()> {
    match numbers.iter().find(|numbers| numbers.len() != operand.rank()) {
        None => Ok(()),
        Some(numbers) => {
            let message = format!("{} numbers are given for {} dimensions", numbers.len(), operand.rank());
            Err(EvalError::invalid("exec/shape-mismatch", message))
        }
    }
}

/// What to say when the program does not say the shape of a result and it does not follow from the operands.
pub fn unknown_shape() -> EvalError {
    EvalError::unsupported("a size of the result is `?`, and it does not follow from the operands")
}

/// The elements of a view in row-major order, as a tensor.
///
/// # Errors
/// `exec/memory-limit`.
pub fn owned<const W: usize>(cx: &Cx<'_>, element: ElementType, view: &ArrayViewD<'_, [u8; W]>) -> Result<Tensor> {
    let mut result = filled(cx, element, view.shape(), [0; W])?;
    result.assign(view);
    Ok(Tensor::from_words(element, result))
}

/// An array whose words are all `word`.
///
/// # Errors
/// `exec/memory-limit`.
pub fn filled<const W: usize>(
    cx: &Cx<'_>,
    element: ElementType,
    shape: &[usize],
    word: [u8; W],
) -> Result<ndarray::ArrayD<[u8; W]>> {
    let count = cx.memory().check(element, shape)?;
    ndarray::ArrayD::from_shape_vec(shape, vec![word; count])
        .map_err(|_| EvalError::bug("a shape does not fit its count"))
}

/// A splat in another shape.
///
/// # Errors
/// `exec/memory-limit` when the shape cannot be addressed.
pub fn splat(element: ElementType, shape: &[usize], value: &[u8]) -> Result<Tensor> {
    Tensor::splat(element, shape, value.to_vec()).ok_or_else(|| {
        EvalError::resource("exec/memory-limit", format!("a tensor of shape {shape:?} is too large to address"))
    })
}

/// The size of a dimension as `i32` (specification: `get_dimension_size`).
pub fn get_dimension_size(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let dimension = dimension(cx, operand.rank())?;
    let size = operand.shape()[dimension];
    match i32::try_from(size) {
        Ok(size) => Ok(one(Tensor::scalar(size))),
        Err(_) => {
            let message = format!("dimension {dimension} has size {size}, which the result type i32 cannot hold");
            Err(EvalError::invalid("exec/size-overflow", message))
        }
    }
}

/// The tensor with `dimension` cut to the run-time `size`.
pub fn set_dimension_size(cx: &Cx<'_>) -> Result<Values> {
    let operand = cx.tensor(0)?;
    let dimension = dimension(cx, operand.rank())?;
    let size = size_of(dimension, cx.tensor(1)?.integer(0).unwrap_or(0))?;
    if size > operand.shape()[dimension] {
        let message =
            format!("dimension {dimension} cannot grow: it has size {}, asked {size}", operand.shape()[dimension]);
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    let result = by_width!(operand.element(), W => {
        let view = operand.words::<W>();
        let cut = view.slice_axis(ndarray::Axis(dimension), ndarray::Slice::from(..size));
        owned(cx, operand.element(), &cut)?
    });
    Ok(one(result))
}

fn dimension(cx: &Cx<'_>, rank: usize) -> Result<usize> {
    let dimension = usize::try_from(cx.required::<I64>("dimension")?).unwrap_or(usize::MAX);
    if dimension < rank { Ok(dimension) } else { Err(EvalError::bug("dimension is out of range")) }
}
