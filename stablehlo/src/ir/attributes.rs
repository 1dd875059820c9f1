//! Attributes: builtin, StableHLO's and CHLO's own.
//!
//! Attributes are interned like types. Large dense constants are compared by the identity of their bytes.

use smallvec::SmallVec;

use super::{Blob, F64, LocId, NameId, TypeId};
use crate::arena::entity;

entity!(
    /// An interned [`Attribute`].
    AttrId,
    "#"
);

/// A list of dimension numbers or sizes.
pub type Dims = SmallVec<[i64; 4]>;

/// An attribute value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Attribute {
    /// `unit`, or a bare key in a dictionary.
    Unit,
    /// `3 : i64`, `true`
    Integer {
        /// Type of the value.
        ty: TypeId,
        /// The number; signless values are kept sign-extended, unsigned ones as they are.
        value: i128,
    },
    /// `1.0 : f32`
    Float {
        /// Type of the value.
        ty: TypeId,
        /// Its encoding.
        bits: u128,
    },
    /// `"text"`, bytes in general, sometimes typed.
    String {
        /// The bytes between the quotes, unescaped.
        value: Box<[u8]>,
        /// `: T` after the string.
        ty: Option<TypeId>,
    },
    /// A type as a value.
    Type(TypeId),
    /// `[a, b]`
    Array(Box<[AttrId]>),
    /// `array<i64: 1, 2>`
    DenseI64Array(Dims),
    /// `array<i1: true, false>`
    DenseBoolArray(SmallVec<[bool; 8]>),
    /// `array<T: …>` for the other element types.
    DenseArray {
        /// Element type.
        element: TypeId,
        /// Little-endian elements.
        bytes: Box<[u8]>,
    },
    /// `{a, b = 1 : i64}`, sorted by key bytes.
    Dictionary(Box<[(NameId, AttrId)]>),
    /// `@a::@b`
    SymbolRef {
        /// First symbol.
        root: NameId,
        /// The rest.
        nested: Box<[NameId]>,
    },
    /// `dense<…> : T`
    DenseElements(DenseElements),
    /// `dense<"a"> : T` of strings.
    DenseStringElements {
        /// Type of the whole.
        ty: TypeId,
        /// One string when `splat`.
        values: Box<[Box<[u8]>]>,
        /// Whether the one value stands for all.
        splat: bool,
    },
    /// `dense_resource<key> : T`
    DenseResource {
        /// Key in the resource section.
        key: NameId,
        /// Type of the whole.
        ty: TypeId,
    },
    /// `sparse<indices, values> : T`
    SparseElements {
        /// Type of the whole.
        ty: TypeId,
        /// i64 `DenseElements`
        indices: AttrId,
        /// `DenseElements` or `DenseStringElements`
        values: AttrId,
    },
    /// `affine_map<(d0)[s0] -> (d0 + s0)>`
    AffineMap(Box<AffineMap>),
    /// `affine_set<(d0) : (d0 >= 0)>`
    IntegerSet(Box<IntegerSet>),
    /// `strided<[1, ?], offset: 2>`
    StridedLayout {
        /// Offset, possibly dynamic.
        offset: i64,
        /// Strides, possibly dynamic.
        strides: Dims,
    },
    /// `distinct[0]<value>`
    Distinct {
        /// Identity inside the module.
        id: u32,
        /// Payload; `unit` when empty.
        value: AttrId,
    },
    /// A location as a value.
    Location(LocId),
    /// An attribute of a dialect this crate does not know: `#dialect.body` or `#dialect<body>`.
    Opaque {
        /// Dialect namespace.
        dialect: NameId,
        /// Text after the namespace, without the outer `<>` when that form was used.
        body: Box<str>,
        /// `: T` after it.
        ty: Option<TypeId>,
    },
    /// A word of one of the dialects' enumerations.
    Enum(EnumValue),
    /// `#stablehlo.dot<…>`
    DotDimensionNumbers(Box<DotDimensionNumbers>),
    /// `#chlo.ragged_dot<…>`
    RaggedDotDimensionNumbers(Box<RaggedDotDimensionNumbers>),
    /// `#stablehlo.gather<…>`
    GatherDimensionNumbers(Box<GatherDimensionNumbers>),
    /// `#stablehlo.scatter<…>`
    ScatterDimensionNumbers(Box<ScatterDimensionNumbers>),
    /// `#stablehlo.conv<…>`
    ConvDimensionNumbers(Box<ConvDimensionNumbers>),
    /// `#stablehlo.dot_algorithm<…>`
    DotAlgorithm(DotAlgorithm),
    /// `#stablehlo.output_operand_alias<…>`
    OutputOperandAlias(Box<OutputOperandAlias>),
    /// `#stablehlo.channel_handle<handle = 1, type = 2>`
    ChannelHandle {
        /// Channel id.
        handle: i64,
        /// Channel type.
        ty: i64,
    },
    /// `#stablehlo.bounds<4, ?>`
    Bounds(Dims),
    /// `#stablehlo.result_accuracy<…>`
    ResultAccuracy(ResultAccuracy),
    /// `#stablehlo<sub_axis_info(1)2>`
    SubAxisInfo {
        /// Size before this part of the axis.
        pre_size: i64,
        /// Size of this part.
        size: i64,
    },
    /// `#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>`
    AxisRef {
        /// Axis name.
        name: NameId,
        /// A `SubAxisInfo`.
        sub_axis_info: Option<AttrId>,
    },
    /// `#stablehlo.mesh_axis<name = "x", size = 2>`
    MeshAxis {
        /// Axis name.
        name: NameId,
        /// Axis size.
        size: i64,
    },
    /// `#stablehlo.mesh<axes=[…], device_ids=dense<…> : T>`
    Mesh {
        /// `MeshAxis` attributes.
        axes: Box<[AttrId]>,
        /// A `DenseElements` of integers.
        device_ids: Option<AttrId>,
    },
    /// `#stablehlo.replica_group_mesh_axes<mesh = @m, axes = […]>`
    ReplicaGroupMeshAxes {
        /// A symbol or a `Mesh`.
        mesh: AttrId,
        /// An `Array` of `AxisRef`s.
        axes: AttrId,
    },
}

