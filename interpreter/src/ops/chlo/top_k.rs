//! `chlo.top_k`: the largest elements of each row.

use stablehlo::element::ElementType;
use stablehlo::ops::attr_classes::I64;

use crate::dispatch_element;
use crate::element::{CompareType, Direction, Element};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::ops::elementwise::{convert, written_out};
use crate::ops::positions::Ticks;
use crate::ops::sort::merge_sort;
use crate::tensor::{Dims, Tensor};
use crate::value::Values;

/// Reads the op and applies [`top_k`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let k = usize::try_from(cx.required::<I64>("k")?).unwrap_or(0);
    top_k(cx, &cx.tensor(0)?, k, true, cx.result_element(1)?)
}

/// The `k` largest (or smallest) elements along the last dimension, the first of equals first, and where they are. The
/// order is total, so that +NaN is the largest and −NaN the smallest.
///
/// # Errors
/// `exec/shape-mismatch` when there are fewer than `k` elements, `exec/memory-limit`.
pub fn top_k(cx: &Cx<'_>, operand: &Tensor, k: usize, largest: bool, index_element: ElementType) -> Result<Values> {
    let mut shape: Dims = operand.shape().into();
    let n = shape.last().copied().unwrap_or(0);
    if k > n || shape.is_empty() {
        let message = format!("the {k} largest of {n} elements are asked for");
        return Err(EvalError::invalid("exec/shape-mismatch", message));
    }
    if let Some(last) = shape.last_mut() {
        *last = k;
    }
    let count = cx.memory().check(operand.element(), &shape)?;
    cx.memory().check(ElementType::I64, &shape)?;
    let data = written_out(cx, operand)?;
    let width = operand.element().byte_width();
    let direction = if largest { Direction::Gt } else { Direction::Lt };
    let mut ticks = Ticks::new(cx);
    let (mut values, mut indices) = (Vec::with_capacity(count * width), Vec::with_capacity(count));
    for row in data.chunks_exact((n * width).max(1)) {
        ticks.add(n)?;
        let order = dispatch_element!(operand.element(), T => order::<T>(row, direction, &mut ticks)?);
        for index in order.into_iter().take(k) {
            values.extend_from_slice(&row[index as usize * width..][..width]);
            indices.push(i64::from(index));
        }
    }
    let made = |tensor: Option<Tensor>| tensor.ok_or_else(|| EvalError::bug("k elements of each row"));
    let values = made(Tensor::new(operand.element(), &shape, values))?;
    let indices = convert(cx, &made(Tensor::from_vec(&shape, &indices))?, index_element)?;
    Ok([values, indices].into_iter().map(Into::into).collect())
}

fn order<T: Element>(row: &[u8], direction: Direction, ticks: &mut Ticks<'_, '_>) -> Result<Vec<u32>> {
    let row: Vec<T> = crate::element::read_all(row);
    merge_sort(row.len(), ticks, |a, b| {
        Ok(row[a as usize].compare(row[b as usize], direction, CompareType::TotalOrder))
    })
}
