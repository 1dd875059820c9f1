//! Programs whose sizes are not known, made for sizes that are.
//!
//! Frameworks export programs with dimensions that are decided when they are called. Given the shapes of the inputs, all
//! other sizes usually follow: [`specialise`] writes them into a copy of the module, op by op, by the same inference that
//! the verifier uses. Sizes that are computed are followed too: what the program computes from sizes alone is known and
//! becomes a constant, and an op that takes its shape as an operand becomes the one that has it as an attribute.

mod statics;

use interpreter::{Config, Host, Tensor, Value};
use rustc_hash::FxHashMap;
use stablehlo::ir::{
    Attribute, Blob, BlockId, DYNAMIC, DenseElements, Literal, Module, NewOp, OpId, OpName, Type, TypeId, ValueId,
};
use stablehlo::ops::OpKind;
use stablehlo::ops::func::function_type;
use stablehlo::ops::spec::{Infer, Trait};
use stablehlo::ops::stablehlo::get_dimension_size::GetDimensionSize;
use stablehlo::verify::{Cx, Inferred, Verified};

use crate::graph::{Unplanned, callee};
use crate::quantized;

/// How deep calls and regions may nest.
const MAX_DEPTH: usize = 64;
/// The most elements of a value that is followed.
const MAX_KNOWN: usize = 1 << 10;
/// Steps that one op on known values may take.
const MAX_STEPS: u64 = 1 << 14;

/// Whether there are sizes that are not known, those of the inputs of `function` or others, or ops that take theirs as operands.
pub fn is_dynamic(module: &Module, function: OpId) -> bool {
    let is_open = |ty: TypeId| module.shape(ty).is_some_and(|shape| shape.contains(&DYNAMIC));
    let inputs = function_type(module, function).map_or(&[][..], |(inputs, _)| inputs);
    let mut found = inputs.iter().any(|ty| is_open(*ty));
    if !found {
        module.walk(module.top(), |op| {
            found |= module.kind(op).and_then(statics::static_form).is_some()
                || module.results(op).iter().any(|value| is_open(module.value_type(value)));
        });
    }
    found
}

/// The module with the sizes that follow when the inputs of `function` have these shapes; ops keep their ids as far as they
/// stay the same. The result is to be verified before it is used: what contradicts itself shows there.
///
/// # Errors
/// Inputs that do not fit the function, and functions that are called with different sizes.
pub fn specialise(module: Verified<'_>, function: OpId, inputs: &[Vec<usize>]) -> Result<Module, Unplanned> {
    let mut this = Specialiser {
        original: module,
        module: module.module().clone(),
        known: FxHashMap::default(),
        moved: FxHashMap::default(),
        functions: FxHashMap::default(),
    };
    let (types, _) =
        function_type(module.module(), function).ok_or_else(|| Unplanned("the function has no type".to_owned()))?;
    if types.len() != inputs.len() {
        return Err(Unplanned(format!("the function takes {} inputs, got {}", types.len(), inputs.len())));
    }
    let mut arguments = Vec::with_capacity(inputs.len());
    for (ty, shape) in types.iter().zip(inputs) {
        let sizes: Vec<i64> = shape.iter().map(|size| i64::try_from(*size).unwrap_or(DYNAMIC)).collect();
        arguments.push(this.with_sizes(*ty, &sizes));
    }
    this.function(function, &arguments, 0)?;
    Ok(this.module)
}

/// The module to plan for these inputs: with their sizes, and without quantized types. None when it is the module as it is,
/// and when sizes do not follow from the inputs'.
pub fn for_inputs(module: Verified<'_>, function: OpId, inputs: &[Value]) -> Option<Module> {
    let shapes = inputs.iter().map(|input| input.tensor().map_or(Vec::new(), |tensor| tensor.shape().to_vec()));
    for_shapes(module, function, &shapes.collect::<Vec<_>>())
}

/// Whether plans are made of something else than the module as it is.
pub(crate) fn is_rewritten(module: &Module, function: OpId) -> bool {
    is_dynamic(module, function) || quantized::is_quantized(module)
}

