//! `dot_general`, `dot`: contraction of dimensions of two tensors.

use stablehlo::element::ElementType;
use stablehlo::ir::{DotAlgorithm, DotDimensionNumbers, FloatKind, Type, TypeId};
use stablehlo::ops::attr_classes::{DotAlgorithmAttr, DotDims};

use super::contract::{Accumulator, Columns, accumulation_type, dispatch_accumulator, load, store};
use super::elementwise::{convert, map, zip};
use super::positions::{offsets, strides_of};
use super::shapes::{one, unsigned};
use crate::dispatch_float;
use crate::element::{Element, Float};
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::tensor::{Dims, Tensor, show};
use crate::value::Values;

/// `dot_general`; with an algorithm if it has one.
pub fn dot_general(cx: &Cx<'_>) -> Result<Values> {
    let dot_dimension_numbers = cx.required::<DotDims>("dot_dimension_numbers")?;
    let (lhs, rhs, result) = (cx.tensor(0)?, cx.tensor(1)?, cx.result_element(0)?);
    Ok(one(match cx.attr::<DotAlgorithmAttr>("algorithm") {
        Some(algorithm) => by_algorithm(cx, &lhs, &rhs, dot_dimension_numbers, algorithm, result)?,
        None => contract(cx, &lhs, &rhs, dot_dimension_numbers, result)?,
    }))
}

/// `dot`: the last dimension of `lhs` with the first of `rhs`.
pub fn dot(cx: &Cx<'_>) -> Result<Values> {
    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
    let numbers = DotDimensionNumbers {
        lhs_contracting_dimensions: std::iter::once(lhs.rank() as i64 - 1).collect(),
        rhs_contracting_dimensions: std::iter::once(0).collect(),
        ..DotDimensionNumbers::default()
    };
    Ok(one(contract(cx, &lhs, &rhs, &numbers, cx.result_element(0)?)?))
}

/// `result[batch, lhs_result, rhs_result] = sum(lhs[batch, lhs_result, k] * rhs[batch, rhs_result, k])` over the
/// contracting dimensions in the order in which they are listed.
///
/// # Errors
/// `exec/shape-mismatch` for sizes that differ, `exec/memory-limit`.
pub fn contract(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    numbers: &DotDimensionNumbers,
    result: ElementType,
) -> Result<Tensor> {
    let lhs_side = Side::new(lhs, &numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions)?;
    let rhs_side = Side::new(rhs, &numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions)?;
    contract_sides(cx, (lhs, &lhs_side), (rhs, &rhs_side), result)
}

/// The contraction of operands whose dimensions are sorted already.
///
/// # Errors
/// As [`contract`].
pub(super) fn contract_sides(
    cx: &Cx<'_>,
    (lhs, lhs_side): (&Tensor, &Side),
    (rhs, rhs_side): (&Tensor, &Side),
    result: ElementType,
) -> Result<Tensor> {
    lhs_side.check_against(rhs_side)?;
    let shape: Dims = [&lhs_side.batching, &lhs_side.result, &rhs_side.result]
        .iter()
        .flat_map(|dims| dims.sizes.iter().copied())
        .collect();
    let accumulated = accumulation_type(lhs.element(), rhs.element(), result);
    dispatch_accumulator!(accumulated, A => {
        let sums = sums::<A>(cx, (lhs, lhs_side), (rhs, rhs_side), &shape, result)?;
        store(cx, &sums, &shape, result)
    })
}

fn sums<A: Accumulator>(
    cx: &Cx<'_>,
    (lhs, lhs_side): (&Tensor, &Side),
    (rhs, rhs_side): (&Tensor, &Side),
    shape: &[usize],
    result: ElementType,
) -> Result<Vec<A>> {
    let count = cx.memory().check(A::TYPE, shape)?;
    let mut sums = vec![A::ZERO; count];
    if count == 0 {
        return Ok(sums);
    }
    let (lhs, rhs) = (load::<A>(cx, lhs, result)?, load::<A>(cx, rhs, result)?);
    let [lhs_at, lhs_row, lhs_k] = lhs_side.offsets(cx)?;
    let [rhs_at, rhs_column, rhs_k] = rhs_side.offsets(cx)?;
    let (m, n, k) = (lhs_row.len(), rhs_column.len(), lhs_k.len());
    cx.memory().check_bytes(m.saturating_mul(k).saturating_mul(size_of::<A>()))?;
    let mut rows = Vec::with_capacity(m * k);
    for (batch, (lhs_at, rhs_at)) in lhs_at.iter().zip(&rhs_at).enumerate() {
        rows.clear();
        for row in &lhs_row {
            rows.extend(lhs_k.iter().map(|k| lhs[lhs_at + row + k]));
        }
        let columns = Columns::new(cx, k, n, |k, column| rhs[rhs_at + rhs_column[column] + rhs_k[k]])?;
        let sums = &mut sums[batch * m * n..][..m * n];
        columns.multiply(cx, &rows, m, |row, column, results| {
            sums[row * n + column..][..results.len()].copy_from_slice(results);
        })?;
    }
    Ok(sums)
}

/// Some dimensions of an operand; a stride of 0 repeats what is there.
#[derive(Debug, Default)]
pub(super) struct Axes {
    pub sizes: Dims,
    pub strides: Dims,
}

/// The dimensions of an operand by what becomes of them.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub batching: Axes,
    pub result: Axes,
    pub contracting: Axes,
}

/// The dimensions of an operand that are neither batching nor contracting.
pub(super) fn result_dims(rank: usize, batching: &[i64], contracting: &[i64]) -> Dims {
    (0..rank).filter(|dim| !batching.contains(&(*dim as i64)) && !contracting.contains(&(*dim as i64))).collect()
}

