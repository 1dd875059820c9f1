//! The elementwise ops as steps of fused loops: a row per op, in the interpreter's arithmetic.

use interpreter::element::{
    self, Bits, CompareType, ComplexElement, Direction, Element, Elementary, Float, Integer, Number, Real,
};
use interpreter::{
    dispatch_bits, dispatch_complex, dispatch_element, dispatch_float, dispatch_float_or_complex, dispatch_integer,
    dispatch_number, dispatch_real,
};
use stablehlo::element::ElementType;
use stablehlo::ops::OpKind;

use super::isa::Isa;
use super::lanes::{StepFn, step};
use super::vector_math;

/// An elementwise op with all that says what one element is.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Operation {
    /// Which op; a `reshape` copies.
    pub kind: OpKind,
    /// Storage type of the first operand.
    pub from: ElementType,
    /// Storage type of the result.
    pub to: ElementType,
    /// What attributes say.
    pub detail: Detail,
}

/// Attributes of an [`Operation`].
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Detail {
    /// None that matter.
    None,
    /// What `compare` asks, and whether in total order.
    Compare(Direction, bool),
    /// Bits of exponent and mantissa that `reduce_precision` leaves.
    Precision(i64, i64),
}

/// Runs the body with the type that programs are full of, compiled for every instruction set; else the rest of the class.
macro_rules! by_type {
    ($isa:ident, $element:expr, $class:ident, $T:ident => $arity:ident $params:tt, $f:expr, [$($variant:ident $native:ty),*]) => {
        match $element {
            $(ElementType::$variant => Some({
                type $T = $native;
                step!($isa, $arity $params, $f)
            }),)*
            rare => by_type!(@rare $class, rare, $T => step!(rare $arity $params, $f)),
        }
    };
    (@rare any, $element:expr, $T:ident => $body:expr) => { Some(dispatch_element!($element, $T => $body)) };
    (@rare $class:ident, $element:expr, $T:ident => $body:expr) => { $class!($element, $T => $body) };
}

macro_rules! integers {
    ($isa:ident, $element:expr, $class:ident, $T:ident => $arity:ident $params:tt, $f:expr) => {
        by_type!($isa, $element, $class, $T => $arity $params, $f,
            [I8 i8, I16 i16, I32 i32, I64 i64, UI8 u8, UI16 u16, UI32 u32, UI64 u64])
    };
}

macro_rules! numbers {
    ($isa:ident, $element:expr, $class:ident, $T:ident => $arity:ident $params:tt, $f:expr) => {
        by_type!($isa, $element, $class, $T => $arity $params, $f,
            [I8 i8, I16 i16, I32 i32, I64 i64, UI8 u8, UI16 u16, UI32 u32, UI64 u64, F32 f32, F64 f64,
             BF16 element::bf16, F16 element::f16])
    };
}

macro_rules! floats {
    ($isa:ident, $element:expr, $class:ident, $T:ident => $arity:ident $params:tt, $f:expr) => {
        by_type!($isa, $element, $class, $T => $arity $params, $f,
            [F32 f32, F64 f64, BF16 element::bf16, F16 element::f16])
    };
}

/// No type is worth a loop for each instruction set: the functions are long and do not become vector code.
macro_rules! rare {
    ($isa:ident, $element:expr, $class:ident, $T:ident => $arity:ident $params:tt, $f:expr) => {{
        let _: Isa = $isa;
        by_type!(@rare $class, $element, $T => step!(rare $arity $params, $f))
    }};
}

/// Rows of ops of one operand: kind, function, class of types, which of them are compiled for each instruction set.
macro_rules! unary {
    ($($kind:ident = $name:ident: $dispatch:ident, $class:ident, $types:ident -> $R:ident;)*) => {
        fn unary(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
            match kind {
                $(OpKind::$kind => unary!(@ $R, isa, element, $dispatch, $class, $types, $name),)*
                _ => None,
            }
        }
    };
    (@ same, $isa:ident, $element:ident, $dispatch:ident, $class:ident, $types:ident, $name:ident) => {
        $types!($isa, $element, $dispatch, T => map1 [T, T], <T as $class>::$name)
    };
    (@ part, $isa:ident, $element:ident, $dispatch:ident, $class:ident, $types:ident, $name:ident) => {
        $types!($isa, $element, $dispatch, T => map1 [T, <T as Element>::Part], <T as $class>::$name)
    };
    (@ pred, $isa:ident, $element:ident, $dispatch:ident, $class:ident, $types:ident, $name:ident) => {
        $types!($isa, $element, $dispatch, T => map1 [T, bool], <T as $class>::$name)
    };
}