/// `dense<…> : T`: raw storage as MLIR keeps it, one element per ⌈bits/8⌉ little-endian bytes, row-major.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DenseElements {
    /// Type of the whole: ranked tensor, vector or memref of static shape.
    pub ty: TypeId,
    /// All elements, or one when `splat`.
    pub data: Blob,
    /// Whether `data` is one element that stands for all of them.
    pub splat: bool,
}

/// `affine_map<(d0)[s0] -> (…)>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMap {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// Results.
    pub results: Vec<AffineExpr>,
}

/// `affine_set<(d0)[s0] : (… >= 0, … == 0)>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSet {
    /// Number of dimensions.
    pub dims: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// Constraints: an expression and whether it must be zero (`==`) rather than non-negative (`>=`).
    pub constraints: Vec<(AffineExpr, bool)>,
}

/// An affine expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AffineExpr {
    /// `d0`
    Dim(u32),
    /// `s0`
    Symbol(u32),
    /// A number.
    Constant(i64),
    /// Two operands.
    Binary(AffineOp, Box<AffineExpr>, Box<AffineExpr>),
}

/// Operators of affine expressions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words say it")]
pub enum AffineOp {
    Add,
    Mul,
    Mod,
    FloorDiv,
    CeilDiv,
}

/// `#stablehlo.dot<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct DotDimensionNumbers {
    pub lhs_batching_dimensions: Dims,
    pub rhs_batching_dimensions: Dims,
    pub lhs_contracting_dimensions: Dims,
    pub rhs_contracting_dimensions: Dims,
}

/// `#chlo.ragged_dot<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "fields are CHLO's")]
pub struct RaggedDotDimensionNumbers {
    pub lhs_batching_dimensions: Dims,
    pub rhs_batching_dimensions: Dims,
    pub lhs_contracting_dimensions: Dims,
    pub rhs_contracting_dimensions: Dims,
    pub lhs_ragged_dimensions: Dims,
    pub rhs_group_dimensions: Dims,
}

/// `#stablehlo.gather<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct GatherDimensionNumbers {
    pub offset_dims: Dims,
    pub collapsed_slice_dims: Dims,
    pub operand_batching_dims: Dims,
    pub start_indices_batching_dims: Dims,
    pub start_index_map: Dims,
    pub index_vector_dim: i64,
}

/// `#stablehlo.scatter<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct ScatterDimensionNumbers {
    pub update_window_dims: Dims,
    pub inserted_window_dims: Dims,
    pub input_batching_dims: Dims,
    pub scatter_indices_batching_dims: Dims,
    pub scatter_dims_to_operand_dims: Dims,
    pub index_vector_dim: i64,
}

/// `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct ConvDimensionNumbers {
    pub input_batch_dimension: i64,
    pub input_feature_dimension: i64,
    pub input_spatial_dimensions: Dims,
    pub kernel_input_feature_dimension: i64,
    pub kernel_output_feature_dimension: i64,
    pub kernel_spatial_dimensions: Dims,
    pub output_batch_dimension: i64,
    pub output_feature_dimension: i64,
    pub output_spatial_dimensions: Dims,
}

/// `#stablehlo.dot_algorithm<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct DotAlgorithm {
    pub lhs_precision_type: TypeId,
    pub rhs_precision_type: TypeId,
    pub accumulation_type: TypeId,
    pub lhs_component_count: i64,
    pub rhs_component_count: i64,
    pub num_primitive_operations: i64,
    pub allow_imprecise_accumulation: bool,
}

/// `#stablehlo.output_operand_alias<…>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct OutputOperandAlias {
    pub output_tuple_indices: Dims,
    pub operand_index: i64,
    pub operand_tuple_indices: Dims,
}

/// `#stablehlo.result_accuracy<…>`
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "fields are the specification's")]
pub struct ResultAccuracy {
    pub atol: F64,
    pub rtol: F64,
    pub ulps: i64,
    pub mode: ResultAccuracyMode,
}

