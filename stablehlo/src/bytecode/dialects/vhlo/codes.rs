//! VHLO's types and attributes: their codes and the versions that brought them.

use crate::ir::{Attribute, EnumKind, FloatKind, Module, QuantizationParameters, Signedness, Type, TypeId};
use crate::vhlo::Version;

/// A type or an attribute of VHLO.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// What entries of it begin with.
    pub(crate) code: u64,
    /// What VHLO's text calls it.
    pub(crate) name: &'static str,
    /// The version that brought it.
    pub(crate) since: Version,
}

/// `CODE "name" major.minor;` …
macro_rules! known {
    ($($table:ident { $($constant:ident = $code:literal $name:literal $major:literal $minor:literal;)* })*) => {$(
        pub(crate) const $table: &[Known] = &[
            $(Known { code: $code, name: $name, since: Version::new($major, $minor, 0) }),*
        ];
    )*
        /// The codes by name.
        pub(crate) mod code {
            $($(pub(crate) const $constant: u64 = $code;)*)*
        }
    };
}

known! {
    ATTRIBUTES {
        ARRAY = 1 "array_v1" 0 9;
        BOOL = 2 "bool_v1" 0 9;
        COMPARISON_DIRECTION = 3 "comparison_direction_v1" 0 9;
        COMPARISON_TYPE = 4 "comparison_type_v1" 0 9;
        API_VERSION = 5 "api_version_v1" 0 9;
        DICTIONARY = 6 "dict_v1" 0 9;
        FFT_TYPE = 7 "fft_type_v1" 0 9;
        FLOAT = 8 "float_v1" 0 9;
        INTEGER = 9 "integer_v1" 0 9;
        OUTPUT_OPERAND_ALIAS = 10 "output_operand_alias_v1" 0 9;
        PRECISION = 11 "precision_v1" 0 9;
        RNG_ALGORITHM = 12 "rng_algorithm_v1" 0 9;
        RNG_DISTRIBUTION = 13 "rng_distribution_v1" 0 9;
        STRING = 14 "string_v1" 0 9;
        TENSOR_VALUE = 15 "tensor_v1" 0 9;
        TRANSPOSE = 16 "transpose_v1" 0 9;
        TYPE = 17 "type_v1" 0 9;
        TYPE_EXTENSIONS = 18 "type_extensions_v1" 0 9;
        RESULT_ACCURACY_MODE = 19 "result_accuracy_mode_v1" 1 9;
        RESULT_ACCURACY = 20 "result_accuracy_v1" 1 9;
        SUB_AXIS_INFO = 21 "sub_axis_info_v1" 1 16;
        AXIS_REF = 22 "axis_ref_v1" 1 16;
        REPLICA_GROUP_MESH_AXES = 23 "replica_group_mesh_axes_v1" 1 16;
        MESH_AXIS = 24 "mesh_axis_v1" 1 16;
        MESH = 25 "mesh_v1" 1 16;
    }
    TYPES {
        BOOLEAN = 0 "bool_v1" 0 9;
        COMPLEX = 1 "complex_v1" 0 9;
        BF16 = 2 "bf16_v1" 0 9;
        F16 = 3 "f16_v1" 0 9;
        F32 = 4 "f32_v1" 0 9;
        F64 = 5 "f64_v1" 0 9;
        F8_E4M3_FN = 6 "f8E4M3FN_v1" 0 9;
        F8_E5M2 = 7 "f8E5M2_v1" 0 9;
        FUNCTION = 8 "func_v1" 0 9;
        INDEX = 9 "index_v1" 0 9;
        I4 = 10 "i4_v1" 0 9;
        I8 = 11 "i8_v1" 0 9;
        I16 = 12 "i16_v1" 0 9;
        I32 = 13 "i32_v1" 0 9;
        I64 = 14 "i64_v1" 0 9;
        UI4 = 15 "ui4_v1" 0 9;
        UI8 = 16 "ui8_v1" 0 9;
        UI16 = 17 "ui16_v1" 0 9;
        UI32 = 18 "ui32_v1" 0 9;
        UI64 = 19 "ui64_v1" 0 9;
        TENSOR = 20 "tensor_v1" 0 9;
        TENSOR_WITH_ENCODING = 21 "tensor_v1" 0 9;
        TOKEN = 22 "token_v1" 0 9;
        TUPLE = 23 "tuple_v1" 0 9;
        QUANTIZED = 24 "quant_v1" 0 9;
        UNRANKED_TENSOR = 25 "unranked_tensor_v1" 0 9;
        WITNESS = 26 "witness_v1" 0 9;
        F8_E4M3_FNUZ = 27 "f8E4M3FNUZ_v1" 0 10;
        F8_E5M2_FNUZ = 28 "f8E5M2FNUZ_v1" 0 10;
        F8_E4M3_B11_FNUZ = 29 "f8E4M3B11FNUZ_v1" 0 11;
        QUANTIZED_PER_AXIS = 30 "quant_per_axis_v1" 0 18;
        I2 = 31 "i2_v1" 1 2;
        UI2 = 32 "ui2_v1" 1 2;
        NONE = 33 "none_v1" 1 6;
        // Upstream's name of it; only text would show it.
        TF32 = 34 "tf31_v1" 1 6;
        F8_E4M3 = 35 "f8E4M3_v1" 1 7;
        F8_E3M4 = 36 "f8E3M4_v1" 1 7;
        F4_E2M1_FN = 37 "f4E2M1FN_v1" 1 8;
        F6_E2M3_FN = 38 "f6E2M3FN_v1" 1 8;
        F6_E3M2_FN = 39 "f6E3M2FN_v1" 1 8;
        F8_E8M0_FNU = 40 "f8E8M0FNU_v1" 1 8;
        BUFFER = 41 "buffer_v1" 1 13;
        FUTURE = 42 "future_v1" 1 15;
    }
}

