//! Rules about quantized operands that contractions and convolutions share.

use crate::ir::{QuantizationParameters, QuantizedType, Type, TypeId};
use crate::verify::{Cx, Fault, Place, Verdict, ensure};

const LHS: Place = Place::Operand(0);
const RHS: Place = Place::Operand(1);
const RESULT: Place = Place::Result(0);

/// Element types of `lhs`, `rhs` and `result`.
pub struct Elements<'m> {
    cx: Cx<'m>,
    lhs: TypeId,
    rhs: TypeId,
    result: TypeId,
}

impl<'m> Elements<'m> {
    /// Those of an op with the operands `lhs` and `rhs`, in this order, and one result.
    pub fn of(cx: &Cx<'m>) -> Self {
        Self {
            cx: *cx,
            lhs: cx.element_type(cx.operand(0)),
            rhs: cx.element_type(cx.operand(1)),
            result: cx.element_type(cx.result(0)),
        }
    }

    fn quantized(&self, element: TypeId) -> Option<&'m QuantizedType> {
        self.cx.module.quantized(element)
    }

    /// The quantized type of `rhs`.
    pub fn rhs(&self) -> Option<&'m QuantizedType> {
        self.quantized(self.rhs)
    }

    /// The quantized type of the result.
    pub fn result(&self) -> Option<&'m QuantizedType> {
        self.quantized(self.result)
    }

    /// Whether any of the three is quantized.
    pub fn any_quantized(&self) -> bool {
        [self.lhs, self.rhs, self.result].iter().any(|element| self.quantized(*element).is_some())
    }

    /// Passes when something is quantized, or both operands have one element type.
    ///
    /// The specification wants that for the result too, but upstream's tests contain products that are wider than the
    /// operands (`i8 × i8 → i32`), as quantized models need them. Two different floats of at most 8 bits pass too:
    /// frameworks write products of `f8E4M3FN` and `f8E5M2` when they train in 8 bits.
    pub fn operands_equal(&self) -> Verdict {
        let narrow = |ty| matches!(self.cx.module.ty(ty), Type::Float(kind) if kind.format().bits <= 8);
        let mixed = narrow(self.lhs) && narrow(self.rhs);
        ensure(self.any_quantized() || self.lhs == self.rhs || mixed, || {
            let (lhs, rhs) = (self.cx.show(self.lhs), self.cx.show(self.rhs));
            let fault = Fault::new(format!("lhs and rhs must have the same element type, got {lhs} and {rhs}"));
            fault.at(RHS).label(LHS, format!("this has element type {lhs}"))
        })
    }

    /// Passes when nothing is quantized, or `rhs` is, and `lhs` exactly when the result is.
    pub fn quantized_together(&self) -> Verdict {
        let (lhs, rhs, result) = (self.quantized(self.lhs), self.rhs(), self.result());
        ensure(!self.any_quantized() || rhs.is_some(), || {
            let found = self.cx.show(self.rhs);
            Fault::new(format!("rhs must be quantized when lhs or the result is, got {found}")).at(RHS)
        })?;
        ensure(lhs.is_some() == result.is_some(), || {
            let (lhs, result) = (self.cx.show(self.lhs), self.cx.show(self.result));
            let fault = Fault::new(format!("lhs and result must both be quantized or neither, got {lhs} and {result}"));
            fault.at(RESULT).label(LHS, format!("this has element type {lhs}"))
        })
    }

    /// Passes when the storage types of quantized `lhs` and `rhs` are the same.
    pub fn storage_types(&self) -> Verdict {
        let (Some(lhs), Some(rhs)) = (self.quantized(self.lhs), self.rhs()) else {
            return Ok(());
        };
        // A restricted range of values does not make another storage type.
        ensure((lhs.storage.ty, lhs.storage.signed) == (rhs.storage.ty, rhs.storage.signed), || {
            let (lhs, rhs) = (self.cx.show(self.lhs), self.cx.show(self.rhs));
            Fault::new(format!("lhs and rhs must have the same storage type, got {lhs} and {rhs}")).at(RHS)
        })
    }

    /// Passes when the expressed types of quantized `lhs`, `rhs` and result are the same.
    pub fn expressed_types(&self) -> Verdict {
        let (Some(lhs), Some(rhs), Some(result)) = (self.quantized(self.lhs), self.rhs(), self.result()) else {
            return Ok(());
        };
        ensure(lhs.expressed == rhs.expressed && lhs.expressed == result.expressed, || {
            let types = [self.lhs, self.rhs, self.result].map(|ty| self.cx.show(ty));
            Fault::new(format!("lhs, rhs and result must have the same expressed type, got {}", types.join(", ")))
        })
    }

    /// Passes unless `rhs` has one scale and the quantized result has many.
    pub fn granularity(&self) -> Verdict {
        let (Some(_), Some(rhs), Some(result)) = (self.quantized(self.lhs), self.rhs(), self.result()) else {
            return Ok(());
        };
        ensure(!is_per_tensor(rhs) || is_per_tensor(result), || {
            let (rhs, result) = (self.cx.show(self.rhs), self.cx.show(self.result));
            let fault =
                Fault::new(format!("the result must be quantized per tensor when rhs is, got {rhs} and {result}"));
            fault.at(RESULT)
        })
    }

    /// Passes when an unquantized `lhs` and result have the expressed type of a quantized `rhs`.
    pub fn weights_only(&self) -> Verdict {
        let (None, Some(rhs)) = (self.quantized(self.lhs), self.rhs()) else {
            return Ok(());
        };
        ensure(self.lhs == rhs.expressed && self.result == rhs.expressed, || {
            let [lhs, expressed, result] = [self.lhs, rhs.expressed, self.result].map(|ty| self.cx.show(ty));
            let message =
                format!("lhs and result must have the expressed type of rhs, {expressed}, got {lhs} and {result}");
            Fault::new(message).label(RHS, format!("this has expressed type {expressed}"))
        })
    }
}

/// Whether one scale is for all values.
fn is_per_tensor(quantized: &QuantizedType) -> bool {
    matches!(quantized.parameters, QuantizationParameters::PerTensor(_))
}

/// The quantization dimension of a type with scales per axis.
pub fn quantization_dimension(quantized: &QuantizedType) -> Option<i64> {
    match quantized.parameters {
        QuantizationParameters::PerAxis { dimension, .. } => Some(i64::from(dimension)),
        _ => None,
    }
}

/// Whether all zero points are 0.
pub fn has_zero_zero_points(quantized: &QuantizedType) -> bool {
    match &quantized.parameters {
        QuantizationParameters::PerTensor(entry) => entry.zero_point == 0,
        QuantizationParameters::PerAxis { entries, .. } | QuantizationParameters::SubChannel { entries, .. } => {
            entries.iter().all(|entry| entry.zero_point == 0)
        }
    }
}