impl Side {
    pub fn new(operand: &Tensor, batching: &[i64], contracting: &[i64]) -> Result<Self> {
        let result = result_dims(operand.rank(), batching, contracting);
        let (batching, contracting) = (unsigned(batching), unsigned(contracting));
        if batching.iter().chain(&contracting).any(|dim| *dim >= operand.rank()) {
            return Err(EvalError::bug("a dimension is out of range"));
        }
        let strides = strides_of(operand.shape());
        let axes = |dims: &[usize]| Axes {
            sizes: dims.iter().map(|dim| operand.shape()[*dim]).collect(),
            strides: dims.iter().map(|dim| strides[*dim]).collect(),
        };
        Ok(Self { batching: axes(&batching), result: axes(&result), contracting: axes(&contracting) })
    }

    pub fn check_against(&self, rhs: &Self) -> Result<()> {
        for (what, lhs, rhs) in
            [("batching", &self.batching, &rhs.batching), ("contracting", &self.contracting, &rhs.contracting)]
        {
            if lhs.sizes != rhs.sizes {
                let message = format!(
                    "{what} dimensions must have the same sizes, got {} and {}",
                    show(&lhs.sizes),
                    show(&rhs.sizes)
                );
                return Err(EvalError::invalid("exec/shape-mismatch", message));
            }
        }
        Ok(())
    }

    /// Places along the batching, the result's and the contracting dimensions.
    pub fn offsets(&self, cx: &Cx<'_>) -> Result<[Vec<usize>; 3]> {
        let offsets = |axes: &Axes| offsets(cx, &axes.sizes, &axes.strides);
        Ok([offsets(&self.batching)?, offsets(&self.result)?, offsets(&self.contracting)?])
    }
}

/// The contraction of operands that are rounded to the algorithm's types, in its accumulation type.
///
/// With several primitive operations an operand is the sum of several numbers of its precision type, the largest first. Of the
/// products of components the `num_primitive_operations` largest are made, each a contraction, and added up from the
/// smallest on.
fn by_algorithm(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    numbers: &DotDimensionNumbers,
    algorithm: &DotAlgorithm,
    result: ElementType,
) -> Result<Tensor> {
    let module = cx.module();
    let Some(accumulation) = module.scalar_element(algorithm.accumulation_type) else {
        return Err(EvalError::unsupported("the algorithm's accumulation type is not executed"));
    };
    // Known algorithms of several operations are written with a count of 1.
    let n_operations = usize::try_from(algorithm.num_primitive_operations).unwrap_or(0).max(1);
    let needed = (1..8i64).find(|n| (n * n) as usize >= n_operations).unwrap_or(8);
    let [lhs_count, rhs_count] = [algorithm.lhs_component_count, algorithm.rhs_component_count].map(|n| n.max(needed));
    let lhs = components(cx, lhs, algorithm.lhs_precision_type, lhs_count, accumulation)?;
    let rhs = components(cx, rhs, algorithm.rhs_precision_type, rhs_count, accumulation)?;
    let mut pairs: Vec<(usize, usize)> = (0..lhs.len()).flat_map(|i| (0..rhs.len()).map(move |j| (i, j))).collect();
    pairs.sort_by_key(|(i, j)| (i + j, *i));
    pairs.truncate(n_operations);
    let mut total: Option<Tensor> = None;
    for (i, j) in pairs.into_iter().rev() {
        let term = contract(cx, &lhs[i], &rhs[j], numbers, accumulation)?;
        total = Some(match total {
            Some(total) => dispatch_float!(accumulation, T => zip(cx, &total, &term, <T as Element>::add))
                .ok_or_else(|| EvalError::unsupported("the algorithm accumulates in no float type"))??,
            None => term,
        });
    }
    let total = total.ok_or_else(|| EvalError::bug("an algorithm has an operation"))?;
    convert(cx, &total, result)
}

/// An operand as a sum of numbers of a precision type, held in the accumulation type or wider.
fn components(
    cx: &Cx<'_>,
    operand: &Tensor,
    precision: TypeId,
    component_count: i64,
    accumulation: ElementType,
) -> Result<Vec<Tensor>> {
    let held = if accumulation == ElementType::F64 { ElementType::F64 } else { ElementType::F32 };
    let mut rest = convert(cx, operand, held)?;
    let mut parts = Vec::new();
    for _ in 0..component_count.clamp(1, 8) {
        let part = rounded(cx, &rest, precision)?;
        rest = dispatch_float!(held, T => zip(cx, &rest, &part, remaining::<T>))
            .ok_or_else(|| EvalError::bug("components are floats"))??;
        parts.push(part);
    }
    Ok(parts)
}

/// What is left of a number without its part; nothing is left of infinity.
fn remaining<T: Float>(number: T, part: T) -> T {
    let rest = number.subtract(part);
    if Float::is_finite(rest) { rest } else { T::zero() }
}

/// Elements rounded to a float type, to nearest even, in their own type.
fn rounded(cx: &Cx<'_>, operand: &Tensor, precision: TypeId) -> Result<Tensor> {
    let unsupported = || EvalError::unsupported("the algorithm's precision type is not executed");
    if let Type::Float(FloatKind::TF32) = cx.module().ty(precision) {
        let result =
            dispatch_float!(operand.element(), T => map(cx, operand, |x: T| Float::reduce_precision(x, 8, 10)));
        return result.ok_or_else(unsupported)?;
    }
    let precision =
        cx.module().scalar_element(precision).filter(|element| element.is_float()).ok_or_else(unsupported)?;
    convert(cx, &convert(cx, operand, precision)?, operand.element())
}
