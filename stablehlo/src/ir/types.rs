//! Types: builtin, StableHLO's own and quantized ones.
//!
//! Types are interned: inside one module two types are equal exactly when their [`TypeId`]s are.

use smallvec::SmallVec;

use super::{AttrId, NameId};
use crate::arena::entity;
use crate::element::{ElementType, FloatFormat};

entity!(
    /// An interned [`Type`].
    TypeId,
    "!"
);

/// The size of a dimension that is not known statically (`?` in text).
pub const DYNAMIC: i64 = i64::MIN;

/// Dimension sizes; [`DYNAMIC`] stands for `?`.
pub type Shape = SmallVec<[i64; 4]>;

/// How an integer type reads its bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `iN`: StableHLO's signed integers and booleans.
    Signless,
    /// `siN`
    Signed,
    /// `uiN`
    Unsigned,
}

/// A type as the text writes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `i32`, `si8`, `ui4` …
    Integer {
        /// Width in bits; `i0` is legal.
        width: u32,
        /// Sign convention.
        signedness: Signedness,
    },
    /// `f32`, `bf16`, `f8E4M3FN` …
    Float(FloatKind),
    /// `index`
    Index,
    /// `none`
    None,
    /// `complex<T>`
    Complex(TypeId),
    /// `tuple<T, U>`
    Tuple(Box<[TypeId]>),
    /// `(T, U) -> V`
    Function {
        /// Operand types.
        inputs: Box<[TypeId]>,
        /// Result types.
        results: Box<[TypeId]>,
    },
    /// `tensor<2x?xf32, encoding>`
    RankedTensor(RankedTensor),
    /// `tensor<*xf32>`
    UnrankedTensor {
        /// Element type.
        element: TypeId,
    },
    /// `vector<2x[4]xf32>`
    Vector {
        /// Sizes.
        shape: Shape,
        /// Which dimensions are written in brackets.
        scalable: SmallVec<[bool; 4]>,
        /// Element type.
        element: TypeId,
    },
    /// `memref<2xf32, layout, space>`, `memref<*xf32>`
    MemRef {
        /// Sizes; absent for an unranked reference.
        shape: Option<Shape>,
        /// Element type.
        element: TypeId,
        /// Layout, when it is not the identity.
        layout: Option<AttrId>,
        /// Memory space.
        memory_space: Option<AttrId>,
    },
    /// `token`, MLIR's own
    BuiltinToken,
    /// `!stablehlo.token`
    Token,
    /// `!stablehlo.future<T, U>`
    Future(Box<[TypeId]>),
    /// `!quant.uniform<…>`
    Quantized(Box<QuantizedType>),
    /// `!quant.any<S[:E]>`
    AnyQuantized {
        /// Storage type.
        storage: StorageType,
        /// Expressed type, if given.
        expressed: Option<TypeId>,
    },
    /// `!quant.calibrated<E<min:max>>`
    CalibratedQuantized {
        /// Expressed type.
        expressed: TypeId,
        /// Smallest value seen.
        min: F64,
        /// Largest value seen.
        max: F64,
    },
    /// A type of a dialect this crate does not know, kept as written: `!dialect.body` or `!dialect<body>`.
    Opaque {
        /// Dialect namespace.
        dialect: NameId,
        /// Text after the namespace, without the outer `<>` when that form was used.
        body: Box<str>,
    },
}

/// `tensor<2x?xf32, encoding>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RankedTensor {
    /// Sizes, [`DYNAMIC`] for `?`.
    pub shape: Shape,
    /// Element type.
    pub element: TypeId,
    /// Encoding attribute; StableHLO's bounds live here.
    pub encoding: Option<AttrId>,
}

/// An f64 that can be compared and hashed by its bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct F64(u64);

impl F64 {
    /// Wraps `value`.
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }
    /// The number.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl std::fmt::Debug for F64 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.get().fmt(f)
    }
}

/// Storage of a quantized type: `i8`, `u8`, `i8<-127:127>`, `f8E4M3FN`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct StorageType {
    /// The type inside; `u8` is signless `i8` here with `signed` off.
    pub ty: TypeId,
    /// Whether integers are read as signed.
    pub signed: bool,
    /// Smallest storage value (for integers; the type's own bound unless restricted).
    pub min: i64,
    /// Largest storage value.
    pub max: i64,
}

/// `!quant.uniform<S:E, …>`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QuantizedType {
    /// Storage type and range.
    pub storage: StorageType,
    /// Expressed type, a float.
    pub expressed: TypeId,
    /// Scales and zero points.
    pub parameters: QuantizationParameters,
}

/// One scale with its zero point.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct ScaleZeroPoint {
    /// Scale; per-tensor and per-axis scales are f64, sub-channel scales are rounded to the expressed type.
    pub scale: F64,
    /// Zero point.
    pub zero_point: i64,
}

/// How far one scale reaches.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum QuantizationParameters {
    /// One for the whole tensor.
    PerTensor(ScaleZeroPoint),
    /// One per index of `dimension`.
    PerAxis {
        /// Quantization dimension.
        dimension: i32,
        /// One entry per slice.
        entries: Box<[ScaleZeroPoint]>,
    },
    /// MLIR's blockwise form.
    SubChannel {
        /// Pairs of dimension and block size.
        blocks: Box<[(i32, i64)]>,
        /// Sizes of the (dense, row-major) table of entries, one per tensor dimension.
        shape: Box<[i64]>,
        /// The entries.
        entries: Box<[ScaleZeroPoint]>,
    },
}

macro_rules! float_kinds {
    ($($variant:ident $stored:ident;)*) => {
        /// The floating-point types that MLIR text can name.
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
        #[expect(missing_docs, reason = "named as the formats are")]
        pub enum FloatKind { $($variant),* }

        impl FloatKind {
            /// All of them.
            pub const ALL: &'static [FloatKind] = &[$(FloatKind::$variant),*];

            /// The encoding.
            pub const fn format(self) -> &'static FloatFormat {
                match self { $(FloatKind::$variant => &FloatFormat::$variant),* }
            }

            /// The element type, for those that tensors can hold.
            pub const fn element(self) -> Option<ElementType> {
                match self { $(FloatKind::$variant => float_kinds!(@element $variant $stored)),* }
            }
        }
    };
    (@element $variant:ident stored) => { Some(ElementType::$variant) };
    (@element $variant:ident unstored) => { None };
}

float_kinds! {
    F4E2M1FN stored;
    F6E2M3FN stored;
    F6E3M2FN stored;
    F8E3M4 stored;
    F8E4M3 stored;
    F8E4M3B11FNUZ stored;
    F8E4M3FN stored;
    F8E4M3FNUZ stored;
    F8E5M2 stored;
    F8E5M2FNUZ stored;
    F8E8M0FNU stored;
    BF16 stored;
    F16 stored;
    TF32 unstored;
    F32 stored;
    F64 stored;
    F80 unstored;
    F128 unstored;
}

impl FloatKind {
    /// MLIR spelling.
    pub const fn name(self) -> &'static str {
        self.format().name
    }

    /// The kind with this MLIR spelling.
    pub fn from_name(name: &str) -> Option<FloatKind> {
        FloatKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The kind of a float element type.
    pub fn of(element: ElementType) -> Option<FloatKind> {
        FloatKind::ALL.iter().copied().find(|kind| kind.element() == Some(element))
    }
}
