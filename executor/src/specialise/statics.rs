//! The ops that take sizes and amounts as operands, and those that have them as attributes.

use stablehlo::ir::{AttrId, Attribute, Blob, DYNAMIC, DenseElements, OpId, TypeId, ValueId};
use stablehlo::ops::OpKind;

use super::Specialiser;

/// The op that has as attributes what this one takes as operands.
pub(super) fn static_form(kind: OpKind) -> Option<OpKind> {
    Some(match kind {
        OpKind::DynamicReshape => OpKind::Reshape,
        OpKind::DynamicBroadcastInDim => OpKind::BroadcastInDim,
        OpKind::DynamicIota => OpKind::Iota,
        OpKind::DynamicPad => OpKind::Pad,
        OpKind::RealDynamicSlice => OpKind::Slice,
        OpKind::DynamicGather => OpKind::Gather,
        OpKind::DynamicConv => OpKind::Convolution,
        _ => return None,
    })
}

impl Specialiser<'_> {
    /// The op with attributes instead of the operands that are known by now; none when there is no such op or they are not.
    pub(super) fn fixed(&mut self, op: OpId, kind: OpKind) -> Option<OpId> {
        let to = static_form(kind)?;
        let operands: Vec<ValueId> = self.module.operands(op).to_vec();
        let ty = self.module.value_type(self.module.result(op)?);
        let lists = |this: &Self, operands: &[usize]| -> Option<Vec<Vec<i64>>> {
            operands.iter().map(|operand| this.integers(op, *operand)).collect()
        };
        match kind {
            OpKind::DynamicReshape | OpKind::DynamicBroadcastInDim => {
                let sizes = self.integers(op, 1)?;
                let ty = self.of_sizes(ty, &sizes)?;
                Some(self.in_place_of(op, to, &operands[..1], ty, &[]))
            }
            OpKind::DynamicIota => {
                let sizes = self.integers(op, 0)?;
                let ty = self.of_sizes(ty, &sizes)?;
                Some(self.in_place_of(op, to, &[], ty, &[]))
            }
            OpKind::DynamicPad => {
                let amounts = lists(self, &[2, 3, 4])?;
                let names = ["edge_padding_low", "edge_padding_high", "interior_padding"];
                let attributes = self.lists(&names, amounts);
                Some(self.in_place_of(op, to, &operands[..2], ty, &attributes))
            }
            OpKind::RealDynamicSlice => {
                let amounts = lists(self, &[1, 2, 3])?;
                let attributes = self.lists(&["start_indices", "limit_indices", "strides"], amounts);
                Some(self.in_place_of(op, to, &operands[..1], ty, &attributes))
            }
            OpKind::DynamicGather => {
                let sizes = lists(self, &[2])?;
                let attributes = self.lists(&["slice_sizes"], sizes);
                Some(self.in_place_of(op, to, &operands[..2], ty, &attributes))
            }
            OpKind::DynamicConv => {
                let padding = self.integers(op, 2)?;
                let padding = self.pairs(&padding);
                Some(self.in_place_of(op, to, &operands[..2], ty, &[("padding", padding)]))
            }
            _ => None,
        }
    }

    /// The type with these sizes; none when it has others: the run of the op as it is says what is wrong.
    fn of_sizes(&mut self, ty: TypeId, sizes: &[i64]) -> Option<TypeId> {
        let own = self.module.shape(ty)?;
        let fits = |(own, size): (&i64, &i64)| own == size || *own == DYNAMIC;
        let is_fitting = own.len() == sizes.len() && own.iter().zip(sizes).all(fits);
        is_fitting.then(|| self.with_sizes(ty, sizes))
    }

    fn lists<'n>(&mut self, names: &[&'n str], values: Vec<Vec<i64>>) -> Vec<(&'n str, AttrId)> {
        let lists = names.iter().zip(values);
        lists.map(|(name, list)| (*name, self.module.intern_attr(Attribute::DenseI64Array(list.into())))).collect()
    }

    /// Pairs of numbers as elements of `tensor<nx2xi64>`.
    fn pairs(&mut self, numbers: &[i64]) -> AttrId {
        let i64_type: TypeId = self.module.element_type_id(stablehlo::element::ElementType::I64);
        let ty = self.module.tensor_type(&[numbers.len() as i64 / 2, 2], i64_type);
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let elements = DenseElements { ty, data: Blob::new(bytes), splat: false };
        self.module.intern_attr(Attribute::DenseElements(elements))
    }
}