/// Types that are a code and nothing else.
pub(super) fn plain_types() -> impl Iterator<Item = (u64, Type)> {
    let integer = |code, width, signedness| (code, Type::Integer { width, signedness });
    let float = |(code, kind)| (code, Type::Float(kind));
    let signless = [(code::BOOLEAN, 1), (code::I2, 2), (code::I4, 4), (code::I8, 8), (code::I16, 16)];
    let signless = signless.into_iter().chain([(code::I32, 32), (code::I64, 64)]);
    let unsigned = [(code::UI2, 2), (code::UI4, 4), (code::UI8, 8), (code::UI16, 16), (code::UI32, 32)];
    let unsigned = unsigned.into_iter().chain([(code::UI64, 64)]);
    signless
        .map(move |(code, width)| integer(code, width, Signedness::Signless))
        .chain(unsigned.map(move |(code, width)| integer(code, width, Signedness::Unsigned)))
        .chain(FLOATS.iter().copied().map(float))
        .chain([(code::INDEX, Type::Index), (code::NONE, Type::None), (code::TOKEN, Type::Token)])
}

const FLOATS: &[(u64, FloatKind)] = &[
    (code::BF16, FloatKind::BF16),
    (code::F16, FloatKind::F16),
    (code::F32, FloatKind::F32),
    (code::F64, FloatKind::F64),
    (code::TF32, FloatKind::TF32),
    (code::F8_E4M3_FN, FloatKind::F8E4M3FN),
    (code::F8_E5M2, FloatKind::F8E5M2),
    (code::F8_E4M3_FNUZ, FloatKind::F8E4M3FNUZ),
    (code::F8_E5M2_FNUZ, FloatKind::F8E5M2FNUZ),
    (code::F8_E4M3_B11_FNUZ, FloatKind::F8E4M3B11FNUZ),
    (code::F8_E4M3, FloatKind::F8E4M3),
    (code::F8_E3M4, FloatKind::F8E3M4),
    (code::F4_E2M1_FN, FloatKind::F4E2M1FN),
    (code::F6_E2M3_FN, FloatKind::F6E2M3FN),
    (code::F6_E3M2_FN, FloatKind::F6E3M2FN),
    (code::F8_E8M0_FNU, FloatKind::F8E8M0FNU),
];

/// VHLO's type for the outermost level of `ty`; none when VHLO has none.
pub(crate) fn type_of(module: &Module, ty: TypeId) -> Option<&'static Known> {
    let code = match module.ty(ty) {
        Type::Complex(_) => code::COMPLEX,
        Type::Tuple(_) => code::TUPLE,
        Type::Function { .. } => code::FUNCTION,
        Type::RankedTensor(tensor) if tensor.encoding.is_some() => code::TENSOR_WITH_ENCODING,
        Type::RankedTensor(_) => code::TENSOR,
        Type::UnrankedTensor { .. } => code::UNRANKED_TENSOR,
        Type::MemRef { shape: Some(_), .. } => code::BUFFER,
        Type::Future(_) => code::FUTURE,
        Type::Quantized(quantized) => match quantized.parameters {
            QuantizationParameters::PerTensor(_) => code::QUANTIZED,
            QuantizationParameters::PerAxis { .. } => code::QUANTIZED_PER_AXIS,
            QuantizationParameters::SubChannel { .. } => return None,
        },
        Type::Opaque { dialect, body } if module.str(*dialect) == "shape" && &**body == "witness" => code::WITNESS,
        plain => plain_types().find_map(|(code, ty)| (ty == *plain).then_some(code))?,
    };
    TYPES.get(code as usize)
}

