//! Element types: what a tensor of the specification may hold, bit by bit.
//!
//! [`ElementType`] names the thirty storable element types of the specification (section "Types").
//! [`FloatFormat`] describes every floating-point format that MLIR text can spell, the small floats are newtypes in
//! [`small_float`], and [`float_text`] prints and reads literals exactly as MLIR does.
//!
//! **Invariant:** bits are little-endian in memory, one element per [`ElementType::byte_width`] bytes, as in MLIR's
//! dense storage: types narrower than a byte take a whole byte, complex numbers hold the real part first.

pub mod float_text;
mod format;
mod round;
pub mod small_float;

use std::fmt;

pub use float_text::{ParseFloatError, parse_decimal, parse_hex_bits, print_float};
pub use format::{Decoded, FloatFormat, NonFinite};
pub use round::{bf16_from_f64, bf16_to_f32, f16_from_f64, f16_to_f32, round_f64};
pub use small_float::{
    F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU,
};

macro_rules! element_types {
    ($($variant:ident = $name:literal, $bits:literal, $class:ident;)*) => {
        /// A storable element type of the specification, named as there (`I1` is the boolean type).
        #[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum ElementType {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl ElementType {
            /// Every element type: booleans, signed, unsigned, floating-point (by width), complex.
            pub const ALL: &'static [ElementType] = &[$(ElementType::$variant,)*];

            /// The MLIR spelling: `i1`, `ui8`, `f8E4M3FN`, `complex<f32>`.
            pub const fn name(self) -> &'static str {
                match self { $(ElementType::$variant => $name,)* }
            }

            /// Bits of one value; a complex number counts both parts.
            pub const fn bits(self) -> u32 {
                match self { $(ElementType::$variant => $bits,)* }
            }

            const fn class(self) -> Class {
                match self { $(ElementType::$variant => Class::$class,)* }
            }

            /// The bit layout of a floating-point type; none for all others (also for complex types: see
            /// [`ElementType::complex_part`]).
            pub const fn float_format(self) -> Option<&'static FloatFormat> {
                match self { $(ElementType::$variant => element_types!(@format $variant $class),)* }
            }
        }
    };
    (@format $variant:ident Float) => { Some(&FloatFormat::$variant) };
    (@format $variant:ident $class:ident) => { None };
}

/// What kind of number an element type holds.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Class {
    Boolean,
    Signed,
    Unsigned,
    Float,
    Complex,
}

element_types! {
    I1 = "i1", 1, Boolean;
    I2 = "i2", 2, Signed;
    I4 = "i4", 4, Signed;
    I8 = "i8", 8, Signed;
    I16 = "i16", 16, Signed;
    I32 = "i32", 32, Signed;
    I64 = "i64", 64, Signed;
    UI2 = "ui2", 2, Unsigned;
    UI4 = "ui4", 4, Unsigned;
    UI8 = "ui8", 8, Unsigned;
    UI16 = "ui16", 16, Unsigned;
    UI32 = "ui32", 32, Unsigned;
    UI64 = "ui64", 64, Unsigned;
    F4E2M1FN = "f4E2M1FN", 4, Float;
    F6E2M3FN = "f6E2M3FN", 6, Float;
    F6E3M2FN = "f6E3M2FN", 6, Float;
    F8E3M4 = "f8E3M4", 8, Float;
    F8E4M3 = "f8E4M3", 8, Float;
    F8E4M3B11FNUZ = "f8E4M3B11FNUZ", 8, Float;
    F8E4M3FN = "f8E4M3FN", 8, Float;
    F8E4M3FNUZ = "f8E4M3FNUZ", 8, Float;
    F8E5M2 = "f8E5M2", 8, Float;
    F8E5M2FNUZ = "f8E5M2FNUZ", 8, Float;
    F8E8M0FNU = "f8E8M0FNU", 8, Float;
    BF16 = "bf16", 16, Float;
    F16 = "f16", 16, Float;
    F32 = "f32", 32, Float;
    F64 = "f64", 64, Float;
    ComplexF32 = "complex<f32>", 64, Complex;
    ComplexF64 = "complex<f64>", 128, Complex;
}

impl ElementType {
    /// The element type with this MLIR spelling.
    pub fn from_name(name: &str) -> Option<ElementType> {
        ElementType::ALL.iter().copied().find(|ty| ty.name() == name)
    }

    /// Bytes that one element takes in MLIR's dense storage: `bits` rounded up to whole bytes.
    pub const fn byte_width(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// Signed or unsigned integer; `i1` is a boolean and not an integer, as in the specification.
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Signed integer (`i2` … `i64`).
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), Class::Signed)
    }

    /// Unsigned integer (`ui2` … `ui64`).
    pub const fn is_unsigned(self) -> bool {
        matches!(self.class(), Class::Unsigned)
    }

    /// `i1`.
    pub const fn is_boolean(self) -> bool {
        matches!(self.class(), Class::Boolean)
    }

    /// The smallest and the largest value of an integer type, and of `i1`; none for all others.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        match self.class() {
            Class::Signed => Some((-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1)),
            Class::Unsigned | Class::Boolean => Some((0, (1 << self.bits()) - 1)),
            Class::Float | Class::Complex => None,
        }
    }

    /// Floating-point type, not complex.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// `complex<f32>` or `complex<f64>`.
    pub const fn is_complex(self) -> bool {
        matches!(self.class(), Class::Complex)
    }

    /// The type of the real and the imaginary part of a complex type.
    pub const fn complex_part(self) -> Option<ElementType> {
        match self {
            ElementType::ComplexF32 => Some(ElementType::F32),
            ElementType::ComplexF64 => Some(ElementType::F64),
            _ => None,
        }
    }

    /// The complex type whose parts have this type.
    pub const fn complex_of(self) -> Option<ElementType> {
        match self {
            ElementType::F32 => Some(ElementType::ComplexF32),
            ElementType::F64 => Some(ElementType::ComplexF64),
            _ => None,
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_types_and_names_are_unique() {
        assert_eq!(ElementType::ALL.len(), 30);
        for &ty in ElementType::ALL {
            assert_eq!(ElementType::from_name(ty.name()), Some(ty));
            assert_eq!(ty.to_string(), ty.name());
        }
        assert_eq!(ElementType::from_name("si8"), None);
    }

    #[test]
    fn every_type_is_in_exactly_one_class() {
        for &ty in ElementType::ALL {
            let classes = [ty.is_boolean(), ty.is_signed(), ty.is_unsigned(), ty.is_float(), ty.is_complex()];
            assert_eq!(classes.iter().filter(|&&is| is).count(), 1, "{ty}");
            assert_eq!(ty.is_float(), ty.float_format().is_some());
            if let Some(format) = ty.float_format() {
                assert_eq!((format.name, format.bits), (ty.name(), ty.bits()));
            }
        }
    }

    #[test]
    fn storage_takes_whole_bytes() {
        let widths = [("i1", 1), ("i4", 1), ("f6E2M3FN", 1), ("ui16", 2), ("bf16", 2), ("complex<f64>", 16)];
        for (name, width) in widths {
            assert_eq!(ElementType::from_name(name).map(ElementType::byte_width), Some(width), "{name}");
        }
        assert_eq!(ElementType::ComplexF32.complex_part(), Some(ElementType::F32));
        assert_eq!(ElementType::F64.complex_of(), Some(ElementType::ComplexF64));
    }
}
