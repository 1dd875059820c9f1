//! Running one op in tests, on a module made by hand.

use stablehlo::ir::{AttrId, Attribute, BlockArgument, Module, NewOp, OpId, OpName, Type, TypeId, ValueId};
use stablehlo::ops::find;
use stablehlo::syntax::parse;
use stablehlo::verify::verify;

use crate::error::Result;
use crate::eval::{Config, Host, Outcome, entry, run};
use crate::tensor::Tensor;
use crate::value::Value;

/// A module with one function, op by op.
pub struct Program {
    pub module: Module,
    function: OpId,
    block: stablehlo::ir::BlockId,
    inputs: Vec<Value>,
}

impl Program {
    pub fn new() -> Self {
        let mut module = Module::new("test");
        let region = module.new_region();
        let block = module.new_block(region);
        let name = module.intern_attr(Attribute::String { value: b"main".as_slice().into(), ty: None });
        let kind = find("func.func").unwrap();
        let mut properties = vec![None; kind.spec().attributes.len()];
        properties[kind.spec().attribute_slot("sym_name").unwrap()] = Some(name);
        let new = NewOp { regions: &[region], properties: &properties, ..NewOp::new(OpName::Known(kind)) };
        let function = module.create_op(&new);
        let body = module.entry_block(module.top(), 0).unwrap();
        module.append_op(body, function);
        Self { module, function, block, inputs: Vec::new() }
    }

    /// An input of the function.
    pub fn input(&mut self, value: Tensor) -> ValueId {
        let ty = self.type_of(&value);
        self.input_of_type(value, ty)
    }

    /// An input of a type that may have `?` for sizes.
    pub fn input_of_type(&mut self, value: Tensor, ty: TypeId) -> ValueId {
        self.inputs.push(value.into());
        self.module.add_argument(self.block, ty, BlockArgument::default())
    }

    fn type_of(&mut self, value: &Tensor) -> TypeId {
        let shape: Vec<i64> = value.shape().iter().map(|size| *size as i64).collect();
        self.ty(&shape, value.element().name())
    }

    /// A tensor type; the element type by its name, sizes as in the IR.
    pub fn ty(&mut self, shape: &[i64], element: &str) -> TypeId {
        let element = stablehlo::element::ElementType::from_name(element).unwrap();
        let element = self.module.element_type_id(element);
        self.module.tensor_type(shape, element)
    }

    /// An attribute `array<i64: …>`.
    pub fn i64s(&mut self, values: &[i64]) -> AttrId {
        self.module.intern_attr(Attribute::DenseI64Array(values.into()))
    }

    /// An op at the end of the function; its first result.
    pub fn op(&mut self, name: &str, operands: &[ValueId], attrs: &[(&str, AttrId)], result: TypeId) -> ValueId {
        let kind = find(name).unwrap();
        let mut properties = vec![None; kind.spec().attributes.len()];
        for (name, attr) in attrs {
            properties[kind.spec().attribute_slot(name).unwrap()] = Some(*attr);
        }
        let results = [result];
        let new =
            NewOp { operands, properties: &properties, result_types: &results, ..NewOp::new(OpName::Known(kind)) };
        let op = self.module.create_op(&new);
        self.module.append_op(self.block, op);
        self.module.result(op).unwrap()
    }

    /// Runs the function to this value.
    pub fn outcome(&mut self, value: ValueId, config: &Config) -> Result<Outcome> {
        let kind = find("func.return").unwrap();
        let operands = [value];
        let op = self.module.create_op(&NewOp { operands: &operands, ..NewOp::new(OpName::Known(kind)) });
        self.module.append_op(self.block, op);
        let types = |values: &[ValueId]| values.iter().map(|value| self.module.value_type(*value)).collect();
        let (inputs, results) = (types(&self.module.block(self.block).arguments), types(&operands));
        let ty = self.module.intern_type(Type::Function { inputs, results });
        let ty = self.module.intern_attr(Attribute::Type(ty));
        let slot = find("func.func").unwrap().spec().attribute_slot("function_type").unwrap();
        self.module.set_property(self.function, slot, Some(ty));
        let verified = verify(&self.module, "").unwrap();
        run(verified, self.function, self.inputs.clone(), config, &mut Host::default())
    }

    pub fn run(&mut self, value: ValueId) -> Result<Tensor> {
        self.outcome(value, &Config::default())?.results.remove(0).into_tensor()
    }
}

/// The results of the only function of a program, which takes nothing.
pub fn outcome_of(text: &str, config: &Config) -> Result<Outcome> {
    let parsed = parse("test.mlir", text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let verified = verify(&parsed.module, text).unwrap();
    run(verified, entry(&parsed.module)?, Vec::new(), config, &mut Host::default())
}

/// The same, tensors, without limits.
pub fn results_of(text: &str) -> Result<Vec<Tensor>> {
    outcome_of(text, &Config::default())?.results.into_iter().map(Value::into_tensor).collect()
}

/// The first result of `func.func @main() -> TYPES { BODY; return VALUES }`.
pub fn result_of(text: &str) -> Tensor {
    results_of(text).unwrap().remove(0)
}
