//! Inferred types and how they are compared with written ones.

use crate::ir::{DYNAMIC, Dims, Module, QuantizationParameters, QuantizedType, Shape, Type, TypeId};

/// A type that inference computed; it need not be interned.
#[derive(Clone, PartialEq, Debug)]
pub enum Inferred {
    /// An existing type.
    Type(TypeId),
    /// A ranked tensor.
    Tensor {
        /// Sizes, dynamic where nothing is known.
        shape: Shape,
        /// Bounds of dynamic dimensions ([`DYNAMIC`] where there is none); empty when there are none at all.
        bounds: Dims,
        /// Element type; none when it does not follow from the operands.
        element: Option<TypeId>,
    },
}

impl Inferred {
    /// A tensor without bounds.
    pub fn tensor(shape: impl Into<Shape>, element: TypeId) -> Self {
        Inferred::Tensor { shape: shape.into(), bounds: Dims::new(), element: Some(element) }
    }

    /// One dimension known several times, each as size and bound ([`DYNAMIC`] where unknown): known sizes win over unknown
    /// ones, smaller bounds over larger ones. None when they disagree.
    pub fn merge_dimensions(known: impl IntoIterator<Item = (i64, i64)>) -> Option<(i64, i64)> {
        known.into_iter().try_fold((DYNAMIC, DYNAMIC), merge_dimension)
    }

    /// Whether a value of this type may be declared as `written`: the same kind and element type, and sizes that are
    /// equal wherever both are known. Bounds never exclude each other unless a static size exceeds a bound.
    pub fn admits(&self, module: &Module, written: TypeId) -> bool {
        match self {
            Inferred::Type(ty) => compatible_types(module, *ty, written),
            Inferred::Tensor { shape, bounds, element } => {
                let Some(tensor) = module.tensor(written) else {
                    return matches!(module.ty(written), Type::UnrankedTensor { .. });
                };
                element.is_none_or(|element| compatible_elements(module, element, tensor.element))
                    && compatible_shapes(shape, bounds, &tensor.shape, module.bounds(written).unwrap_or(&[]))
            }
        }
    }
}

/// Whether two types may describe one value: equal, or tensors (or tuples of them) equal up to unknown sizes.
pub fn compatible_types(module: &Module, a: TypeId, b: TypeId) -> bool {
    if a == b {
        return true;
    }
    match (module.ty(a), module.ty(b)) {
        (Type::RankedTensor(x), Type::RankedTensor(y)) => {
            compatible_elements(module, x.element, y.element)
                && compatible_shapes(
                    &x.shape,
                    module.bounds(a).unwrap_or(&[]),
                    &y.shape,
                    module.bounds(b).unwrap_or(&[]),
                )
        }
        (Type::UnrankedTensor { element: x }, Type::UnrankedTensor { element: y }) => {
            compatible_elements(module, *x, *y)
        }
        (Type::UnrankedTensor { element }, Type::RankedTensor(ranked))
        | (Type::RankedTensor(ranked), Type::UnrankedTensor { element }) => {
            compatible_elements(module, *element, ranked.element)
        }
        (Type::Tuple(xs), Type::Tuple(ys)) => {
            xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| compatible_types(module, *x, *y))
        }
        _ => false,
    }
}

/// Whether two element types may describe one value: equal, or both quantized alike up to scales, zero points and
/// quantization dimensions.
pub fn compatible_elements(module: &Module, a: TypeId, b: TypeId) -> bool {
    if a == b {
        return true;
    }
    match (module.ty(a), module.ty(b)) {
        (Type::Quantized(x), Type::Quantized(y)) => {
            let per_tensor = |ty: &QuantizedType| matches!(ty.parameters, QuantizationParameters::PerTensor(_));
            x.storage == y.storage && x.expressed == y.expressed && per_tensor(x) == per_tensor(y)
        }
        _ => false,
    }
}

/// Whether two shapes may describe one value.
pub fn compatible_shapes(a: &[i64], a_bounds: &[i64], b: &[i64], b_bounds: &[i64]) -> bool {
    let bound = |bounds: &[i64], dim: usize| bounds.get(dim).copied().filter(|bound| *bound != DYNAMIC);
    let fits = |size: i64, bound: Option<i64>| bound.is_none_or(|bound| size <= bound);
    a.len() == b.len()
        && a.iter().zip(b).enumerate().all(|(dim, (x, y))| match (*x, *y) {
            (DYNAMIC, DYNAMIC) => true,
            (DYNAMIC, size) => fits(size, bound(a_bounds, dim)),
            (size, DYNAMIC) => fits(size, bound(b_bounds, dim)),
            (x, y) => x == y,
        })
}

/// One dimension known twice, as size and bound; none when the two disagree.
fn merge_dimension(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    let within = |size: i64, bound: i64| bound == DYNAMIC || size <= bound;
    match (a, b) {
        ((DYNAMIC, x), (DYNAMIC, DYNAMIC)) | ((DYNAMIC, DYNAMIC), (DYNAMIC, x)) => Some((DYNAMIC, x)),
        ((DYNAMIC, x), (DYNAMIC, y)) => Some((DYNAMIC, x.min(y))),
        ((size, _), (DYNAMIC, bound)) | ((DYNAMIC, bound), (size, _)) => within(size, bound).then_some((size, DYNAMIC)),
        ((x, _), (y, _)) => (x == y).then_some((x, DYNAMIC)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `X` is a size, `(?, B)` a bound: the table of bounded dynamism.
    #[test]
    fn dimensions_known_twice() {
        let (unknown, bounded) = ((DYNAMIC, DYNAMIC), |bound| (DYNAMIC, bound));
        let both = |a, b| {
            let merged = Inferred::merge_dimensions([a, b]);
            assert_eq!(merged, Inferred::merge_dimensions([b, a]), "the order does not matter");
            merged
        };
        let size = |size| (size, DYNAMIC);
        assert_eq!(both(size(3), size(3)), Some(size(3)));
        assert_eq!(both(size(3), size(4)), None);
        assert_eq!(both(size(3), unknown), Some(size(3)));
        assert_eq!(both(size(3), bounded(4)), Some(size(3)));
        assert_eq!(both(size(3), bounded(2)), None);
        assert_eq!(both(unknown, unknown), Some(unknown));
        assert_eq!(both(unknown, bounded(2)), Some(bounded(2)));
        assert_eq!(both(bounded(5), bounded(2)), Some(bounded(2)));
    }

    #[test]
    fn shapes_that_may_be_one() {
        assert!(compatible_shapes(&[2, DYNAMIC], &[], &[2, 3], &[]));
        assert!(!compatible_shapes(&[2, DYNAMIC], &[DYNAMIC, 2], &[2, 3], &[]));
        assert!(compatible_shapes(&[2, DYNAMIC], &[DYNAMIC, 3], &[DYNAMIC, 3], &[2, DYNAMIC]));
        assert!(!compatible_shapes(&[2], &[], &[2, 1], &[]));
        assert!(!compatible_shapes(&[2], &[], &[3], &[]));
    }
}
