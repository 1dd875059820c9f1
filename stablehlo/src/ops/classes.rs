//! Type classes: the sets of types that declarations name.
//!
//! The words are what diagnostics say; the predicates follow the specification's "Types" and the dialect's declarations.
//! Whether a quantized type is well formed (ranges, scales, axis) is not decided here but in
//! [`verify::types`](crate::verify), for every type once.

use super::spec::TypeClass;
use crate::ir::{DYNAMIC, FloatKind, Module, QuantizationParameters, QuantizedType, Signedness, Type, TypeId};

// Kinds of element types, as bits of a mask.
/// `i1`
pub(super) const PRED: u16 = 1;
/// Signless integers of 2 to 64 bits, which StableHLO reads as signed.
const SIGNED: u16 = 1 << 1;
/// Unsigned integers of 2 to 64 bits.
const UNSIGNED: u16 = 1 << 2;
/// Floats other than `f32` and `f64`.
const NARROW_FLOAT: u16 = 1 << 3;
/// `f32`, `f64`
const WIDE_FLOAT: u16 = 1 << 4;
/// `complex<f32>`, `complex<f64>`
pub(super) const COMPLEX: u16 = 1 << 5;
/// Quantized with one scale for the whole tensor.
const PER_TENSOR: u16 = 1 << 6;
/// Quantized with one scale per slice.
const PER_AXIS: u16 = 1 << 7;
/// `index`
const INDEX: u16 = 1 << 8;

pub(super) const INTEGER: u16 = SIGNED | UNSIGNED;
pub(super) const FLOAT: u16 = NARROW_FLOAT | WIDE_FLOAT;
const PLAIN: u16 = PRED | INTEGER | FLOAT | COMPLEX;
pub(super) const TENSORS: u16 = PLAIN | PER_TENSOR;
pub(super) const ANY_TENSORS: u16 = TENSORS | PER_AXIS;
const DIMENSIONS: u16 = INTEGER | INDEX;

/// The kind of an element type; 0 for types that no StableHLO tensor holds.
pub(super) fn kind(module: &Module, ty: TypeId) -> u16 {
    match module.ty(ty) {
        Type::Integer { width: 1, signedness: Signedness::Signless } => PRED,
        Type::Integer { width: 2 | 4 | 8 | 16 | 32 | 64, signedness: Signedness::Signless } => SIGNED,
        Type::Integer { width: 2 | 4 | 8 | 16 | 32 | 64, signedness: Signedness::Unsigned } => UNSIGNED,
        Type::Float(FloatKind::F32 | FloatKind::F64) => WIDE_FLOAT,
        Type::Float(kind) if kind.element().is_some() => NARROW_FLOAT,
        Type::Complex(part) if matches!(module.ty(*part), Type::Float(FloatKind::F32 | FloatKind::F64)) => COMPLEX,
        Type::Quantized(quantized) => quantized_kind(module, quantized),
        Type::Index => INDEX,
        _ => 0,
    }
}

/// StableHLO's quantized types store integers of up to 32 bits and have a scale per tensor or per slice.
fn quantized_kind(module: &Module, quantized: &QuantizedType) -> u16 {
    let integral = match module.ty(quantized.storage.ty) {
        Type::Integer { width: 2 | 4 | 8 | 16 | 32, signedness } => {
            *signedness == Signedness::Signless || !quantized.storage.signed
        }
        _ => false,
    };
    match (&quantized.parameters, integral) {
        (QuantizationParameters::PerTensor(_), true) => PER_TENSOR,
        (QuantizationParameters::PerAxis { .. }, true) => PER_AXIS,
        _ => 0,
    }
}

/// A ranked tensor of one of the kinds in `mask`.
fn tensor_of(module: &Module, ty: TypeId, mask: u16) -> bool {
    module.tensor(ty).is_some_and(|tensor| kind(module, tensor.element) & mask != 0)
}

/// The same of a given rank.
fn ranked(module: &Module, ty: TypeId, rank: usize, mask: u16) -> bool {
    module.rank(ty) == Some(rank) && tensor_of(module, ty, mask)
}

/// A 0-dimensional tensor of exactly `element`.
fn is_scalar(module: &Module, ty: TypeId, element: &Type) -> bool {
    module.tensor(ty).is_some_and(|tensor| tensor.shape.is_empty() && module.ty(tensor.element) == element)
}

/// A ranked tensor of one of the kinds in `mask`, all sizes of which are known.
fn sized(module: &Module, ty: TypeId, mask: u16) -> bool {
    module.has_static_shape(ty) && tensor_of(module, ty, mask)
}

