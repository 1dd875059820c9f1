//! What an op's meaning sees: its operands, its attributes, its regions and the run around it.

use std::cell::RefCell;

use stablehlo::element::ElementType;
use stablehlo::ir::{Module, OpId, RegionId, TypeId, ValueId};
use stablehlo::ops::spec::AttrClass;

use super::frame::Frame;
use super::{Config, Host, Run};
use crate::error::{EvalError, Result};
use crate::memory::Memory;
use crate::tensor::{Dims, Tensor};
use crate::value::{Value, Values};

/// The context of one execution of one op.
pub struct Cx<'r> {
    run: &'r Run<'r>,
    frame: &'r Frame,
    op: OpId,
    operands: RefCell<Values>,
    /// Whether quantized results are to be computed in their expressed type.
    expressed: bool,
}

impl<'r> Cx<'r> {
    pub(super) fn new(run: &'r Run<'r>, frame: &'r Frame, op: OpId, operands: Values) -> Self {
        Self { run, frame, op, operands: RefCell::new(operands), expressed: false }
    }

    /// The module.
    pub fn module(&self) -> &'r Module {
        self.run.module
    }

    /// The op that is executed.
    pub fn op(&self) -> OpId {
        self.op
    }

    /// Choices of the run.
    pub fn config(&self) -> &'r Config {
        self.run.config
    }

    /// The same op on other operands.
    pub(crate) fn with_operands(&self, operands: Values) -> Self {
        Self {
            run: self.run,
            frame: self.frame,
            op: self.op,
            operands: RefCell::new(operands),
            expressed: self.expressed,
        }
    }

    /// The same op on dequantized operands: quantized results are asked for in their expressed type.
    pub(crate) fn in_expressed_types(&self, operands: Values) -> Self {
        Self { expressed: true, ..self.with_operands(operands) }
    }

    /// The memory budget, to be asked before a tensor is made.
    pub fn memory(&self) -> &Memory {
        &self.run.memory
    }

    // ---------------------------------------------------------------- operands

    /// Number of operands.
    pub fn n_operands(&self) -> usize {
        self.operands.borrow().len()
    }

    /// Operand number `index`.
    ///
    /// # Errors
    /// `exec/bug` if there is none.
    pub fn value(&self, index: usize) -> Result<Value> {
        self.operands.borrow().get(index).cloned().ok_or_else(|| no_operand(index))
    }

    /// Operand number `index`, a tensor.
    ///
    /// # Errors
    /// `exec/bug` if there is none or it is something else.
    pub fn tensor(&self, index: usize) -> Result<Tensor> {
        self.value(index)?.into_tensor()
    }

    /// The tensor that is operand number `index`, taken out so that it can be changed in place if this was its last
    /// use. The operand must not be asked for again.
    ///
    /// # Errors
    /// As [`Cx::tensor`].
    pub fn take(&self, index: usize) -> Result<Tensor> {
        let mut operands = self.operands.borrow_mut();
        let operand = operands.get_mut(index).ok_or_else(|| no_operand(index))?;
        std::mem::replace(operand, Value::Token).into_tensor()
    }

    /// All operands, taken out; see [`Cx::take`].
    pub fn take_all(&self) -> Values {
        std::mem::take(&mut self.operands.borrow_mut())
    }

    /// All operands from number `from` on.
    pub fn values_from(&self, from: usize) -> Values {
        self.operands.borrow().iter().skip(from).cloned().collect()
    }

    /// All operands from number `from` on, tensors.
    ///
    /// # Errors
    /// `exec/bug` if one is something else.
    pub fn tensors_from(&self, from: usize) -> Result<Vec<Tensor>> {
        self.values_from(from).into_iter().map(Value::into_tensor).collect()
    }

    // ---------------------------------------------------------------- attributes and types

    /// The attribute `name` if it is written.
    pub fn attr<C: AttrClass>(&self, name: &str) -> Option<C::Value<'r>> {
        let module = self.run.module;
        module.property(self.op, name).and_then(|attr| C::read(module, attr))
    }

    /// The attribute `name`, which must be written.
    ///
    /// # Errors
    /// `exec/bug` if it is not, which verified programs exclude.
    pub fn required<C: AttrClass>(&self, name: &str) -> Result<C::Value<'r>> {
        self.attr::<C>(name).ok_or_else(|| EvalError::bug(format!("attribute {name} is missing")))
    }

    /// Number of results.
    pub fn n_results(&self) -> usize {
        self.run.module.results(self.op).len()
    }

    /// Static type of result number `index`.
    ///
    /// # Errors
    /// `exec/bug` if there is none.
    pub fn result_type(&self, index: usize) -> Result<TypeId> {
        let result = self.run.module.results(self.op).get(index);
        result.map(|result| self.run.module.value_type(result)).ok_or_else(|| EvalError::bug("a result is missing"))
    }

    /// Element type of result number `index`, a tensor; of a quantized one the storage type, or the expressed type where
    /// the op is computed on dequantized operands.
    ///
    /// # Errors
    /// `exec/bug` if it is not a tensor.
    pub fn result_element(&self, index: usize) -> Result<ElementType> {
        let (module, ty) = (self.run.module, self.result_type(index)?);
        let element = match module.quantized(ty).filter(|_| self.expressed) {
            Some(quantized) => module.scalar_element(quantized.expressed),
            None => module.storage_element(ty),
        };
        element.ok_or_else(|| EvalError::bug("a result is not a tensor"))
    }

    /// Shape of result number `index` when the program says it all; none with `?`.
    ///
    /// # Errors
    /// `exec/bug` if it is not a tensor.
    pub fn static_result_shape(&self, index: usize) -> Result<Option<Dims>> {
        let sizes = self.result_sizes(index)?;
        Ok(match self.frame.lifted().filter(|_| sizes.is_empty()) {
            Some(lifted) => Some(lifted.into()),
            None => sizes.into_iter().collect(),
        })
    }

    /// Sizes of result number `index`, none for each `?`.
    ///
    /// # Errors
    /// `exec/bug` if it is not a tensor.
    pub fn result_sizes(&self, index: usize) -> Result<Vec<Option<usize>>> {
        let ty = self.result_type(index)?;
        let shape = self.run.module.shape(ty).ok_or_else(|| EvalError::bug("a result is not a tensor"))?;
        Ok(shape.iter().map(|size| usize::try_from(*size).ok()).collect())
    }

    // ---------------------------------------------------------------- regions and functions

    /// Region number `index`.
    ///
    /// # Errors
    /// `exec/bug` if there is none.
    pub fn region(&self, index: usize) -> Result<RegionId> {
        let region = self.run.module.regions(self.op).get(index).copied();
        region.ok_or_else(|| EvalError::bug(format!("there is no region {index}")))
    }

    /// Number of regions.
    pub fn n_regions(&self) -> usize {
        self.run.module.regions(self.op).len()
    }

    /// Runs a region; the values its terminator gives.
    ///
    /// # Errors
    /// Those of the ops inside.
    pub fn run_region(&self, region: RegionId, arguments: Values) -> Result<Values> {
        match self.run.module.blocks(region) {
            [block] => self.run.run_block(self.frame, *block, arguments),
            _ => Err(EvalError::unsupported("regions of several blocks are not executed")),
        }
    }

    /// Runs a region on scalars once for many elements: every argument has shape `shape`, and so have the results.
    /// To be used only for regions of which [`ops::is_elementwise`](crate::ops::is_elementwise) holds.
    ///
    /// # Errors
    /// Those of the ops inside.
    pub fn run_region_lifted(&self, region: RegionId, arguments: Values, shape: &[usize]) -> Result<Values> {
        let [block] = self.run.module.blocks(region) else {
            return Err(EvalError::unsupported("regions of several blocks are not executed"));
        };
        let lifted = Frame::new(Some(shape.into()));
        for value in crate::ops::captured_values(self.run.module, *block) {
            lifted.set(value, self.frame.get(value, false)?);
        }
        self.run.run_block(&lifted, *block, arguments)
    }

    /// A value from outside that a region of this op uses.
    ///
    /// # Errors
    /// `exec/bug` if there is no such value.
    pub(crate) fn captured(&self, value: ValueId) -> Result<Value> {
        self.frame.get(value, false)
    }

    /// Calls a function by its name.
    ///
    /// # Errors
    /// Those of the ops inside.
    pub fn call(&self, name: &str, inputs: Values) -> Result<Values> {
        let function = self.run.function(self.op, name)?;
        self.run.call(function, inputs)
    }

    // ---------------------------------------------------------------- the run

    /// Counts `n` elements that were computed one by one, so that limits on steps and time hold inside long ops too.
    ///
    /// # Errors
    /// `exec/step-limit`, `exec/time-limit`, `exec/interrupted`.
    pub fn tick(&self, n: usize) -> Result<()> {
        self.run.tick(n as u64)
    }

    /// Takes the next `n` of the run's random numbers: the number of the first one.
    pub(crate) fn draw(&self, n: u64) -> u64 {
        let mut host = self.run.host.borrow_mut();
        let first = host.n_drawn;
        host.n_drawn = first.wrapping_add(n);
        first
    }

    /// Whether [`Cx::touch`] records anything: to be asked before a point is looked for.
    pub fn is_strict(&self) -> bool {
        self.run.config.strict
    }

    /// Records that the program reached a point of [`semantics`](crate::semantics).
    pub fn touch(&self, point: &'static str) {
        if self.is_strict() {
            self.run.touch(point, self.op);
        }
    }

    /// Does something with the world around the run.
    pub fn with_host<T>(&self, act: impl FnOnce(&mut Host) -> T) -> T {
        act(&mut self.run.host.borrow_mut())
    }

    /// In a region that is run for many elements at once, the scalar as all of them.
    pub(crate) fn lift(&self, value: Value) -> Value {
        self.frame.lift(value)
    }
}

fn no_operand(index: usize) -> EvalError {
    EvalError::bug(format!("there is no operand {index}"))
}

/// One value as an op's results.
pub(crate) fn one(tensor: Tensor) -> Values {
    smallvec::smallvec![Value::Tensor(tensor)]
}
