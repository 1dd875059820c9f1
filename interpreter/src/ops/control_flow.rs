//! Control flow, calls, and values as wholes: tuples and the optimization barrier.

use smallvec::smallvec;
use stablehlo::ops::OpKind;
use stablehlo::ops::attr_classes::{I32, Symbol};
use stablehlo::ops::spec::Trait;

use crate::error::{EvalError, Result};
use crate::eval::Cx;
use crate::value::{Value, Values};

/// The end of a region: its operands are the region's values. The evaluator reads them itself.
pub fn terminator(cx: &Cx<'_>) -> Result<Values> {
    Ok(cx.values_from(0))
}

/// `if`: the results of one of the branches.
pub fn if_(cx: &Cx<'_>) -> Result<Values> {
    let pred: bool = cx.tensor(0)?.get(0);
    let branch = if pred { cx.region(0)? } else { cx.region(1)? };
    cx.run_region(branch, Values::new())
}

/// `case`: the results of branch `index`, of the last one when there is no such branch.
pub fn case(cx: &Cx<'_>) -> Result<Values> {
    let index: i32 = cx.tensor(0)?.get(0);
    let last = cx.n_regions().saturating_sub(1);
    let branch = usize::try_from(index).unwrap_or(last).min(last);
    cx.run_region(cx.region(branch)?, Values::new())
}

/// `while`: `body` as long as `cond` holds.
pub fn while_(cx: &Cx<'_>) -> Result<Values> {
    let (cond, body) = (cx.region(0)?, cx.region(1)?);
    let mut operand = cx.take_all();
    loop {
        cx.tick(1)?;
        let holds = cx.run_region(cond, operand.clone())?;
        let holds = holds.first().ok_or_else(|| EvalError::bug("cond gives a value"))?.tensor()?.get::<bool>(0);
        if !holds {
            return Ok(operand);
        }
        let before = is_small(&operand).then(|| operand.clone());
        operand = cx.run_region(body, operand)?;
        if before.is_some_and(|before| before == operand) && has_no_effects(cx) {
            return Err(EvalError::invalid(
                "exec/endless-loop",
                "the loop never ends: cond holds and body changes nothing",
            ));
        }
    }
}

/// Whether comparing a loop's values costs less than running its body.
fn is_small(values: &Values) -> bool {
    let bytes = |value: &Value| match value {
        Value::Tensor(tensor) => Some(tensor.data().len()),
        _ => None,
    };
    values.iter().map(bytes).try_fold(0, |sum, bytes| Some(sum + bytes?)).is_some_and(|bytes| bytes <= 64)
}

/// Whether what the op's regions compute depends on their arguments alone.
fn has_no_effects(cx: &Cx<'_>) -> bool {
    let mut pure = true;
    cx.module().walk(cx.op(), |op| {
        pure &= cx.module().kind(op).is_some_and(|kind| {
            let has = |wanted| kind.spec().has(wanted);
            // The effects of these are those of the ops in their regions.
            has(Trait::Pure) || has(Trait::Terminator) || matches!(kind, OpKind::While | OpKind::If | OpKind::Case)
        });
    });
    pure
}

/// `func.call`: the results of `callee`.
pub fn call(cx: &Cx<'_>) -> Result<Values> {
    cx.call(cx.required::<Symbol>("callee")?, cx.take_all())
}

/// `composite`: the results of its decomposition, which is its meaning.
pub fn composite(cx: &Cx<'_>) -> Result<Values> {
    cx.call(cx.required::<Symbol>("decomposition")?, cx.take_all())
}

/// `tuple`: the operands as one value.
pub fn tuple(cx: &Cx<'_>) -> Result<Values> {
    Ok(smallvec![Value::Tuple(cx.values_from(0).into_iter().collect())])
}

/// `get_tuple_element`: one part of a tuple.
pub fn get_tuple_element(cx: &Cx<'_>) -> Result<Values> {
    let index = usize::try_from(cx.required::<I32>("index")?).unwrap_or(usize::MAX);
    let Value::Tuple(parts) = cx.value(0)? else {
        return Err(EvalError::bug("get_tuple_element takes a tuple"));
    };
    let part = parts.get(index).cloned();
    Ok(smallvec![part.ok_or_else(|| EvalError::bug("index is out of range"))?])
}

/// `optimization_barrier`: the operands.
pub fn optimization_barrier(cx: &Cx<'_>) -> Result<Values> {
    Ok(cx.take_all())
}

/// `async_start`: the result of the op in `body`, which is computed at once, as a future.
pub fn async_start(cx: &Cx<'_>) -> Result<Values> {
    let results = cx.run_region(cx.region(0)?, cx.take_all())?;
    Ok(smallvec![Value::Future(results.into_iter().collect())])
}

/// `async_done`: what the future holds.
pub fn async_done(cx: &Cx<'_>) -> Result<Values> {
    match cx.value(0)? {
        Value::Future(results) => Ok(results.iter().cloned().collect()),
        other => Err(EvalError::bug(format!("async_done takes a future, not {}", other.kind()))),
    }
}
