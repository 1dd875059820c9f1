//! Which attributes are of a declared kind.

use crate::ir::{AttrId, Attribute, FloatKind, Module, Signedness, Type, TypeId};
use crate::ops::spec::AttrKind;

/// Whether `attr` is of `kind`.
pub(super) fn accepts(module: &Module, kind: AttrKind, attr: AttrId) -> bool {
    let value = module.attr(attr);
    match kind {
        AttrKind::Any => true,
        AttrKind::I64 => is_integer(module, value, 64, Signedness::Signless),
        AttrKind::I32 => is_integer(module, value, 32, Signedness::Signless),
        AttrKind::UI32 => is_integer(module, value, 32, Signedness::Unsigned),
        AttrKind::UI64 => is_integer(module, value, 64, Signedness::Unsigned),
        AttrKind::Bool => is_integer(module, value, 1, Signedness::Signless),
        AttrKind::F32 => is_float(module, value, FloatKind::F32),
        AttrKind::F64 => is_float(module, value, FloatKind::F64),
        AttrKind::Unit => matches!(value, Attribute::Unit),
        AttrKind::String => matches!(value, Attribute::String { .. }),
        AttrKind::Type => matches!(value, Attribute::Type(_)),
        AttrKind::Typed => is_typed(value),
        AttrKind::I64Array => matches!(value, Attribute::DenseI64Array(_)),
        AttrKind::I32Array => match value {
            Attribute::DenseI64Array(_) => true,
            Attribute::DenseArray { element, .. } => is_integer_type(module, *element, 32, Signedness::Signless),
            _ => false,
        },
        AttrKind::BoolArray => matches!(value, Attribute::DenseBoolArray(_)),
        AttrKind::I64Elements => is_i64_elements(module, value),
        AttrKind::Elements => is_elements(value),
        AttrKind::Array => matches!(value, Attribute::Array(_)),
        AttrKind::Dictionary => matches!(value, Attribute::Dictionary(_)),
        AttrKind::StringOrDictionary => matches!(value, Attribute::String { .. } | Attribute::Dictionary(_)),
        AttrKind::Symbol => is_flat_symbol(value),
        AttrKind::SymbolArray => all(module, value, |_, value| is_flat_symbol(value)),
        AttrKind::SymbolArrays => {
            all(module, value, |module, value| all(module, value, |_, value| is_flat_symbol(value)))
        }
        AttrKind::LayoutArray => all(module, value, is_layout),
        AttrKind::TilingArray => all(module, value, |module, value| all(module, value, is_layout)),
        AttrKind::Enum(kind) => matches!(value, Attribute::Enum(value) if value.kind() == kind),
        AttrKind::EnumArray(kind) => {
            all(module, value, |_, value| matches!(value, Attribute::Enum(value) if value.kind() == kind))
        }
        AttrKind::DotDimensionNumbers => matches!(value, Attribute::DotDimensionNumbers(_)),
        AttrKind::RaggedDotDimensionNumbers => matches!(value, Attribute::RaggedDotDimensionNumbers(_)),
        AttrKind::GatherDimensionNumbers => matches!(value, Attribute::GatherDimensionNumbers(_)),
        AttrKind::ScatterDimensionNumbers => matches!(value, Attribute::ScatterDimensionNumbers(_)),
        AttrKind::ConvDimensionNumbers => matches!(value, Attribute::ConvDimensionNumbers(_)),
        AttrKind::DotAlgorithm => matches!(value, Attribute::DotAlgorithm(_)),
        AttrKind::ChannelHandle => matches!(value, Attribute::ChannelHandle { .. }),
        AttrKind::ResultAccuracy => matches!(value, Attribute::ResultAccuracy(_)),
        AttrKind::OutputOperandAliases => {
            all(module, value, |_, value| matches!(value, Attribute::OutputOperandAlias(_)))
        }
        AttrKind::ReplicaGroups => {
            is_i64_elements(module, value) || matches!(value, Attribute::ReplicaGroupMeshAxes { .. })
        }
    }
}