unary! {
    Abs = abs: dispatch_number, Number, numbers -> part;
    Acos = acos: dispatch_float_or_complex, Elementary, rare -> same;
    Acosh = acosh: dispatch_float_or_complex, Elementary, rare -> same;
    Asin = asin: dispatch_float_or_complex, Elementary, rare -> same;
    Asinh = asinh: dispatch_float_or_complex, Elementary, rare -> same;
    Atan = atan: dispatch_float_or_complex, Elementary, rare -> same;
    Atanh = atanh: dispatch_float_or_complex, Elementary, rare -> same;
    BesselI1e = bessel_i1e: dispatch_float, Float, rare -> same;
    Cbrt = cbrt: dispatch_float_or_complex, Elementary, rare -> same;
    Ceil = ceil: dispatch_float, Float, floats -> same;
    ChloTan = tan: dispatch_float_or_complex, Elementary, rare -> same;
    Conj = conj: dispatch_float_or_complex, Elementary, floats -> same;
    Cosh = cosh: dispatch_float_or_complex, Elementary, rare -> same;
    Cosine = cosine: dispatch_float_or_complex, Elementary, rare -> same;
    CountLeadingZeros = count_leading_zeros: dispatch_integer, Integer, integers -> same;
    Digamma = digamma: dispatch_float, Float, rare -> same;
    Erf = erf: dispatch_float, Float, rare -> same;
    ErfInv = erf_inv: dispatch_float, Float, rare -> same;
    Erfc = erfc: dispatch_float, Float, rare -> same;
    Exponential = exponential: dispatch_float_or_complex, Elementary, rare -> same;
    ExponentialMinusOne = exponential_minus_one: dispatch_float_or_complex, Elementary, rare -> same;
    Floor = floor: dispatch_float, Float, floats -> same;
    Imag = imag: dispatch_float_or_complex, Elementary, floats -> part;
    IsFinite = is_finite: dispatch_float, Float, floats -> pred;
    IsInf = is_inf: dispatch_float, Float, floats -> pred;
    IsNegInf = is_neg_inf: dispatch_float, Float, floats -> pred;
    IsPosInf = is_pos_inf: dispatch_float, Float, floats -> pred;
    Lgamma = lgamma: dispatch_float, Float, rare -> same;
    Log = log: dispatch_float_or_complex, Elementary, rare -> same;
    LogPlusOne = log_plus_one: dispatch_float_or_complex, Elementary, rare -> same;
    Logistic = logistic: dispatch_float_or_complex, Elementary, rare -> same;
    Negate = negate: dispatch_number, Number, numbers -> same;
    Not = not: dispatch_bits, Bits, integers -> same;
    Popcnt = popcnt: dispatch_integer, Integer, integers -> same;
    Real = real: dispatch_float_or_complex, Elementary, floats -> part;
    RoundNearestAfz = round_nearest_afz: dispatch_float, Float, floats -> same;
    RoundNearestEven = round_nearest_even: dispatch_float, Float, floats -> same;
    Rsqrt = rsqrt: dispatch_float_or_complex, Elementary, floats -> same;
    Sign = sign: dispatch_number, Number, numbers -> same;
    Sine = sine: dispatch_float_or_complex, Elementary, rare -> same;
    Sinh = sinh: dispatch_float_or_complex, Elementary, rare -> same;
    Sqrt = sqrt: dispatch_float_or_complex, Elementary, floats -> same;
    Square = square: dispatch_float_or_complex, Elementary, floats -> same;
    Tan = tan: dispatch_float_or_complex, Elementary, rare -> same;
    Tanh = tanh: dispatch_float_or_complex, Elementary, rare -> same;
}

