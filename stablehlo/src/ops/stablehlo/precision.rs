//! `precision_config` and the algorithms of `dot_general`.

use crate::element::ElementType;
use crate::ir::{DotAlgorithm, FloatKind, Module, Type, TypeId};
use crate::verify::{Fault, Place, Verdict, ensure};

/// Passes when there is no more than one precision per operand.
///
/// The specification wants exactly two; upstream takes fewer, and its tests an empty list.
pub fn check_count<T>(precisions: Option<&[T]>) -> Verdict {
    let count = precisions.map_or(0, <[T]>::len);
    ensure(count <= 2, || {
        Fault::new(format!("precision_config must have one entry per operand, 2, got {count}"))
            .at(Place::Attr("precision_config"))
    })
}

/// What is wrong with an algorithm: the label of the broken rule of `dot_general` and a message.
///
/// Besides positive counts, only combinations that some hardware is known to run are accepted, as upstream does.
pub fn algorithm_fault(module: &Module, algorithm: &DotAlgorithm) -> Option<(&'static str, String)> {
    let counts = [
        ("C22", "lhs_component_count", algorithm.lhs_component_count),
        ("C23", "rhs_component_count", algorithm.rhs_component_count),
        ("C24", "num_primitive_operations", algorithm.num_primitive_operations),
    ];
    if let Some((label, name, count)) = counts.into_iter().find(|(_, _, count)| *count < 1) {
        return Some((label, format!("{name} must be positive, got {count}")));
    }
    (!is_known(module, algorithm)).then(|| {
        let [lhs, rhs, accumulation] =
            [algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type]
                .map(|ty| module.display_type(ty).to_string());
        let message = format!(
            "no hardware is known to multiply {lhs} by {rhs} into {accumulation} with component counts {} and {}, {} \
             primitive operations and{} imprecise accumulation",
            algorithm.lhs_component_count,
            algorithm.rhs_component_count,
            algorithm.num_primitive_operations,
            if algorithm.allow_imprecise_accumulation { "" } else { " no" }
        );
        ("X1", message)
    })
}

/// Whether the combination is one of those known to exist.
fn is_known(module: &Module, algorithm: &DotAlgorithm) -> bool {
    use FloatKind::{BF16, F16, F32, F64, TF32};
    let float = |ty: TypeId| match module.ty(ty) {
        Type::Float(kind) => Some(*kind),
        _ => None,
    };
    let (Some(lhs), Some(rhs), Some(accumulation)) =
        (float(algorithm.lhs_precision_type), float(algorithm.rhs_precision_type), float(algorithm.accumulation_type))
    else {
        return false;
    };
    if algorithm.lhs_component_count != 1 || algorithm.rhs_component_count != 1 {
        return false;
    }
    let operations = algorithm.num_primitive_operations;
    if is_eight_bit(lhs) && is_eight_bit(rhs) {
        return accumulation == F32 && operations == 1;
    }
    let known = match (lhs, rhs, accumulation) {
        (F16, F16, F16 | F32) | (BF16, BF16, BF16) | (F32, F32, F32) | (F64, F64, F64) => operations == 1,
        (BF16, BF16, F32) => matches!(operations, 1 | 3 | 6 | 9),
        (TF32, TF32, F32) => matches!(operations, 1 | 3),
        _ => false,
    };
    known && !algorithm.allow_imprecise_accumulation
}

/// The 8-bit formats with a significand; f8E8M0FNU, a scale, is not among them.
fn is_eight_bit(kind: FloatKind) -> bool {
    kind.element().is_some_and(|element| element.bits() == 8 && element != ElementType::F8E8M0FNU)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(
        lhs: FloatKind,
        rhs: FloatKind,
        accumulation: FloatKind,
        operations: i64,
        imprecise: bool,
    ) -> Option<&'static str> {
        let mut module = Module::new("test");
        let algorithm = DotAlgorithm {
            lhs_precision_type: module.intern_type(Type::Float(lhs)),
            rhs_precision_type: module.intern_type(Type::Float(rhs)),
            accumulation_type: module.intern_type(Type::Float(accumulation)),
            lhs_component_count: 1,
            rhs_component_count: 1,
            num_primitive_operations: operations,
            allow_imprecise_accumulation: imprecise,
        };
        algorithm_fault(&module, &algorithm).map(|(label, _)| label)
    }

    #[test]
    fn combinations_that_hardware_has_are_known() {
        use FloatKind::{BF16, F8E4M3FN, F8E5M2, F16, F32, F64, TF32};
        for (lhs, rhs, accumulation, operations) in [
            (F8E4M3FN, F8E5M2, F32, 1),
            (F16, F16, F16, 1),
            (F16, F16, F32, 1),
            (BF16, BF16, BF16, 1),
            (BF16, BF16, F32, 9),
            (TF32, TF32, F32, 3),
            (F32, F32, F32, 1),
            (F64, F64, F64, 1),
        ] {
            assert_eq!(fault(lhs, rhs, accumulation, operations, false), None, "{lhs:?} {rhs:?} {accumulation:?}");
        }
        assert_eq!(fault(F8E4M3FN, F8E4M3FN, F32, 1, true), None, "8-bit products may be summed imprecisely");
    }

    #[test]
    fn others_are_not() {
        use FloatKind::{BF16, F8E8M0FNU, F16, F32, F64};
        assert_eq!(fault(F32, F32, F32, 1, true), Some("X1"));
        assert_eq!(fault(BF16, BF16, F32, 2, false), Some("X1"));
        assert_eq!(fault(F16, F32, F32, 1, false), Some("X1"));
        assert_eq!(fault(F8E8M0FNU, F8E8M0FNU, F32, 1, false), Some("X1"), "a format of scales has no products");
        assert_eq!(fault(F64, F64, F64, 0, false), Some("C24"));
    }
}
