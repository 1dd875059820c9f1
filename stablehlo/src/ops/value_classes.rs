//! Type classes of values that need not be ranked tensors: tokens, tuples, buffers, futures, functions, and CHLO's
//! tensors, which may be unranked.

use super::classes::{ANY_TENSOR, ANY_TENSORS, COMPLEX, FLOAT, INTEGER, PRED, TENSOR, TENSORS, kind};
use super::spec::TypeClass;
use crate::ir::{Module, Type, TypeId};

fn is_token(module: &Module, ty: TypeId) -> bool {
    matches!(module.ty(ty), Type::Token)
}

fn is_buffer(module: &Module, ty: TypeId) -> bool {
    match module.ty(ty) {
        Type::MemRef { element, .. } => kind(module, *element) & TENSORS != 0,
        _ => false,
    }
}

fn is_tensor(module: &Module, ty: TypeId) -> bool {
    (ANY_TENSOR.accepts)(module, ty)
}

/// Any tensor, ranked or not, whose element type is of one of the kinds in `mask`.
fn is_chlo_tensor_of(module: &Module, ty: TypeId, mask: u16) -> bool {
    match module.ty(ty) {
        Type::RankedTensor(tensor) => kind(module, tensor.element) & mask != 0,
        Type::UnrankedTensor { element } => kind(module, *element) & mask != 0,
        _ => false,
    }
}

fn is_chlo_tensor(module: &Module, ty: TypeId) -> bool {
    is_chlo_tensor_of(module, ty, ANY_TENSORS)
}

/// A tuple whose leaves all pass; tuples may nest.
fn is_tuple_of(module: &Module, ty: TypeId, accepts: impl Fn(&Module, TypeId) -> bool) -> bool {
    let Type::Tuple(types) = module.ty(ty) else {
        return false;
    };
    let mut pending: Vec<TypeId> = types.to_vec();
    while let Some(ty) = pending.pop() {
        match module.ty(ty) {
            Type::Tuple(types) => pending.extend(types),
            _ if accepts(module, ty) => {}
            _ => return false,
        }
    }
    true
}

fn is_value_tuple(module: &Module, ty: TypeId) -> bool {
    is_tuple_of(module, ty, |module, ty| is_tensor(module, ty) || is_buffer(module, ty) || is_token(module, ty))
}

/// `!stablehlo.token`
pub const TOKEN: TypeClass = TypeClass { words: "token", accepts: is_token };

/// `!stablehlo.future<…>`
pub const FUTURE: TypeClass =
    TypeClass { words: "future", accepts: |module, ty| matches!(module.ty(ty), Type::Future(_)) };

/// A tensor that is not quantized per axis, or a token.
pub const TENSOR_OR_TOKEN: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or per-tensor quantized values or token",
    accepts: |module, ty| (TENSOR.accepts)(module, ty) || is_token(module, ty),
};

/// Any tensor or token.
pub const ANY_TENSOR_OR_TOKEN: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or quantized values or token",
    accepts: |module, ty| is_tensor(module, ty) || is_token(module, ty),
};

/// Any tensor, token or memory reference.
pub const ANY_TENSOR_TOKEN_OR_BUFFER: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or quantized values or token or memref",
    accepts: |module, ty| is_tensor(module, ty) || is_token(module, ty) || is_buffer(module, ty),
};

/// Any tensor, token or tuple of such.
pub const ANY_TENSOR_TOKEN_OR_TUPLE: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or quantized values or token or nested tuple of such",
    accepts: |module, ty| is_tensor(module, ty) || is_token(module, ty) || is_value_tuple(module, ty),
};

/// Any tensor, token, memory reference or tuple of such.
pub const ANY_VALUE: TypeClass = TypeClass {
    words: "ranked tensor of boolean, integer, float, complex or quantized values or token or memref or nested tuple of such",
    accepts: |module, ty| {
        is_tensor(module, ty) || is_token(module, ty) || is_buffer(module, ty) || is_value_tuple(module, ty)
    },
};

/// A tuple, possibly nested, of tensors, memory references and tokens.
pub const TUPLE: TypeClass =
    TypeClass { words: "nested tuple of ranked tensors, memrefs or tokens", accepts: is_value_tuple };

/// A tensor of known sizes or a token: what comes from outside.
pub const STATIC_TENSOR_OR_TOKEN: TypeClass = TypeClass {
    words: "statically shaped tensor of boolean, integer, float, complex or quantized values or token",
    accepts: |module, ty| (is_tensor(module, ty) && module.has_static_shape(ty)) || is_token(module, ty),
};

/// A tensor of known sizes.
pub const STATIC_TENSOR: TypeClass = TypeClass {
    words: "statically shaped tensor of boolean, integer, float, complex or per-tensor quantized values",
    accepts: |module, ty| (TENSOR.accepts)(module, ty) && module.has_static_shape(ty),
};

/// What foreign code may take and give.
pub const CUSTOM_CALL_VALUE: TypeClass = TypeClass {
    words: "tensor of boolean, integer, float, complex or quantized values or memref or token or nested tuple of such or future",
    accepts: |module, ty| {
        let leaf = |module: &Module, ty| is_chlo_tensor(module, ty) || is_buffer(module, ty) || is_token(module, ty);
        leaf(module, ty) || is_tuple_of(module, ty, leaf) || matches!(module.ty(ty), Type::Future(_))
    },
};

/// A function.
pub const FUNCTION: TypeClass =
    TypeClass { words: "function type", accepts: |module, ty| matches!(module.ty(ty), Type::Function { .. }) };

/// CHLO: any tensor, ranked or not.
pub const CHLO_TENSOR: TypeClass =
    TypeClass { words: "tensor of boolean, integer, float, complex or quantized values", accepts: is_chlo_tensor };

/// CHLO: any tensor of booleans.
pub const CHLO_PRED_TENSOR: TypeClass =
    TypeClass { words: "tensor of bool values", accepts: |module, ty| is_chlo_tensor_of(module, ty, PRED) };

/// CHLO: any tensor of floats.
pub const CHLO_FLOAT_TENSOR: TypeClass =
    TypeClass { words: "tensor of float values", accepts: |module, ty| is_chlo_tensor_of(module, ty, FLOAT) };

/// CHLO: any tensor of complex numbers.
pub const CHLO_COMPLEX_TENSOR: TypeClass =
    TypeClass { words: "tensor of complex values", accepts: |module, ty| is_chlo_tensor_of(module, ty, COMPLEX) };

/// CHLO: any tensor of floats or complex numbers.
pub const CHLO_FLOAT_OR_COMPLEX_TENSOR: TypeClass = TypeClass {
    words: "tensor of float or complex values",
    accepts: |module, ty| is_chlo_tensor_of(module, ty, FLOAT | COMPLEX),
};

/// CHLO: any tensor of booleans or integers.
pub const CHLO_PRED_OR_INTEGER_TENSOR: TypeClass = TypeClass {
    words: "tensor of boolean or integer values",
    accepts: |module, ty| is_chlo_tensor_of(module, ty, PRED | INTEGER),
};
