//! Casts in artifacts that mix VHLO with other dialects.
//!
//! Where a value of VHLO's type meets an op of another dialect, writers put a cast between the two types. Read back, both
//! types are the same, and the cast says nothing.

use rustc_hash::FxHashMap;

use crate::ir::{Module, OpId, ValueId};
use crate::ops::OpKind;

/// Takes out all casts between equal types.
pub(crate) fn fold_casts(module: &mut Module) {
    let mut casts: Vec<OpId> = Vec::new();
    let mut sources: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    module.walk(module.top(), |op| {
        if module.kind(op) != Some(OpKind::UnrealizedConversionCast) {
            return;
        }
        let (operands, results) = (module.operands(op), module.results(op));
        let same = |(operand, result): (&ValueId, ValueId)| module.value_type(*operand) == module.value_type(result);
        if operands.len() == results.len() && operands.iter().zip(results.iter()).all(same) {
            casts.push(op);
            for (operand, result) in operands.iter().zip(results.iter()) {
                // Casts of casts come behind those.
                let source = sources.get(operand).copied().unwrap_or(*operand);
                sources.insert(result, source);
            }
        }
    });
    let mut changes: Vec<(OpId, usize, ValueId)> = Vec::new();
    module.walk(module.top(), |op| {
        for (index, value) in module.operands(op).iter().enumerate() {
            if let Some(source) = sources.get(value) {
                changes.push((op, index, *source));
            }
        }
    });
    // Where the order of ops is free, casts can be used before they stand, even go round in a circle: they are left alone.
    if changes.iter().any(|(_, _, source)| sources.contains_key(source)) {
        return;
    }
    for (op, index, source) in changes {
        module.set_operand(op, index, source);
    }
    module.detach_ops(&casts);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{parse, print};

    #[test]
    fn casts_between_equal_types_go() {
        let text = "func.func @f(%a: tensor<2xf32>) -> tensor<2xi32> {
            %0 = builtin.unrealized_conversion_cast %a : tensor<2xf32> to tensor<2xf32>
            %1 = builtin.unrealized_conversion_cast %0 : tensor<2xf32> to tensor<2xf32>
            %2 = builtin.unrealized_conversion_cast %1 : tensor<2xf32> to tensor<2xi32>
            return %2 : tensor<2xi32>
        }";
        let mut module = parse("a.mlir", text).module;
        fold_casts(&mut module);
        let expected = "module {
  func.func @f(%arg0: tensor<2xf32>) -> tensor<2xi32> {
    %0 = builtin.unrealized_conversion_cast %arg0 : tensor<2xf32> to tensor<2xi32>
    return %0 : tensor<2xi32>
  }
}
";
        assert_eq!(print(&module, Default::default()), expected);
    }
}
