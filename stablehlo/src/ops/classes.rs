//! Type classes: the sets of types that declarations name.
//!
//! The words are what diagnostics say; the predicates follow the specification's "Types" and the dialect's declarations.

use super::spec::TypeClass;
use crate::element::ElementType;
use crate::ir::{Module, QuantizationParameters, Type, TypeId};

/// What an element type may be, as a predicate on the module and the scalar type.
pub(super) fn tensor_of(module: &Module, ty: TypeId, accepts: impl Fn(&Module, TypeId) -> bool) -> bool {
    module.tensor(ty).is_some_and(|tensor| accepts(module, tensor.element))
}

pub(super) fn element(module: &Module, ty: TypeId, accepts: impl Fn(ElementType) -> bool) -> bool {
    module.scalar_element(ty).is_some_and(accepts)
}

/// Quantized with one scale for the whole tensor.
fn is_per_tensor(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Quantized(quantized) if matches!(quantized.parameters, QuantizationParameters::PerTensor(_)))
}

/// Quantized in any way.
pub(super) fn is_quantized(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Quantized(_))
}

/// Any storable element type or a per-tensor quantized one.
pub(super) fn is_plain_element(module: &Module, ty: TypeId) -> bool {
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

/// Element types of a class, as a predicate on the scalar type.
fn is(module: &Module, ty: TypeId, accepts: impl Fn(ElementType) -> bool) -> bool {
    module.scalar_element(ty).is_some_and(accepts)
}

/// A float, or a per-tensor quantized value.
fn is_float_or_quantized(module: &Module, ty: TypeId) -> bool {
    is(module, ty, ElementType::is_float) || is_per_tensor(module, ty)
}

/// A number that sizes are written in: an integer or `index`.
fn is_dimension_value(module: &Module, ty: TypeId) -> bool {
    is(module, ty, ElementType::is_integer) || matches!(module.ty(ty), Type::Index)
}

/// A tensor of floats or complex numbers.
pub const FLOAT_OR_COMPLEX_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of float or complex values",
    accepts: |module, ty| {
        tensor_of(module, ty, |module, ty| is(module, ty, |element| element.is_float() || element.is_complex()))
    },
};

/// A tensor of floats, complex numbers or per-tensor quantized values.
pub const FLOAT_COMPLEX_OR_QUANTIZED_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of float, complex or per-tensor quantized values",
    accepts: |module, ty| {
        tensor_of(module, ty, |module, ty| is_float_or_quantized(module, ty) || is(module, ty, ElementType::is_complex))
    },
};

/// A tensor of floats or per-tensor quantized values.
pub const FLOAT_OR_QUANTIZED_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of float or per-tensor quantized values",
    accepts: |module, ty| tensor_of(module, ty, is_float_or_quantized),
};

/// A 1-dimensional tensor of floats or per-tensor quantized values.
pub const FLOAT_OR_QUANTIZED_VECTOR: TypeClass = TypeClass {
    words: "1-dimensional tensor of float or per-tensor quantized values",
    accepts: |module, ty| module.rank(ty) == Some(1) && tensor_of(module, ty, is_float_or_quantized),
};

/// A tensor of booleans, integers or floats.
pub const BOOLEAN_INTEGER_OR_FLOAT_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer or float values",
    accepts: |module, ty| tensor_of(module, ty, |module, ty| is(module, ty, |element| !element.is_complex())),
};

/// A 0-dimensional tensor of booleans, integers or floats.
pub const BOOLEAN_INTEGER_OR_FLOAT_SCALAR: TypeClass = TypeClass {
    words: "0-dimensional tensor of boolean, integer or float values",
    accepts: |module, ty| {
        module.rank(ty) == Some(0)
            && tensor_of(module, ty, |module, ty| is(module, ty, |element| !element.is_complex()))
    },
};

/// A tensor of integers or floats.
pub const INTEGER_OR_FLOAT_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of integer or float values",
    accepts: |module, ty| {
        tensor_of(module, ty, |module, ty| is(module, ty, |element| element.is_integer() || element.is_float()))
    },
};

/// A tensor of static shape of integers or floats.
pub const STATIC_INTEGER_OR_FLOAT_TENSOR: TypeClass = TypeClass {
    words: "statically shaped tensor of integer or float values",
    accepts: |module, ty| {
        module.has_static_shape(ty)
            && tensor_of(module, ty, |module, ty| is(module, ty, |element| element.is_integer() || element.is_float()))
    },
};

/// A tensor of integers of any width and sign (booleans too) or of `index`.
pub const INTEGER_OR_INDEX_TENSOR: TypeClass = TypeClass {
    words: "ranked tensor of integer or index values",
    accepts: |module, ty| {
        tensor_of(module, ty, |module, ty| matches!(module.ty(ty), Type::Integer { .. } | Type::Index))
    },
};

/// A 1-dimensional tensor of static size of integers or `index`: a shape as a value.
pub const STATIC_SHAPE_VECTOR: TypeClass = TypeClass {
    words: "statically shaped 1-dimensional tensor of integer or index values",
    accepts: |module, ty| {
        module.rank(ty) == Some(1) && module.has_static_shape(ty) && tensor_of(module, ty, is_dimension_value)
    },
};

/// A 1-dimensional tensor of static size of integers.
pub const STATIC_INTEGER_VECTOR: TypeClass = TypeClass {
    words: "statically shaped 1-dimensional tensor of integers",
    accepts: |module, ty| {
        module.rank(ty) == Some(1)
            && module.has_static_shape(ty)
            && tensor_of(module, ty, |module, ty| is(module, ty, ElementType::is_integer))
    },
};

/// A 2-dimensional tensor of static shape of integers.
pub const STATIC_INTEGER_MATRIX: TypeClass = TypeClass {
    words: "statically shaped 2-dimensional tensor of integers",
    accepts: |module, ty| {
        module.rank(ty) == Some(2)
            && module.has_static_shape(ty)
            && tensor_of(module, ty, |module, ty| is(module, ty, ElementType::is_integer))
    },
};
