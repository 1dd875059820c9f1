//! Type classes: the sets of types that declarations name.
//!
//! The words are what diagnostics say; the predicates follow the specification's "Types" and the dialect's declarations.

use super::spec::TypeClass;
use crate::element::ElementType;
use crate::ir::{Module, QuantizationParameters, Type, TypeId};

/// What an element type may be, as a predicate on the module and the scalar type.
fn tensor_of(module: &Module, ty: TypeId, accepts: impl Fn(&Module, TypeId) -> bool) -> bool {
    module.tensor(ty).is_some_and(|tensor| accepts(module, tensor.element))
}

fn element(module: &Module, ty: TypeId, accepts: impl Fn(ElementType) -> bool) -> bool {
    module.scalar_element(ty).is_some_and(accepts)
}

/// Quantized with one scale for the whole tensor.
fn is_per_tensor(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Quantized(quantized) if matches!(quantized.parameters, QuantizationParameters::PerTensor(_)))
}

/// Quantized in any way.
fn is_quantized(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Quantized(_))
}

/// Any storable element type or a per-tensor quantized one.
fn is_plain_element(module: &Module, ty: TypeId) -> bool {
    module.scalar_element(ty).is_some() || is_per_tensor(module, ty)
}

/// Any tensor; per-axis quantized ones excepted.
pub const TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or per-tensor quantized values",
    accepts: |module, ty| tensor_of(module, ty, is_plain_element),
};

/// Any tensor.
pub const ANY_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or quantized values",
    accepts: |module, ty| tensor_of(module, ty, |module, ty| is_plain_element(module, ty) || is_quantized(module, ty)),
};

/// A 0-dimensional tensor.
pub const SCALAR_TENSOR: TypeClass = TypeClass {
    words: "0-dimensional tensor of boolean, integer, float, complex or per-tensor quantized values",
    accepts: |module, ty| module.rank(ty) == Some(0) && tensor_of(module, ty, is_plain_element),
};

/// Any value at all.
pub const ANY: TypeClass = TypeClass { words: "any type", accepts: |_, _| true };

/// A tensor of booleans or integers.
pub const INTEGER_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of integers",
    accepts: |module, ty| {
        tensor_of(module, ty, |module, ty| element(module, ty, |element| element.is_integer() && !element.is_boolean()))
    },
};
