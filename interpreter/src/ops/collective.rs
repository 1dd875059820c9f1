//! Collective ops in a grid of one process, where exchanging with all others is doing nothing.
//!
//! Groups that name further processes need a grid and are reported as unsupported.

use stablehlo::ir::{AttrId, Literal};
use stablehlo::ops::attr_classes::{I64Elements, ReplicaGroups};

use super::elementwise::convert;
use super::shapes::splat;
use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::value::{Value, Values};

/// `all_gather`, `all_reduce`, `all_to_all`, `reduce_scatter`, `collective_reduce` and `cross-replica-sum`: what a process
/// alone in its group gathers, reduces or exchanges is its own operand, in the type of the result.
pub fn alone_in_group(cx: &Cx<'_>) -> Result<Values> {
    match cx.required::<ReplicaGroups>("replica_groups").and_then(|groups| processes(cx, groups))? {
        Members::Me | Members::Nobody => own_operands(cx),
        Members::Others(id) => Err(needs_grid(id)),
    }
}

/// `collective_broadcast`: the operand when the group has this process, else zeros.
pub fn collective_broadcast(cx: &Cx<'_>) -> Result<Values> {
    match cx.required::<ReplicaGroups>("replica_groups").and_then(|groups| processes(cx, groups))? {
        Members::Me => own_operands(cx),
        Members::Nobody => zeros(cx),
        Members::Others(id) => Err(needs_grid(id)),
    }
}

/// `collective_permute`: the operand when this process sends to itself, else zeros.
pub fn collective_permute(cx: &Cx<'_>) -> Result<Values> {
    match cx.required::<I64Elements>("source_target_pairs").and_then(|pairs| processes(cx, pairs))? {
        Members::Me => own_operands(cx),
        Members::Nobody => zeros(cx),
        Members::Others(id) => Err(needs_grid(id)),
    }
}

/// Which processes an attribute names; −1 is padding.
enum Members {
    Nobody,
    Me,
    Others(i64),
}

fn processes(cx: &Cx<'_>, attr: AttrId) -> Result<Members> {
    let Some(literal) = Literal::from_attr(cx.module(), attr) else {
        return Err(EvalError::unsupported("replica groups by mesh axes need a grid of processes"));
    };
    let n_ids = if literal.is_splat() { literal.len().min(1) } else { literal.len() };
    let ids = (0..n_ids).filter_map(|index| literal.element_bytes(index).try_into().ok().map(i64::from_le_bytes));
    let mut members = Members::Nobody;
    for id in ids {
        match id {
            1.. => return Ok(Members::Others(id)),
            0 => members = Members::Me,
            _ => {}
        }
    }
    Ok(members)
}

fn needs_grid(id: i64) -> EvalError {
    EvalError::unsupported(format!("process {id} takes part; only a grid of one process is executed"))
}

fn own_operands(cx: &Cx<'_>) -> Result<Values> {
    let mut results = Values::new();
    for index in 0..cx.n_results() {
        let operand = cx.tensor(index)?;
        let element = cx.result_element(index)?;
        results.push(Value::Tensor(if operand.element() == element {
            operand
        } else {
            convert(cx, &operand, element)?
        }));
    }
    Ok(results)
}

fn zeros(cx: &Cx<'_>) -> Result<Values> {
    let zero = |index| {
        let operand = cx.tensor(index)?;
        let bytes = vec![0; operand.element().byte_width()];
        splat(operand.element(), operand.shape(), &bytes).map(Value::Tensor)
    };
    (0..cx.n_results()).map(zero).collect()
}
