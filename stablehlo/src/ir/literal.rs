//! `Literal`: the currency in which values pass between crates.

use bytes::Bytes;

use super::{AttrId, Attribute, Module};
use crate::element::ElementType;

/// A tensor value: element type, shape and raw little-endian storage, row-major, ⌈bits/8⌉ bytes an element.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    element: ElementType,
    shape: Vec<usize>,
    data: Bytes,
    splat: bool,
}

impl Literal {
    /// A literal of all its elements' bytes; none when the number of bytes does not fit element type and shape.
    pub fn new(element: ElementType, shape: Vec<usize>, data: impl Into<Bytes>) -> Option<Self> {
        let data = data.into();
        let wanted = element_count(&shape)?.checked_mul(element.byte_width())?;
        (data.len() == wanted).then_some(Self { element, shape, data, splat: false })
    }

    /// A literal in which one element stands for all; none when `data` is not one element or the shape overflows.
    pub fn splat(element: ElementType, shape: Vec<usize>, data: impl Into<Bytes>) -> Option<Self> {
        let data = data.into();
        element_count(&shape)?;
        (data.len() == element.byte_width()).then_some(Self { element, shape, data, splat: true })
    }

    /// The value of a `dense` or `dense_resource` attribute of a storable element type; quantized tensors give their storage.
    pub fn from_attr(module: &Module, attr: AttrId) -> Option<Self> {
        let (ty, data, splat) = match module.attr(attr) {
            Attribute::DenseElements(dense) => (dense.ty, dense.data.bytes().clone(), dense.splat),
            Attribute::DenseResource { key, ty } => (*ty, module.resources.get(key)?.data.bytes().clone(), false),
            _ => return None,
        };
        let element = module.storage_element(ty)?;
        let shape = module.shape(ty)?.iter().map(|size| usize::try_from(*size).ok()).collect::<Option<Vec<_>>>()?;
        match splat && data.len() == element.byte_width() {
            true => Self::splat(element, shape, data),
            false => Self::new(element, shape, data),
        }
    }

    /// Element type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        element_count(&self.shape).unwrap_or(usize::MAX)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Whether one stored element stands for all.
    pub fn is_splat(&self) -> bool {
        self.splat
    }

    /// Stored bytes: all elements, or one for a splat.
    pub fn data(&self) -> &Bytes {
        &self.data
    }

    /// The bytes of element `index` in row-major order.
    pub fn element_bytes(&self, index: usize) -> &[u8] {
        let width = self.element.byte_width();
        let at = if self.splat { 0 } else { index * width };
        &self.data[at..at + width]
    }
}

/// Number of elements of a shape; none when it does not fit `isize`.
pub fn element_count(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .try_fold(1usize, |product, size| product.checked_mul(*size))
        .filter(|count| *count <= isize::MAX as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_beside_a_zero_may_be_huge() {
        let shape = vec![usize::MAX, 2, 0];
        assert_eq!(Literal::new(ElementType::I8, shape.clone(), vec![]).map(|literal| literal.len()), Some(0));
        assert_eq!(Literal::splat(ElementType::I8, shape, vec![1]).map(|literal| literal.len()), Some(0));
        assert_eq!(Literal::splat(ElementType::I8, vec![usize::MAX, 2], vec![1]), None);
    }
}
