//! Which ops see no values from outside.
//!
//! The regions of such ops become sections of their own, and their values are numbered from zero. Apart from functions and
//! modules, whose kind says so, this is found out by looking at all uses inside.

use crate::arena::Entity;
use crate::ir::{Module, OpId, RegionId, ValueDef, ValueId};
use crate::ops::spec::Trait;

/// For each op of `module`, by id, whether it has regions that see no values from outside.
pub(super) fn isolated_ops(module: &Module) -> Vec<bool> {
    let mut isolated = vec![false; module.n_ops()];
    for region in module.region_ids() {
        if let Some(op) = module.region_parent(region) {
            isolated[op.index()] = true;
        }
    }
    for region in module.region_ids() {
        match module.region_parent(region) {
            Some(op) if !is_isolated_by_kind(module, op) => visit(module, region, op, &mut isolated),
            _ => {}
        }
    }
    isolated
}

fn is_isolated_by_kind(module: &Module, op: OpId) -> bool {
    module.kind(op).is_some_and(|kind| kind.spec().has(Trait::IsolatedFromAbove))
}

/// Visits the uses in `region` of `owner`, without those in regions inside it.
fn visit(module: &Module, region: RegionId, owner: OpId, isolated: &mut [bool]) {
    for op in module.blocks(region).iter().flat_map(|block| &module.block(*block).ops) {
        for operand in module.operands(*op) {
            let defined = region_of(module, *operand);
            if defined != Some(region) {
                mark(module, owner, defined, isolated);
            }
        }
    }
}

/// The region that `value` is defined in; none where its op stands nowhere.
fn region_of(module: &Module, value: ValueId) -> Option<RegionId> {
    let block = match module.definition(value) {
        ValueDef::Argument { block, .. } => block,
        ValueDef::Result { op, .. } => module.op(op).parent()?,
    };
    Some(module.block(block).parent())
}

/// A value of region `defined` is used in `owner`: it is not isolated, nor are the ops around it up to that region.
fn mark(module: &Module, owner: OpId, defined: Option<RegionId>, isolated: &mut [bool]) {
    let mut inner = Some(owner);
    while let Some(op) = inner.filter(|op| !is_isolated_by_kind(module, *op)) {
        isolated[op.index()] = false;
        let around = module.op(op).parent().map(|block| module.block(block).parent());
        if around == defined {
            break;
        }
        inner = around.and_then(|region| module.region_parent(region));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_reach_outwards_to_the_owner() {
        let text = r#"func.func @f(%x: i32) {
  %y = "a.outer"() ({
    %z = "a.middle"() ({
      "a.inner"() ({
        "a.use"(%k) : (i32) -> ()
      }) : () -> ()
      "a.free"() ({
        %l = "a.def"() : () -> i32
        "a.use"(%l) : (i32) -> ()
      }) : () -> ()
    }) : () -> i32
    %k = "a.def"() : () -> i32
  }) : () -> i32
  "a.capture"() ({
    "a.empty"() ({
    }) : () -> ()
    "a.use"(%x) : (i32) -> ()
  }) : () -> ()
  return
}"#;
        let parsed = crate::syntax::parse("-", text);
        assert_eq!(parsed.diagnostics, []);
        let module = &parsed.module;
        let isolated = isolated_ops(module);
        let mut found = Vec::new();
        module.walk(module.top(), |op| {
            if !module.regions(op).is_empty() {
                found.push((module.op_name(op), isolated[op.index()]));
            }
        });
        let wanted = [
            ("builtin.module", true),
            ("func.func", true),
            ("a.outer", true),
            ("a.middle", false),
            ("a.inner", false),
            ("a.free", true),
            ("a.capture", false),
            ("a.empty", true),
        ];
        assert_eq!(found, wanted);
    }
}
