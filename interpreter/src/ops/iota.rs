//! `iota`, `dynamic_iota`: numbers that count along a dimension.

use ndarray::{ArrayD, Axis, IxDyn};
use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::I64;

use super::shapes::{one, owned, sizes, unknown_shape};
use crate::dispatch_element;
use crate::element::{Element, Exact};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Tensor, by_width};
use crate::value::Values;

/// `iota`: the result type says the shape.
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    in_shape(cx, &cx.static_result_shape(0)?.ok_or_else(unknown_shape)?)
}

/// `dynamic_iota`: `output_shape` says the shape.
pub fn dynamic_iota(cx: &Cx<'_>) -> Result<Values> {
    let shape = sizes(&cx.tensor(0)?)?;
    in_shape(cx, &shape)
}

fn in_shape(cx: &Cx<'_>, shape: &[usize]) -> Result<Values> {
    let iota_dimension = usize::try_from(cx.required::<I64>("iota_dimension")?).unwrap_or(usize::MAX);
    Ok(one(iota(cx, cx.result_element(0)?, shape, iota_dimension)?))
}

/// `result[result_index] = convert(result_index[iota_dimension])`.
pub fn iota(cx: &Cx<'_>, element: ElementType, shape: &[usize], iota_dimension: usize) -> Result<Tensor> {
    let Some(size) = shape.get(iota_dimension).copied() else {
        return Err(EvalError::bug("iota_dimension is out of range"));
    };
    cx.memory().check(element, shape)?;
    if shape.contains(&0) {
        return Tensor::new(element, shape, Vec::new()).ok_or_else(|| EvalError::bug("nothing fits any shape"));
    }
    let line = dispatch_element!(element, T => {
        let values: Vec<T> = (0..size).map(|index| T::from_exact(Exact::Integer(index as i128))).collect();
        crate::element::write_all(&values)
    });
    by_width!(element, W => {
        let mut view = ArrayD::from_shape_vec(IxDyn(&[size]), line.as_chunks::<W>().0.to_vec())
            .map_err(|_| EvalError::bug("a line fits its size"))?;
        for _ in iota_dimension + 1..shape.len() {
            let last = view.ndim();
            view = view.insert_axis(Axis(last));
        }
        match view.broadcast(IxDyn(shape)) {
            Some(result) => owned(cx, element, &result),
            None => Err(EvalError::bug("a line broadcasts to the shape it was made for")),
        }
    })
}
