//! Choosing the native type once per op.
//!
//! Each macro takes an [`ElementType`](super::ElementType) and a body that is compiled once per type of a class, with a
//! type alias bound to the native type. [`dispatch_element!`](crate::dispatch_element) covers all types and answers with
//! the body's value; the others answer with `Some` of it, or `None` for a type outside of the class.
//!
//! **The body should be one call of a generic function**, as below. In the body itself the type is concrete, so that
//! `x.abs()` on an `i8` would be the standard library's method, which panics, and `x.sinh()` on an `f64` the host's;
//! in a generic function only the traits' methods exist.
//!
//! ```
//! use interpreter::dispatch_number;
//! use interpreter::element::{ElementType, Number, read_all, write_all};
//!
//! fn abs<T: Number>(bytes: &[u8]) -> Vec<u8> {
//!     write_all(&read_all::<T>(bytes).into_iter().map(T::abs).collect::<Vec<_>>())
//! }
//!
//! fn evaluate(ty: ElementType, bytes: &[u8]) -> Option<Vec<u8>> {
//!     dispatch_number!(ty, T => abs::<T>(bytes))
//! }
//!
//! assert_eq!(evaluate(ElementType::I8, &[0xff, 0, 0x80]), Some(vec![1, 0, 0x80]));
//! assert_eq!(evaluate(ElementType::I1, &[1]), None);
//! ```

/// Every type. The body's value is the answer.
#[macro_export]
macro_rules! dispatch_element {
    ($ty:expr, $T:ident => $body:expr) => {{
        use $crate::element::ElementType as DispatchedType;
        $crate::dispatch_arms!(@match $ty, $T => $body, [
            I1 bool, I2 $crate::element::I2, I4 $crate::element::I4, I8 i8, I16 i16, I32 i32, I64 i64,
            UI2 $crate::element::U2, UI4 $crate::element::U4, UI8 u8, UI16 u16, UI32 u32, UI64 u64,
            F4E2M1FN $crate::element::F4E2M1FN, F6E2M3FN $crate::element::F6E2M3FN,
            F6E3M2FN $crate::element::F6E3M2FN, F8E3M4 $crate::element::F8E3M4, F8E4M3 $crate::element::F8E4M3,
            F8E4M3B11FNUZ $crate::element::F8E4M3B11FNUZ, F8E4M3FN $crate::element::F8E4M3FN,
            F8E4M3FNUZ $crate::element::F8E4M3FNUZ, F8E5M2 $crate::element::F8E5M2,
            F8E5M2FNUZ $crate::element::F8E5M2FNUZ, F8E8M0FNU $crate::element::F8E8M0FNU,
            BF16 $crate::element::bf16, F16 $crate::element::f16, F32 f32, F64 f64,
            ComplexF32 $crate::element::Complex<f32>, ComplexF64 $crate::element::Complex<f64>
        ])
    }};
}

/// All but booleans: types with [`Number`](crate::element::Number).
#[macro_export]
macro_rules! dispatch_number {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            ty if ty.is_integer() => $crate::dispatch_integer!(ty, $T => $body),
            ty if ty.is_float() => $crate::dispatch_float!(ty, $T => $body),
            ty => $crate::dispatch_complex!(ty, $T => $body),
        }
    };
}

/// Integers and floats: types with [`Real`](crate::element::Real).
#[macro_export]
macro_rules! dispatch_real {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            ty if ty.is_integer() => $crate::dispatch_integer!(ty, $T => $body),
            ty => $crate::dispatch_float!(ty, $T => $body),
        }
    };
}

/// Booleans and integers: types with [`Bits`](crate::element::Bits).
#[macro_export]
macro_rules! dispatch_bits {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            $crate::element::ElementType::I1 => Some({
                type $T = bool;
                $body
            }),
            ty => $crate::dispatch_integer!(ty, $T => $body),
        }
    };
}

/// Signed and unsigned integers: types with [`Integer`](crate::element::Integer).
#[macro_export]
macro_rules! dispatch_integer {
    ($ty:expr, $T:ident => $body:expr) => {{
        use $crate::element::ElementType as DispatchedType;
        $crate::dispatch_arms!(@some $ty, $T => $body, [
            I2 $crate::element::I2, I4 $crate::element::I4, I8 i8, I16 i16, I32 i32, I64 i64,
            UI2 $crate::element::U2, UI4 $crate::element::U4, UI8 u8, UI16 u16, UI32 u32, UI64 u64
        ])
    }};
}

/// Floats: types with [`Float`](crate::element::Float).
#[macro_export]
macro_rules! dispatch_float {
    ($ty:expr, $T:ident => $body:expr) => {{
        use $crate::element::ElementType as DispatchedType;
        $crate::dispatch_arms!(@some $ty, $T => $body, [
            F4E2M1FN $crate::element::F4E2M1FN, F6E2M3FN $crate::element::F6E2M3FN,
            F6E3M2FN $crate::element::F6E3M2FN, F8E3M4 $crate::element::F8E3M4, F8E4M3 $crate::element::F8E4M3,
            F8E4M3B11FNUZ $crate::element::F8E4M3B11FNUZ, F8E4M3FN $crate::element::F8E4M3FN,
            F8E4M3FNUZ $crate::element::F8E4M3FNUZ, F8E5M2 $crate::element::F8E5M2,
            F8E5M2FNUZ $crate::element::F8E5M2FNUZ, F8E8M0FNU $crate::element::F8E8M0FNU,
            BF16 $crate::element::bf16, F16 $crate::element::f16, F32 f32, F64 f64
        ])
    }};
}

/// Floats and complex numbers: types with [`Elementary`](crate::element::Elementary).
#[macro_export]
macro_rules! dispatch_float_or_complex {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            ty if ty.is_float() => $crate::dispatch_float!(ty, $T => $body),
            ty => $crate::dispatch_complex!(ty, $T => $body),
        }
    };
}

/// Complex numbers: types with [`ComplexElement`](crate::element::ComplexElement).
#[macro_export]
macro_rules! dispatch_complex {
    ($ty:expr, $T:ident => $body:expr) => {{
        use $crate::element::ElementType as DispatchedType;
        $crate::dispatch_arms!(@some $ty, $T => $body, [
            ComplexF32 $crate::element::Complex<f32>, ComplexF64 $crate::element::Complex<f64>
        ])
    }};
}

/// The `match` behind the other macros.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_arms {
    (@match $ty:expr, $T:ident => $body:expr, [$($variant:ident $native:ty),*]) => {
        match $ty {
            $(DispatchedType::$variant => {
                type $T = $native;
                $body
            })*
        }
    };
    (@some $ty:expr, $T:ident => $body:expr, [$($variant:ident $native:ty),*]) => {
        match $ty {
            $(DispatchedType::$variant => Some({
                type $T = $native;
                $body
            }),)*
            _ => None,
        }
    };
}