/// As [`for_inputs`], for inputs of these shapes.
pub(crate) fn for_shapes(module: Verified<'_>, function: OpId, shapes: &[Vec<usize>]) -> Option<Module> {
    let shaped = match is_dynamic(module.module(), function) {
        true => Some(specialise(module, function, shapes).ok()?),
        false => None,
    };
    quantized::written_out(shaped.as_ref().unwrap_or(module.module())).or(shaped)
}

struct Specialiser<'m> {
    original: Verified<'m>,
    module: Module,
    /// Values of the original module that follow from sizes.
    known: FxHashMap<ValueId, Tensor>,
    /// Values of the original module that others stand for.
    moved: FxHashMap<ValueId, ValueId>,
    /// Functions that are done: types of their arguments and results.
    functions: FxHashMap<OpId, (Vec<TypeId>, Vec<TypeId>)>,
}

impl Specialiser<'_> {
    /// A tensor type whose unknown sizes are replaced by those of `sizes` that are known.
    fn with_sizes(&mut self, ty: TypeId, sizes: &[i64]) -> TypeId {
        let Type::RankedTensor(tensor) = self.module.ty(ty) else { return ty };
        if tensor.shape.len() != sizes.len() || !tensor.shape.contains(&DYNAMIC) {
            return ty;
        }
        let element = tensor.element;
        let merged = tensor.shape.iter().zip(sizes).map(|(own, other)| if *own == DYNAMIC { *other } else { *own });
        let merged: Vec<i64> = merged.collect();
        // Bounds are for what may still change.
        if merged.contains(&DYNAMIC) { ty } else { self.module.tensor_type(&merged, element) }
    }

    fn function(&mut self, function: OpId, arguments: &[TypeId], depth: usize) -> Result<Vec<TypeId>, Unplanned> {
        if depth > MAX_DEPTH {
            return Err(Unplanned("calls nest deeper than is followed".to_owned()));
        }
        if let Some((before, results)) = self.functions.get(&function) {
            return match before == arguments {
                true => Ok(results.clone()),
                false => Err(Unplanned("a function is called with different sizes".to_owned())),
            };
        }
        let block = self.module.entry_block(function, 0);
        let block = block.ok_or_else(|| Unplanned("the function has no body".to_owned()))?;
        self.arguments(block, arguments);
        self.block(block, depth + 1)?;
        let terminator = self.module.terminator(block);
        let results: Vec<TypeId> = terminator.map(|op| self.operand_types(op)).unwrap_or_default();
        let ty = Type::Function { inputs: arguments.into(), results: results.as_slice().into() };
        let ty = self.module.intern_type(ty);
        let attr = self.module.intern_attr(Attribute::Type(ty));
        let names = OpKind::Func.spec().attributes;
        if let Some(slot) = names.iter().position(|attr| attr.name == "function_type") {
            self.module.set_property(function, slot, Some(attr));
        }
        self.functions.insert(function, (arguments.to_vec(), results.clone()));
        Ok(results)
    }

    fn arguments(&mut self, block: BlockId, types: &[TypeId]) {
        let arguments = self.module.block(block).arguments.clone();
        for (argument, ty) in arguments.iter().zip(types) {
            self.module.set_value_type(*argument, *ty);
        }
    }

    fn operand_types(&self, op: OpId) -> Vec<TypeId> {
        self.module.operands(op).iter().map(|value| self.module.value_type(*value)).collect()
    }

    fn block(&mut self, block: BlockId, depth: usize) -> Result<(), Unplanned> {
        if depth > MAX_DEPTH {
            return Err(Unplanned("regions nest deeper than is followed".to_owned()));
        }
        let ops = self.module.block(block).ops.clone();
        self.module.detach_ops(&ops);
        for op in ops {
            let op = self.op(op, depth)?;
            self.module.append_op(block, op);
        }
        Ok(())
    }

    /// Writes the sizes into an op; the op that takes its place.
    fn op(&mut self, op: OpId, depth: usize) -> Result<OpId, Unplanned> {
        let operands: Vec<ValueId> = self.module.operands(op).to_vec();
        for (index, operand) in operands.iter().enumerate() {
            if let Some(new) = self.moved.get(operand) {
                self.module.set_operand(op, index, *new);
            }
        }
        let Some(kind) = self.module.kind(op) else { return Ok(op) };
        if let Some(tensor) = self.computed(op, kind) {
            return Ok(self.become_constant(op, kind, tensor));
        }
        let op = match self.fixed(op, kind) {
            None => op,
            Some(fixed) => {
                let (old, new) = (self.module.result(op), self.module.result(fixed));
                self.moved.extend(old.zip(new));
                fixed
            }
        };
        if matches!(kind, OpKind::Call | OpKind::Composite) {
            self.call(op, depth)?;
        }
        let types = self.operand_types(op);
        for index in 0..self.module.regions(op).len() {
            let Some(block) = self.module.entry_block(op, index) else { continue };
            if kind == OpKind::While {
                self.arguments(block, &types);
            }
            self.block(block, depth + 1)?;
        }
        self.infer(op);
        Ok(op)
    }

    fn call(&mut self, op: OpId, depth: usize) -> Result<(), Unplanned> {
        let Some(function) = callee(&self.module, op) else { return Ok(()) };
        let types = self.operand_types(op);
        let results = self.function(function, &types, depth + 1)?;
        let values: Vec<ValueId> = self.module.results(op).iter().collect();
        for (value, ty) in values.into_iter().zip(results) {
            self.module.set_value_type(value, ty);
        }
        Ok(())
    }

    /// Writes what inference says about the results.
    fn infer(&mut self, op: OpId) {
        let Some(kind) = self.module.kind(op) else { return };
        let Infer::Fn(infer) = kind.spec().infer else { return };
        let Ok(inferred) = infer(&Cx::new(&self.module, op)) else { return };
        let values: Vec<ValueId> = self.module.results(op).iter().collect();
        for (value, inferred) in values.into_iter().zip(inferred) {
            let sizes: Vec<i64> = match &inferred {
                Inferred::Type(ty) => self.module.shape(*ty).unwrap_or_default().to_vec(),
                Inferred::Tensor { shape, .. } => shape.to_vec(),
            };
            let ty = self.with_sizes(self.module.value_type(value), &sizes);
            self.module.set_value_type(value, ty);
        }
    }

    /// The value of an op that follows from sizes and constants.
    fn computed(&self, op: OpId, kind: OpKind) -> Option<Tensor> {
        let module = self.original.module();
        if kind == OpKind::Constant {
            let literal = Literal::from_attr(module, module.property(op, "value")?)?;
            return (literal.len() <= MAX_KNOWN).then(|| Tensor::from(&literal));
        }
        if kind == OpKind::GetDimensionSize {
            let dimension = usize::try_from(GetDimensionSize::new(module, op).dimension()).ok()?;
            let ty = self.module.value_type(*self.module.operands(op).first()?);
            let size = i32::try_from(*self.module.shape(ty)?.get(dimension)?).ok().filter(|size| *size >= 0)?;
            return Tensor::from_vec::<i32>(&[], &[size]);
        }
        let ids = module.operands(op);
        let is_plain = kind.spec().has(Trait::Pure) && module.regions(op).is_empty() && module.results(op).len() == 1;
        if !is_plain || ids.is_empty() {
            return None;
        }
        let operands: Option<Vec<(ValueId, Value)>> =
            ids.iter().map(|id| Some((*id, Value::Tensor(self.known.get(id)?.clone())))).collect();
        let config = Config { max_steps: MAX_STEPS, max_bytes: 1 << 20, ..Config::default() };
        let results = interpreter::eval::run_op(self.original, op, operands?, &config, &mut Host::default()).ok()?;
        match &results[..] {
            [Value::Tensor(tensor)] if tensor.len() <= MAX_KNOWN => Some(tensor.clone()),
            _ => None,
        }
    }

    /// Remembers a value that is known; an op of integers becomes a constant, so that inference sees it.
    fn become_constant(&mut self, op: OpId, kind: OpKind, tensor: Tensor) -> OpId {
        let result = self.module.results(op).get(0);
        let constant = match kind {
            OpKind::Constant => None,
            _ => self.constant(op, &tensor),
        };
        self.known.extend(result.map(|value| (value, tensor)));
        let Some(constant) = constant else {
            self.infer(op);
            return op;
        };
        self.moved.extend(result.zip(self.module.result(constant)));
        constant
    }

    /// A constant op in the place of `op`; none for elements that are stored otherwise than they are computed with.
    fn constant(&mut self, op: OpId, tensor: &Tensor) -> Option<OpId> {
        let element = self.module.element_type(self.module.value_type(self.module.result(op)?))?;
        if !tensor.element().is_integer() || tensor.element().bits() < 8 {
            return None;
        }
        let sizes: Vec<i64> = tensor.shape().iter().map(|size| i64::try_from(*size).ok()).collect::<Option<_>>()?;
        let ty = self.module.tensor_type(&sizes, element);
        let data = Literal::from(tensor);
        let bytes: Vec<u8> = (0..data.len()).flat_map(|index| data.element_bytes(index)).copied().collect();
        let value = Attribute::DenseElements(DenseElements { ty, data: Blob::new(bytes), splat: false });
        let value = self.module.intern_attr(value);
        Some(self.in_place_of(op, OpKind::Constant, &[], ty, &[("value", value)]))
    }

    /// A new op where `op` was, with the attributes of the same names that it does not get here.
    fn in_place_of(
        &mut self,
        op: OpId,
        kind: OpKind,
        operands: &[ValueId],
        ty: TypeId,
        attributes: &[(&str, stablehlo::ir::AttrId)],
    ) -> OpId {
        let properties = kind.spec().attributes.iter().map(|attr| {
            let given = attributes.iter().find(|(name, _)| *name == attr.name).map(|(_, value)| *value);
            given.or_else(|| self.module.property(op, attr.name))
        });
        let properties: Vec<_> = properties.collect();
        let old = self.module.op(op);
        let new = NewOp {
            operands,
            result_types: &[ty],
            properties: &properties,
            location: old.location(),
            source: self.module.source(op),
            ..NewOp::new(OpName::Known(kind))
        };
        self.module.create_op(&new)
    }

    /// The value of an operand of the original op, if it follows from sizes.
    fn integers(&self, op: OpId, operand: usize) -> Option<Vec<i64>> {
        let id = self.original.module().operands(op).get(operand)?;
        self.known.get(id)?.integers().into_iter().map(|value| i64::try_from(value).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use interpreter::{Config, Host, Tensor, Value};
    use stablehlo::verify::verify;

    use super::specialise;
    use crate::testing::with_module;
    use crate::{Executor, Isa, Plan};

    fn counting(shape: &[usize]) -> Tensor {
        let numbers: Vec<f32> = (0..shape.iter().product::<usize>()).map(|n| n as f32 - 3.0).collect();
        Tensor::from_vec::<f32>(shape, &numbers).unwrap()
    }

    /// The plan for inputs of these shapes gives what the interpreter gives for the program as it is.
    fn agrees(mlir: &str, inputs: &[Tensor]) -> String {
        with_module(mlir, |module, function| {
            let values: Vec<Value> = inputs.iter().cloned().map(Value::Tensor).collect();
            let expected =
                interpreter::run(module, function, values.clone(), &Config::default(), &mut Host::default()).unwrap();
            let shapes: Vec<Vec<usize>> = inputs.iter().map(|input| input.shape().to_vec()).collect();
            let shaped = specialise(module, function, &shapes).unwrap();
            let shaped = verify(&shaped, "").unwrap_or_else(|faults| panic!("{faults:?}"));
            let plan = Plan::new(shaped, function, Isa::best()).unwrap();
            assert!(plan.left_to_interpreter().is_empty(), "{plan}");
            let found = Executor::new(1);
            let found = found.run_values(&plan, values, &Config::default(), &mut Host::default(), None).unwrap();
            for (found, expected) in found.results.iter().zip(&expected.results) {
                let (found, expected) = (found.tensor().unwrap(), expected.tensor().unwrap());
                assert_eq!(found.shape(), expected.shape());
                assert_eq!(found.to_vec::<f32>(), expected.to_vec::<f32>());
            }
            plan.to_string()
        })
    }

    #[test]
    fn sizes_are_followed_through_computed_shapes() {
        // Frameworks write a reshape to unknown sizes so: the sizes are taken, multiplied and put together.
        let mlir = "func.func @main(%x: tensor<?x4xf32>, %row: tensor<4xf32>) -> (tensor<?xf32>, tensor<?x4xf32>) {
            %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
            %four = stablehlo.constant dense<4> : tensor<i32>
            %all = stablehlo.multiply %n, %four : tensor<i32>
            %size = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
            %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
            %four1 = stablehlo.reshape %four : (tensor<i32>) -> tensor<1xi32>
            %shape = stablehlo.concatenate %n1, %four1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
            %b = stablehlo.dynamic_broadcast_in_dim %row, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
            %y = call @twice(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
            %z = stablehlo.add %y, %b : tensor<?x4xf32>
            %flat = stablehlo.dynamic_reshape %z, %size : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
            return %flat, %b : tensor<?xf32>, tensor<?x4xf32>
          }
          func.func private @twice(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
            %0 = stablehlo.add %x, %x : tensor<?x4xf32>
            return %0 : tensor<?x4xf32>
          }";
        for n in [1, 3, 100] {
            let plan = agrees(mlir, &[counting(&[n, 4]), counting(&[4])]);
            assert!(plan.contains(&format!("loop {}: add add", 4 * n)), "{plan}");
        }
    }

    #[test]
    fn loops_carry_sizes_and_amounts_become_attributes() {
        let mlir = "func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>) {
            %i = stablehlo.constant dense<0> : tensor<i32>
            %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
            %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
            %r:2 = stablehlo.while(%v = %x, %k = %i) : tensor<?xf32>, tensor<i32>
              cond {
                %t = stablehlo.constant dense<3> : tensor<i32>
                %c = stablehlo.compare LT, %k, %t : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %c : tensor<i1>
              } do {
                %one = stablehlo.constant dense<1> : tensor<i32>
                %w = stablehlo.add %v, %v : tensor<?xf32>
                %l = stablehlo.add %k, %one : tensor<i32>
                stablehlo.return %w, %l : tensor<?xf32>, tensor<i32>
              }
            %zero = stablehlo.constant dense<0> : tensor<1xi32>
            %one = stablehlo.constant dense<1> : tensor<1xi32>
            %limit = stablehlo.subtract %n1, %one : tensor<1xi32>
            %s = stablehlo.real_dynamic_slice %r#0, %one, %limit, %one
              : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
            %f = stablehlo.constant dense<0.5> : tensor<f32>
            %p = stablehlo.dynamic_pad %s, %f, %one, %zero, %one
              : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
            %e = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
            return %r#0, %p, %e : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>
          }";
        with_module(mlir, |module, function| {
            let shaped = specialise(module, function, &[vec![7]]).unwrap();
            verify(&shaped, "").unwrap_or_else(|faults| panic!("{faults:?}"));
            let block = shaped.entry_block(function, 0).unwrap();
            let end = shaped.terminator(block).unwrap();
            let shapes: Vec<&[i64]> =
                shaped.operands(end).iter().map(|value| shaped.shape(shaped.value_type(*value)).unwrap()).collect();
            // 5 elements are left of 7; padded 1 + 5 + 4 between them.
            assert_eq!(shapes, [&[7][..], &[10], &[7]]);
        });
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let mlir = "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> { return %x : tensor<?x4xf32> }";
        with_module(mlir, |module, function| {
            assert!(specialise(module, function, &[]).is_err());
        });
        let twice = "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
            %a = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
            %b = call @f(%y) : (tensor<?xf32>) -> tensor<?xf32>
            return %a, %b : tensor<?xf32>, tensor<?xf32>
          }
          func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }";
        with_module(twice, |module, function| {
            assert!(specialise(module, function, &[vec![2], vec![2]]).is_ok());
            let said = specialise(module, function, &[vec![2], vec![3]]).unwrap_err();
            assert!(said.to_string().contains("different sizes"), "{said}");
        });
    }
}
