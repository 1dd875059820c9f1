//! Quantization parameters: the questions that ops which move data ask about them.

use crate::ir::{QuantizationParameters, QuantizedType, ScaleZeroPoint, ValueId};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

/// The quantized element type of a tensor.
pub fn quantized<'m>(cx: &Cx<'m>, value: ValueId) -> Option<&'m QuantizedType> {
    cx.module.quantized(cx.ty(value))
}

/// Quantization dimension and the scales with their zero points of a tensor that is quantized per axis.
pub fn per_axis<'m>(cx: &Cx<'m>, value: ValueId) -> Option<(usize, &'m [ScaleZeroPoint])> {
    match &quantized(cx, value)?.parameters {
        QuantizationParameters::PerAxis { dimension, entries } => Some((usize::try_from(*dimension).ok()?, entries)),
        _ => None,
    }
}

/// Passes when the first operand and the first result have one element type; of per-axis quantized ones, the
/// quantization dimension may differ, and, unless `same_entries`, scales and zero points too.
pub fn same_element_type_up_to_axis(cx: &Cx<'_>, same_entries: bool) -> Verdict {
    let (Some(operand), Some(result)) = (cx.value(Place::Operand(0)), cx.value(Place::Result(0))) else {
        return Ok(());
    };
    let (a, b) = (cx.element_type(operand), cx.element_type(result));
    if a == b {
        return Ok(());
    }
    let axis = |value| Some((quantized(cx, value)?, per_axis(cx, value)?.1));
    let (Some((x, x_entries)), Some((y, y_entries))) = (axis(operand), axis(result)) else {
        return cx.same_element_type(&[Place::Operand(0), Place::Result(0)]);
    };
    ensure(x.storage == y.storage && x.expressed == y.expressed, || {
        let message = format!("storage and expressed types must be equal, got {} and {}", cx.show(a), cx.show(b));
        Fault::new(message).at(Place::Result(0)).label(Place::Operand(0), format!("elements are {}", cx.show(a)))
    })?;
    ensure(!same_entries || x_entries == y_entries, || {
        let message = format!("scales and zero points must be equal, got {} and {}", cx.show(a), cx.show(b));
        Fault::new(message).at(Place::Result(0)).label(Place::Operand(0), format!("elements are {}", cx.show(a)))
    })
}
