//! Marker types for attribute kinds, as declarations name them.

use super::spec::{AttrClass, AttrKind};
use crate::ir::*;

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident: $kind:expr => $value:ty, |$module:ident, $attr:ident| $read:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug)]
        pub struct $name;
        impl AttrClass for $name {
            type Value<'m> = $value;
            const KIND: AttrKind = $kind;
            #[allow(clippy::needless_lifetimes, clippy::allow_attributes, reason = "some value types name it")]
            fn read<'m>($module: &'m Module, $attr: AttrId) -> Option<$value> {
                $read
            }
        }
    )*};
}

macro_rules! boxed {
    ($module:ident, $attr:ident, $variant:ident) => {
        match $module.attr($attr) {
            Attribute::$variant(value) => Some(&**value),
            _ => None,
        }
    };
}

/// An unsigned integer, if it fits.
fn unsigned<T: TryFrom<i128>>(module: &Module, attr: AttrId) -> Option<T> {
    match module.attr(attr) {
        Attribute::Integer { value, .. } => T::try_from(*value).ok(),
        _ => None,
    }
}

/// The numbers of `array<i32: …>`; older texts write i64 there.
pub(crate) fn i32_array(module: &Module, attr: AttrId) -> Option<Dims> {
    match module.attr(attr) {
        Attribute::DenseI64Array(values) => Some(values.clone()),
        Attribute::DenseArray { element, bytes }
            if matches!(module.ty(*element), Type::Integer { width: 32, signedness: Signedness::Signless }) =>
        {
            let (words, _) = bytes.as_chunks::<4>();
            Some(words.iter().map(|word| i64::from(i32::from_le_bytes(*word))).collect())
        }
        _ => None,
    }
}

classes! {
    /// Anything.
    Any: AttrKind::Any => AttrId, |_module, attr| Some(attr);
    /// A 64-bit integer.
    I64: AttrKind::I64 => i64, |module, attr| module.integer_attr(attr);
    /// A 32-bit integer.
    I32: AttrKind::I32 => i64, |module, attr| module.integer_attr(attr);
    /// An f32.
    F32: AttrKind::F32 => f32, |module, attr| match module.attr(attr) {
        Attribute::Float { bits, .. } => Some(f32::from_bits(*bits as u32)),
        _ => None,
    };
    /// An unsigned 32-bit integer.
    UI32: AttrKind::UI32 => u32, |module, attr| unsigned(module, attr);
    /// An unsigned 64-bit integer.
    UI64: AttrKind::UI64 => u64, |module, attr| unsigned(module, attr);
    /// An f64.
    F64: AttrKind::F64 => f64, |module, attr| match module.attr(attr) {
        Attribute::Float { bits, .. } => Some(f64::from_bits(*bits as u64)),
        _ => None,
    };
    /// A boolean.
    Bool: AttrKind::Bool => bool, |module, attr| match module.attr(attr) {
        Attribute::Integer { value, .. } => Some(*value != 0),
        _ => None,
    };
    /// Presence.
    Unit: AttrKind::Unit => bool, |module, attr| Some(matches!(module.attr(attr), Attribute::Unit));
    /// Bytes of a string.
    Str: AttrKind::String => &'m [u8], |module, attr| module.string_bytes(attr);
    /// A type.
    Ty: AttrKind::Type => TypeId, |module, attr| match module.attr(attr) {
        Attribute::Type(ty) => Some(*ty),
        _ => None,
    };
    /// An attribute with a type.
    Typed: AttrKind::Typed => AttrId, |_module, attr| Some(attr);
    /// A list of 64-bit integers.
    I64Array: AttrKind::I64Array => &'m [i64], |module, attr| match module.attr(attr) {
        Attribute::DenseI64Array(values) => Some(&values[..]),
        _ => None,
    };
    /// A list of 32-bit integers.
    I32Array: AttrKind::I32Array => Dims, |module, attr| i32_array(module, attr);
    /// A list of booleans.
    BoolArray: AttrKind::BoolArray => &'m [bool], |module, attr| match module.attr(attr) {
        Attribute::DenseBoolArray(values) => Some(&values[..]),
        _ => None,
    };
    /// Dense i64 elements.
    I64Elements: AttrKind::I64Elements => AttrId, |_module, attr| Some(attr);
    /// Any elements.
    Elements: AttrKind::Elements => AttrId, |_module, attr| Some(attr);
    /// An array.
    Array: AttrKind::Array => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// A dictionary.
    Dictionary: AttrKind::Dictionary => AttrId, |_module, attr| Some(attr);
    /// A string or a dictionary.
    StringOrDictionary: AttrKind::StringOrDictionary => AttrId, |_module, attr| Some(attr);
    /// A flat symbol.
    Symbol: AttrKind::Symbol => &'m str, |module, attr| module.flat_symbol(attr);
    /// An array of flat symbols.
    SymbolArray: AttrKind::SymbolArray => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// An array of arrays of flat symbols.
    SymbolArrays: AttrKind::SymbolArrays => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// An array of layouts.
    LayoutArray: AttrKind::LayoutArray => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// An array of tilings.
    TilingArray: AttrKind::TilingArray => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// `#stablehlo.dot`
    DotDims: AttrKind::DotDimensionNumbers => &'m DotDimensionNumbers, |module, attr| boxed!(module, attr, DotDimensionNumbers);
    /// `#chlo.ragged_dot`
    RaggedDotDims: AttrKind::RaggedDotDimensionNumbers => &'m RaggedDotDimensionNumbers, |module, attr| boxed!(module, attr, RaggedDotDimensionNumbers);
    /// `#stablehlo.gather`
    GatherDims: AttrKind::GatherDimensionNumbers => &'m GatherDimensionNumbers, |module, attr| boxed!(module, attr, GatherDimensionNumbers);
    /// `#stablehlo.scatter`
    ScatterDims: AttrKind::ScatterDimensionNumbers => &'m ScatterDimensionNumbers, |module, attr| boxed!(module, attr, ScatterDimensionNumbers);
    /// `#stablehlo.conv`
    ConvDims: AttrKind::ConvDimensionNumbers => &'m ConvDimensionNumbers, |module, attr| boxed!(module, attr, ConvDimensionNumbers);
    /// `#stablehlo.dot_algorithm`
    DotAlgorithmAttr: AttrKind::DotAlgorithm => &'m DotAlgorithm, |module, attr| match module.attr(attr) {
        Attribute::DotAlgorithm(value) => Some(value),
        _ => None,
    };
    /// `#stablehlo.channel_handle`: handle and type
    ChannelHandle: AttrKind::ChannelHandle => (i64, i64), |module, attr| match module.attr(attr) {
        Attribute::ChannelHandle { handle, ty } => Some((*handle, *ty)),
        _ => None,
    };
    /// `#stablehlo.result_accuracy`
    Accuracy: AttrKind::ResultAccuracy => ResultAccuracy, |module, attr| match module.attr(attr) {
        Attribute::ResultAccuracy(value) => Some(*value),
        _ => None,
    };
    /// An array of `#stablehlo.output_operand_alias`
    OutputOperandAliases: AttrKind::OutputOperandAliases => &'m [AttrId], |module, attr| boxed!(module, attr, Array);
    /// Replica groups in either form.
    ReplicaGroups: AttrKind::ReplicaGroups => AttrId, |_module, attr| Some(attr);
}

