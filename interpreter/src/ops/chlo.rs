//! CHLO: elementary functions beyond StableHLO's, elementwise ops that broadcast their operands, and a few large ops.
//!
//! Each op is computed directly, not by the decomposition that compilers use: the elementary functions are correctly
//! rounded where [`ACCURACY`](crate::semantics::ACCURACY) says so.

pub mod ragged_dot;
pub mod scan;
pub mod top_k;

use stablehlo::ir::{ChloComparisonDirection, ChloComparisonType};
use stablehlo::ops::attr_classes::{ChloComparisonDirectionAttr, ChloComparisonTypeAttr, I64Array, Typed};

use super::elementwise::{self, compare, defined, map, zip};
use super::{broadcast, constant};
use crate::element::{CompareType, ComplexElement, Direction, Elementary, Float, Integer};
use crate::error::{EvalError, Result};
use crate::eval::{Cx, OpFn, one};
use crate::tensor::{Dims, Tensor, show};
use crate::value::{Value, Values};
use crate::{dispatch_complex, dispatch_float, dispatch_float_or_complex, dispatch_integer};

/// The meaning of the op `chlo.<mnemonic>`.
pub(super) fn meaning(mnemonic: &str) -> Option<OpFn> {
    functions(mnemonic).or_else(|| broadcasting(mnemonic)).or_else(|| {
        Some(match mnemonic {
            "constant" => constant::eval,
            "constant_like" => constant_like,
            "ragged_dot" => ragged_dot::eval,
            "scan" => scan::eval,
            "top_k" => top_k::eval,
            _ => return None,
        })
    })
}

/// Declares functions: mnemonic, class of types, number of operands.
macro_rules! functions {
    ($($name:ident: $dispatch:ident, $class:ident, $loop:ident;)*) => {
        fn functions(mnemonic: &str) -> Option<OpFn> {
            Some(match mnemonic {
                $(stringify!($name) => |cx: &Cx<'_>| {
                    let element = cx.tensor(0)?.element();
                    let result = $dispatch!(element, T => $loop!(cx, <T as $class>::$name));
                    Ok(one(defined(result, element)?))
                },)*
                _ => return None,
            })
        }
    };
}

macro_rules! unary {
    ($cx:ident, $function:expr) => {
        map($cx, &$cx.tensor(0)?, $function)
    };
}

macro_rules! binary {
    ($cx:ident, $function:expr) => {
        zip($cx, &$cx.tensor(0)?, &$cx.tensor(1)?, $function)
    };
}

functions! {
    acos: dispatch_float_or_complex, Elementary, unary;
    acosh: dispatch_float_or_complex, Elementary, unary;
    asin: dispatch_float_or_complex, Elementary, unary;
    asinh: dispatch_float_or_complex, Elementary, unary;
    atan: dispatch_float_or_complex, Elementary, unary;
    atanh: dispatch_float_or_complex, Elementary, unary;
    bessel_i1e: dispatch_float, Float, unary;
    conj: dispatch_float_or_complex, Elementary, unary;
    cosh: dispatch_float_or_complex, Elementary, unary;
    digamma: dispatch_float, Float, unary;
    erf: dispatch_float, Float, unary;
    erf_inv: dispatch_float, Float, unary;
    erfc: dispatch_float, Float, unary;
    is_inf: dispatch_float, Float, unary;
    is_neg_inf: dispatch_float, Float, unary;
    is_pos_inf: dispatch_float, Float, unary;
    lgamma: dispatch_float, Float, unary;
    mulhi: dispatch_integer, Integer, binary;
    next_after: dispatch_float, Float, binary;
    polygamma: dispatch_float, Float, binary;
    sinh: dispatch_float_or_complex, Elementary, unary;
    square: dispatch_float_or_complex, Elementary, unary;
    tan: dispatch_float_or_complex, Elementary, unary;
    zeta: dispatch_float, Float, binary;
}

