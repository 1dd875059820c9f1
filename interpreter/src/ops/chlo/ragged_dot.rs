//! `chlo.ragged_dot`: a contraction in which one dimension falls into groups.

use stablehlo::element::ElementType;
use stablehlo::ir::{DotDimensionNumbers, RaggedDotDimensionNumbers};
use stablehlo::ops::attr_classes::RaggedDotDims;

use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::ops::contract::{Accumulator, Columns, accumulation_type, dispatch_accumulator, load, store};
use crate::ops::dot_general::{Axes, Side, contract, result_dims};
use crate::ops::positions::{offsets, strides_of};
use crate::ops::shapes::{one, unsigned};
use crate::tensor::{Dims, Tensor, count, show};
use crate::value::Values;

/// Reads the op and applies [`ragged_dot`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let numbers = cx.required::<RaggedDotDims>("ragged_dot_dimension_numbers")?;
    Ok(one(ragged_dot(cx, &cx.tensor(0)?, &cx.tensor(1)?, &cx.tensor(2)?, numbers, cx.result_element(0)?)?))
}

/// The contraction of `lhs` and `rhs`, where the ragged dimension of `lhs` falls into groups of `group_sizes`:
///
/// 1. ragged among the dimensions of the result, `[b, m, k], [g, b, k, n] → [b, m, n]`: each row meets the matrix of its
///    group; rows of no group are zero;
/// 2. ragged among the contracting ones, `[b, m, k], [b, k, n] → [g, b, m, n]`: each group has a sum of its own;
/// 3. ragged among the batching ones: as without groups.
///
/// `group_sizes` has the groups last and may have, before them, the batching dimensions and those of the same kind that
/// come before the ragged one.
///
/// # Errors
/// `exec/shape-mismatch` for sizes that differ, `exec/memory-limit`.
pub fn ragged_dot(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    group_sizes: &Tensor,
    numbers: &RaggedDotDimensionNumbers,
    result: ElementType,
) -> Result<Tensor> {
    let ([ragged], group_dims) = (&numbers.lhs_ragged_dimensions[..], unsigned(&numbers.rhs_group_dimensions)) else {
        return Err(EvalError::unsupported("ragged_dot has one ragged dimension"));
    };
    if numbers.lhs_batching_dimensions.contains(ragged) {
        let plain = DotDimensionNumbers {
            lhs_batching_dimensions: numbers.lhs_batching_dimensions.clone(),
            rhs_batching_dimensions: numbers.rhs_batching_dimensions.clone(),
            lhs_contracting_dimensions: numbers.lhs_contracting_dimensions.clone(),
            rhs_contracting_dimensions: numbers.rhs_contracting_dimensions.clone(),
        };
        return contract(cx, lhs, rhs, &plain, result);
    }
    let lhs_side = Side::new(lhs, &numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions)?;
    let mut rhs_side = Side::new(rhs, &numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions)?;
    lhs_side.check_against(&rhs_side)?;
    let rhs_result = result_dims(rhs.rank(), &numbers.rhs_batching_dimensions, &numbers.rhs_contracting_dimensions);
    let mut group_stride = 0;
    for dim in &group_dims {
        let Some(position) = rhs_result.iter().position(|result_dim| result_dim == dim) else {
            return Err(EvalError::bug("the group dimension is a dimension of rhs alone"));
        };
        rhs_side.result.sizes.remove(position);
        group_stride = rhs_side.result.strides.remove(position);
    }
    // Where the ragged dimension is among those of its kind.
    let ragged = *ragged as usize;
    let contracting = unsigned(&numbers.lhs_contracting_dimensions).iter().position(|dim| *dim == ragged);
    let lhs_result = result_dims(lhs.rank(), &numbers.lhs_batching_dimensions, &numbers.lhs_contracting_dimensions);
    let position = contracting.or_else(|| lhs_result.iter().position(|dim| *dim == ragged));
    let position = position.ok_or_else(|| EvalError::bug("the ragged dimension is a dimension of lhs"))?;
    let axes = if contracting.is_some() { &lhs_side.contracting } else { &lhs_side.result };
    let groups = Groups::new(cx, group_sizes, &lhs_side.batching.sizes, axes, position)?;
    let mut shape = Dims::new();
    shape.extend(contracting.map(|_| groups.n));
    for axes in [&lhs_side.batching, &lhs_side.result, &rhs_side.result] {
        shape.extend(axes.sizes.iter().copied());
    }
    dispatch_accumulator!(accumulation_type(lhs.element(), rhs.element(), result), A => {
        let parts = Parts { contracting: contracting.is_some(), group_stride, groups: &groups, shape: &shape };
        let sums = parts.sums::<A>(cx, (lhs, &lhs_side), (rhs, &rhs_side), result)?;
        store(cx, &sums, &shape, result)
    })
}

/// Which group each index along the dimensions of the ragged one's kind is in.
struct Groups {
    n: usize,
    n_indices: usize,
    /// Per batch, or once for all; none beyond the last group.
    groups: Vec<Option<usize>>,
}