/// Rows of ops of two operands of one type.
macro_rules! binary {
    ($($kind:ident = $name:ident: $dispatch:ident, $class:ident, $types:ident;)*) => {
        fn binary(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
            match kind {
                $(OpKind::$kind => $types!(isa, element, $dispatch, T => map2 [T, T, T], <T as $class>::$name),)*
                OpKind::Complex => dispatch_complex!(element.complex_of()?, T => {
                    step!(rare map2 [<T as Element>::Part, <T as Element>::Part, T], <T as ComplexElement>::complex)
                }),
                _ => None,
            }
        }
    };
}

binary! {
    Add = add: any, Element, numbers;
    And = and: dispatch_bits, Bits, integers;
    Atan2 = atan2: dispatch_float_or_complex, Elementary, rare;
    Divide = divide: dispatch_number, Number, numbers;
    Maximum = maximum: any, Element, numbers;
    Minimum = minimum: any, Element, numbers;
    Mulhi = mulhi: dispatch_integer, Integer, rare;
    Multiply = multiply: any, Element, numbers;
    NextAfter = next_after: dispatch_float, Float, rare;
    Or = or: dispatch_bits, Bits, integers;
    Polygamma = polygamma: dispatch_float, Float, rare;
    Power = power: dispatch_number, Number, rare;
    Remainder = remainder: dispatch_real, Real, integers;
    ShiftLeft = shift_left: dispatch_integer, Integer, integers;
    ShiftRightArithmetic = shift_right_arithmetic: dispatch_integer, Integer, integers;
    ShiftRightLogical = shift_right_logical: dispatch_integer, Integer, integers;
    Subtract = subtract: dispatch_number, Number, numbers;
    Xor = xor: dispatch_bits, Bits, integers;
    Zeta = zeta: dispatch_float, Float, rare;
}

/// By way of `f64`, whose quotient is so close to the exact one that it truncates to the same integer.
#[inline(always)]
fn quotient(a: i32, b: i32) -> i32 {
    // The smallest integer divided by −1 is itself, as it is divided by 1.
    let divisor = if (b == 0) | ((b == -1) & (a == i32::MIN)) { 1 } else { b };
    // SAFETY: no quotient is beyond the dividend; the one that is has been replaced.
    let quotient = unsafe { (f64::from(a) / f64::from(divisor)).to_int_unchecked::<i32>() };
    if b == 0 { -1 } else { quotient }
}

/// What [`quotient`] leaves.
#[inline(always)]
fn remainder(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { a.wrapping_sub(quotient(a, b).wrapping_mul(b)) }
}

/// `compare` of two operands of type `element`.
pub fn compare(isa: Isa, element: ElementType, direction: Direction, compare_type: CompareType) -> Option<StepFn> {
    if compare_type != CompareType::TotalOrder
        && let Some(step) = vector_math::narrow::compare(isa, element, direction)
    {
        return Some(step);
    }
    macro_rules! asking {
        ($direction:ident, Float) => {
            numbers!(isa, element, any, T => map2 [T, T, bool], |a, b| asks::<T>(a, b, Direction::$direction, CompareType::Float))
        };
        ($direction:ident, TotalOrder) => {
            rare!(isa, element, any, T => map2 [T, T, bool], |a, b| asks::<T>(a, b, Direction::$direction, CompareType::TotalOrder))
        };
    }
    // Only floats and complex numbers look at the type, and all that matters is whether the order is total.
    match (direction, compare_type == CompareType::TotalOrder) {
        (Direction::Eq, false) => asking!(Eq, Float),
        (Direction::Ne, false) => asking!(Ne, Float),
        (Direction::Ge, false) => asking!(Ge, Float),
        (Direction::Gt, false) => asking!(Gt, Float),
        (Direction::Le, false) => asking!(Le, Float),
        (Direction::Lt, false) => asking!(Lt, Float),
        (Direction::Eq, true) => asking!(Eq, TotalOrder),
        (Direction::Ne, true) => asking!(Ne, TotalOrder),
        (Direction::Ge, true) => asking!(Ge, TotalOrder),
        (Direction::Gt, true) => asking!(Gt, TotalOrder),
        (Direction::Le, true) => asking!(Le, TotalOrder),
        (Direction::Lt, true) => asking!(Lt, TotalOrder),
    }
}

#[inline(always)]
fn asks<T: Element>(a: T, b: T, direction: Direction, compare_type: CompareType) -> bool {
    Element::compare(a, b, direction, compare_type)
}

#[inline(always)]
fn choose<T>(pred: bool, on_true: T, on_false: T) -> T {
    if pred { on_true } else { on_false }
}

