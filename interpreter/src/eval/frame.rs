//! The values that are alive in one call.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use stablehlo::ir::ValueId;

use super::missing;
use crate::error::Result;
use crate::tensor::{Dims, Tensor};
use crate::value::Value;

/// Values by id. Regions run in the frame of the op that holds them.
pub struct Frame {
    values: RefCell<FxHashMap<ValueId, Value>>,
    /// When a region on scalars is run for many elements at once: their shape.
    lifted: Option<Dims>,
}

impl Frame {
    pub fn new(lifted: Option<Dims>) -> Self {
        Self { values: RefCell::default(), lifted }
    }

    /// Whether tensors may have another shape than the program says.
    pub fn is_lifted(&self) -> bool {
        self.lifted.is_some()
    }

    /// The shape that scalars are lifted to.
    pub fn lifted(&self) -> Option<&[usize]> {
        self.lifted.as_deref()
    }

    /// A value; taken out when it dies here.
    pub fn get(&self, id: ValueId, dies: bool) -> Result<Value> {
        let mut values = self.values.borrow_mut();
        let value = if dies { values.remove(&id) } else { values.get(&id).cloned() };
        value.map(|value| self.lift(value)).ok_or_else(|| missing(id))
    }

    pub fn set(&self, id: ValueId, value: Value) {
        self.values.borrow_mut().insert(id, value);
    }

    pub fn free(&self, id: ValueId) {
        self.values.borrow_mut().remove(&id);
    }

    /// In a lifted frame scalars stand for all elements.
    pub fn lift(&self, value: Value) -> Value {
        let (Some(shape), Value::Tensor(tensor)) = (&self.lifted, &value) else {
            return value;
        };
        if tensor.rank() != 0 || shape.is_empty() {
            return value;
        }
        match Tensor::splat(tensor.element(), shape, tensor.data().clone()) {
            Some(tensor) => tensor.into(),
            None => value,
        }
    }
}
