//! What CHLO's elementwise ops share: broadcasting, and results like operands.

use crate::ir::{DYNAMIC, Shape, TypeId, ValueId};
use crate::ops::spec::{Constraint, Infer};
use crate::ops::stablehlo::dims::{bound_at, bounded, show};
use crate::verify::{Cx, Fault, Inferred, Place, Verdict, ensure};

/// What rows of one family of elementwise ops share.
pub(super) struct Family {
    pub(super) constraints: &'static [Constraint],
    pub(super) infer: Infer,
}

pub(super) const SAME_TYPES: &str = "Operands and result have the same shape and element type.";

/// All operands and the result have one type, as far as known.
pub(super) fn same_types(cx: &Cx<'_>) -> Verdict {
    cx.same_baseline_types()
}

/// The result has the first operand's shape.
pub(super) fn shape_of_operand(cx: &Cx<'_>) -> Verdict {
    cx.check_results(&infer_shape_of_operand(cx)?)
}

/// The first operand's shape, with an element type that does not follow.
pub(super) fn infer_shape_of_operand(cx: &Cx<'_>) -> Result<Vec<Inferred>, Fault> {
    let shaped = |operand: &ValueId| match cx.module.tensor(cx.ty(*operand)) {
        Some(_) => cx.with_element(Inferred::Type(cx.ty(*operand)), None),
        // Nothing is known of an unranked operand: whatever the result is, agrees.
        None => Inferred::Type(cx.module.results(cx.op).get(0).map_or(cx.ty(*operand), |result| cx.ty(result))),
    };
    Ok(cx.module.operands(cx.op).first().map(shaped).into_iter().collect())
}

/// Passes when the values at `places` have exactly one element type.
pub(super) fn same_elements(cx: &Cx<'_>, places: &[Place]) -> Verdict {
    let mut found = places.iter().filter_map(|place| Some((*place, cx.element_type(cx.value(*place)?))));
    let Some((first, wanted)) = found.next() else {
        return Ok(());
    };
    match found.find(|(_, element)| *element != wanted) {
        None => Ok(()),
        Some((place, element)) => {
            let (wanted, element) = (cx.show(wanted), cx.show(element));
            let message = format!("element types must be the same, got {wanted} and {element}");
            Err(Fault::new(message).at(place).label(first, format!("this has element type {wanted}")))
        }
    }
}

/// A size and the bound of a dimension of unknown size.
type Dimension = (i64, i64);

/// One dimension out of two; none when neither stretches to the other.
fn broadcast_dimension(a: Dimension, b: Dimension) -> Option<Dimension> {
    match (a, b) {
        ((1, _), other) | (other, (1, _)) => Some(other),
        ((DYNAMIC, x), (DYNAMIC, y)) => Some((DYNAMIC, if x == DYNAMIC || y == DYNAMIC { DYNAMIC } else { x.max(y) })),
        // An unknown size is 1 or the other one. With a bound below the other size it must be 1; either way that one results.
        ((DYNAMIC, DYNAMIC), (size, _)) | ((size, _), (DYNAMIC, DYNAMIC)) => Some((size, DYNAMIC)),
        ((DYNAMIC, _), (_, _)) | ((_, _), (DYNAMIC, _)) => Some((DYNAMIC, DYNAMIC)),
        ((x, _), (y, _)) => (x == y).then_some((x, DYNAMIC)),
    }
}

/// The dimensions that all operands broadcast to, aligned at the last dimension; none when one of them is unranked.
pub(super) fn numpy_broadcast(cx: &Cx<'_>, operands: &[ValueId]) -> Result<Option<Vec<Dimension>>, Fault> {
    let mut out: Vec<Dimension> = Vec::new();
    for (index, operand) in operands.iter().enumerate() {
        let Some(tensor) = cx.module.tensor(cx.ty(*operand)) else {
            return Ok(None);
        };
        let bounds = cx.bounds(*operand);
        let rank = tensor.shape.len();
        if rank > out.len() {
            let missing = rank - out.len();
            out.splice(0..0, std::iter::repeat_n((1, DYNAMIC), missing));
        }
        let offset = out.len() - rank;
        for (dim, size) in tensor.shape.iter().enumerate() {
            let at = &mut out[offset + dim];
            let Some(merged) = broadcast_dimension(*at, (*size, bound_at(bounds, dim))) else {
                let shapes: Vec<String> = operands.iter().map(|operand| show(cx.shape(*operand))).collect();
                let message = format!("shapes {} cannot be broadcast to one shape", shapes.join(" and "));
                return Err(Fault::new(message).at(Place::Operand(index)));
            };
            *at = merged;
        }
    }
    Ok(Some(out))
}