impl Groups {
    fn new(cx: &Cx<'_>, group_sizes: &Tensor, batching: &[usize], axes: &Axes, position: usize) -> Result<Self> {
        let Some((n, prefix)) = group_sizes.shape().split_last() else {
            return Err(EvalError::bug("group_sizes has a dimension"));
        };
        let before = &axes.sizes[..position];
        let wanted: Dims = batching.iter().chain(before).copied().collect();
        if !prefix.is_empty() && *prefix != *wanted {
            let message = format!(
                "group_sizes must have shape [{n}] or the dimensions {} before it, got {}",
                show(&wanted),
                show(group_sizes.shape())
            );
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        }
        // Along the dimensions of the kind: the coordinate in the ragged one, and the row of group_sizes that counts.
        let unit = |dim: usize| usize::from(dim == position);
        let coordinates = offsets(cx, &axes.sizes, &(0..axes.sizes.len()).map(unit).collect::<Dims>())?;
        let mut strides: Dims = strides_of(before);
        strides.resize(axes.sizes.len(), 0);
        let rows = offsets(cx, &axes.sizes, &strides)?;
        let (n_batches, n_rows) = match prefix {
            [] => (1, 0),
            _ => (count(batching).unwrap_or(0), count(before).unwrap_or(0)),
        };
        let n_groups = coordinates.len().saturating_mul(n_batches);
        cx.memory().check_bytes(n_groups.saturating_mul(size_of::<Option<usize>>()))?;
        let mut groups = Vec::with_capacity(n_groups);
        for batch in 0..n_batches {
            for (coordinate, row) in coordinates.iter().zip(&rows) {
                let row = if n_rows == 0 { 0 } else { batch * n_rows + row };
                let mut end = 0i128;
                let group = (0..*n).find(|group| {
                    end += group_sizes.integer(row * n + group).unwrap_or(0).max(0);
                    (*coordinate as i128) < end
                });
                groups.push(group);
            }
        }
        Ok(Self { n: *n, n_indices: coordinates.len(), groups })
    }

    /// The indices of a group in a batch.
    fn members(&self, batch: usize, group: usize) -> Vec<usize> {
        let first = if self.groups.len() == self.n_indices { 0 } else { batch * self.n_indices };
        let groups = self.groups.iter().skip(first).take(self.n_indices).enumerate();
        groups.filter(|(_, of)| **of == Some(group)).map(|(index, _)| index).collect()
    }
}

struct Parts<'a> {
    contracting: bool,
    group_stride: usize,
    groups: &'a Groups,
    shape: &'a [usize],
}

impl Parts<'_> {
    fn sums<A: Accumulator>(
        &self,
        cx: &Cx<'_>,
        (lhs, lhs_side): (&Tensor, &Side),
        (rhs, rhs_side): (&Tensor, &Side),
        result: ElementType,
    ) -> Result<Vec<A>> {
        let mut sums = vec![A::ZERO; cx.memory().check(A::TYPE, self.shape)?];
        if sums.is_empty() {
            return Ok(sums);
        }
        let (lhs, rhs) = (load::<A>(cx, lhs, result)?, load::<A>(cx, rhs, result)?);
        let [lhs_at, lhs_row, lhs_k] = lhs_side.offsets(cx)?;
        let [rhs_at, rhs_column, rhs_k] = rhs_side.offsets(cx)?;
        let (n_batches, m, n) = (lhs_at.len(), lhs_row.len(), rhs_column.len());
        let (all_rows, all_k): (Vec<usize>, Vec<usize>) = ((0..m).collect(), (0..lhs_k.len()).collect());
        cx.memory().check_bytes(m.saturating_mul(lhs_k.len()).saturating_mul(size_of::<A>()))?;
        for (batch, (lhs_at, rhs_at)) in lhs_at.iter().zip(&rhs_at).enumerate() {
            for group in 0..self.groups.n {
                cx.tick(self.groups.n_indices)?;
                let members = self.groups.members(batch, group);
                let (rows, k) = if self.contracting { (&all_rows, &members) } else { (&members, &all_k) };
                let rhs_at = rhs_at + group * self.group_stride;
                let columns =
                    Columns::new(cx, k.len(), n, |index, column| rhs[rhs_at + rhs_column[column] + rhs_k[k[index]]])?;
                let row_values: Vec<A> = rows
                    .iter()
                    .flat_map(|row| k.iter().map(move |k| (row, k)))
                    .map(|(row, k)| lhs[lhs_at + lhs_row[*row] + lhs_k[*k]])
                    .collect();
                let first = if self.contracting { (group * n_batches + batch) * m * n } else { batch * m * n };
                columns.multiply(cx, &row_values, rows.len(), |row, column, results| {
                    let at = first + rows[row] * n + column;
                    sums[at..at + results.len()].copy_from_slice(results);
                })?;
            }
        }
        Ok(sums)
    }
}
