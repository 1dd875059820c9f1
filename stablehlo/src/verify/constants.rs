//! Integers inside constants: elements attributes and operands whose values are known.

use super::Cx;
use crate::ir::{AttrId, Literal, Module, Type, ValueId};
use crate::ops::spec::Trait;

/// The integers of an elements attribute, read on demand: a splat of any size costs nothing.
#[derive(Clone, Debug)]
pub struct Integers<'m> {
    /// Sizes of the attribute's type.
    pub shape: &'m [i64],
    literal: Literal,
}

impl<'m> Integers<'m> {
    /// Reads `dense<…>` or `dense_resource<…>` of booleans, integers or `index`; none for anything else.
    pub fn of(module: &'m Module, attr: AttrId) -> Option<Self> {
        let ty = module.attr_type(attr)?;
        let element = module.element_type(ty)?;
        let is_integer = match module.ty(element) {
            Type::Index => true,
            _ => module.scalar_element(element).is_some_and(|element| element.is_integer() || element.is_boolean()),
        };
        let literal = is_integer.then(|| Literal::from_attr(module, attr))??;
        Some(Self { shape: module.shape(ty)?, literal })
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.literal.len()
    }

    /// Element `index` in row-major order; unsigned values beyond i64 saturate.
    pub fn get(&self, index: usize) -> Option<i64> {
        if index >= self.count() {
            return None;
        }
        let bytes = self.literal.element_bytes(index);
        let signed = self.literal.element().is_signed();
        let negative = signed && bytes.last()? & 0x80 != 0;
        let mut wide = [if negative { 0xFF } else { 0 }; 8];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let value = i64::from_le_bytes(wide);
        Some(if signed || value >= 0 { value } else { i64::MAX })
    }

    /// All elements, if there are at most `limit`.
    pub fn to_vec(&self, limit: usize) -> Option<Vec<i64>> {
        let len = self.count();
        (len <= limit).then(|| (0..len).map(|index| self.get(index)).collect())?
    }
}

/// More integers than any shape, index or padding operand of a real program has.
const LIMIT: usize = 1 << 12;

impl<'m> Cx<'m> {
    /// The integers of an operand that a constant op defines; none when they are not known or more than a few thousand.
    pub fn constant_integers(&self, value: ValueId) -> Option<Vec<i64>> {
        let op = self.module.defining_op(value)?;
        let is_constant = match self.module.kind(op) {
            Some(kind) => kind.spec().has(Trait::ConstantLike),
            None => self.module.op_name(op) == "arith.constant",
        };
        if !is_constant {
            return None;
        }
        Integers::of(self.module, self.module.property(op, "value")?)?.to_vec(LIMIT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Attribute, Blob, DenseElements, Signedness};

    fn integers(width: u32, signedness: Signedness, data: &[u8], shape: &[i64], splat: bool) -> Option<Vec<i64>> {
        let mut module = Module::new("test");
        let element = module.intern_type(Type::Integer { width, signedness });
        let ty = module.tensor_type(shape, element);
        let data = Blob::new(data.to_vec());
        let attr = module.intern_attr(Attribute::DenseElements(DenseElements { ty, data, splat }));
        Integers::of(&module, attr)?.to_vec(LIMIT)
    }

    #[test]
    fn values_are_extended_by_their_sign() {
        assert_eq!(integers(8, Signedness::Signless, &[0xFF, 2], &[2], false), Some(vec![-1, 2]));
        assert_eq!(integers(8, Signedness::Unsigned, &[0xFF, 2], &[2], false), Some(vec![255, 2]));
        assert_eq!(integers(16, Signedness::Signless, &[0xFE, 0xFF], &[1], false), Some(vec![-2]));
        assert_eq!(integers(64, Signedness::Unsigned, &[0xFF; 8], &[1], false), Some(vec![i64::MAX]));
        assert_eq!(integers(1, Signedness::Signless, &[1], &[], false), Some(vec![1]));
    }

    #[test]
    fn splats_repeat_and_huge_ones_are_not_expanded() {
        assert_eq!(integers(32, Signedness::Signless, &[7, 0, 0, 0], &[3, 2], true), Some(vec![7; 6]));
        assert_eq!(integers(32, Signedness::Signless, &[7, 0, 0, 0], &[i64::MAX, 2], true), None);
        assert_eq!(integers(32, Signedness::Signless, &[7, 0, 0, 0], &[1 << 40], true), None);
        assert_eq!(integers(32, Signedness::Signless, &[], &[0], false), Some(vec![]));
        assert_eq!(integers(32, Signedness::Signless, &[1], &[4], false), None, "short data");
    }
}