#[inline(always)]
fn clamped<T: Element>(min: T, operand: T, max: T) -> T {
    Element::minimum(Element::maximum(operand, min), max)
}

/// `select` between elements of type `element`: only their width matters.
pub fn select(isa: Isa, element: ElementType) -> Option<StepFn> {
    Some(match element.byte_width() {
        1 => step!(isa, map3 [bool, u8, u8, u8], choose),
        2 => step!(isa, map3 [bool, u16, u16, u16], choose),
        4 => step!(isa, map3 [bool, u32, u32, u32], choose),
        8 => step!(isa, map3 [bool, u64, u64, u64], choose),
        _ => dispatch_element!(element, T => step!(rare map3 [bool, T, T, T], choose)),
    })
}

/// `clamp` of elements of type `element`.
pub fn clamp(isa: Isa, element: ElementType) -> Option<StepFn> {
    numbers!(isa, element, any, T => map3 [T, T, T, T], clamped)
}

/// `reduce_precision` to the formats that programs ask for; none for others, which are left to the interpreter.
pub fn reduce_precision(isa: Isa, element: ElementType, exponent_bits: i64, mantissa_bits: i64) -> Option<StepFn> {
    macro_rules! to {
        ($($exponent:literal $mantissa:literal),*) => {
            match (exponent_bits, mantissa_bits) {
                $(($exponent, $mantissa) => floats!(isa, element, dispatch_float, T => map1 [T, T], |x| {
                    <T as Float>::reduce_precision(x, $exponent, $mantissa)
                }),)*
                _ => None,
            }
        };
    }
    // f16, bf16, tf32, f32 and the two of 8 bits.
    to!(5 10, 8 7, 8 10, 8 23, 4 3, 5 2)
}

/// Elements copied as they are.
pub fn copy(element: ElementType) -> StepFn {
    copy_of_width(element.byte_width())
}

/// Elements of `width` bytes copied as they are.
pub fn copy_of_width(width: usize) -> StepFn {
    match width {
        1 => copy_bytes::<1>,
        2 => copy_bytes::<2>,
        4 => copy_bytes::<4>,
        8 => copy_bytes::<8>,
        _ => copy_bytes::<16>,
    }
}

unsafe fn copy_bytes<const W: usize>(n: usize, out: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
    // SAFETY: the promise of `StepFn`; `copy` allows `out` to be the operand.
    unsafe { std::ptr::copy(a, out, n * W) }
}

/// `convert` from one element type to another; none for pairs that are left to two steps through `through`.
pub fn convert(isa: Isa, from: ElementType, to: ElementType) -> Option<StepFn> {
    if let Some(step) = vector_math::convert::step_of(isa, from, to) {
        return Some(step);
    }
    macro_rules! to {
        ($($variant:ident $native:ty),*) => {
            match to {
                $(ElementType::$variant => by_type!(isa, from, any, T => map1 [T, $native], element::convert::<T, $native>,
                    [I1 bool, I8 i8, I32 i32, I64 i64, UI8 u8, UI32 u32, F32 f32, F64 f64, BF16 element::bf16, F16 element::f16]),)*
                rare => dispatch_element!(rare, R => {
                    by_type!(@rare any, from, T => step!(rare map1 [T, R], element::convert::<T, R>))
                }),
            }
        };
    }
    to!(F32 f32, I32 i32, I8 i8, BF16 element::bf16, F16 element::f16)
}

/// The step of an op that needs no more than its kind and the element type of its first operand.
pub fn simple(isa: Isa, kind: OpKind, element: ElementType) -> Option<StepFn> {
    let vectors =
        || vector_math::step(isa, kind, element).or_else(|| vector_math::narrow::arithmetic(isa, kind, element));
    if let Some(step) = vectors() {
        return Some(step);
    }
    match kind {
        OpKind::Select => None,
        OpKind::Clamp => clamp(isa, element),
        OpKind::Divide if element == ElementType::I32 => Some(step!(isa, map2 [i32, i32, i32], quotient)),
        OpKind::Remainder if element == ElementType::I32 => Some(step!(isa, map2 [i32, i32, i32], remainder)),
        _ => unary(isa, kind, element).or_else(|| binary(isa, kind, element)),
    }
}
