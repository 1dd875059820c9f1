//! Tokens, the process's place in its grid, and what goes in and out while a program runs.

use smallvec::smallvec;
use stablehlo::ops::attr_classes::Str;

use super::shapes::one;
use crate::error::{EvalError, Result};
use crate::eval::{Cx, Probe};
use crate::tensor::Tensor;
use crate::value::{Value, Values};

/// `after_all`, `create_token`: ops run in order anyway.
pub fn token(_: &Cx<'_>) -> Result<Values> {
    Ok(smallvec![Value::Token])
}

/// `replica_id`, `partition_id` in a grid of one process.
pub fn process_id(_: &Cx<'_>) -> Result<Values> {
    Ok(one(Tensor::scalar(0u32)))
}

/// `infeed`: the next entry of the host's queue, then a token.
///
/// # Errors
/// `exec/infeed-empty`; entries of the wrong types fail as any op's results do.
pub fn infeed(cx: &Cx<'_>) -> Result<Values> {
    let Some(values) = cx.with_host(|host| host.infeed.pop_front()) else {
        return Err(EvalError::invalid(
            "exec/infeed-empty",
            "the program reads from the infeed, which has nothing left",
        ));
    };
    let expected = cx.n_results().saturating_sub(1);
    if values.len() != expected {
        let message =
            format!("the program reads {expected} values from the infeed, whose next entry has {}", values.len());
        return Err(EvalError::invalid("exec/infeed-empty", message));
    }
    Ok(values.into_iter().chain([Value::Token]).collect())
}

/// `outfeed`: an entry in the host's queue.
pub fn outfeed(cx: &Cx<'_>) -> Result<Values> {
    let mut inputs = cx.values_from(0).into_vec();
    inputs.pop();
    cx.with_host(|host| host.outfeed.push(inputs));
    Ok(smallvec![Value::Token])
}

/// `interpreter.print`: the value in the form of the MLIR text.
pub fn print(cx: &Cx<'_>) -> Result<Values> {
    let text = crate::io::mlir::print(&cx.tensor(0)?);
    cx.with_host(|host| host.printed.push(text));
    Ok(Values::new())
}

/// `interpreter.probe`: keeps the value and gives it back.
pub fn probe(cx: &Cx<'_>) -> Result<Values> {
    let value = cx.tensor(0)?;
    let id = String::from_utf8_lossy(cx.required::<Str>("probe_id")?).into_owned();
    cx.with_host(|host| host.probes.push(Probe { id, value: value.clone() }));
    Ok(one(value))
}
