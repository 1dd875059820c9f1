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

/// The operands that stand for the declared operand `name`.
pub fn operands<'m>(module: &'m Module, op: OpId, spec: &OpSpec, name: &str) -> &'m [ValueId] {
    let all = module.operands(op);
    let index =
        spec.operands.iter().position(|operand| operand.name == name).expect("accessors name declared operands");
    // The common case without any arithmetic: only single operands before it.
    if spec.operands[..=index].iter().all(|operand| operand.arity == Arity::One) {
        return &all[index..=index];
    }
    let range = spec.operand_range(index, all.len(), segments(module, op, spec, "operandSegmentSizes").as_deref());
    &all[range.expect("the verifier has checked the operand counts")]
}

/// The results that stand for the declared result `name`.
pub fn results(module: &Module, op: OpId, spec: &OpSpec, name: &str) -> Vec<ValueId> {
    let all = module.results(op);
    let index = spec.results.iter().position(|result| result.name == name).expect("accessors name declared results");
    let range = spec.result_range(index, all.len(), segments(module, op, spec, "resultSegmentSizes").as_deref());
    range.expect("the verifier has checked the result counts").filter_map(|index| all.get(index)).collect()
}

/// The regions that stand for the declared region `name`.
pub fn regions<'m>(module: &'m Module, op: OpId, spec: &OpSpec, name: &str) -> &'m [RegionId] {
    let all = module.regions(op);
    let index = spec.regions.iter().position(|region| region.name == name).expect("accessors name declared regions");
    match spec.regions[index].arity {
        Arity::One => &all[index..=index],
        Arity::Many => &all[index..],
    }
}

/// A required attribute.
pub fn required<'m, C: AttrClass>(module: &'m Module, op: OpId, name: &str) -> C::Value<'m> {
    optional::<C>(module, op, name).expect("the verifier has checked that the attribute is there and of its kind")
}

/// An attribute that may be absent.
pub fn optional<'m, C: AttrClass>(module: &'m Module, op: OpId, name: &str) -> Option<C::Value<'m>> {
    C::read(module, module.property(op, name.strip_prefix("r#").unwrap_or(name))?)
}
