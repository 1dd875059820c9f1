//! `pad`: the model of a declaration that has everything.

use crate::ir::{DYNAMIC, Shape};
use crate::ops::classes::{SCALAR_TENSOR, TENSOR};
use crate::ops::op;
use crate::ops::spec::{Check, Constraint, Infer, Syntax, Trait};
use crate::ops::stablehlo::dims;
use crate::syntax::Form::{self, AttrDict, Operands, Slot, Text, Types};
use crate::syntax::TypeForm;
use crate::verify::{Cx, Fault, Inferred, Place, Verdict};

const FORM: &[Form] = &[
    Operands,
    Text(", low = "),
    Slot("edge_padding_low"),
    Text(", high = "),
    Slot("edge_padding_high"),
    Text(", interior = "),
    Slot("interior_padding"),
    AttrDict,
    Types(TypeForm::Function),
];

op! {
    /// Padding around a tensor and between its elements.
    pub struct Pad = "stablehlo" "pad";
    operands { one I1 operand: TENSOR; one I2 padding_value: SCALAR_TENSOR; }
    attributes {
        required I3 edge_padding_low: I64Array;
        required I4 edge_padding_high: I64Array;
        required I5 interior_padding: I64Array;
    }
    results { one result: TENSOR; }
    regions {}
    spec {
        summary: "Expands `operand` by padding around the tensor and between its elements; negative padding crops",
        anchor: "pad",
        traits: &[Trait::Pure],
        constraints: &[
            Constraint {
                label: "C1",
                text: "operand, padding_value and result have the same element type.",
                check: Check::Fn(c1_element_types),
            },
            Constraint {
                label: "C2",
                text: "edge_padding_low, edge_padding_high and interior_padding have one entry per dimension of operand.",
                check: Check::Fn(c2_one_entry_per_dimension),
            },
            Constraint {
                label: "C3",
                text: "interior_padding is not negative; only the edges can crop.",
                check: Check::Fn(c3_interior_not_negative),
            },
            Constraint {
                label: "C4",
                text: "Each dimension of result is the operand's size plus interior padding between its elements plus both edges.",
                check: Check::Fn(c4_result_shape),
            },
        ],
        infer: Infer::Fn(infer),
        syntax: Syntax::Form(FORM),
    }
}

fn c1_element_types(cx: &Cx<'_>) -> Verdict {
    cx.same_element_type(&[Place::Operand(0), Place::Operand(1), Place::Result(0)])
}

fn c2_one_entry_per_dimension(cx: &Cx<'_>) -> Verdict {
    let op = Pad::new(cx.module, cx.op);
    let rank = cx.shape(op.operand()).len();
    for (name, padding) in [
        ("edge_padding_low", op.edge_padding_low()),
        ("edge_padding_high", op.edge_padding_high()),
        ("interior_padding", op.interior_padding()),
    ] {
        if padding.len() != rank {
            let message = format!(
                "{name} must have one entry per dimension of the operand: expected {rank}, got {}",
                padding.len()
            );
            return Err(Fault::new(message).at(Place::Attr(name)).label(Place::Operand(0), format!("has rank {rank}")));
        }
    }
    Ok(())
}

fn c3_interior_not_negative(cx: &Cx<'_>) -> Verdict {
    let interior = Pad::new(cx.module, cx.op).interior_padding();
    match interior.iter().position(|size| *size < 0) {
        None => Ok(()),
        Some(dim) => {
            let message = format!("interior_padding must not be negative, got {} in dimension {dim}", interior[dim]);
            Err(Fault::new(message).at(Place::Attr("interior_padding")))
        }
    }
}

fn c4_result_shape(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer(cx)?)
}

/// Sizes of the padded tensor: unknown where the operand's are, and bounded where those are.
fn infer(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let op = Pad::new(cx.module, cx.op);
    let pad = |dim: usize, size: i64, what: &str| {
        let (low, high, interior) =
            (op.edge_padding_low()[dim], op.edge_padding_high()[dim], op.interior_padding()[dim]);
        let padded = if size == DYNAMIC { Some(DYNAMIC) } else { padded_size(size, low, high, interior) };
        padded.filter(|padded| *padded >= 0 || *padded == DYNAMIC).ok_or_else(|| {
            let message = format!("dimension {dim} of the result would have a negative or too large {what}");
            Fault::new(message).at(Place::Attr("edge_padding_low"))
        })
    };
    let (mut shape, mut bounds) = (Shape::new(), Shape::new());
    for (dim, size) in cx.shape(op.operand()).iter().enumerate() {
        shape.push(pad(dim, *size, "size")?);
        bounds.push(pad(dim, dims::bound_at(cx.bounds(op.operand()), dim), "bound")?);
    }
    Ok(vec![dims::bounded(shape, bounds, Some(cx.element_type(op.operand())))])
}

/// `size + max(size − 1, 0) × interior + low + high`, none on overflow.
pub(super) fn padded_size(size: i64, low: i64, high: i64, interior: i64) -> Option<i64> {
    let between = (size - 1).max(0).checked_mul(interior)?;
    size.checked_add(between)?.checked_add(low)?.checked_add(high)
}
