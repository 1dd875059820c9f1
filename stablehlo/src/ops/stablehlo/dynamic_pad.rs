//! `dynamic_pad`: `pad` by amounts that are values.

use super::pad::padded_size;
use crate::ir::DYNAMIC;
use crate::ops::classes::*;
use crate::ops::op;
use crate::ops::spec::{Constraint, Syntax, Trait};
use crate::ops::stablehlo::shape_value;
use crate::syntax::forms::FUNCTIONAL;
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

op! {
    /// Padding by amounts that are values.
    pub struct DynamicPad = "stablehlo" "dynamic_pad";
    operands { one I1 operand: TENSOR; one I2 padding_value: SCALAR_TENSOR; one I3 edge_padding_low: STATIC_SHAPE_VECTOR; one I4 edge_padding_high: STATIC_SHAPE_VECTOR; one I5 interior_padding: STATIC_SHAPE_VECTOR; }
    attributes {}
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Expands `operand` by padding whose amounts are values; negative padding crops",
        anchor: "dynamic_pad",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint::rule("C1", "operand, padding_value and result have the same element type.", |cx| {
                cx.same_element_type(&[Place::Operand(0), Place::Operand(1), Place::Result(0)])
            }),
            Constraint::rule("C2", "edge_padding_low, edge_padding_high and interior_padding have the same type and one entry per dimension of operand.", c2_one_per_dimension),
            Constraint::rule("C3", "interior_padding is not negative where its value is known.", c3_interior_not_negative),
            Constraint::rule("C4", "Each dimension of result is the operand's size plus interior padding between its elements plus both edges, where these are known.", c4_result_shape),
        ],
        syntax: Syntax::Form(FUNCTIONAL),
    }
}

fn c2_one_per_dimension(cx: &Cx<'_>) -> Verdict {
    let ty = |index| cx.ty(cx.operand(index));
    ensure(ty(2) == ty(3) && ty(2) == ty(4), || {
        let (low, high, interior) = (cx.show(ty(2)), cx.show(ty(3)), cx.show(ty(4)));
        Fault::new(format!(
            "edge_padding_low, edge_padding_high and interior_padding must have the same type, got {low}, {high} and {interior}"
        ))
    })?;
    let (rank, found) = (cx.rank(cx.operand(0)), shape_value::length(cx, cx.operand(2)));
    ensure(rank == found, || {
        Fault::new(format!("edge_padding_low must have {rank} entries, one per dimension of the operand, got {found}"))
            .at(Place::Operand(2))
            .label(Place::Operand(0), format!("has rank {rank}"))
    })
}

fn c3_interior_not_negative(cx: &Cx<'_>) -> Verdict {
    let interior = cx.constant_integers(cx.operand(4)).unwrap_or_default();
    match interior.iter().position(|size| *size < 0) {
        None => Ok(()),
        Some(dim) => {
            let message = format!("interior_padding must not be negative, got {} in dimension {dim}", interior[dim]);
            Err(Fault::new(message).at(Place::Operand(4)))
        }
    }
}

fn c4_result_shape(cx: &Cx<'_>) -> Verdict {
    let (operand, result) = (cx.shape(cx.operand(0)), cx.shape(cx.result(0)));
    ensure(operand.len() == result.len(), || {
        let message = format!("the result must have the operand's rank {}, got {}", operand.len(), result.len());
        Fault::new(message).at(Place::Result(0))
    })?;
    let padding = |index| cx.constant_integers(cx.operand(index));
    let (Some(low), Some(high), Some(interior)) = (padding(2), padding(3), padding(4)) else {
        return Ok(());
    };
    for (dim, (size, found)) in operand.iter().zip(result).enumerate() {
        let known = [&low, &high, &interior].map(|amounts| amounts.get(dim).copied());
        let ([Some(low), Some(high), Some(interior)], false) = (known, *size == DYNAMIC || *found == DYNAMIC) else {
            continue;
        };
        let wanted = padded_size(*size, low, high, interior);
        ensure(wanted == Some(*found), || {
            let wanted = wanted.map_or_else(|| "too large".to_owned(), |size| size.to_string());
            Fault::new(format!("dimension {dim} of the result must be {wanted}, got {found}")).at(Place::Result(0))
        })?;
    }
    Ok(())
}
