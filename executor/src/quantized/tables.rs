//! Functions of quantized numbers of few bits, as tables.
//!
//! A fast function is not exactly the interpreter's, and the last bit decides how a number next to the middle between two is
//! quantized. There are so few numbers that the interpreter can be asked about all of them.

use bytes::Bytes;
use interpreter::{Config, Host, Tensor, Value};
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ir::{
    AttrId, Attribute, BlockArgument, GatherDimensionNumbers, Module, NewOp, OpId, OpName, QuantizationParameters,
    QuantizedType, StorageType, Type, TypeId, ValueId,
};
use stablehlo::ops::OpKind;
use stablehlo::verify::verify;

use super::Writer;

/// What a table is of.
pub type Key = (OpKind, QuantizedType, QuantizedType);

/// The most bits of a number of which there are tables.
const MAX_BITS: u32 = 8;

/// Functions of one number that have no attributes that matter.
fn is_function(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        Cbrt | Cosine | Exponential | ExponentialMinusOne | Log | LogPlusOne | Logistic | Rsqrt | Sine | Tan | Tanh
    )
}

impl Writer<'_> {
    /// A function as a look-up in a table; none if it is not a function of few numbers.
    pub(super) fn tabled(&mut self, op: OpId, kind: OpKind) -> Option<()> {
        let result = self.original.result(op)?;
        let [operand] = self.original.operands(op) else { return None };
        let [from, to] = [*operand, result].map(|value| self.original.value_type(value));
        let (shape, from, storage, _) = self.parts(from)?;
        let (_, quantized, stored, _) = self.parts(to)?;
        let is_whole =
            [&from, &quantized].iter().all(|ty| matches!(ty.parameters, QuantizationParameters::PerTensor(_)));
        if !is_function(kind) || !is_whole || storage.bits() > MAX_BITS {
            return None;
        }
        let key = (kind, from.clone(), quantized.clone());
        let bytes = match self.tables.get(&key) {
            Some(bytes) => bytes.clone(),
            None => {
                let bytes = self.table(kind, &from, &quantized, storage)?;
                self.tables.insert(key, bytes.clone());
                bytes
            }
        };
        let (n, rank) = (1 << storage.bits(), shape.len() as i64);
        let [element, position] = [stored, unsigned(storage)?].map(|element| self.module.element_type_id(element));
        let (table, positions) = (self.module.tensor_type(&[n], element), self.module.tensor_type(&shape, position));
        let table = self.known(op, table, bytes.to_vec(), false)?;
        let mut at = *self.module.operands(op).first()?;
        if !storage.is_unsigned() {
            at = self.push(op, OpKind::BitcastConvert, &[at], positions, &[])?;
        }
        let one = |index: i64| SmallVec::from_iter([index]);
        let numbers = GatherDimensionNumbers {
            collapsed_slice_dims: one(0),
            start_index_map: one(0),
            index_vector_dim: rank,
            ..GatherDimensionNumbers::default()
        };
        let numbers = self.module.intern_attr(Attribute::GatherDimensionNumbers(Box::new(numbers)));
        let sizes = self.module.intern_attr(Attribute::DenseI64Array(one(1).into_iter().collect()));
        let ty = self.plain(to);
        let attributes = [("dimension_numbers", numbers), ("slice_sizes", sizes)];
        let value = self.push(op, OpKind::Gather, &[table, at], ty, &attributes)?;
        self.moved.insert(result, value);
        Some(())
    }

    /// What the interpreter makes of all numbers of a type, in the order of their bits.
    fn table(&self, kind: OpKind, from: &QuantizedType, to: &QuantizedType, storage: ElementType) -> Option<Bytes> {
        let n = 1usize << storage.bits();
        let mut module = Module::new("");
        let [from, to] = [from, to].map(|ty| {
            let ty = self.copied(&mut module, ty)?;
            Some(module.tensor_type(&[n as i64], ty))
        });
        let function = function_of(&mut module, kind, from?, to?)?;
        let verified = verify(&module, "").ok()?;
        let bytes: Vec<u8> = (0..n).map(|bits| bits as u8).collect();
        let input = Value::Tensor(Tensor::new(storage, &[n], bytes)?);
        let ran = interpreter::run(verified, function, vec![input], &Config::default(), &mut Host::default()).ok()?;
        match &ran.results[..] {
            [Value::Tensor(tensor)] if tensor.len() == n => {
                Some((0..n).flat_map(|index| tensor.element_bytes(index).to_vec()).collect::<Vec<u8>>().into())
            }
            _ => None,
        }
    }

    /// A quantized type in another module.
    fn copied(&self, module: &mut Module, ty: &QuantizedType) -> Option<TypeId> {
        let storage = module.element_type_id(self.original.scalar_element(ty.storage.ty)?);
        let expressed = module.element_type_id(self.original.scalar_element(ty.expressed)?);
        let storage = StorageType { ty: storage, ..ty.storage };
        let ty = QuantizedType { storage, expressed, parameters: ty.parameters.clone() };
        Some(module.intern_type(Type::Quantized(Box::new(ty))))
    }
}

/// The unsigned type of as many bits.
fn unsigned(element: ElementType) -> Option<ElementType> {
    Some(match element {
        ElementType::I2 | ElementType::UI2 => ElementType::UI2,
        ElementType::I4 | ElementType::UI4 => ElementType::UI4,
        ElementType::I8 | ElementType::UI8 => ElementType::UI8,
        _ => return None,
    })
}

/// A function of a module that does nothing but one op.
fn function_of(module: &mut Module, kind: OpKind, from: TypeId, to: TypeId) -> Option<OpId> {
    let name = Attribute::String { value: (*b"main").into(), ty: None };
    let ty = Type::Function { inputs: [from].into_iter().collect(), results: [to].into_iter().collect() };
    let ty = module.intern_type(ty);
    let (name, ty) = (module.intern_attr(name), module.intern_attr(Attribute::Type(ty)));
    let given = |attr: &str| match attr {
        "sym_name" => Some(name),
        "function_type" => Some(ty),
        _ => None,
    };
    let region = module.new_region();
    let block = module.new_block(region);
    let argument = module.add_argument(block, from, BlockArgument::default());
    let computed = op(module, kind, &[argument], &[to], |_| None, &[]);
    module.append_op(block, computed);
    let result: ValueId = module.result(computed)?;
    let end = op(module, OpKind::FuncReturn, &[result], &[], |_| None, &[]);
    module.append_op(block, end);
    let function = op(module, OpKind::Func, &[], &[], given, &[region]);
    let top = module.top();
    let body = module.entry_block(top, 0)?;
    module.append_op(body, function);
    Some(function)
}

fn op(
    module: &mut Module,
    kind: OpKind,
    operands: &[ValueId],
    types: &[TypeId],
    given: impl Fn(&str) -> Option<AttrId>,
    regions: &[stablehlo::ir::RegionId],
) -> OpId {
    let properties: Vec<_> = kind.spec().attributes.iter().map(|attr| given(attr.name)).collect();
    let new =
        NewOp { operands, result_types: types, properties: &properties, regions, ..NewOp::new(OpName::Known(kind)) };
    module.create_op(&new)
}
