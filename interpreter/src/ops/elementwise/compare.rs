//! `compare`.

use stablehlo::element::ElementType;
use stablehlo::ir::{ComparisonDirection, ComparisonType, Module, OpId};
use stablehlo::ops::attr_classes::{ComparisonDirectionAttr, ComparisonTypeAttr};
use stablehlo::ops::spec::AttrClass;

use super::{ScalarFn, word, zip};
use crate::dispatch_element;
use crate::element::{CompareType, Direction, Element};
use crate::error::{EvalError, Result};
use crate::eval::{Cx, one};
use crate::tensor::Tensor;
use crate::value::Values;

/// Reads the op and applies [`compare`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let Some((comparison_direction, compare_type)) = question(cx.module(), cx.op()) else {
        return Err(EvalError::bug("attribute comparison_direction is missing"));
    };
    Ok(one(compare(cx, &cx.tensor(0)?, &cx.tensor(1)?, comparison_direction, compare_type)?))
}

/// What the `compare` op asks.
pub fn question(module: &Module, op: OpId) -> Option<(Direction, CompareType)> {
    let direction = module.property(op, "comparison_direction")?;
    let direction = match ComparisonDirectionAttr::read(module, direction)? {
        ComparisonDirection::Eq => Direction::Eq,
        ComparisonDirection::Ne => Direction::Ne,
        ComparisonDirection::Ge => Direction::Ge,
        ComparisonDirection::Gt => Direction::Gt,
        ComparisonDirection::Le => Direction::Le,
        ComparisonDirection::Lt => Direction::Lt,
    };
    let compare_type = module.property(op, "compare_type");
    let compare_type = match compare_type.and_then(|attr| ComparisonTypeAttr::read(module, attr)) {
        Some(ComparisonType::TotalOrder) => CompareType::TotalOrder,
        Some(ComparisonType::Signed) => CompareType::Signed,
        Some(ComparisonType::Unsigned) => CompareType::Unsigned,
        Some(ComparisonType::Float | ComparisonType::NoType) | None => CompareType::Float,
    };
    Some((direction, compare_type))
}

/// The question on one pair of elements of type `element`.
pub fn scalar(element: ElementType, direction: Direction, compare_type: CompareType) -> ScalarFn {
    macro_rules! asking {
        ($direction:ident, $compare_type:ident) => {
            dispatch_element!(element, T => {
                (|lhs, rhs, _| {
                    let (lhs, rhs) = (T::read_le(lhs), T::read_le(rhs));
                    word(Element::compare(lhs, rhs, Direction::$direction, CompareType::$compare_type))
                }) as ScalarFn
            })
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

/// Whether each pair of elements satisfies the direction.
pub fn compare(
    cx: &Cx<'_>,
    lhs: &Tensor,
    rhs: &Tensor,
    comparison_direction: Direction,
    compare_type: CompareType,
) -> Result<Tensor> {
    dispatch_element!(lhs.element(), T => {
        zip(cx, lhs, rhs, |lhs: T, rhs: T| Element::compare(lhs, rhs, comparison_direction, compare_type))
    })
}
