//! Programs with quantized types, written out in plain ones.
//!
//! A quantized tensor is held as its storage. [`written_out`] makes a copy of a module in which that is what the types
//! say: what only moves elements has integers instead, and what computes stands between the conversions that the
//! interpreter makes, op by op and in its order, so that results stay the same to the bit. Plans know nothing of
//! quantization: conversions become parts of fused loops, products and views are those of numbers.

mod tables;

use bytes::Bytes;
use interpreter::element::{Element, Exact, Float};
use interpreter::ops::quantized::on_storage;
use interpreter::{dispatch_float, dispatch_integer};
use rustc_hash::FxHashMap;
use stablehlo::element::ElementType;
use stablehlo::ir::{
    AttrId, Attribute, Blob, BlockId, DYNAMIC, DenseElements, Module, NewOp, OpId, OpName, QuantizationParameters,
    QuantizedType, RankedTensor, ScaleZeroPoint, Type, TypeId, ValueId,
};
use stablehlo::ops::OpKind;
use stablehlo::ops::func::function_type;
use stablehlo::ops::stablehlo::dot_general::DotGeneral;
use stablehlo::verify::verify;

/// Marks contractions whose sums decide how a result is rounded to storage: they are to be made in the interpreter's order,
/// each product and each sum rounded by itself.
pub const IN_ORDER: &str = "shlo.in_order";

/// Whether a module has quantized types.
pub fn is_quantized(module: &Module) -> bool {
    module.type_ids().any(|ty| matches!(module.ty(ty), Type::Quantized(_)))
}

/// The module without quantized types; none when it has none, and when something in it cannot be written out.
pub fn written_out(module: &Module) -> Option<Module> {
    if !is_quantized(module) {
        return None;
    }
    let (moved, tables) = (FxHashMap::default(), FxHashMap::default());
    let mut writer = Writer { original: module, module: module.clone(), moved, tables, block: None };
    writer.all()?;
    verify(&writer.module, "").is_ok().then_some(writer.module)
}

/// Whether an op is marked as [`IN_ORDER`].
pub fn is_in_order(module: &Module, op: OpId) -> bool {
    module.discardable(op, IN_ORDER).is_some()
}

struct Writer<'m> {
    original: &'m Module,
    module: Module,
    /// Values of the original that others stand for.
    moved: FxHashMap<ValueId, ValueId>,
    /// Results of functions for all numbers of a type.
    tables: FxHashMap<tables::Key, Bytes>,
    /// Where ops are put.
    block: Option<BlockId>,
}

/// Ops on floats that the executor computes exactly as the interpreter does.
fn is_exact(kind: OpKind) -> bool {
    use OpKind::*;
    matches!(
        kind,
        Abs | Add
            | Broadcast
            | BroadcastInDim
            | Ceil
            | Clamp
            | Compare
            | Concatenate
            | Convert
            | Convolution
            | Divide
            | Dot
            | DotGeneral
            | DynamicSlice
            | DynamicUpdateSlice
            | Floor
            | Gather
            | Iota
            | Maximum
            | Minimum
            | Multiply
            | Negate
            | Pad
            | Remainder
            | Reshape
            | Reverse
            | RoundNearestAfz
            | RoundNearestEven
            | Select
            | Sign
            | Slice
            | Sqrt
            | Subtract
            | Transpose
    )
}

/// Bits of a float's significand, the one that is not stored among them; 0 for formats that are seldom expressed.
fn precision(element: ElementType) -> u32 {
    match element {
        ElementType::F64 => 53,
        ElementType::F32 => 24,
        ElementType::F16 => 11,
        ElementType::BF16 => 8,
        _ => 0,
    }
}

fn bytes_of<T: Element>(value: Exact) -> Vec<u8> {
    let mut bytes = vec![0; T::WIDTH];
    T::from_exact(value).write_le(&mut bytes);
    bytes
}

fn rounded<T: Float>(value: f64) -> Vec<u8> {
    let mut bytes = vec![0; T::WIDTH];
    T::from_f64(value).write_le(&mut bytes);
    bytes
}

