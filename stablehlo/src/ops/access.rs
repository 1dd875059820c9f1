//! What the accessors of typed views do.
//!
//! The verifier checks an op's structure (counts of operands, results and regions, presence and kind of attributes)
//! before anything else looks at it, so the `expect`s here state facts about verified ops.

use super::attr_classes::i32_array;
use super::spec::{Arity, AttrClass, OpSpec, Trait};
use crate::ir::{Dims, Module, OpId, RegionId, ValueId};

/// Sizes of the operand (or result) segments of ops that carry them.
pub fn segments(module: &Module, op: OpId, spec: &OpSpec, name: &str) -> Option<Dims> {
    let wanted = if name == "operandSegmentSizes" { Trait::OperandSegments } else { Trait::ResultSegments };
    if !spec.has(wanted) {
        return None;
    }
    i32_array(module, module.property(op, name)?)
}

/// Positions of declared parts, found by name while compiling: an unknown name does not compile.
macro_rules! position {
    ($(#[$doc:meta])* $function:ident, $list:ident) => {
        $(#[$doc])*
        pub const fn $function(spec: &OpSpec, name: &str) -> usize {
            let mut index = 0;
            while index < spec.$list.len() {
                if is_same(spec.$list[index].name, name) {
                    return index;
                }
                index += 1;
            }
            panic!("accessors name declared parts")
        }
    };
}

position!(
    /// The position of a declared operand.
    operand_position, operands
);
position!(
    /// The slot of a declared attribute.
    attribute_position, attributes
);
position!(
    /// The position of a declared result.
    result_position, results
);
position!(
    /// The position of a declared region.
    region_position, regions
);

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The operands that stand for declared operand number `index`.
pub fn operands<'m>(module: &'m Module, op: OpId, spec: &OpSpec, index: usize) -> &'m [ValueId] {
    let all = module.operands(op);
    // The common case without any arithmetic: only single operands before it.
    if spec.operands[..=index].iter().all(|operand| operand.arity == Arity::One) {
        return &all[index..=index];
    }
    let range = spec.operand_range(index, all.len(), segments(module, op, spec, "operandSegmentSizes").as_deref());
    &all[range.expect("the verifier has checked the operand counts")]
}

/// The results that stand for declared result number `index`.
pub fn results(module: &Module, op: OpId, spec: &OpSpec, index: usize) -> Vec<ValueId> {
    let all = module.results(op);
    let range = spec.result_range(index, all.len(), segments(module, op, spec, "resultSegmentSizes").as_deref());
    range.expect("the verifier has checked the result counts").filter_map(|index| all.get(index)).collect()
}

/// The result that stands for declared result number `index`, a single one.
pub fn result(module: &Module, op: OpId, spec: &OpSpec, index: usize) -> ValueId {
    let all = module.results(op);
    let at = match spec.results[..index].iter().all(|result| result.arity == Arity::One) {
        true => Some(index),
        false => {
            let segments = segments(module, op, spec, "resultSegmentSizes");
            spec.result_range(index, all.len(), segments.as_deref()).map(|range| range.start)
        }
    };
    at.and_then(|at| all.get(at)).expect("the verifier has checked the result counts")
}

/// The regions that stand for declared region number `index`.
pub fn regions<'m>(module: &'m Module, op: OpId, spec: &OpSpec, index: usize) -> &'m [RegionId] {
    let all = module.regions(op);
    match spec.regions[index].arity {
        Arity::One => &all[index..=index],
        Arity::Many => &all[index..],
    }
}

/// A required attribute.
pub fn required<C: AttrClass>(module: &Module, op: OpId, slot: usize) -> C::Value<'_> {
    optional::<C>(module, op, slot).expect("the verifier has checked that the attribute is there and of its kind")
}

/// An attribute that may be absent.
pub fn optional<C: AttrClass>(module: &Module, op: OpId, slot: usize) -> Option<C::Value<'_>> {
    C::read(module, module.properties(op).get(slot).copied().flatten()?)
}