/// Ops that broadcast their operands to a common shape first.
fn broadcasting(mnemonic: &str) -> Option<OpFn> {
    /// A `broadcast_` op whose elements are computed by an op of StableHLO or CHLO.
    macro_rules! then {
        ($meaning:path, $name:literal) => {
            |cx: &Cx<'_>| {
                let meaning = $meaning($name).ok_or_else(|| EvalError::bug("no such elementwise op"))?;
                meaning(&cx.with_operands(broadcast_operands(cx)?))
            }
        };
    }
    Some(match mnemonic {
        "broadcast_add" => then!(elementwise::meaning, "add"),
        "broadcast_and" => then!(elementwise::meaning, "and"),
        "broadcast_atan2" => then!(elementwise::meaning, "atan2"),
        "broadcast_compare" => broadcast_compare,
        "broadcast_complex" => broadcast_complex,
        "broadcast_divide" => then!(elementwise::meaning, "divide"),
        "broadcast_maximum" => then!(elementwise::meaning, "maximum"),
        "broadcast_minimum" => then!(elementwise::meaning, "minimum"),
        "broadcast_multiply" => then!(elementwise::meaning, "multiply"),
        "broadcast_next_after" => then!(functions, "next_after"),
        "broadcast_or" => then!(elementwise::meaning, "or"),
        "broadcast_polygamma" => then!(functions, "polygamma"),
        "broadcast_power" => then!(elementwise::meaning, "power"),
        "broadcast_remainder" => then!(elementwise::meaning, "remainder"),
        "broadcast_select" => then!(elementwise::meaning, "select"),
        "broadcast_shift_left" => then!(elementwise::meaning, "shift_left"),
        "broadcast_shift_right_arithmetic" => then!(elementwise::meaning, "shift_right_arithmetic"),
        "broadcast_shift_right_logical" => then!(elementwise::meaning, "shift_right_logical"),
        "broadcast_subtract" => then!(elementwise::meaning, "subtract"),
        "broadcast_xor" => then!(elementwise::meaning, "xor"),
        "broadcast_zeta" => then!(functions, "zeta"),
        _ => return None,
    })
}

/// All operands in their common shape: dimensions of size 1 are repeated, and missing ones stand in front, unless
/// `broadcast_dimensions` says which dimensions of the result those of the operand with fewer are.
fn broadcast_operands(cx: &Cx<'_>) -> Result<Values> {
    let operands = cx.tensors_from(0)?;
    let rank = operands.iter().map(Tensor::rank).max().unwrap_or(0);
    let explicit = cx.attr::<I64Array>("broadcast_dimensions");
    let dims_of = |operand: &Tensor| -> Result<Dims> {
        match explicit.filter(|_| operand.rank() < rank) {
            None => Ok((rank - operand.rank()..rank).collect()),
            Some(dims) => {
                let dims: Dims = dims.iter().filter_map(|dim| usize::try_from(*dim).ok()).collect();
                let fits = dims.len() == operand.rank() && dims.iter().all(|dim| *dim < rank);
                fits.then_some(dims)
                    .ok_or_else(|| EvalError::invalid("exec/shape-mismatch", "broadcast_dimensions do not fit"))
            }
        }
    };
    let mut shape: Dims = Dims::from_elem(1, rank);
    for operand in &operands {
        for (size, dim) in operand.shape().iter().zip(dims_of(operand)?) {
            if shape[dim] == 1 {
                shape[dim] = *size;
            } else if *size != 1 && shape[dim] != *size {
                let shapes = operands.iter().map(|operand| show(operand.shape())).collect::<Vec<_>>().join(" and ");
                return Err(EvalError::invalid("exec/shape-mismatch", format!("shapes {shapes} do not broadcast")));
            }
        }
    }
    let in_common_shape =
        |operand: &Tensor| broadcast::in_dim(cx, operand, &shape, &dims_of(operand)?).map(Value::Tensor);
    operands.iter().map(in_common_shape).collect()
}

fn broadcast_compare(cx: &Cx<'_>) -> Result<Values> {
    let direction = match cx.required::<ChloComparisonDirectionAttr>("comparison_direction")? {
        ChloComparisonDirection::Eq => Direction::Eq,
        ChloComparisonDirection::Ne => Direction::Ne,
        ChloComparisonDirection::Ge => Direction::Ge,
        ChloComparisonDirection::Gt => Direction::Gt,
        ChloComparisonDirection::Le => Direction::Le,
        ChloComparisonDirection::Lt => Direction::Lt,
    };
    let compare_type = match cx.attr::<ChloComparisonTypeAttr>("compare_type") {
        Some(ChloComparisonType::TotalOrder) => CompareType::TotalOrder,
        Some(ChloComparisonType::Signed) => CompareType::Signed,
        Some(ChloComparisonType::Unsigned) => CompareType::Unsigned,
        Some(ChloComparisonType::Float | ChloComparisonType::NoType) | None => CompareType::Float,
    };
    let cx = cx.with_operands(broadcast_operands(cx)?);
    Ok(one(compare(&cx, &cx.tensor(0)?, &cx.tensor(1)?, direction, compare_type)?))
}

fn broadcast_complex(cx: &Cx<'_>) -> Result<Values> {
    let cx = cx.with_operands(broadcast_operands(cx)?);
    let (lhs, rhs) = (cx.tensor(0)?, cx.tensor(1)?);
    let element = lhs.element().complex_of().unwrap_or(lhs.element());
    let result = dispatch_complex!(element, T => zip(&cx, &lhs, &rhs, <T as ComplexElement>::complex));
    Ok(one(defined(result, element)?))
}

/// `value` everywhere in the operand's shape.
fn constant_like(cx: &Cx<'_>) -> Result<Values> {
    let value = constant::from_scalar_attr(cx, cx.required::<Typed>("value")?)?;
    let operand = cx.tensor(0)?;
    Ok(one(super::shapes::splat(value.element(), operand.shape(), value.data())?))
}
