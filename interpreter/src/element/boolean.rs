//! `i1`.

use super::{Bits, CompareType, Direction, Element, ElementType, Exact};

impl Element for bool {
    const TYPE: ElementType = ElementType::I1;
    type Part = bool;

    #[inline]
    fn zero() -> Self {
        false
    }

    #[inline]
    fn one() -> Self {
        true
    }

    #[inline]
    fn read_le(bytes: &[u8]) -> Self {
        bytes.first().is_some_and(|&byte| byte != 0)
    }

    #[inline]
    fn write_le(self, bytes: &mut [u8]) {
        if let Some(byte) = bytes.first_mut() {
            *byte = u8::from(self);
        }
    }

    #[inline]
    fn to_exact(self) -> Exact {
        Exact::Integer(i128::from(self))
    }

    #[inline]
    fn from_exact(value: Exact) -> Self {
        match value {
            Exact::Integer(value) => value != 0,
            Exact::Float(value) | Exact::Complex(value, _) => value != 0.0,
        }
    }

    #[inline]
    fn add(self, rhs: Self) -> Self {
        self | rhs
    }

    #[inline]
    fn multiply(self, rhs: Self) -> Self {
        self & rhs
    }

    #[inline]
    fn maximum(self, rhs: Self) -> Self {
        self | rhs
    }

    #[inline]
    fn minimum(self, rhs: Self) -> Self {
        self & rhs
    }

    #[inline]
    fn compare(self, rhs: Self, direction: Direction, _: CompareType) -> bool {
        direction.holds(self.cmp(&rhs))
    }
}

impl Bits for bool {
    #[inline]
    fn and(self, rhs: Self) -> Self {
        self & rhs
    }

    #[inline]
    fn or(self, rhs: Self) -> Self {
        self | rhs
    }

    #[inline]
    fn xor(self, rhs: Self) -> Self {
        self ^ rhs
    }

    #[inline]
    fn not(self) -> Self {
        !self
    }
}
