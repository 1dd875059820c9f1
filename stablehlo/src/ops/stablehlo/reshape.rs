//! `reshape`: the same elements in another shape.

use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::ops::stablehlo::dims::{compatible, show};
use crate::ops::stablehlo::quantization::{per_axis, same_element_type_up_to_axis};
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// The same elements in another shape.
    pub struct Reshape = "stablehlo" "reshape";
    operands { one I1 operand: ANY_TENSOR; }
    attributes {}
    results { one result: STATIC_OR_BOUNDED_ANY_TENSOR; }
    regions {}
    spec {
        summary: "Gives the elements of `operand` the result's shape",
        anchor: "reshape",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand and result have the same element type, except that the quantization dimension of per-axis quantized ones may differ.", |cx| same_element_type_up_to_axis(cx, true)),
            Constraint::rule("C2", "operand and result have the same number of elements.", c2_count),
            Constraint::rule("C3", "The quantization dimensions of per-axis quantized operand and result have the same size, and as many elements before and behind them.", c3_quantization),
        ],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

/// Number of elements, when all sizes are known and it fits.
pub(super) fn count(sizes: &[i64]) -> Option<i128> {
    if sizes.contains(&DYNAMIC) {
        return None;
    }
    if sizes.contains(&0) {
        return Some(0);
    }
    sizes.iter().try_fold(1i128, |product, size| product.checked_mul(i128::from(*size)))
}

pub(super) fn c2_count(cx: &Cx<'_>) -> Verdict {
    let (operand, result) = (cx.shape(cx.operand(0)), cx.shape(cx.result(0)));
    let (Some(wanted), Some(found)) = (count(operand), count(result)) else {
        return Ok(());
    };
    ensure(wanted == found, || {
        let message = format!(
            "the result must have as many elements as the operand: {wanted} of {}, got {found} of {}",
            show(operand),
            show(result)
        );
        Fault::new(message).at(Place::Result(0)).label(Place::Operand(0), format!("has {wanted} elements"))
    })
}

pub(super) fn c3_quantization(cx: &Cx<'_>) -> Verdict {
    let (operand, result) = (cx.operand(0), cx.result(0));
    let (Some((from, _)), Some((to, _))) = (per_axis(cx, operand), per_axis(cx, result)) else {
        return Ok(());
    };
    let (operand, result) = (cx.shape(operand), cx.shape(result));
    let (Some(x), Some(y)) = (operand.get(from), result.get(to)) else {
        return Ok(());
    };
    ensure(compatible(*x, *y), || {
        let (x, y) = (crate::syntax::dimension(*x), crate::syntax::dimension(*y));
        Fault::new(format!("quantization dimensions must have the same size, got {x} and {y}")).at(Place::Result(0))
    })?;
    let parts = [("before", &operand[..from], &result[..to]), ("behind", &operand[from + 1..], &result[to + 1..])];
    for (place, one, other) in parts {
        let (Some(x), Some(y)) = (count(one), count(other)) else {
            continue;
        };
        ensure(x == y, || {
            let message = format!(
                "the sizes {place} the quantization dimension must have the same product, got {x} of {} and {y} of {}",
                show(one),
                show(other)
            );
            Fault::new(message).at(Place::Result(0))
        })?;
    }
    Ok(())
}
