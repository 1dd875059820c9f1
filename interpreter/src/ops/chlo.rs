//! CHLO: elementary functions beyond StableHLO's, elementwise ops that broadcast their operands, and a few large ops.
//!
//! Each op is computed directly, not by the decomposition that compilers use: the elementary functions are correctly
//! rounded where [`ACCURACY`](crate::semantics::ACCURACY) says so.

pub mod ragged_dot;
pub mod scan;
pub mod top_k;

use stablehlo::ir::{ChloComparisonDirection, ChloComparisonType};
use stablehlo::ops::OpKind;
use stablehlo::ops::attr_classes::{ChloComparisonDirectionAttr, ChloComparisonTypeAttr, I64Array, Typed};

use super::elementwise::{self, compare, defined, map, zip};
use super::{broadcast, constant};
use crate::element::{CompareType, Direction, Elementary, Float, Integer};
use crate::error::{EvalError, Result};
use crate::eval::{Cx, OpFn, one};
use crate::tensor::{Dims, Tensor, show};
use crate::value::{Value, Values};
use crate::{dispatch_float, dispatch_float_or_complex, dispatch_integer};

/// The meaning of an op of CHLO; none when it is not executed.
pub(super) fn meaning(kind: OpKind) -> Option<OpFn> {
    if without_broadcast(kind).is_some() {
        return Some(broadcasting);
    }
    function(kind).or_else(|| {
        Some(match kind {
            OpKind::BroadcastCompare => broadcast_compare,
            OpKind::ChloConstant => constant::eval,
            OpKind::ConstantLike => constant_like,
            OpKind::RaggedDot => ragged_dot::eval,
            OpKind::Scan => scan::eval,
            OpKind::TopK => top_k::eval,
            _ => return None,
        })
    })
}

/// Declares functions: kind, function of elements, class of types it is defined on, number of operands.
macro_rules! functions {
    ($($kind:ident = $name:ident: $dispatch:ident, $class:ident, $loop:ident;)*) => {
        /// The meaning of an op that computes each element by itself from operands of one shape.
        pub(super) fn function(kind: OpKind) -> Option<OpFn> {
            Some(match kind {
                $(OpKind::$kind => |cx: &Cx<'_>| {
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
    Acos = acos: dispatch_float_or_complex, Elementary, unary;
    Acosh = acosh: dispatch_float_or_complex, Elementary, unary;
    Asin = asin: dispatch_float_or_complex, Elementary, unary;
    Asinh = asinh: dispatch_float_or_complex, Elementary, unary;
    Atan = atan: dispatch_float_or_complex, Elementary, unary;
    Atanh = atanh: dispatch_float_or_complex, Elementary, unary;
    BesselI1e = bessel_i1e: dispatch_float, Float, unary;
    Conj = conj: dispatch_float_or_complex, Elementary, unary;
    Cosh = cosh: dispatch_float_or_complex, Elementary, unary;
    Digamma = digamma: dispatch_float, Float, unary;
    Erf = erf: dispatch_float, Float, unary;
    ErfInv = erf_inv: dispatch_float, Float, unary;
    Erfc = erfc: dispatch_float, Float, unary;
    IsInf = is_inf: dispatch_float, Float, unary;
    IsNegInf = is_neg_inf: dispatch_float, Float, unary;
    IsPosInf = is_pos_inf: dispatch_float, Float, unary;
    Lgamma = lgamma: dispatch_float, Float, unary;
    Mulhi = mulhi: dispatch_integer, Integer, binary;
    NextAfter = next_after: dispatch_float, Float, binary;
    Polygamma = polygamma: dispatch_float, Float, binary;
    Sinh = sinh: dispatch_float_or_complex, Elementary, unary;
    Square = square: dispatch_float_or_complex, Elementary, unary;
    ChloTan = tan: dispatch_float_or_complex, Elementary, unary;
    Zeta = zeta: dispatch_float, Float, binary;
}

/// What a `broadcast_` op does with operands in their common shape.
fn without_broadcast(kind: OpKind) -> Option<OpKind> {
    Some(match kind {
        OpKind::BroadcastAdd => OpKind::Add,
        OpKind::BroadcastAnd => OpKind::And,
        OpKind::BroadcastAtan2 => OpKind::Atan2,
        OpKind::BroadcastComplex => OpKind::Complex,
        OpKind::BroadcastDivide => OpKind::Divide,
        OpKind::BroadcastMaximum => OpKind::Maximum,
        OpKind::BroadcastMinimum => OpKind::Minimum,
        OpKind::BroadcastMultiply => OpKind::Multiply,
        OpKind::BroadcastNextAfter => OpKind::NextAfter,
        OpKind::BroadcastOr => OpKind::Or,
        OpKind::BroadcastPolygamma => OpKind::Polygamma,
        OpKind::BroadcastPower => OpKind::Power,
        OpKind::BroadcastRemainder => OpKind::Remainder,
        OpKind::BroadcastSelect => OpKind::Select,
        OpKind::BroadcastShiftLeft => OpKind::ShiftLeft,
        OpKind::BroadcastShiftRightArithmetic => OpKind::ShiftRightArithmetic,
        OpKind::BroadcastShiftRightLogical => OpKind::ShiftRightLogical,
        OpKind::BroadcastSubtract => OpKind::Subtract,
        OpKind::BroadcastXor => OpKind::Xor,
        OpKind::BroadcastZeta => OpKind::Zeta,
        _ => return None,
    })
}

/// A `broadcast_` op whose elements are computed by an op of StableHLO or CHLO.
fn broadcasting(cx: &Cx<'_>) -> Result<Values> {
    let kind = cx.module().kind(cx.op()).and_then(without_broadcast);
    let meaning = kind.and_then(|kind| elementwise::meaning(kind).or_else(|| function(kind)));
    let meaning = meaning.ok_or_else(|| EvalError::bug("no such elementwise op"))?;
    meaning(&cx.with_operands(broadcast_operands(cx)?))
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

/// `value` everywhere in the operand's shape.
fn constant_like(cx: &Cx<'_>) -> Result<Values> {
    let value = constant::from_scalar_attr(cx, cx.required::<Typed>("value")?)?;
    let operand = cx.tensor(0)?;
    Ok(one(super::shapes::splat(value.element(), operand.shape(), value.data())?))
}