/// What a kind is called in diagnostics.
pub(super) fn words(kind: AttrKind) -> String {
    let words = match kind {
        AttrKind::Any => "any attribute",
        AttrKind::I64 => "a 64-bit integer like `1 : i64`",
        AttrKind::I32 => "a 32-bit integer like `1 : i32`",
        AttrKind::UI32 => "an unsigned 32-bit integer like `1 : ui32`",
        AttrKind::UI64 => "an unsigned 64-bit integer like `1 : ui64`",
        AttrKind::Bool => "`true` or `false`",
        AttrKind::F32 => "a number like `1.0 : f32`",
        AttrKind::F64 => "a number like `1.0 : f64`",
        AttrKind::Unit => "a word without value",
        AttrKind::String => "a string",
        AttrKind::Type => "a type",
        AttrKind::Typed => "an attribute with a type",
        AttrKind::I64Array => "a list like `array<i64: 1, 2>`",
        AttrKind::I32Array => "a list like `array<i32: 1, 2>`",
        AttrKind::BoolArray => "a list like `array<i1: true, false>`",
        AttrKind::I64Elements => "a constant like `dense<[1, 2]> : tensor<2xi64>`",
        AttrKind::Elements => "a constant like `dense<1.0> : tensor<2xf32>`",
        AttrKind::Array => "an array like `[1, 2]`",
        AttrKind::Dictionary => "a dictionary",
        AttrKind::StringOrDictionary => "a string or a dictionary",
        AttrKind::Symbol => "a symbol like `@f`",
        AttrKind::SymbolArray => "an array of symbols like `[@f, @g]`",
        AttrKind::SymbolArrays => "an array of arrays of symbols like `[[@f], [@g]]`",
        AttrKind::LayoutArray => "an array of layouts like `[dense<[1, 0]> : tensor<2xindex>]`",
        AttrKind::TilingArray => "an array of arrays of tiles like `[[dense<[8, 128]> : tensor<2xindex>]]`",
        AttrKind::Enum(kind) => return format!("one of {}", kind.words().join(", ")),
        AttrKind::EnumArray(kind) => return format!("an array of words out of {}", kind.words().join(", ")),
        AttrKind::DotDimensionNumbers => "of the form `#stablehlo.dot<…>`",
        AttrKind::RaggedDotDimensionNumbers => "of the form `#chlo.ragged_dot<…>`",
        AttrKind::GatherDimensionNumbers => "of the form `#stablehlo.gather<…>`",
        AttrKind::ScatterDimensionNumbers => "of the form `#stablehlo.scatter<…>`",
        AttrKind::ConvDimensionNumbers => "of the form `#stablehlo.conv<…>`",
        AttrKind::DotAlgorithm => "of the form `#stablehlo.dot_algorithm<…>`",
        AttrKind::ChannelHandle => "of the form `#stablehlo.channel_handle<handle = 1, type = 1>`",
        AttrKind::ResultAccuracy => "of the form `#stablehlo.result_accuracy<…>`",
        AttrKind::OutputOperandAliases => "an array of `#stablehlo.output_operand_alias<…>`",
        AttrKind::ReplicaGroups => {
            "a table like `dense<[[0, 1]]> : tensor<1x2xi64>` or of the form `#stablehlo.replica_group_mesh_axes<…>`"
        }
    };
    words.to_owned()
}

fn is_integer_type(module: &Module, ty: TypeId, bits: u32, sign: Signedness) -> bool {
    matches!(module.ty(ty), Type::Integer { width, signedness } if *width == bits && *signedness == sign)
}

fn is_integer(module: &Module, value: &Attribute, bits: u32, sign: Signedness) -> bool {
    matches!(value, Attribute::Integer { ty, .. } if is_integer_type(module, *ty, bits, sign))
}

fn is_float(module: &Module, value: &Attribute, wanted: FloatKind) -> bool {
    matches!(value, Attribute::Float { ty, .. } if matches!(module.ty(*ty), Type::Float(kind) if *kind == wanted))
}

fn is_flat_symbol(value: &Attribute) -> bool {
    matches!(value, Attribute::SymbolRef { nested, .. } if nested.is_empty())
}

fn is_elements(value: &Attribute) -> bool {
    matches!(
        value,
        Attribute::DenseElements(_)
            | Attribute::DenseStringElements { .. }
            | Attribute::DenseResource { .. }
            | Attribute::SparseElements { .. }
    )
}

fn is_typed(value: &Attribute) -> bool {
    match value {
        Attribute::Integer { .. } | Attribute::Float { .. } => true,
        Attribute::String { ty, .. } | Attribute::Opaque { ty, .. } => ty.is_some(),
        _ => is_elements(value),
    }
}

fn is_i64_elements(module: &Module, value: &Attribute) -> bool {
    match value {
        Attribute::DenseElements(elements) => module
            .element_type(elements.ty)
            .is_some_and(|element| is_integer_type(module, element, 64, Signedness::Signless)),
        _ => false,
    }
}

/// A one-dimensional constant of `index` elements.
fn is_layout(module: &Module, value: &Attribute) -> bool {
    match value {
        Attribute::DenseElements(elements) => {
            module.rank(elements.ty) == Some(1)
                && module.element_type(elements.ty).is_some_and(|element| matches!(module.ty(element), Type::Index))
        }
        _ => false,
    }
}

fn all(module: &Module, value: &Attribute, holds: impl Fn(&Module, &Attribute) -> bool) -> bool {
    match value {
        Attribute::Array(values) => values.iter().all(|value| holds(module, module.attr(*value))),
        _ => false,
    }
}