/// VHLO's attribute for the outermost level of an attribute; none when VHLO has none.
pub(crate) fn attribute_of(module: &Module, attr: &Attribute) -> Option<&'static Known> {
    let code = match attr {
        Attribute::Array(_) => code::ARRAY,
        Attribute::Integer { ty, .. } => match module.ty(*ty) {
            Type::Integer { width: 1, signedness: Signedness::Signless } => code::BOOL,
            _ => code::INTEGER,
        },
        Attribute::Float { .. } => code::FLOAT,
        Attribute::String { ty: None, .. } => code::STRING,
        Attribute::String { ty: Some(ty), .. } if *module.ty(*ty) == Type::None => code::STRING,
        Attribute::SymbolRef { nested, .. } if nested.is_empty() => code::STRING,
        Attribute::Dictionary(_) => code::DICTIONARY,
        Attribute::Type(_) => code::TYPE,
        Attribute::DenseElements(_) | Attribute::DenseI64Array(_) | Attribute::DenseBoolArray(_) => code::TENSOR_VALUE,
        Attribute::Enum(value) => enum_code(value.kind())?,
        Attribute::OutputOperandAlias(_) => code::OUTPUT_OPERAND_ALIAS,
        Attribute::ResultAccuracy(_) => code::RESULT_ACCURACY,
        Attribute::SubAxisInfo { .. } => code::SUB_AXIS_INFO,
        Attribute::AxisRef { .. } => code::AXIS_REF,
        Attribute::ReplicaGroupMeshAxes { .. } => code::REPLICA_GROUP_MESH_AXES,
        Attribute::MeshAxis { .. } => code::MESH_AXIS,
        Attribute::Mesh { .. } => code::MESH,
        _ => return None,
    };
    attribute(code)
}

/// The attribute of a code.
pub(crate) fn attribute(code: u64) -> Option<&'static Known> {
    // Code 0 is dead: no file has it.
    ATTRIBUTES.get((code as usize).checked_sub(1)?)
}

/// Enumerations that attributes of their own hold.
pub(super) const ENUMS: &[(u64, EnumKind)] = &[
    (code::COMPARISON_DIRECTION, EnumKind::ComparisonDirection),
    (code::COMPARISON_TYPE, EnumKind::ComparisonType),
    (code::FFT_TYPE, EnumKind::FftType),
    (code::PRECISION, EnumKind::Precision),
    (code::RNG_ALGORITHM, EnumKind::RngAlgorithm),
    (code::RNG_DISTRIBUTION, EnumKind::RngDistribution),
    (code::TRANSPOSE, EnumKind::Transpose),
    (code::RESULT_ACCURACY_MODE, EnumKind::ResultAccuracyMode),
];

/// The code of an enumeration; none for those of CHLO.
pub(super) fn enum_code(kind: EnumKind) -> Option<u64> {
    ENUMS.iter().find(|(_, known)| *known == kind).map(|(code, _)| *code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::EnumValue;

    const TABLE: &str = include_str!("../../../../testdata/vhlo/vhlo_codes.tsv");

    fn rows(kind: &str) -> Vec<Vec<&'static str>> {
        TABLE.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[0] == kind).collect()
    }

    /// The table lists what upstream's dialect declares; it was made from its sources and checked on its files.
    #[test]
    fn codes_names_and_versions_are_those_of_the_table() {
        for (kind, known) in [("attr", ATTRIBUTES), ("type", TYPES)] {
            let wanted = rows(kind).into_iter().filter(|row| row[4] != "-");
            let wanted: Vec<_> = wanted.map(|row| (row[1].to_owned(), row[3].to_owned(), row[4].to_owned())).collect();
            let found =
                known.iter().map(|known| (known.code.to_string(), known.name.to_owned(), known.since.to_string()));
            assert_eq!(found.collect::<Vec<_>>(), wanted);
        }
    }

    #[test]
    fn words_of_enumerations_have_the_numbers_of_the_table() {
        for (code, kind) in ENUMS {
            let name = attribute(*code).unwrap().name.replace('_', "");
            let wanted = rows("enum").into_iter().filter(|row| row[2].to_ascii_lowercase() == name);
            let wanted: Vec<_> = wanted.map(|row| (row[1].parse::<u32>().unwrap(), row[3])).collect();
            let values = kind.words().into_iter().filter_map(|word| kind.value(word));
            assert_eq!(
                values.map(|value: EnumValue| (value.number(), value.word())).collect::<Vec<_>>(),
                wanted,
                "{name}"
            );
        }
    }
}
