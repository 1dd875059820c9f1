//! Tensors: element type, shape and shared storage bytes, read and written through `ndarray`.
//!
//! Storage is that of [`Literal`]: row-major, one element per ⌈bits/8⌉ little-endian bytes. A tensor is made from a
//! literal and back without copying, and clones share the bytes. Ops see the storage in one of two ways:
//!
//! - ops that move data look at *words*, `[u8; W]` with the element's width: [`Tensor::words`] is an `ndarray` view of
//!   them, [`by_width`](crate::tensor::by_width) chooses `W` once per op;
//! - ops that compute read [`Element`]s, native values ([`Tensor::to_vec`], [`Tensor::from_vec`]).
//!
//! **Invariant:** storage holds either every element, or one that stands for all (a *splat*), so that a splat of 16 GiB
//! takes a few bytes until an op needs each element. A tensor of one element is both; one without elements holds nothing.

use std::fmt;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder};
use smallvec::SmallVec;
use stablehlo::element::ElementType;
use stablehlo::ir::{Literal, element_count};

use crate::element::{Element, Integer};
use crate::error::{EvalError, Result};
use crate::memory::Lease;

/// Sizes of dimensions, or other numbers per dimension.
pub type Dims = SmallVec<[usize; 4]>;

/// A tensor value. Cloning is cheap.
#[derive(Clone)]
pub struct Tensor {
    element: ElementType,
    shape: Dims,
    data: Bytes,
    lease: Option<Arc<Lease>>,
}

/// Runs `$body` with the constant `$w` set to the storage width of the element type, so that data movement is compiled
/// once per width (1, 2, 4, 8 and 16 bytes) and not per element type.
macro_rules! by_width {
    ($element:expr, $w:ident => $body:expr) => {
        match $element.byte_width() {
            1 => {
                const $w: usize = 1;
                $body
            }
            2 => {
                const $w: usize = 2;
                $body
            }
            4 => {
                const $w: usize = 4;
                $body
            }
            8 => {
                const $w: usize = 8;
                $body
            }
            _ => {
                const $w: usize = 16;
                $body
            }
        }
    };
}
pub(crate) use by_width;

impl Tensor {
    /// A tensor of all its elements' bytes; none when their number does not fit element type and shape.
    pub fn new(element: ElementType, shape: &[usize], data: impl Into<Bytes>) -> Option<Self> {
        let data = data.into();
        let wanted = n_bytes(element, shape)?;
        (data.len() == wanted).then(|| Self { element, shape: shape.into(), data, lease: None })
    }

    /// A tensor whose elements are all this one, given in storage form; none when the sizes do not fit.
    pub fn splat(element: ElementType, shape: &[usize], value: impl Into<Bytes>) -> Option<Self> {
        let mut data = value.into();
        if data.len() != element.byte_width() {
            return None;
        }
        if count(shape)? == 0 {
            data = Bytes::new();
        }
        Some(Self { element, shape: shape.into(), data, lease: None })
    }

    /// A 0-dimensional tensor.
    pub fn scalar<T: Element>(value: T) -> Self {
        Self::full(&[], value)
    }

    /// A tensor whose elements all have this value.
    ///
    /// `shape` must be that of an existing tensor or have been checked: a shape with too many elements gives no
    /// elements at all.
    pub fn full<T: Element>(shape: &[usize], value: T) -> Self {
        let mut data = vec![0; T::WIDTH];
        value.write_le(&mut data);
        Self::splat(T::TYPE, shape, data).unwrap_or_else(|| Self::empty(T::TYPE))
    }

    /// A tensor of these elements in row-major order; none when their number does not fit the shape.
    pub fn from_vec<T: Element>(shape: &[usize], values: &[T]) -> Option<Self> {
        Self::new(T::TYPE, shape, crate::element::write_all(values))
    }

    /// A tensor of the words of an array.
    pub fn from_words<const W: usize>(element: ElementType, words: ArrayD<[u8; W]>) -> Self {
        debug_assert_eq!(element.byte_width(), W);
        let shape = words.shape().into();
        let words = if words.is_standard_layout() {
            words.into_raw_vec_and_offset().0
        } else {
            words.iter().copied().collect()
        };
        Self { element, shape, data: words.into_flattened().into(), lease: None }
    }