/// An integer as an element, rounded if need be.
fn integer(element: ElementType, value: i64) -> Option<Vec<u8>> {
    let value = Exact::Integer(value.into());
    match element.is_float() {
        true => dispatch_float!(element, T => bytes_of::<T>(value)),
        false => dispatch_integer!(element, T => bytes_of::<T>(value)),
    }
}

fn float(element: ElementType, value: f64) -> Option<Vec<u8>> {
    dispatch_float!(element, T => rounded::<T>(value))
}

/// The smallest and the largest integer of a type of at most 32 bits.
fn range(element: ElementType) -> Option<(i64, i64)> {
    let bits = element.bits();
    if !element.is_integer() || bits > 32 {
        return None;
    }
    Some(if element.is_unsigned() { (0, (1 << bits) - 1) } else { (-1 << (bits - 1), (1 << (bits - 1)) - 1) })
}

/// All scales and zero points of a type.
fn entries(quantized: &QuantizedType) -> &[ScaleZeroPoint] {
    match &quantized.parameters {
        QuantizationParameters::PerTensor(entry) => std::slice::from_ref(entry),
        QuantizationParameters::PerAxis { entries, .. } | QuantizationParameters::SubChannel { entries, .. } => entries,
    }
}

impl Writer<'_> {
    /// Every block, those around before those inside.
    fn all(&mut self) -> Option<()> {
        let mut ops = vec![self.original.top()];
        while let Some(op) = ops.pop() {
            for region in self.original.regions(op) {
                for block in self.original.blocks(*region) {
                    self.arguments(*block);
                    let inside = self.original.block(*block).ops.clone();
                    self.module.detach_ops(&inside);
                    self.block = Some(*block);
                    for op in &inside {
                        self.op(*op)?;
                    }
                    ops.extend(inside);
                }
            }
        }
        Some(())
    }

    fn arguments(&mut self, block: BlockId) {
        for argument in &self.original.block(block).arguments {
            let ty = self.plain(self.original.value_type(*argument));
            self.module.set_value_type(*argument, ty);
        }
    }

    /// The type of the storage.
    fn plain(&mut self, ty: TypeId) -> TypeId {
        let storage = self.original.quantized(ty).and_then(|quantized| self.original.storage_type_element(quantized));
        let (Some(storage), Type::RankedTensor(tensor)) = (storage, self.original.ty(ty)) else { return ty };
        let (shape, encoding) = (tensor.shape.clone(), tensor.encoding);
        let element = self.module.element_type_id(storage);
        self.module.intern_type(Type::RankedTensor(RankedTensor { shape, element, encoding }))
    }

    fn is_quantized(&self, ty: TypeId) -> bool {
        self.original.quantized(ty).is_some()
    }

    fn op(&mut self, op: OpId) -> Option<()> {
        let operands = self.original.operands(op);
        for (index, operand) in operands.iter().enumerate() {
            if let Some(new) = self.moved.get(operand) {
                self.module.set_operand(op, index, *new);
            }
        }
        let kind = self.original.kind(op);
        let results = self.original.results(op);
        let mut types = operands.iter().copied().chain(results.iter()).map(|value| self.original.value_type(value));
        let touches = types.any(|ty| self.is_quantized(ty));
        match kind {
            Some(OpKind::Func) => self.function(op),
            _ if !touches => {}
            Some(OpKind::Constant) => self.constant(op)?,
            Some(OpKind::UniformQuantize | OpKind::UniformDequantize) => return self.convert(op),
            Some(kind) if on_storage(self.original, op) || self.is_monotone(op, kind) => {}
            Some(kind) if is_exact(kind) && self.original.regions(op).is_empty() => return self.expressed(op, kind),
            Some(kind) if self.original.regions(op).is_empty() => {
                return self.tabled(op, kind).or_else(|| self.kept(op));
            }
            _ => return None,
        }
        for result in results.iter() {
            let ty = self.plain(self.original.value_type(result));
            self.module.set_value_type(result, ty);
        }
        self.append(op)
    }

    fn append(&mut self, op: OpId) -> Option<()> {
        self.module.append_op(self.block?, op);
        Some(())
    }

    fn function(&mut self, op: OpId) {
        let Some((inputs, results)) = function_type(self.original, op) else { return };
        let inputs = inputs.iter().map(|ty| self.plain(*ty)).collect();
        let results = results.iter().map(|ty| self.plain(*ty)).collect();
        let ty = self.module.intern_type(Type::Function { inputs, results });
        let attr = self.module.intern_attr(Attribute::Type(ty));
        self.set(op, OpKind::Func, "function_type", attr);
    }

    fn set(&mut self, op: OpId, kind: OpKind, name: &str, attr: AttrId) {
        if let Some(slot) = kind.spec().attributes.iter().position(|attr| attr.name == name) {
            self.module.set_property(op, slot, Some(attr));
        }
    }

    /// A constant of storage.
    fn constant(&mut self, op: OpId) -> Option<()> {
        let ty = self.plain(self.original.value_type(self.original.result(op)?));
        let value = match self.original.attr(self.original.property(op, "value")?) {
            Attribute::DenseElements(elements) => Attribute::DenseElements(DenseElements { ty, ..elements.clone() }),
            Attribute::DenseResource { key, .. } => Attribute::DenseResource { key: *key, ty },
            _ => return None,
        };
        let value = self.module.intern_attr(value);
        self.set(op, OpKind::Constant, "value", value);
        Some(())
    }

    /// `uniform_quantize` and `uniform_dequantize`.
    fn convert(&mut self, op: OpId) -> Option<()> {
        let value = *self.module.operands(op).first()?;
        let result = self.original.result(op)?;
        let from = self.original.value_type(*self.original.operands(op).first()?);
        let value = if self.is_quantized(from) { self.dequantized(op, value, from)? } else { value };
        let to = self.original.value_type(result);
        let value = if self.is_quantized(to) { self.quantized(op, value, to)? } else { value };
        self.moved.insert(result, value);
        Some(())
    }

    /// Whether an op that chooses among its operands may do so by their storage: larger storage is a larger number, and the
    /// way to the expressed type and back leads to where it began.
    fn is_monotone(&self, op: OpId, kind: OpKind) -> bool {
        let module = self.original;
        let mut types = module.operands(op).iter().copied().chain(module.results(op).iter());
        let Some(first) = module.operands(op).first().and_then(|first| module.quantized(module.value_type(*first)))
        else {
            return false;
        };
        let storage = module.storage_type_element(first);
        let is_near = storage.is_some_and(|element| element.bits() <= 16)
            && storage.and_then(range) == Some((first.storage.min, first.storage.max))
            && module.scalar_element(first.expressed).is_some_and(|expressed| precision(expressed) >= 24)
            && entries(first).iter().all(|entry| (1e-30..1e30).contains(&entry.scale.get()));
        matches!(kind, OpKind::Maximum | OpKind::Minimum | OpKind::Clamp)
            && is_near
            && types.all(|value| module.quantized(module.value_type(value)) == Some(first))
    }

    /// A product of floats and quantized weights as one of floats and integers, whose sums are scaled: which dimension of
    /// the result the quantization dimension of the weights is, if they have one.
    fn scaled_sums(&self, op: OpId, kind: OpKind) -> Option<Option<i32>> {
        let module = self.original;
        let [lhs, rhs] = module.operands(op) else { return None };
        let (ty, result) = (module.value_type(*rhs), module.value_type(module.result(op)?));
        let weights = module.quantized(ty)?;
        let is_f32 = [*lhs, module.result(op)?]
            .iter()
            .all(|value| module.element(module.value_type(*value)) == Some(ElementType::F32));
        let is_centred = entries(weights).iter().all(|entry| entry.zero_point == 0);
        let rank = module.rank(ty)? as i64;
        let (batching, contracting) = match kind {
            OpKind::Dot => (Vec::new(), vec![0]),
            OpKind::DotGeneral => {
                let op = DotGeneral::new(module, op);
                let numbers = op.dot_dimension_numbers();
                if op.algorithm().is_some() {
                    return None;
                }
                (numbers.rhs_batching_dimensions.to_vec(), numbers.rhs_contracting_dimensions.to_vec())
            }
            _ => return None,
        };
        if !is_f32 || !is_centred {
            return None;
        }
        let axis = match &weights.parameters {
            QuantizationParameters::PerTensor(_) => return Some(None),
            QuantizationParameters::PerAxis { dimension, .. } => i64::from(*dimension),
            QuantizationParameters::SubChannel { .. } => return None,
        };
        // The result has the batching dimensions, those of the left operand, and those of the weights.
        if let Some(at) = batching.iter().position(|dim| *dim == axis) {
            return Some(Some(at as i32));
        }
        let own: Vec<i64> = (0..rank).filter(|dim| !batching.contains(dim) && !contracting.contains(dim)).collect();
        let at = own.iter().position(|dim| *dim == axis)?;
        Some(Some(i32::try_from(module.rank(result)? + at - own.len()).ok()?))
    }

    /// See [`Writer::scaled_sums`].
    fn hybrid(&mut self, op: OpId, axis: Option<i32>) -> Option<()> {
        let [lhs, rhs] = *self.module.operands(op) else { return None };
        let result = self.original.result(op)?;
        let to = self.original.value_type(result);
        let (shape, mut weights, ..) = self.parts(self.original.value_type(*self.original.operands(op).get(1)?))?;
        let sizes = self.original.shape(to).filter(|shape| !shape.contains(&DYNAMIC))?.to_vec();
        let float_type = self.module.element_type_id(ElementType::F32);
        let wide = self.module.tensor_type(&shape, float_type);
        let numbers = self.push(op, OpKind::Convert, &[rhs], wide, &[])?;
        let sums = self.like(op, &[lhs, numbers], &[to], self.original.op(op).attributes())?;
        if let (QuantizationParameters::PerAxis { dimension, .. }, Some(axis)) = (&mut weights.parameters, axis) {
            *dimension = axis;
        }
        let of = |entry: &ScaleZeroPoint| float(ElementType::F32, entry.scale.get());
        let scales = self.parameters(op, &weights, &sizes, ElementType::F32, of)?;
        let value = self.push(op, OpKind::Multiply, &[*sums.first()?, scales], to, &[])?;
        self.moved.insert(result, value);
        Some(())
    }

    /// An op on expressed types.
    fn expressed(&mut self, op: OpId, kind: OpKind) -> Option<()> {
        if let Some(axis) = self.scaled_sums(op, kind) {
            return self.hybrid(op, axis);
        }
        let operands = self.operands_with(op, |this, value, ty| this.dequantized(op, value, ty))?;
        let results: Vec<ValueId> = self.original.results(op).iter().collect();
        let types: Vec<TypeId> = results.iter().map(|result| self.original.value_type(*result)).collect();
        let expressed = types.iter().map(|ty| match self.original.quantized(*ty) {
            Some(quantized) => Some(self.module.tensor_type(self.original.shape(*ty)?, quantized.expressed)),
            None => Some(*ty),
        });
        let expressed: Vec<TypeId> = expressed.collect::<Option<_>>()?;
        let is_sum = matches!(kind, OpKind::Convolution | OpKind::Dot | OpKind::DotGeneral);
        let attributes = match is_sum && types.iter().any(|ty| self.is_quantized(*ty)) {
            true => Some(self.marked(op)),
            false => self.original.op(op).attributes(),
        };
        let new = self.like(op, &operands, &expressed, attributes)?;
        for ((result, ty), value) in results.iter().zip(types).zip(new) {
            let value = if self.is_quantized(ty) { self.quantized(op, value, ty)? } else { value };
            self.moved.insert(*result, value);
        }
        Some(())
    }

    /// The operands of an op; for those of quantized types what `of` makes of their storage.
    fn operands_with(
        &mut self,
        op: OpId,
        of: impl Fn(&mut Self, ValueId, TypeId) -> Option<ValueId>,
    ) -> Option<Vec<ValueId>> {
        let mut operands = self.module.operands(op).to_vec();
        for (value, original) in operands.iter_mut().zip(self.original.operands(op)) {
            let ty = self.original.value_type(*original);
            if self.is_quantized(ty) {
                *value = of(self, *value, ty)?;
            }
        }
        Some(operands)
    }

    /// The op's discardable attributes and the mark.
    fn marked(&mut self, op: OpId) -> AttrId {
        let mut entries = match self.original.op(op).attributes().map(|attr| self.original.attr(attr)) {
            Some(Attribute::Dictionary(entries)) => entries.to_vec(),
            _ => Vec::new(),
        };
        let (name, unit) = (self.module.name(IN_ORDER), self.module.intern_attr(Attribute::Unit));
        entries.push((name, unit));
        self.module.dictionary(entries)
    }

    /// An op as it is, on quantized types: left to the interpreter.
    fn kept(&mut self, op: OpId) -> Option<()> {
        let operands =
            self.operands_with(op, |this, value, ty| this.push(op, OpKind::BitcastConvert, &[value], ty, &[]))?;
        let results: Vec<ValueId> = self.original.results(op).iter().collect();
        let types: Vec<TypeId> = results.iter().map(|result| self.original.value_type(*result)).collect();
        let new = self.like(op, &operands, &types, self.original.op(op).attributes())?;
        for ((result, ty), mut value) in results.iter().zip(types).zip(new) {
            if self.is_quantized(ty) {
                let plain = self.plain(ty);
                value = self.push(op, OpKind::BitcastConvert, &[value], plain, &[])?;
            }
            self.moved.insert(*result, value);
        }
        Some(())
    }

    /// An op with the properties of `op`; its results.
    fn like(
        &mut self,
        op: OpId,
        operands: &[ValueId],
        types: &[TypeId],
        attributes: Option<AttrId>,
    ) -> Option<Vec<ValueId>> {
        let old = self.original.op(op);
        let new = self.module.create_op(&NewOp {
            operands,
            result_types: types,
            properties: self.original.properties(op),
            attributes,
            location: old.location(),
            source: self.original.source(op),
            ..NewOp::new(old.name())
        });
        self.append(new)?;
        Some(self.module.results(new).iter().collect())
    }

    /// A new op in the place of `op`; its result.
    fn push(
        &mut self,
        op: OpId,
        kind: OpKind,
        operands: &[ValueId],
        ty: TypeId,
        attributes: &[(&str, AttrId)],
    ) -> Option<ValueId> {
        let given = |name: &str| attributes.iter().find(|(given, _)| *given == name).map(|(_, attr)| *attr);
        let properties: Vec<_> = kind.spec().attributes.iter().map(|attr| given(attr.name)).collect();
        let new = self.module.create_op(&NewOp {
            operands,
            result_types: &[ty],
            properties: &properties,
            location: self.original.op(op).location(),
            source: self.original.source(op),
            ..NewOp::new(OpName::Known(kind))
        });
        self.append(new)?;
        self.module.result(new)
    }

    /// A constant of known elements; one for all if there are no more bytes.
    fn known(&mut self, op: OpId, ty: TypeId, bytes: Vec<u8>, splat: bool) -> Option<ValueId> {
        let value = Attribute::DenseElements(DenseElements { ty, data: Blob::new(bytes), splat });
        let value = self.module.intern_attr(value);
        self.push(op, OpKind::Constant, &[], ty, &[("value", value)])
    }

    /// What belongs to each element of a tensor of `shape`: `of` its scale and zero point.
    fn parameters(
        &mut self,
        op: OpId,
        quantized: &QuantizedType,
        shape: &[i64],
        element: ElementType,
        of: impl Fn(&ScaleZeroPoint) -> Option<Vec<u8>>,
    ) -> Option<ValueId> {
        let scalar = self.module.element_type_id(element);
        let whole = self.module.tensor_type(shape, scalar);
        let bytes: Vec<u8> = entries(quantized).iter().map(of).collect::<Option<Vec<_>>>()?.concat();
        match &quantized.parameters {
            QuantizationParameters::PerTensor(_) => self.known(op, whole, bytes, true),
            QuantizationParameters::PerAxis { dimension, entries } => {
                let n = entries.len() as i64;
                let axis = usize::try_from(*dimension).ok().filter(|dim| shape.get(*dim) == Some(&n))?;
                let row = self.module.tensor_type(&[n], scalar);
                let row = self.known(op, row, bytes, false)?;
                let dims = self.module.intern_attr(Attribute::DenseI64Array([axis as i64].into_iter().collect()));
                self.push(op, OpKind::BroadcastInDim, &[row], whole, &[("broadcast_dimensions", dims)])
            }
            // The dialect's ops do not take these.
            QuantizationParameters::SubChannel { .. } => None,
        }
    }

    /// Sizes, storage and expressed type of a quantized tensor.
    fn parts(&self, ty: TypeId) -> Option<(Vec<i64>, QuantizedType, ElementType, ElementType)> {
        let quantized = self.original.quantized(ty)?.clone();
        let shape = self.original.shape(ty).filter(|shape| !shape.contains(&DYNAMIC))?.to_vec();
        let expressed = self.original.scalar_element(quantized.expressed).filter(|element| element.is_float())?;
        let storage = self.original.storage_type_element(&quantized)?;
        range(storage)?;
        Some((shape, quantized, storage, expressed))
    }

    /// `(storage − zero_point) × scale`, the difference exact.
    fn dequantized(&mut self, op: OpId, value: ValueId, ty: TypeId) -> Option<ValueId> {
        let (shape, quantized, storage, expressed) = self.parts(ty)?;
        let is_centred = entries(&quantized).iter().all(|entry| entry.zero_point == 0);
        // What differences of storage are exact in.
        let exact = if storage.bits() <= precision(expressed) { expressed } else { ElementType::I64 };
        let [exact_type, to] = [exact, expressed].map(|element| {
            let element = self.module.element_type_id(element);
            self.module.tensor_type(&shape, element)
        });
        let numbers = if is_centred {
            self.push(op, OpKind::Convert, &[value], to, &[])?
        } else {
            let wide = self.push(op, OpKind::Convert, &[value], exact_type, &[])?;
            let zeros = self.parameters(op, &quantized, &shape, exact, |entry| integer(exact, entry.zero_point))?;
            let numbers = self.push(op, OpKind::Subtract, &[wide, zeros], exact_type, &[])?;
            if exact == expressed { numbers } else { self.push(op, OpKind::Convert, &[numbers], to, &[])? }
        };
        let scales = self.parameters(op, &quantized, &shape, expressed, |entry| float(expressed, entry.scale.get()))?;
        self.push(op, OpKind::Multiply, &[numbers, scales], to, &[])
    }

    /// `round(clamp(storage_min, x / scale + zero_point, storage_max))`, each step in the expressed type. Conversion to
    /// integers saturates, and makes 0 of NaN.
    fn quantized(&mut self, op: OpId, x: ValueId, ty: TypeId) -> Option<ValueId> {
        let (shape, quantized, storage, _) = self.parts(ty)?;
        let from = self.module.value_type(x);
        let element = self.module.element(from).filter(|element| element.is_float())?;
        let scales = self.parameters(op, &quantized, &shape, element, |entry| float(element, entry.scale.get()))?;
        let mut x = self.push(op, OpKind::Divide, &[x, scales], from, &[])?;
        if entries(&quantized).iter().any(|entry| entry.zero_point != 0) {
            let zeros = self.parameters(op, &quantized, &shape, element, |entry| integer(element, entry.zero_point))?;
            x = self.push(op, OpKind::Add, &[x, zeros], from, &[])?;
        }
        let (min, max) = (quantized.storage.min, quantized.storage.max);
        let x = self.clamped(op, x, element, (min, max))?;
        let x = self.push(op, OpKind::RoundNearestEven, &[x], from, &[])?;
        let to = self.plain(ty);
        let stored = self.push(op, OpKind::Convert, &[x], to, &[])?;
        // Bounds may round outwards when they become floats, and the 0 of NaN may be outside.
        let is_exact = [min, max].iter().all(|bound| bound.unsigned_abs() <= 1 << precision(element));
        let is_full = range(storage) == Some((min, max));
        match (is_exact || is_full) && (min..=max).contains(&0) {
            true => Some(stored),
            false => self.clamped(op, stored, storage, (min, max)),
        }
    }

    fn clamped(&mut self, op: OpId, x: ValueId, element: ElementType, (min, max): (i64, i64)) -> Option<ValueId> {
        let scalar = self.module.element_type_id(element);
        let scalar = self.module.tensor_type(&[], scalar);
        let min = self.known(op, scalar, integer(element, min)?, true)?;
        let max = self.known(op, scalar, integer(element, max)?, true)?;
        let ty = self.module.value_type(x);
        self.push(op, OpKind::Clamp, &[min, x, max], ty, &[])
    }
}

#[cfg(test)]
mod tests;