macro_rules! enum_classes {
    ($($(#[$doc:meta])* $name:ident: $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug)]
        pub struct $name;
        impl AttrClass for $name {
            type Value<'m> = $kind;
            const KIND: AttrKind = AttrKind::Enum(EnumKind::$kind);
            fn read(module: &Module, attr: AttrId) -> Option<$kind> {
                match module.attr(attr) {
                    Attribute::Enum(EnumValue::$kind(value)) => Some(*value),
                    _ => None,
                }
            }
        }
    )*};
}

enum_classes! {
    /// A word of [`FftType`].
    FftTypeAttr: FftType;
    /// A word of [`ComparisonDirection`].
    ComparisonDirectionAttr: ComparisonDirection;
    /// A word of [`ComparisonType`].
    ComparisonTypeAttr: ComparisonType;
    /// A word of [`Transpose`].
    TransposeAttr: Transpose;
    /// A word of [`RngDistribution`].
    RngDistributionAttr: RngDistribution;
    /// A word of [`RngAlgorithm`].
    RngAlgorithmAttr: RngAlgorithm;
    /// A word of [`ChloComparisonDirection`].
    ChloComparisonDirectionAttr: ChloComparisonDirection;
    /// A word of [`ChloComparisonType`].
    ChloComparisonTypeAttr: ChloComparisonType;
}

macro_rules! enum_array_classes {
    ($($(#[$doc:meta])* $name:ident: $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug)]
        pub struct $name;
        impl AttrClass for $name {
            type Value<'m> = Vec<$kind>;
            const KIND: AttrKind = AttrKind::EnumArray(EnumKind::$kind);
            fn read(module: &Module, attr: AttrId) -> Option<Vec<$kind>> {
                let Attribute::Array(values) = module.attr(attr) else {
                    return None;
                };
                let word = |attr: &AttrId| match module.attr(*attr) {
                    Attribute::Enum(EnumValue::$kind(value)) => Some(*value),
                    _ => None,
                };
                values.iter().map(word).collect()
            }
        }
    )*};
}

enum_array_classes! {
    /// An array of precisions; one per operand.
    PrecisionConfig: Precision;
    /// CHLO's array of precisions.
    ChloPrecisionConfig: ChloPrecision;
}