/// Declares the dialects' enumerations: words, numbers (the VHLO and bytecode codes), and how the attribute is spelled.
macro_rules! enums {
    ($($(#[$doc:meta])* $name:ident = $dialect:literal $mnemonic:literal { $($variant:ident $word:literal = $number:literal),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
            #[expect(missing_docs, reason = "words are the specification's")]
            pub enum $name { $($variant = $number),* }

            impl $name {
                /// All words in order of their numbers.
                pub const ALL: &'static [$name] = &[$($name::$variant),*];
                /// The word the text uses.
                pub fn word(self) -> &'static str {
                    match self { $($name::$variant => $word),* }
                }
                /// The value spelled `word`.
                pub fn from_word(word: &str) -> Option<Self> {
                    match word { $($word => Some($name::$variant),)* _ => None }
                }
            }

            impl From<$name> for EnumValue {
                fn from(value: $name) -> Self {
                    EnumValue::$name(value)
                }
            }
        )*

        /// A word of one of the enumerations.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "one variant per enumeration")]
        pub enum EnumValue { $($name($name)),* }

        /// One of the enumerations.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "one variant per enumeration")]
        pub enum EnumKind { $($name),* }

        impl EnumKind {
            /// All enumerations.
            pub const ALL: &'static [EnumKind] = &[$(EnumKind::$name),*];
            /// Dialect and attribute mnemonic: `#stablehlo<precision DEFAULT>`.
            pub fn mnemonic(self) -> (&'static str, &'static str) {
                match self { $(EnumKind::$name => ($dialect, $mnemonic)),* }
            }
            /// The value spelled `word`.
            pub fn value(self, word: &str) -> Option<EnumValue> {
                match self { $(EnumKind::$name => $name::from_word(word).map(EnumValue::$name)),* }
            }
            /// The words of this enumeration.
            pub fn words(self) -> Vec<&'static str> {
                match self { $(EnumKind::$name => $name::ALL.iter().map(|value| value.word()).collect()),* }
            }
        }

        impl EnumValue {
            /// The enumeration this word belongs to.
            pub fn kind(self) -> EnumKind {
                match self { $(EnumValue::$name(_) => EnumKind::$name),* }
            }
            /// The word the text uses.
            pub fn word(self) -> &'static str {
                match self { $(EnumValue::$name(value) => value.word()),* }
            }
            /// The number that encodings use.
            pub fn number(self) -> u32 {
                match self { $(EnumValue::$name(value) => value as u32),* }
            }
        }
    };
}

enums! {
    /// How exactly a contraction is computed.
    Precision = "stablehlo" "precision" { Default "DEFAULT" = 0, High "HIGH" = 1, Highest "HIGHEST" = 2 }
    /// How `result_accuracy` is to be read.
    ResultAccuracyMode = "stablehlo" "result_accuracy_mode" { Default "DEFAULT" = 0, Highest "HIGHEST" = 1, Tolerance "TOLERANCE" = 2 }
    /// Kind of Fourier transform.
    FftType = "stablehlo" "fft_type" { Fft "FFT" = 0, Ifft "IFFT" = 1, Rfft "RFFT" = 2, Irfft "IRFFT" = 3 }
    /// Comparison.
    ComparisonDirection = "stablehlo" "comparison_direction" { Eq "EQ" = 0, Ne "NE" = 1, Ge "GE" = 2, Gt "GT" = 3, Le "LE" = 4, Lt "LT" = 5 }
    /// Order that a comparison uses.
    ComparisonType = "stablehlo" "comparison_type" { NoType "NOTYPE" = 0, Float "FLOAT" = 1, TotalOrder "TOTALORDER" = 2, Signed "SIGNED" = 3, Unsigned "UNSIGNED" = 4 }
    /// Operation on the matrix of `triangular_solve`.
    Transpose = "stablehlo" "transpose" { Invalid "TRANSPOSE_INVALID" = 0, NoTranspose "NO_TRANSPOSE" = 1, Transpose "TRANSPOSE" = 2, Adjoint "ADJOINT" = 3 }
    /// Distribution of `rng`.
    RngDistribution = "stablehlo" "rng_distribution" { Uniform "UNIFORM" = 1, Normal "NORMAL" = 2 }
    /// Algorithm of `rng_bit_generator`.
    RngAlgorithm = "stablehlo" "rng_algorithm" { Default "DEFAULT" = 0, ThreeFry "THREE_FRY" = 1, Philox "PHILOX" = 2 }
    /// CHLO's comparison.
    ChloComparisonDirection = "chlo" "comparison_direction" { Eq "EQ" = 0, Ne "NE" = 1, Ge "GE" = 2, Gt "GT" = 3, Le "LE" = 4, Lt "LT" = 5 }
    /// CHLO's order that a comparison uses.
    ChloComparisonType = "chlo" "comparison_type" { NoType "NOTYPE" = 0, Float "FLOAT" = 1, TotalOrder "TOTALORDER" = 2, Signed "SIGNED" = 3, Unsigned "UNSIGNED" = 4 }
    /// CHLO's precision.
    ChloPrecision = "chlo" "precision" { Default "DEFAULT" = 0, High "HIGH" = 1, Highest "HIGHEST" = 2 }
}
