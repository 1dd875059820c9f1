//! What `compare` asks.

use std::cmp::Ordering;

/// `comparison_direction`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal.
    Le,
    /// Less.
    Lt,
}

impl Direction {
    /// The direction with the specification's name, `EQ` … `LT`.
    pub fn from_name(name: &str) -> Option<Direction> {
        Some(match name {
            "EQ" => Direction::Eq,
            "NE" => Direction::Ne,
            "GE" => Direction::Ge,
            "GT" => Direction::Gt,
            "LE" => Direction::Le,
            "LT" => Direction::Lt,
            _ => return None,
        })
    }

    /// The direction for the operands in the other order.
    #[must_use]
    pub fn swapped(self) -> Direction {
        match self {
            Direction::Eq => Direction::Eq,
            Direction::Ne => Direction::Ne,
            Direction::Ge => Direction::Le,
            Direction::Gt => Direction::Lt,
            Direction::Le => Direction::Ge,
            Direction::Lt => Direction::Gt,
        }
    }

    /// Whether two values in this order satisfy the direction.
    #[inline]
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Direction::Eq => ordering.is_eq(),
            Direction::Ne => ordering.is_ne(),
            Direction::Ge => ordering.is_ge(),
            Direction::Gt => ordering.is_gt(),
            Direction::Le => ordering.is_le(),
            Direction::Lt => ordering.is_lt(),
        }
    }

    /// The direction by the operators of a type, for which NaN is unordered.
    #[inline]
    pub fn of_operators<T: PartialOrd>(self, lhs: &T, rhs: &T) -> bool {
        match self {
            Direction::Eq => lhs == rhs,
            Direction::Ne => lhs != rhs,
            Direction::Ge => lhs >= rhs,
            Direction::Gt => lhs > rhs,
            Direction::Le => lhs <= rhs,
            Direction::Lt => lhs < rhs,
        }
    }
}

/// `compare_type`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum CompareType {
    /// Quiet IEEE comparison: NaN is unordered, zeros are equal.
    #[default]
    Float,
    /// IEEE total order in all directions: −NaN < −∞ … −0 < +0 … +∞ < +NaN, NaNs by payload, equal only if the bits
    /// are. The one NaN of a `FNUZ` type counts as positive.
    TotalOrder,
    /// Signed integers.
    Signed,
    /// Unsigned integers and booleans.
    Unsigned,
}

impl CompareType {
    /// The type with the specification's name; `NOTYPE` is how the element type compares anyway.
    pub fn from_name(name: &str) -> Option<CompareType> {
        Some(match name {
            "FLOAT" | "NOTYPE" => CompareType::Float,
            "TOTALORDER" => CompareType::TotalOrder,
            "SIGNED" => CompareType::Signed,
            "UNSIGNED" => CompareType::Unsigned,
            _ => return None,
        })
    }
}
