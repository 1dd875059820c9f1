//! Questions that many rooms ask of types, attributes and ops.

use super::{
    AttrId, Attribute, BlockId, DYNAMIC, FloatKind, Location, Module, NameId, OpId, OpName, QuantizedType,
    RankedTensor, Signedness, Type, TypeId, ValueDef, ValueId,
};
use crate::element::ElementType;
use crate::ops::OpKind;

/// Types.
impl Module {
    /// The ranked tensor behind `ty`.
    pub fn tensor(&self, ty: TypeId) -> Option<&RankedTensor> {
        match self.ty(ty) {
            Type::RankedTensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Sizes of a ranked tensor, vector or memref ([`DYNAMIC`] for `?`).
    pub fn shape(&self, ty: TypeId) -> Option<&[i64]> {
        match self.ty(ty) {
            Type::RankedTensor(tensor) => Some(&tensor.shape),
            Type::Vector { shape, .. } => Some(shape),
            Type::MemRef { shape, .. } => shape.as_deref(),
            _ => None,
        }
    }

    /// Rank of a ranked tensor, vector or memref.
    pub fn rank(&self, ty: TypeId) -> Option<usize> {
        self.shape(ty).map(<[i64]>::len)
    }

    /// Whether `ty` is a ranked tensor whose sizes are all known.
    pub fn has_static_shape(&self, ty: TypeId) -> bool {
        self.shape(ty).is_some_and(|shape| !shape.contains(&DYNAMIC))
    }

    /// Upper bounds of the dimensions of a bounded tensor ([`DYNAMIC`] where there is none).
    pub fn bounds(&self, ty: TypeId) -> Option<&[i64]> {
        match self.attr(self.tensor(ty)?.encoding?) {
            Attribute::Bounds(bounds) => Some(bounds),
            _ => None,
        }
    }

    /// Element type of a tensor, vector or memref.
    pub fn element_type(&self, ty: TypeId) -> Option<TypeId> {
        match self.ty(ty) {
            Type::RankedTensor(tensor) => Some(tensor.element),
            Type::UnrankedTensor { element } | Type::Vector { element, .. } | Type::MemRef { element, .. } => {
                Some(*element)
            }
            _ => None,
        }
    }

    /// The storable element type that the scalar type `ty` names; none for quantized types, `index` and others.
    pub fn scalar_element(&self, ty: TypeId) -> Option<ElementType> {
        use Signedness::{Signless, Unsigned};
        Some(match *self.ty(ty) {
            Type::Integer { width: 1, signedness: Signless } => ElementType::I1,
            Type::Integer { width: 2, signedness: Signless } => ElementType::I2,
            Type::Integer { width: 4, signedness: Signless } => ElementType::I4,
            Type::Integer { width: 8, signedness: Signless } => ElementType::I8,
            Type::Integer { width: 16, signedness: Signless } => ElementType::I16,
            Type::Integer { width: 32, signedness: Signless } => ElementType::I32,
            Type::Integer { width: 64, signedness: Signless } => ElementType::I64,
            Type::Integer { width: 2, signedness: Unsigned } => ElementType::UI2,
            Type::Integer { width: 4, signedness: Unsigned } => ElementType::UI4,
            Type::Integer { width: 8, signedness: Unsigned } => ElementType::UI8,
            Type::Integer { width: 16, signedness: Unsigned } => ElementType::UI16,
            Type::Integer { width: 32, signedness: Unsigned } => ElementType::UI32,
            Type::Integer { width: 64, signedness: Unsigned } => ElementType::UI64,
            Type::Float(kind) => return kind.element(),
            Type::Complex(part) => return self.scalar_element(part)?.complex_of(),
            _ => return None,
        })
    }

    /// The storable element type of a tensor; none for quantized tensors.
    pub fn element(&self, ty: TypeId) -> Option<ElementType> {
        self.scalar_element(self.element_type(ty)?)
    }

    /// The element type in which a tensor's values are stored: the storage type for quantized tensors, i64 for `index`.
    pub fn storage_element(&self, ty: TypeId) -> Option<ElementType> {
        let element = self.element_type(ty)?;
        match self.ty(element) {
            Type::Quantized(quantized) => self.storage_type_element(quantized),
            Type::Index => Some(ElementType::I64),
            _ => self.scalar_element(element),
        }
    }

    /// The element type of a quantized type's storage (`ui8` when the storage is unsigned).
    pub fn storage_type_element(&self, quantized: &QuantizedType) -> Option<ElementType> {
        let storage = self.scalar_element(quantized.storage.ty)?;
        if quantized.storage.signed {
            return Some(storage);
        }
        Some(match storage {
            ElementType::I2 => ElementType::UI2,
            ElementType::I4 => ElementType::UI4,
            ElementType::I8 => ElementType::UI8,
            ElementType::I16 => ElementType::UI16,
            ElementType::I32 => ElementType::UI32,
            ElementType::I64 => ElementType::UI64,
            other => other,
        })
    }

    /// Least and greatest value that a storage type can hold, as far as i64 reaches; whole numbers for floats too.
    pub fn storage_range(&self, ty: TypeId, signed: bool) -> Option<(i64, i64)> {
        match *self.ty(ty) {
            Type::Integer { width: width @ 1..=64, .. } if signed => {
                Some((i64::MIN >> (64 - width), i64::MAX >> (64 - width)))
            }
            Type::Integer { width: width @ 1..=64, .. } => Some((0, i64::MAX >> 63u32.saturating_sub(width))),
            Type::Float(kind) => {
                let largest = kind.format().to_f64(kind.format().max_finite(false)) as i64;
                Some((-largest, largest))
            }
            _ => None,
        }
    }

    /// The quantized element type of a tensor, or the quantized type itself.
    pub fn quantized(&self, ty: TypeId) -> Option<&QuantizedType> {
        match self.ty(self.element_type(ty).unwrap_or(ty)) {
            Type::Quantized(quantized) => Some(quantized),
            _ => None,
        }
    }

    /// Interns the scalar type of a storable element type.
    pub fn element_type_id(&mut self, element: ElementType) -> TypeId {
        if let Some(part) = element.complex_part() {
            let part = self.element_type_id(part);
            return self.intern_type(Type::Complex(part));
        }
        if let Some(kind) = FloatKind::of(element) {
            return self.intern_type(Type::Float(kind));
        }
        let signedness = if element.is_unsigned() { Signedness::Unsigned } else { Signedness::Signless };
        self.intern_type(Type::Integer { width: element.bits(), signedness })
    }

    /// Interns the ranked tensor type of `shape` and `element`.
    pub fn tensor_type(&mut self, shape: &[i64], element: TypeId) -> TypeId {
        self.intern_type(Type::RankedTensor(RankedTensor { shape: shape.into(), element, encoding: None }))
    }
}

/// Attributes.
impl Module {
    /// A dictionary's entry.
    pub fn dict_get(&self, dict: AttrId, key: &str) -> Option<AttrId> {
        match self.attr(dict) {
            Attribute::Dictionary(entries) => {
                entries.iter().find(|(name, _)| self.str(*name) == key).map(|(_, attr)| *attr)
            }
            _ => None,
        }
    }

    /// Interns a dictionary; entries are sorted here, keys must differ.
    pub fn dictionary(&mut self, mut entries: Vec<(NameId, AttrId)>) -> AttrId {
        entries.sort_by(|(a, _), (b, _)| self.str(*a).cmp(self.str(*b)));
        self.intern_attr(Attribute::Dictionary(entries.into()))
    }

    /// The bytes of a string attribute.
    pub fn string_bytes(&self, attr: AttrId) -> Option<&[u8]> {
        match self.attr(attr) {
            Attribute::String { value, .. } => Some(value),
            _ => None,
        }
    }

    /// A string attribute that is UTF-8.
    pub fn string_attr(&self, attr: AttrId) -> Option<&str> {
        std::str::from_utf8(self.string_bytes(attr)?).ok()
    }

    /// The value of an integer attribute, if it fits.
    pub fn integer_attr(&self, attr: AttrId) -> Option<i64> {
        match self.attr(attr) {
            Attribute::Integer { value, .. } => i64::try_from(*value).ok(),
            _ => None,
        }
    }

    /// The type of an attribute that is a value of a type.
    pub fn attr_type(&self, attr: AttrId) -> Option<TypeId> {
        match self.attr(attr) {
            Attribute::Integer { ty, .. }
            | Attribute::Float { ty, .. }
            | Attribute::DenseStringElements { ty, .. }
            | Attribute::DenseResource { ty, .. }
            | Attribute::SparseElements { ty, .. } => Some(*ty),
            Attribute::DenseElements(elements) => Some(elements.ty),
            Attribute::String { ty, .. } | Attribute::Opaque { ty, .. } => *ty,
            _ => None,
        }
    }

    /// The symbol of an unnested symbol reference.
    pub fn flat_symbol(&self, attr: AttrId) -> Option<&str> {
        match self.attr(attr) {
            Attribute::SymbolRef { root, nested } if nested.is_empty() => Some(self.str(*root)),
            _ => None,
        }
    }

    /// An inherent attribute by its name; for opaque ops an entry of their `<{…}>` dictionary.
    pub fn property(&self, op: OpId, name: &str) -> Option<AttrId> {
        match self.op(op).name() {
            OpName::Known(kind) => {
                let slot = kind.spec().attributes.iter().position(|attr| attr.name == name)?;
                self.properties(op).get(slot).copied().flatten()
            }
            OpName::Opaque(_) => self.dict_get((*self.properties(op).first()?)?, name),
        }
    }

    /// A discardable attribute by its name.
    pub fn discardable(&self, op: OpId, name: &str) -> Option<AttrId> {
        self.dict_get(self.op(op).attributes()?, name)
    }
}

/// Structure.
impl Module {
    /// The registered kind of `op`.
    pub fn kind(&self, op: OpId) -> Option<OpKind> {
        match self.op(op).name() {
            OpName::Known(kind) => Some(kind),
            OpName::Opaque(_) => None,
        }
    }

    /// The full name of `op`: `stablehlo.add`.
    pub fn op_name(&self, op: OpId) -> &str {
        match self.op(op).name() {
            OpName::Known(kind) => kind.name(),
            OpName::Opaque(name) => self.str(name),
        }
    }

    /// The only result of `op`.
    pub fn result(&self, op: OpId) -> Option<ValueId> {
        let results = self.results(op);
        if results.len() == 1 { results.get(0) } else { None }
    }

    /// The op that a value is a result of.
    pub fn defining_op(&self, value: ValueId) -> Option<OpId> {
        match self.definition(value) {
            ValueDef::Result { op, .. } => Some(op),
            ValueDef::Argument { .. } => None,
        }
    }

    /// The first block of region number `index` of `op`.
    pub fn entry_block(&self, op: OpId, index: usize) -> Option<BlockId> {
        self.blocks(*self.regions(op).get(index)?).first().copied()
    }

    /// The last op of `block`.
    pub fn terminator(&self, block: BlockId) -> Option<OpId> {
        self.block(block).ops.last().copied()
    }

    /// The ops in the body of the top-level module.
    pub fn top_ops(&self) -> &[OpId] {
        self.entry_block(self.top(), 0).map_or(&[], |block| &self.block(block).ops)
    }

    /// The `func.func` of that name in the body of `module_op`.
    pub fn function_in(&self, module_op: OpId, name: &str) -> Option<OpId> {
        let body = self.entry_block(module_op, 0)?;
        let named = |op: &OpId| {
            self.kind(*op) == Some(OpKind::Func)
                && self.property(*op, "sym_name").and_then(|attr| self.string_attr(attr)) == Some(name)
        };
        self.block(body).ops.iter().copied().find(named)
    }

    /// The `func.func` of that name in the top-level module.
    pub fn function(&self, name: &str) -> Option<OpId> {
        self.function_in(self.top(), name)
    }

    /// Visits `op` and everything nested in it, outermost first, without recursion.
    pub fn walk(&self, op: OpId, mut visit: impl FnMut(OpId)) {
        let mut stack = vec![op];
        while let Some(op) = stack.pop() {
            visit(op);
            for region in self.regions(op).iter().rev() {
                for block in self.blocks(*region).iter().rev() {
                    stack.extend(self.block(*block).ops.iter().rev());
                }
            }
        }
    }

    /// Whether a location says nothing.
    pub fn is_unknown_location(&self, location: super::LocId) -> bool {
        matches!(self.location(location), Location::Unknown)
    }
}
