//! `compare`.

use stablehlo::ir::{ComparisonDirection, ComparisonType};
use stablehlo::ops::attr_classes::{ComparisonDirectionAttr, ComparisonTypeAttr};

use super::zip;
use crate::dispatch_element;
use crate::element::{CompareType, Direction, Element};
use crate::error::Result;
use crate::eval::{Cx, one};
use crate::tensor::Tensor;
use crate::value::Values;

/// Reads the op and applies [`compare`].
pub fn eval(cx: &Cx<'_>) -> Result<Values> {
    let comparison_direction = match cx.required::<ComparisonDirectionAttr>("comparison_direction")? {
        ComparisonDirection::Eq => Direction::Eq,
        ComparisonDirection::Ne => Direction::Ne,
        ComparisonDirection::Ge => Direction::Ge,
        ComparisonDirection::Gt => Direction::Gt,
        ComparisonDirection::Le => Direction::Le,
        ComparisonDirection::Lt => Direction::Lt,
    };
    let compare_type = match cx.attr::<ComparisonTypeAttr>("compare_type") {
        Some(ComparisonType::TotalOrder) => CompareType::TotalOrder,
        Some(ComparisonType::Signed) => CompareType::Signed,
        Some(ComparisonType::Unsigned) => CompareType::Unsigned,
        Some(ComparisonType::Float | ComparisonType::NoType) | None => CompareType::Float,
    };
    Ok(one(compare(cx, &cx.tensor(0)?, &cx.tensor(1)?, comparison_direction, compare_type)?))
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
