//! Ops that are left to the interpreter.

use std::borrow::Cow;

use bytes::Bytes;
use interpreter::{EvalError, Tensor, Value};
use stablehlo::ir::{OpId, ValueId};
use stablehlo::verify::Verified;

use super::memory::{Memory, SlotId};
use crate::plan::Port;

/// An op with the slots of its operands and results.
#[derive(Debug)]
pub struct Reference {
    /// The op.
    pub op: OpId,
    /// What it and its regions read.
    pub operands: Vec<(ValueId, SlotId, Port)>,
    /// What else its regions read.
    pub constants: Vec<(ValueId, Tensor)>,
    /// Where its results go.
    pub results: Vec<SlotId>,
    /// Why it has no kernel.
    pub why: Cow<'static, str>,
}

impl Reference {
    /// Runs the op.
    ///
    /// # Errors
    /// Those of the interpreter.
    pub fn run(
        &self,
        module: Verified<'_>,
        memory: &Memory,
        config: &interpreter::Config,
        host: &mut interpreter::Host,
    ) -> Result<(), EvalError> {
        let operands = self.operands.iter().map(|(name, slot, port)| {
            let Some(element) = port.element else { return Ok((*name, Value::Token)) };
            let bytes = Bytes::copy_from_slice(memory.bytes(*slot));
            let tensor = Tensor::new(element, &port.shape, bytes);
            let tensor = tensor.ok_or_else(|| EvalError::bug("a slot has the size of its value"))?;
            Ok((*name, Value::Tensor(tensor)))
        });
        let mut operands = operands.collect::<Result<Vec<_>, EvalError>>()?;
        operands.extend(self.constants.iter().map(|(name, tensor)| (*name, Value::Tensor(tensor.clone()))));
        let results = interpreter::eval::run_op(module, self.op, operands, config, host)?;
        for (slot, value) in self.results.iter().zip(results) {
            if let Value::Tensor(tensor) = value {
                let out = memory.bytes_mut(*slot);
                let data = tensor.data();
                if data.len() == out.len() {
                    out.copy_from_slice(data);
                } else if !data.is_empty() {
                    out.chunks_exact_mut(data.len()).for_each(|out| out.copy_from_slice(data));
                }
            }
        }
        Ok(())
    }
}