/// Whether at most one size is unknown, and bounded if so.
fn static_or_single_bounded(module: &Module, ty: TypeId) -> bool {
    let Some(shape) = module.shape(ty) else {
        return false;
    };
    let mut unknown = shape.iter().enumerate().filter(|(_, size)| **size == DYNAMIC).map(|(dim, _)| dim);
    match (unknown.next(), unknown.next()) {
        (None, _) => true,
        (Some(dim), None) => {
            module.bounds(ty).and_then(|bounds| bounds.get(dim)).is_some_and(|bound| *bound != DYNAMIC)
        }
        _ => false,
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $words:literal, |$module:ident, $ty:ident| $accepts:expr;)*) => {$(
        $(#[$doc])*
        pub const $name: TypeClass = TypeClass { words: $words, accepts: |$module: &Module, $ty: TypeId| $accepts };
    )*};
}

classes! {
    /// Any value at all.
    ANY = "any type", |_module, _ty| true;

    /// Any tensor; per-axis quantized ones excepted.
    TENSOR = "ranked tensor of boolean, integer, float, complex or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, TENSORS);
    /// Any tensor.
    ANY_TENSOR = "ranked tensor of boolean, integer, float, complex or quantized values",
        |module, ty| tensor_of(module, ty, ANY_TENSORS);
    /// Any tensor that is not quantized.
    PLAIN_TENSOR = "ranked tensor of boolean, integer, float or complex values",
        |module, ty| tensor_of(module, ty, PLAIN);
    /// A 0-dimensional tensor.
    SCALAR_TENSOR = "0-dimensional tensor of boolean, integer, float, complex or per-tensor quantized values",
        |module, ty| ranked(module, ty, 0, TENSORS);

    /// A tensor of booleans.
    PRED_TENSOR = "ranked tensor of booleans (i1)", |module, ty| tensor_of(module, ty, PRED);
    /// A 0-dimensional tensor of booleans.
    SCALAR_PRED_TENSOR = "0-dimensional tensor of booleans (i1)", |module, ty| ranked(module, ty, 0, PRED);
    /// A tensor of integers.
    INTEGER_TENSOR = "ranked tensor of integers", |module, ty| tensor_of(module, ty, INTEGER);
    /// A 0-dimensional tensor of integers.
    SCALAR_INTEGER_TENSOR = "0-dimensional tensor of integers", |module, ty| ranked(module, ty, 0, INTEGER);
    /// A tensor of booleans or integers.
    PRED_OR_INTEGER_TENSOR = "ranked tensor of booleans or integers",
        |module, ty| tensor_of(module, ty, PRED | INTEGER);
    /// A 0-dimensional tensor of `i32`.
    SCALAR_I32_TENSOR = "0-dimensional tensor of i32 values",
        |module, ty| is_scalar(module, ty, &Type::Integer { width: 32, signedness: Signedness::Signless });
    /// A 0-dimensional tensor of `ui32`.
    SCALAR_UI32_TENSOR = "0-dimensional tensor of ui32 values",
        |module, ty| is_scalar(module, ty, &Type::Integer { width: 32, signedness: Signedness::Unsigned });

    /// A tensor of floats.
    FLOAT_TENSOR = "ranked tensor of floats", |module, ty| tensor_of(module, ty, FLOAT);
    /// A tensor of `f32` or `f64`.
    WIDE_FLOAT_TENSOR = "ranked tensor of f32 or f64 values", |module, ty| tensor_of(module, ty, WIDE_FLOAT);
    /// A tensor of complex numbers.
    COMPLEX_TENSOR = "ranked tensor of complex numbers", |module, ty| tensor_of(module, ty, COMPLEX);
    /// A tensor of floats or complex numbers.
    FLOAT_OR_COMPLEX_TENSOR = "ranked tensor of floats or complex numbers",
        |module, ty| tensor_of(module, ty, FLOAT | COMPLEX);
    /// A tensor of floats or per-tensor quantized values.
    FLOAT_OR_QUANTIZED_TENSOR = "ranked tensor of floats or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, FLOAT | PER_TENSOR);
    /// A tensor of floats, complex numbers or per-tensor quantized values.
    FLOAT_COMPLEX_OR_QUANTIZED_TENSOR = "ranked tensor of floats, complex numbers or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, FLOAT | COMPLEX | PER_TENSOR);
    /// A tensor of integers or floats.
    INTEGER_OR_FLOAT_TENSOR = "ranked tensor of integers or floats", |module, ty| tensor_of(module, ty, INTEGER | FLOAT);
    /// A tensor of numbers.
    NUMBER_TENSOR = "ranked tensor of integers, floats, complex numbers or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, INTEGER | FLOAT | COMPLEX | PER_TENSOR);
    /// A tensor of numbers that have a sign.
    SIGNED_TENSOR = "ranked tensor of signed integers, floats, complex numbers or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, SIGNED | FLOAT | COMPLEX | PER_TENSOR);
    /// A tensor of magnitudes: real numbers of a signed type.
    MAGNITUDE_TENSOR = "ranked tensor of signed integers, floats or per-tensor quantized values",
        |module, ty| tensor_of(module, ty, SIGNED | FLOAT | PER_TENSOR);
    /// A tensor of booleans, integers or floats.
    BOOLEAN_INTEGER_OR_FLOAT_TENSOR = "ranked tensor of booleans, integers or floats",
        |module, ty| tensor_of(module, ty, PRED | INTEGER | FLOAT);
    /// A 0-dimensional tensor of booleans, integers or floats.
    BOOLEAN_INTEGER_OR_FLOAT_SCALAR = "0-dimensional tensor of booleans, integers or floats",
        |module, ty| ranked(module, ty, 0, PRED | INTEGER | FLOAT);
    /// A 1-dimensional tensor of floats or per-tensor quantized values.
    FLOAT_OR_QUANTIZED_VECTOR = "1-dimensional tensor of floats or per-tensor quantized values",
        |module, ty| ranked(module, ty, 1, FLOAT | PER_TENSOR);

    /// A quantized tensor.
    ANY_QUANTIZED_TENSOR = "ranked tensor of quantized values", |module, ty| tensor_of(module, ty, PER_TENSOR | PER_AXIS);
    /// A tensor of floats or quantized values.
    FLOAT_OR_ANY_QUANTIZED_TENSOR = "ranked tensor of floats or quantized values",
        |module, ty| tensor_of(module, ty, FLOAT | PER_TENSOR | PER_AXIS);

    /// Any tensor whose sizes are all known.
    STATIC_ANY_TENSOR = "statically shaped tensor of boolean, integer, float, complex or quantized values",
        |module, ty| sized(module, ty, ANY_TENSORS);
    /// A tensor of numbers whose sizes are all known.
    STATIC_NUMBER_TENSOR =
        "statically shaped tensor of integers, floats, complex numbers or per-tensor quantized values",
        |module, ty| sized(module, ty, INTEGER | FLOAT | COMPLEX | PER_TENSOR);
    /// Any tensor whose sizes are all known, but for one that may be bounded.
    STATIC_OR_BOUNDED_ANY_TENSOR =
        "tensor of boolean, integer, float, complex or quantized values with static sizes, one of which may be bounded instead",
        |module, ty| tensor_of(module, ty, ANY_TENSORS) && static_or_single_bounded(module, ty);
    /// A tensor of integers or floats whose sizes are all known.
    STATIC_INTEGER_OR_FLOAT_TENSOR = "statically shaped tensor of integers or floats",
        |module, ty| sized(module, ty, INTEGER | FLOAT);
    /// A tensor of integers of any width and sign (booleans too) or of `index`.
    INTEGER_OR_INDEX_TENSOR = "ranked tensor of integers or index values", |module, ty| {
        module.tensor(ty).is_some_and(|tensor| matches!(module.ty(tensor.element), Type::Integer { .. } | Type::Index))
    };
    /// A shape as a value.
    SHAPE_VECTOR = "1-dimensional tensor of integers or index values", |module, ty| ranked(module, ty, 1, DIMENSIONS);
    /// A shape as a value, of known length.
    STATIC_SHAPE_VECTOR = "statically shaped 1-dimensional tensor of integers or index values",
        |module, ty| ranked(module, ty, 1, DIMENSIONS) && module.has_static_shape(ty);
    /// A 1-dimensional tensor of integers of known size.
    STATIC_INTEGER_VECTOR = "statically shaped 1-dimensional tensor of integers",
        |module, ty| ranked(module, ty, 1, INTEGER) && module.has_static_shape(ty);
    /// A 2-dimensional tensor of integers of known shape.
    STATIC_INTEGER_MATRIX = "statically shaped 2-dimensional tensor of integers",
        |module, ty| ranked(module, ty, 2, INTEGER) && module.has_static_shape(ty);
}