/// The same for two operands when `broadcast_dimensions` says which dimensions of the higher rank those of the lower are.
fn explicit_broadcast(cx: &Cx<'_>, operands: &[ValueId], dims: &[i64]) -> Result<Option<Vec<Dimension>>, Fault> {
    let (lhs, rhs) = (operands[0], operands[1]);
    if cx.module.tensor(cx.ty(lhs)).is_none() || cx.module.tensor(cx.ty(rhs)).is_none() {
        return Ok(None);
    }
    let (large, small) = if cx.rank(lhs) > cx.rank(rhs) { (lhs, rhs) } else { (rhs, lhs) };
    let fault = |message: String| Fault::new(message).at(Place::Attr("broadcast_dimensions"));
    let dimensions = |value: ValueId| -> Vec<Dimension> {
        let bounds = cx.bounds(value);
        cx.shape(value).iter().enumerate().map(|(dim, size)| (*size, bound_at(bounds, dim))).collect()
    };
    let (mut out, small) = (dimensions(large), dimensions(small));
    // Operands of one rank need no list; upstream's tests have one of another length there.
    if small.len() == out.len() && dims.len() != small.len() {
        return numpy_broadcast(cx, operands);
    }
    ensure(dims.len() == small.len(), || {
        let wanted = small.len();
        fault(format!(
            "broadcast_dimensions must have one entry per dimension of the lower rank, {wanted}, got {}",
            dims.len()
        ))
    })?;
    for (from, dim) in small.into_iter().zip(dims) {
        let rank = out.len();
        let at = usize::try_from(*dim).ok().and_then(|dim| out.get_mut(dim));
        let Some(at) = at else {
            return Err(fault(format!("broadcast_dimensions must be in range [0, {rank}), got {dim}")));
        };
        let Some(merged) = broadcast_dimension(*at, from) else {
            let (one, two) = (show(cx.shape(lhs)), show(cx.shape(rhs)));
            return Err(fault(format!("shapes {one} and {two} cannot be broadcast to one shape along {}", show(dims))));
        };
        *at = merged;
    }
    Ok(Some(out))
}

/// A tensor of the dimensions that the operands broadcast to; the written result type when one is unranked.
fn inferred(cx: &Cx<'_>, dimensions: Option<Vec<Dimension>>, element: Option<TypeId>) -> Result<Vec<Inferred>, Fault> {
    let Some(dimensions) = dimensions else {
        return Ok(cx.module.results(cx.op).iter().map(|result| Inferred::Type(cx.ty(result))).collect());
    };
    let shape: Shape = dimensions.iter().map(|(size, _)| *size).collect();
    let bounds: Shape = dimensions.iter().map(|(_, bound)| *bound).collect();
    Ok(vec![bounded(shape, bounds, element)])
}

/// The broadcast type of a binary op; its element type is `element`.
pub(super) fn infer_binary(cx: &Cx<'_>, element: Option<TypeId>) -> Result<Vec<Inferred>, Fault> {
    let operands = cx.module.operands(cx.op);
    let dims = cx.module.property(cx.op, "broadcast_dimensions").map(|attr| cx.module.attr(attr));
    let dimensions = match dims {
        Some(crate::ir::Attribute::DenseI64Array(dims)) => explicit_broadcast(cx, operands, dims)?,
        _ => numpy_broadcast(cx, operands)?,
    };
    inferred(cx, dimensions, element)
}

/// The broadcast type of all operands.
pub(super) fn infer_all(cx: &Cx<'_>, element: Option<TypeId>) -> Result<Vec<Inferred>, Fault> {
    inferred(cx, numpy_broadcast(cx, cx.module.operands(cx.op))?, element)
}