    fn empty(element: ElementType) -> Self {
        Self { element, shape: [0].as_slice().into(), data: Bytes::new(), lease: None }
    }

    /// Element type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        count(&self.shape).unwrap_or(0)
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Stored bytes: all elements, or one for a splat.
    pub fn data(&self) -> &Bytes {
        &self.data
    }

    /// The one element that stands for all, in storage form; also that of a tensor with a single element.
    pub fn splat_bytes(&self) -> Option<&[u8]> {
        (self.data.len() == self.element.byte_width()).then_some(&self.data[..])
    }

    /// The one element that stands for all.
    pub fn splat_value<T: Element>(&self) -> Option<T> {
        self.splat_bytes().map(T::read_le)
    }

    /// The bytes of the element at `index` in row-major order; empty if there is none.
    pub fn element_bytes(&self, index: usize) -> &[u8] {
        let width = self.element.byte_width();
        let at = if self.data.len() == width { 0 } else { index.saturating_mul(width) };
        self.data.get(at..at.saturating_add(width)).unwrap_or(&[])
    }

    /// The element at `index` in row-major order.
    pub fn get<T: Element>(&self, index: usize) -> T {
        debug_assert_eq!(T::TYPE, self.element);
        T::read_le(self.element_bytes(index))
    }

    /// All elements in row-major order; a splat is written out.
    pub fn to_vec<T: Element>(&self) -> Vec<T> {
        debug_assert_eq!(T::TYPE, self.element);
        match self.splat_value() {
            Some(value) => vec![value; self.len()],
            None => crate::element::read_all(&self.data),
        }
    }

    /// A view of the elements as words of `W` bytes, which must be the element type's width.
    pub fn words<const W: usize>(&self) -> ArrayViewD<'_, [u8; W]> {
        debug_assert_eq!(self.element.byte_width(), W);
        let words = self.data.as_chunks::<W>().0;
        let view = match words {
            [word] => splat_view(word, &self.shape),
            words => ArrayViewD::from_shape(IxDyn(&self.shape), words).ok(),
        };
        view.expect("a tensor's data fits its shape")
    }

    /// The only word of a 0-dimensional tensor (of a larger one the first).
    pub fn word<const W: usize>(&self) -> [u8; W] {
        self.data.first_chunk().copied().unwrap_or([0; W])
    }

    /// The storage as bytes that can be changed, without copying when nothing else shares them. A splat is written out.
    pub fn into_bytes_mut(self) -> BytesMut {
        let len = self.len() * self.element.byte_width();
        if self.data.len() == len {
            return self.data.try_into_mut().unwrap_or_else(|shared| BytesMut::from(&shared[..]));
        }
        BytesMut::from_iter(self.data.iter().copied().cycle().take(len))
    }

    /// The same elements in another shape of the same number of elements.
    pub fn reshaped(&self, shape: &[usize]) -> Result<Self> {
        if count(shape) != Some(self.len()) {
            let message =
                format!("{} elements of shape {} do not fit shape {}", self.len(), show(&self.shape), show(shape));
            return Err(EvalError::invalid("exec/shape-mismatch", message));
        }
        Ok(Self { shape: shape.into(), ..self.clone() })
    }

    /// The same bytes read as another element type of the same storage width.
    pub(crate) fn reinterpreted(&self, element: ElementType) -> Self {
        debug_assert_eq!(element.byte_width(), self.element.byte_width());
        Self { element, ..self.clone() }
    }

    /// Elements of a tensor of booleans or integers as numbers, exactly; empty for other element types.
    pub fn integers(&self) -> Vec<i128> {
        (0..self.len()).map_while(|index| self.integer(index)).collect()
    }

    /// Elements of a tensor of integers, those beyond `i64` moved to its bounds, which as an index or a size is as
    /// good; empty for other element types.
    pub fn saturated_integers(&self) -> Vec<i64> {
        if self.element == ElementType::UI64 {
            return self.to_vec::<u64>().into_iter().map(|value| i64::try_from(value).unwrap_or(i64::MAX)).collect();
        }
        let values = crate::dispatch_integer!(self.element, T => {
            self.to_vec::<T>().into_iter().map(|value| Integer::to_i128(value) as i64).collect()
        });
        values.unwrap_or_default()
    }

    /// The element at `index` of a tensor of booleans or integers as a number.
    pub fn integer(&self, index: usize) -> Option<i128> {
        let element = self.element;
        if !(element.is_integer() || element.is_boolean()) {
            return None;
        }
        let mut bytes = [0; 16];
        let stored = self.element_bytes(index);
        bytes.get_mut(..stored.len())?.copy_from_slice(stored);
        let unused = 128 - element.bits();
        let shifted = u128::from_le_bytes(bytes) << unused;
        Some(if element.is_signed() { (shifted as i128) >> unused } else { (shifted >> unused) as i128 })
    }

    /// Bytes that the storage takes.
    pub fn n_stored_bytes(&self) -> usize {
        self.data.len()
    }

    pub(crate) fn lease(&self) -> Option<&Arc<Lease>> {
        self.lease.as_ref()
    }

    pub(crate) fn set_lease(&mut self, lease: Arc<Lease>) {
        self.lease = Some(lease);
    }
}

/// A view of shape `shape` in which every element is `word`.
fn splat_view<'a, const W: usize>(word: &'a [u8; W], shape: &[usize]) -> Option<ArrayViewD<'a, [u8; W]>> {
    let strides = IxDyn(&vec![0; shape.len()]);
    ArrayViewD::from_shape(IxDyn(shape).strides(strides), std::slice::from_ref(word)).ok()
}

impl From<&Literal> for Tensor {
    fn from(literal: &Literal) -> Self {
        let (element, shape, data) = (literal.element(), literal.shape(), literal.data().clone());
        let tensor =
            if literal.is_splat() { Self::splat(element, shape, data) } else { Self::new(element, shape, data) };
        tensor.unwrap_or_else(|| Self::empty(element))
    }
}

impl From<&Tensor> for Literal {
    fn from(tensor: &Tensor) -> Self {
        let (element, shape, data) = (tensor.element, tensor.shape.to_vec(), tensor.data.clone());
        Literal::new(element, shape.clone(), data.clone())
            .or_else(|| Literal::splat(element, shape, data))
            .expect("a tensor's storage is whole or a splat")
    }
}

/// Equal element types, shapes and bits.
impl PartialEq for Tensor {
    fn eq(&self, other: &Self) -> bool {
        self.element == other.element
            && self.shape == other.shape
            && (self.data == other.data
                || (self.data.len() != other.data.len()
                    && (0..self.len()).all(|index| self.element_bytes(index) == other.element_bytes(index))))
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tensor<{}{}> ({} bytes)", Sizes(&self.shape), self.element, self.data.len())
    }
}

/// Number of elements of a shape; none when the product of its sizes other than 0 does not fit `isize`, so that neither
/// strides nor arrays of such a shape overflow even where there are no elements.
pub fn count(shape: &[usize]) -> Option<usize> {
    let filled: Dims = shape.iter().copied().filter(|size| *size != 0).collect();
    element_count(&filled)?;
    element_count(shape)
}

/// Bytes that all elements of a tensor take; none when they do not fit `isize`.
pub fn n_bytes(element: ElementType, shape: &[usize]) -> Option<usize> {
    count(shape)?.checked_mul(element.byte_width()).filter(|bytes| *bytes <= isize::MAX as usize)
}

/// `2x3x`, as types write it before the element type.
pub(crate) struct Sizes<'a>(pub &'a [usize]);

impl fmt::Display for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|size| write!(f, "{size}x"))
    }
}

/// `[2, 3]`
pub(crate) fn show(shape: &[usize]) -> String {
    format!("{shape:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view of such a shape has no strides, so there must be no such tensor.
    #[test]
    fn shapes_without_elements_must_fit_too() {
        for shape in [[0, 1 << 62, 8], [1 << 62, 8, 0]] {
            assert!(Tensor::new(ElementType::I8, &shape, Vec::new()).is_none(), "{shape:?}");
            assert!(Tensor::splat(ElementType::I8, &shape, vec![0]).is_none(), "{shape:?}");
        }
        let tensor = Tensor::new(ElementType::I8, &[0, 1 << 62], Vec::new()).unwrap();
        assert_eq!(tensor.words::<1>().shape(), [0, 1 << 62]);
    }
}
